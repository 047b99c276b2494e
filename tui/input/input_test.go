package input

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/stretchr/testify/assert"
)

// decoded are the messages of an input that comes in these reads, after which the terminal pauses.
func decoded(t testing.TB, reads ...string) (list []string) {
	t.Helper()
	d := New(func(msg tea.Msg) { list = append(list, textOf(msg)) },
		func(err error) { list = append(list, "error "+strings.SplitN(err.Error(), "\n", 2)[0]) })
	d.patience = time.Hour
	for _, b := range reads {
		if n, err := d.Take([]byte(b), nil); n != 0 || err != nil {
			t.Fatalf("Take returns %d, %v", n, err)
		}
	}
	pause(d)
	if d.timer != nil {
		d.timer.Stop()
	}
	return list
}

func textOf(msg tea.Msg) string {
	if g, ok := msg.(uv.KittyGraphicsEvent); ok {
		return fmt.Sprintf("%T i=%d;%s", g, g.Options.ID, g.Payload)
	}
	return fmt.Sprintf("%T %v", msg, msg)
}

// pause lets the time for the rest of a sequence pass.
func pause(d *Decoder) {
	d.mu.Lock()
	d.due = time.Time{}
	d.mu.Unlock()
	if d.timer != nil {
		d.expire()
	}
}

// keys are the messages of these keys, by their names.
func keys(names ...string) (list []string) {
	for _, n := range names {
		list = append(list, "uv.KeyPressEvent "+n)
	}
	return list
}

func equal(a, b []string) bool { return strings.Join(a, "\n") == strings.Join(b, "\n") }

// TestInput decodes what terminals send, in one read and byte by byte.
func TestInput(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"text", "gä", keys("g", "ä")},
		{"graphemes", "👩\u200d🔬z", []string{"uv.KeyPressEvent 👩\u200d🔬", "uv.KeyPressEvent z"}},
		{"control", "\x01\r\t\x7f", keys("ctrl+a", "enter", "tab", "backspace")},
		{"escape", "\x1b", keys("esc")},
		{"two escapes", "\x1b\x1b", keys("alt+esc")},
		{"alt", "\x1bö\x1bx", keys("alt+ö", "alt+x")},
		{"alt bracket", "\x1b[", keys("alt+[")},
		{"alt P", "\x1bP", keys("alt+shift+p")},
		{"arrows", "\x1b[A\x1bOB\x1b[1;5C\x1b\x1b[D", keys("up", "down", "ctrl+right", "alt+left")},
		{"function keys", "\x1bOP\x1b[15~\x1b[24;2~", keys("f1", "f5", "shift+f12")},
		{"rxvt", "\x1b[23$", keys("shift+f11")},
		{"kitty", "\x1b[107;6u\x1b[98;1:3u", append(keys("ctrl+shift+k"), "uv.KeyReleaseEvent b")},
		{"modify other keys", "\x1b[27;5;44~", keys("ctrl+,")},
		{"mouse", "\x1b[<0;7;5M\x1b[<0;7;5m\x1b[<65;2;3M\x1b[M !%", []string{
			"uv.MouseClickEvent left", "uv.MouseReleaseEvent left", "uv.MouseWheelEvent wheeldown", "uv.MouseClickEvent left"}},
		{"paste", "\x1b[200~1;2\r\n\x1b[A3\x1b[201~q", append([]string{"tea.PasteMsg 1;2\r\n\x1b[A3"}, keys("q")...)},
		{"focus", "\x1b[I\x1b[O", []string{"uv.FocusEvent {}", "uv.BlurEvent {}"}},
		{"background", "\x1b]11;rgb:1010/2020/3030\x1b\\\x1b]11;rgb:1010/2020/3030\a", []string{
			"uv.BackgroundColorEvent #102030", "uv.BackgroundColorEvent #102030"}},
		{"mode", "\x1b[?2026;2$y", []string{"uv.ModeReportEvent {2026 2}"}},
		{"keyboard", "\x1b[?3u", []string{"uv.KeyboardEnhancementsEvent {3}"}},
		{"version", "\x1bP>|kitty 0.40\x1b\\", []string{"uv.TerminalVersionEvent kitty 0.40"}},
		{"pictures of kitty", "\x1b_Gi=47;OK\x1b\\", []string{"uv.KittyGraphicsEvent i=47;OK"}},
		{"an error of kitty", "\x1b_Gi=47;EINVAL:no\x1b\\z", append([]string{"uv.KittyGraphicsEvent i=47;EINVAL:no"}, keys("z")...)},
		{"size of a cell", "\x1b[6;21;9t", []string{"uv.CellSizeEvent {9 21}"}},
		{"size of all cells", "\x1b[4;510;720t", []string{"uv.PixelSizeEvent {720 510}"}},
		{"attributes", "\x1b[?62;4;22c", []string{"uv.PrimaryDeviceAttributesEvent [62 4 22]"}},
		{"capability", "\x1bP1+r524742\x1b\\", []string{"uv.CapabilityEvent RGB"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := decoded(t, c.in); !equal(got, c.want) {
				t.Errorf("at once: %q, want %q", got, c.want)
			}
			if c.name == "graphemes" {
				return // their characters come one by one
			}
			var reads []string
			for i := range len(c.in) {
				reads = append(reads, c.in[i:i+1])
			}
			if got := decoded(t, reads...); !equal(got, c.want) {
				t.Errorf("byte by byte: %q, want %q", got, c.want)
			}
		})
	}
}

// TestHostileInput sends what ends the process, fills the memory or holds up the keys in the decoders that Bubble Tea
// uses, and then a key: it comes, and nothing else does but keys and reports of errors.
func TestHostileInput(t *testing.T) {
	many := func(s string, n int) string { return strings.Repeat(s, n) }
	for _, c := range []struct{ name, in string }{
		{"33 parameters", "\x1b[" + many("7;", 32) + "4m"},
		{"41 subparameters", "\x1b[" + many("2:", 40) + "3u"},
		{"33 separators and no final byte", "\x1b[" + many(";", 33) + "5"},
		{"33 parameters of a string", "\x1bP" + many("8;", 34) + "1|x\x1b\\"},
		{"subparameters of a string", "\x1bP" + many(":", 45) + "\x1b\\"},
		{"33 parameters in 8 bits", "\x9b" + many("6;", 35) + "2m"},
		{"string in 8 bits", "\x90" + many("9:", 37) + "1r\x9c"},
		{"mouse in 8 bits", "\x9bM+/."},
		{"mouse in 8 bits with parameters", "\x9b3;4M+/."},
		{"no UTF-8", "\xfe\xc0\xaf\xed\xa0\x80"},
		{"size of the terminal", "\x1b[8;1999999;1888888t"},
		{"sizes of the terminal", "\x1b[48;1999999;1888888;3;3t"},
		{"65535 keys", "\x1b[66;0;98;1;0;65535_"},
		{"mouse far away", "\x1b[<0;2147483647;2147483646M\x1b[<0;0;0M"},
		{"control codes as text", "\x1b[98;1;155u\x1b[27;1;155~"},
		{"control code in a sequence", "\x1b[\x18\x1b[3;\x05\x1bO4\x06"},
		{"long number", "\x1b[" + many("7", 300) + "z"},
		{"long sequence", "\x1b[" + many("7", 5000) + "A"},
		{"string without an end", "\x1b]0;" + many("t", 70_000)},
		{"clipboard", "\x1b]52;c;Ym9v\x1b\\"},
		{"strings that end at once", "\x1b]11;\a\x1bP\x1b\\\x1b_\x1b\\\x1b^\x1b\\\x1bX\x1b\\"},
		{"escapes", many("\x1b", 50_000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, came := quiet(t)
			for len(c.in) > 0 {
				n := min(len(c.in), 4096)
				_, _ = d.Take([]byte(c.in[:n]), nil)
				c.in = c.in[n:]
				if len(d.unread) > maxSequence {
					t.Fatalf("%d bytes are kept", len(d.unread))
				}
			}
			pause(d)
			before := len(*came)
			_, _ = d.Take([]byte("w"), nil)
			if got := (*came)[before:]; len(got) != 1 || got[0] != "w" {
				t.Errorf("the key w is %q", got)
			}
			for _, k := range (*came)[:before] {
				assert.False(t, strings.HasPrefix(k, "other: ") && k != "other: uv.PixelSizeEvent {3 3}", k)
			}
		})
	}
}

// quiet is a decoder, with the keys that came.
func quiet(t testing.TB) (*Decoder, *[]string) {
	came := &[]string{}
	d := New(func(msg tea.Msg) {
		text := fmt.Sprint(msg)
		if _, key := msg.(uv.KeyPressEvent); !key || len(text) > 10 {
			text = fmt.Sprintf("other: %T %s", msg, text)
		}
		*came = append(*came, text)
	}, func(err error) {
		if strings.Contains(err.Error(), "panic") { // the bounds are before the decoder
			t.Error(err)
		}
	})
	d.patience = time.Hour
	t.Cleanup(func() {
		if d.timer != nil {
			d.timer.Stop()
		}
	})
	return d, came
}

// TestKeysAfterGarbageDoNotWait: in Bubble Tea's decoder they wait until the terminal pauses, and what comes is kept.
func TestKeysAfterGarbageDoNotWait(t *testing.T) {
	for _, in := range []string{"\xfd", "\x1b[9;\x0e", "\x1b[ \x7f", "\x1b]12;\a"} {
		d, came := quiet(t)
		_, _ = d.Take([]byte(in+"ok"), nil)
		if n := len(*came); n < 2 || (*came)[n-2] != "o" || (*came)[n-1] != "k" {
			t.Errorf("after %q: %q", in, *came)
		}
	}
}

// TestLongPaste keeps the beginning of a text that is too long, and takes the keys after it.
func TestLongPaste(t *testing.T) {
	var text string
	var last tea.Msg
	d := New(func(msg tea.Msg) {
		if p, ok := msg.(tea.PasteMsg); ok {
			text = p.Content
		}
		last = msg
	}, nil)
	_, _ = d.Take([]byte("\x1b[200~"), nil)
	for range maxPaste/4000 + 3 {
		_, _ = d.Take([]byte(strings.Repeat("ab", 2000)), nil)
	}
	_, _ = d.Take([]byte("\x1b[201~x"), nil)
	if len(text) != maxPaste || fmt.Sprint(last) != "x" {
		t.Errorf("%d bytes are pasted, the last message is %v", len(text), last)
	}
}

// TestEndOfInput decodes what is left.
func TestEndOfInput(t *testing.T) {
	d, came := quiet(t)
	gone := errors.New("gone")
	if _, err := d.Take([]byte("c\x1b"), gone); !errors.Is(err, gone) || strings.Join(*came, " ") != "c esc" {
		t.Errorf("%q came, %v", *came, err)
	}
}

// TestPanicOfDecoder is an error that is reported, and the next key comes.
func TestPanicOfDecoder(t *testing.T) {
	var errs []error
	sent := 0
	d := New(func(tea.Msg) { sent++ }, func(err error) { errs = append(errs, err) })
	d.unread = []byte("\x9bM+/.")[:5:5]
	if d.event(5, complete); len(errs) != 1 || strings.Contains(errs[0].Error(), "+/.") {
		t.Errorf("the errors are %v", errs)
	}
	d.unread = nil
	if _, _ = d.Take([]byte("e"), nil); sent != 1 {
		t.Errorf("%d keys came", sent)
	}
}

// fragments are what sequences are made of.
var fragments = []string{"\x1b", "[", "O", "P", "]", "_", "^", "X", "\\", "\x9b", "\x90", "\x9d", "\x9f", "\x8f", "\x9c", "\a",
	"\x18", "\x1a", ";", ":", "1", "27", "200", "201", "~", "u", "_", "M", "m", "<", "?", ">", "$", "+", "r", "|", "!", "t",
	"R", "A", "y", "n", "c", "\xff", "é", "👩\u200d🔬", "G", "52", "11", "48", "9999999999", "1b5b", "\x1b[", "\x1bP", "\x1b]",
	"\x1b[200~", "\x1b[201~", " ", "1;1;1;1;1;1;1;1;1;", "::::::::::::::", "\xe2", "\x80"}

// random is a sequence of fragments.
func random(rng *rand.Rand) string {
	var b strings.Builder
	for range 1 + rng.IntN(9) {
		b.WriteString(fragments[rng.IntN(len(fragments))])
	}
	return b.String()
}

// checkInput decodes an input in two reads: nothing panics, what is kept is bounded, and after a pause a key comes.
func checkInput(t testing.TB, in []byte, cut int) {
	var failed error
	keys := 0
	d := New(func(msg tea.Msg) {
		if k, ok := msg.(uv.KeyPressEvent); ok && k.Code == 'j' {
			keys++
		}
	}, func(err error) { failed = err })
	d.patience = time.Hour
	cut = min(max(cut, 0), len(in))
	for _, b := range [][]byte{in[:cut:cut], in[cut:]} {
		_, _ = d.Take(b, nil)
		if len(d.unread) > maxSequence {
			t.Fatalf("%d bytes are kept of %q", len(d.unread), in)
		}
	}
	pause(d)
	if d.pasting {
		_, _ = d.Take(pasteEnd, nil)
	}
	before := keys
	if _, _ = d.Take([]byte("j"), nil); keys != before+1 {
		t.Fatalf("no key comes after %q", in)
	}
	if failed != nil && len(in) <= maxSequence {
		t.Fatalf("%q: %v", in, failed)
	}
	if d.timer != nil {
		d.timer.Stop()
	}
}

// TestRandomInput decodes random sequences.
func TestRandomInput(t *testing.T) {
	rng := rand.New(rand.NewPCG(52, 9))
	for range 20_000 {
		in := random(rng)
		checkInput(t, []byte(in), rng.IntN(len(in)+1))
	}
}

// FuzzInput decodes any bytes.
func FuzzInput(f *testing.F) {
	rng := rand.New(rand.NewPCG(9, 52))
	for range 200 {
		f.Add([]byte(random(rng)), 3)
	}
	f.Add([]byte("\x1b_Gi=31;OK\x1b\\\x1b[6;20;10t\x1b[?62;4c"), 5)
	f.Fuzz(func(t *testing.T, in []byte, cut int) { checkInput(t, in, cut) })
}
