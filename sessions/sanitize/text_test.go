package sanitize

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"plain é λ":          "plain é λ",
		"a\x1b[2Jb":          "a␛[2Jb",
		"a\nb\tc":            "a b c",
		"del\x7f":            "del␡",
		"c1\u009b2J":         "c1\ufffd2J",
		"bidi\u202eevil":     "bidi\ufffdevil",
		"no utf-8: \xff\xfe": "no utf-8: \ufffd\ufffd",

		"soft\u00adhyphen \u180e \u2060 \u034f \u3164 \uffa0 \u115f": "soft\ufffdhyphen \ufffd \ufffd \ufffd \ufffd \ufffd \ufffd",
		"tags \U000e0001\U000e0041\U000e007f":                        "tags \ufffd\ufffd\ufffd",
		"hidden in selectors \U000e0101\ufe03":                       "hidden in selectors \ufffd\ufffd",
		"private \ue000\U000f0000\U0010fffd lines \u2028\u2029":      "private \ufffd\ufffd\ufffd lines \ufffd\ufffd",
		"bidi \u2066\u2069\u061c\u200e join \u200d\u200c\ufeff":      "bidi \ufffd\ufffd\ufffd\ufffd join \ufffd\ufffd\ufffd",
		"می\u200cشود نمی\u200cخواهم":                                 "می\u200cشود نمی\u200cخواهم",
		"क्\u200dष र्\u200d क्\u200cष":                               "क्\u200dष र्\u200d क्\u200cष",
		"family 👩\u200d👩\u200d👦 ❤\ufe0f\u200d🔥 👩🏽\u200d🔬":            "family 👩👩👦 ❤🔥 👩🏽🔬",
		"ad\u200cmin a\u200db 1\u200d + \u200c ی\u200c\u200c":        "ad\ufffdmin a\ufffdb 1\ufffd + \ufffd ی\u200c\ufffd",
		"marks e\u0301 n\u0303 का, wide 日本 한국, 👍🏽 ♥\ufe0f ⢀⣀ ★":      "marks e\u0301 n\u0303 का, wide 日本 한국, 👍🏽 ♥ ⢀⣀ ★",
	} {
		assert.Equal(t, want, Text(in), "Text(%q)", in)
	}
}

// A word is one word to a shell, whatever is in it, and as it is where that is one word already.
func TestWord(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	for _, word := range []string{"a'b $x `y`", "", "~", "-n", "a b", "a\\b", "*", "#", "λ", "!x", "k=v", "'", "a;b"} {
		if got, err := exec.Command(sh, "-c", "printf '<%s>' "+Word(word)).Output(); err != nil ||
			string(got) != "<"+word+">" {
			t.Errorf("%q is written %s, and read %q (%v)", word, Word(word), got, err)
		}
	}
	assert.Equal(t, "bbob-f1:2/a_b,c.d", Word("bbob-f1:2/a_b,c.d"), "quoted without need")
	assert.Equal(t, "'a␛[2J'", Word("a\x1b[2J"), "written raw")
}

// unseen is what the output never holds, by Unicode's categories and by name.
var unseen = regexp.MustCompile(
	`[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\x{034f}\x{115f}\x{1160}\x{17b4}\x{17b5}\x{180b}-\x{180f}\x{2065}\x{3164}\x{fe00}-\x{fe0f}\x{ffa0}\x{fff0}-\x{fff8}\x{e0000}-\x{e0fff}]`)

// joined are letters with the joiner that may follow them.
var joined = regexp.MustCompile(`[\p{Arabic}\p{Syriac}\p{Mongolian}\p{Nko}\p{Mandaic}\p{Devanagari}\p{Bengali}` +
	`\p{Gurmukhi}\p{Gujarati}\p{Oriya}\p{Tamil}\p{Telugu}\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Khmer}\p{Myanmar}]` +
	`[\x{200c}\x{200d}]`)

// No character of any text that could not be seen is in what is shown, a second time changes nothing, and letters with
// their marks are left alone.
func FuzzText(f *testing.F) {
	for r := range rune(unicode.MaxRune) { // every character there is, in pieces
		if r%4096 == 0 {
			var b strings.Builder
			for c := r; c < r+4096; c++ {
				b.WriteRune(c)
			}
			f.Add(b.String())
		}
	}
	f.Add("e\u0301\xff\x1b]52;c;x\a")
	f.Fuzz(func(t *testing.T, text string) {
		for name, got := range map[string]string{
			"a line": Text(text), "text": strings.ReplaceAll(Lines(text), "\n", "")} {
			if bad := unseen.FindString(joined.ReplaceAllString(got, "")); bad != "" || !utf8.ValidString(got) {
				t.Errorf("%s of %+q holds %+q", name, text, bad)
			}
		}
		if got := Text(Text(text)); got != Text(text) {
			t.Errorf("%+q becomes %+q at a second time", text, got)
		}
		letters := func(s string) string {
			return strings.Map(func(r rune) rune {
				if unicode.In(r, unicode.Latin, unicode.Han, unicode.Devanagari, unicode.N, unicode.Mc) {
					return r
				}
				return -1
			}, s)
		}
		assert.Equal(t, letters(Text(text)), letters(text), "%+q loses letters", text)
		var b bytes.Buffer
		if err := JSON(&b, text); err != nil || unseen.MatchString(strings.TrimSuffix(b.String(), "\n")) {
			t.Errorf("JSON %+q, %v", b.String(), err)
		}
		var back string
		if err := json.Unmarshal(b.Bytes(), &back); err != nil || back != strings.ToValidUTF8(text, "\ufffd") &&
			utf8.ValidString(text) {
			t.Errorf("%+q is read back %+q, %v", text, back, err)
		}
	})
}

// What is shown takes as many cells as it is counted for, in a terminal.
func TestWidth(t *testing.T) {
	for text, want := range map[string]int{
		"plain": 5, "e\u0301": 1, "日本": 4, "한국": 4, "\u1112\u1161\u11ab": 2, "👍🏽": 2, "♥\ufe0f": 1, "a\u00adb": 3,
		"\x1b[31m": 5, "👨\u200d👩": 4, "می\u200cشود": 5} {
		shown := Text(text)
		screen := vt.NewEmulator(40, 2)
		if _, err := screen.WriteString(shown); err != nil {
			t.Fatal(err)
		}
		if got, column := ansi.StringWidth(shown), screen.CursorPosition().X; got != want || column != want {
			t.Errorf("%+q: %d cells, and %d in a terminal, want %d", shown, got, column, want)
		}
	}
}

// A line keeps its colours, and nothing else that is hidden.
func TestStyled(t *testing.T) {
	if got := Styled("\x1b[1mrate\x1b[m \u202eevil \u200d می\u200cشود"); got !=
		"\x1b[1mrate\x1b[m \ufffdevil \ufffd می\u200cشود" {
		t.Errorf("the line is %q", got)
	}
}

// JSON for other programs holds nothing that drives a terminal, means the same.
func TestJSON(t *testing.T) {
	text := "\x1b[2J \u009b2J \x7f \u202e é \u00ad \U000e0041 \ufe0f 👍"
	var b bytes.Buffer
	require.NoError(t, JSON(&b, map[string]any{"text": text, "y": 1.5}))
	if strings.ContainsAny(b.String(), "\x1b\u009b\x7f\u202e\u00ad\U000e0041\ufe0f") {
		t.Errorf("written raw: %q", b.String())
	}
	var back struct {
		Text string
		Y    float64
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &back))
	if back.Text != text || back.Y != 1.5 {
		t.Errorf("read back: %+v", back)
	}
}
