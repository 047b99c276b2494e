package sessions

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/sample"
	"bandscope/sessions/eventlog"
)

// What is written is the same to the byte for the same events, and a rewritten log keeps lines that this program does
// not know.
func TestWritingIsStable(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) []byte {
		s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3, Noise: 0.5})
		require.NoError(t, s.SaveAs(filepath.Join(dir, name)))
		defer s.Close()
		steps(t, s, 3)
		b, _ := os.ReadFile(filepath.Join(dir, name))
		return b
	}
	a, b := write("a.jsonl"), write("b.jsonl")
	assert.Equal(t, b, a, "the same events are written differently:\n%s\n%s", a, b)
	lines := strings.Split(strings.TrimSpace(string(a)), "\n")
	parent := lines[len(lines)-1][len(`{"id":"`):][:16]
	_, strange := signedLine(`{"parent":"` + parent + `","dt":1,"kind":"zz-later","data":{"b":1},"extra":"kept"}`)
	path := filepath.Join(dir, "c.jsonl")
	os.WriteFile(path, append(a, append(strange, '\n')...), 0o644)
	s := reopen(t, path)
	if st := s.State(); len(st.Iterations) != 3 || len(s.Notices()) != 0 {
		t.Errorf("an unknown event disturbs: %d iterations, notices %q", len(st.Iterations), s.Notices())
	}
	copied := filepath.Join(dir, "d.jsonl")
	require.NoError(t, s.SaveAs(copied))
	if b, _ := os.ReadFile(copied); !bytes.Contains(b, strange) {
		t.Error("an unknown event is lost on rewriting")
	}
}

// The example in FORMAT.md is a session, to the last byte.
func TestFormatExample(t *testing.T) {
	doc, err := os.ReadFile("FORMAT.md")
	require.NoError(t, err)
	_, example, _ := strings.Cut(string(doc), "## Example\n")
	_, example, _ = strings.Cut(example, "```\n")
	example, _, _ = strings.Cut(example, "```")
	path := filepath.Join(t.TempDir(), "example.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(example), 0o600))
	s := reopen(t, path)
	st := s.State()
	if len(s.Notices()) > 0 || len(st.Iterations) != 2 || st.Iterations[0].Points[0].Y[0] != 0.25 ||
		!strings.Contains(example, `"version":"`+eventlog.Version()+`"`) {
		t.Errorf("%v, %+v", s.Notices(), st.Iterations)
	}
	repeats(t, s, 2)
}

// signedLine is a line with its id in front, as FORMAT.md has it.
func signedLine(rest string) (id string, line []byte) {
	sum := sha256.Sum256([]byte(rest))
	id = hex.EncodeToString(sum[:8])
	return id, []byte(`{"id":"` + id + `",` + rest[1:])
}

// realLog is a log with every kind of event.
func realLog(t testing.TB) ([]byte, int) {
	path := filepath.Join(t.TempDir(), "real.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "gp-ucb", Seed: 5, Noise: 0.1})
	require.NoError(t, s.SaveAs(path))
	steps(t, s, 2)
	s.Edit("beta_scale", "4")
	s.Note("a note")
	s.Query(context.Background(), []float64{0.3})
	out := asks(t, s, 2) // the first of which is told first
	if _, err := s.Tell(out[0].ID, functions.Outcome{Reason: "spilt"}); err != nil {
		t.Fatal(err)
	}
	s.Back()
	s.Close()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return b, 4
}

// everyByte is how far the bytes that are tried lie apart.
var everyByte = sample.Stride(17)

// Cut at any byte, a log gives back every event that was whole, goes on, and its old bytes stay.
func TestTruncationAtEveryByte(t *testing.T) {
	if testing.Short() {
		t.Skip("files are read by one goroutine")
	}
	log, _ := realLog(t)
	path := filepath.Join(t.TempDir(), "cut.jsonl")
	headerEnd := bytes.IndexByte(log, '\n')
	for n := 0; n <= len(log); n += everyByte {
		require.NoError(t, os.WriteFile(path, log[:n], 0o644))
		s, err := Open(t.Context(), path)
		if n < headerEnd {
			require.Error(t, err, "cut at %d: a log without its header opens", n)
			continue
		}
		require.NoError(t, err, "cut at %d", n)
		whole := bytes.Count(log[:n], []byte("\n"))
		if rest := log[bytes.LastIndexByte(log[:n], '\n')+1 : n]; len(rest) > 0 && json.Valid(rest) {
			whole++ // only the line feed is missing
		}
		if len(s.rec.Tree.Events()) != whole {
			t.Fatalf("cut at %d: %d events are read, %d are whole", n, len(s.rec.Tree.Events()), whole)
		}
		if torn := whole == bytes.Count(log[:n], []byte("\n")) && n > 0 &&
			log[n-1] != '\n'; torn != (len(s.Notices()) > 0) {
			t.Fatalf("cut at %d: torn is %v, notices %q", n, torn, s.Notices())
		}
		if n%7 == 0 { // going on costs two writes to the disk
			s.Last()
			done := len(s.State().Iterations)
			steps(t, s, 1)
			require.NoError(t, s.Close())
			after, _ := os.ReadFile(path)
			require.True(t, bytes.HasPrefix(after, log[:n]), "cut at %d: old bytes were changed", n)
			r, err := Open(t.Context(), path)
			if err != nil || len(r.State().Iterations) != done+1 || r.State().ReadOnly || len(r.Notices()) > 0 {
				t.Fatalf("cut at %d: going on is lost: %v, %q", n, err, r.Notices())
			}
			r.Close()
			continue
		}
		s.Close()
	}
}

// With any byte changed, what is not damaged is still read, and the file is never written to.
func TestCorruptionAtEveryByte(t *testing.T) {
	if testing.Short() {
		t.Skip("files are read by one goroutine")
	}
	log, iterations := realLog(t)
	path := filepath.Join(t.TempDir(), "bad.jsonl")
	headerEnd := bytes.IndexByte(log, '\n')
	for n := 0; n < len(log); n += everyByte {
		bad := bytes.Clone(log)
		bad[n] ^= 0x15
		require.NoError(t, os.WriteFile(path, bad, 0o644))
		s, err := Open(t.Context(), path)
		if n <= headerEnd {
			require.Error(t, err, "byte %d of the header changed: it opens all the same", n)
			continue
		}
		require.NoError(t, err, "byte %d changed", n)
		if got := len(s.State().Iterations); got > iterations {
			t.Fatalf("byte %d changed: %d iterations appear", n, got)
		}
		last := n == len(log)-1 // without its line feed the last line is torn, not damaged
		if len(s.Notices()) == 0 || (!last && !s.State().ReadOnly) {
			t.Fatalf("byte %d changed: nothing is said (%q), or the file may be written", n, s.Notices())
		}
		s.Close()
		if after, _ := os.ReadFile(path); !bytes.Equal(after, bad) {
			t.Fatalf("byte %d changed: opening writes to the file", n)
		}
	}
}

func TestDamageIsNamed(t *testing.T) {
	log, _ := realLog(t)
	lines := bytes.SplitAfter(log, []byte("\n"))
	lines[5] = []byte("rubbish \x1b[31m\n")
	path := filepath.Join(t.TempDir(), "bad.jsonl")
	os.WriteFile(path, bytes.Join(lines, nil), 0o644)
	s := reopen(t, path)
	text := strings.Join(s.Notices(), " ")
	if !strings.Contains(text, "line 6 is damaged") || !strings.Contains(text, "lines can be read") {
		t.Errorf("notices: %q", text)
	}
	if _, err := s.Step(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("stepping writes to a damaged file: %v", err)
	}
	require.NoError(t, s.SaveAs(filepath.Join(t.TempDir(), "rescued.jsonl")))
	steps(t, s, 1)
}

// A program that never ends its turn, as those of older versions do, is named after a while, and nothing is recorded.
func TestTurnThatNeverEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "random"})
	require.NoError(t, s.SaveAs(path))
	steps(t, s, 2)
	other := reopen(t, path)
	if st := other.State(); st.ReadOnly || len(st.Iterations) != 2 || len(other.Notices()) != 0 {
		t.Errorf("while another has the file: read-only %v, %d iterations, %q", st.ReadOnly, len(st.Iterations),
			other.Notices())
	}
	if _, err := s.rec.File.Begin(s.rec.Tree); err != nil {
		t.Fatal(err)
	}
	_, err := other.Step(t.Context(), nil)
	if !errors.As(err, new(*eventlog.LockedError)) || !strings.Contains(err.Error(), "another process") {
		t.Errorf("got %v", err)
	}
	late := reopen(t, path)
	if st := late.State(); !st.ReadOnly || len(late.Notices()) != 1 {
		t.Errorf("opened meanwhile: read-only %v, %q", st.ReadOnly, late.Notices())
	}
	s.Close()
	steps(t, other, 1)
	if st := reopen(t, path).State(); st.ReadOnly || len(st.Iterations) != 3 {
		t.Errorf("after it has ended: read-only %v, %d iterations", st.ReadOnly, len(st.Iterations))
	}
}

// A session goes on in a new file where another program took its file away: nothing that was recorded before, then or
// later is missing there, the other program's file is left alone, and a listener hears of it once. If it is noticed
// only when the session is closed, the error says so.
func TestFileTakenAway(t *testing.T) {
	for _, closed := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		s := start(t, Config{Problem: "forrester", Optimizer: "random"})
		require.NoError(t, s.SaveAs(path))
		steps(t, s, 2)
		require.NoError(t, eventlog.Replace(path, []byte("older\n"), 0o644))
		var heard []string
		s.Listen(func(notice string) { heard = append(heard, notice) })
		rescued, want := strings.TrimSuffix(path, ".jsonl")+"-rescued.jsonl", 2
		if !closed {
			steps(t, s, 3)
			want = 5
			if st := s.State(); st.Path != rescued || !st.Saved {
				t.Errorf("it is in %s, and saved: %v", st.Path, st.Saved)
			}
		}
		err := s.Close()
		if closed {
			heard = append(heard, fmt.Sprint(err))
		} else if err != nil {
			t.Error(err)
		}
		if notices := s.Notices(); len(heard) != 1 || len(notices) != 1 ||
			!strings.HasPrefix(heard[0], path+" was replaced by another program") ||
			!strings.HasPrefix(notices[0], path) {
			t.Errorf("heard %q, noticed %q", heard, notices)
		}
		if again := reopen(t, rescued).State(); len(again.Iterations) != want || again.ReadOnly {
			t.Errorf("the new file has %d steps, want %d", len(again.Iterations), want)
		}
		if got, _ := os.ReadFile(path); string(got) != "older\n" {
			t.Errorf("the other program's file has %q", got)
		}
	}
}

// A file that is replaced while somebody waits for it is read as it is then.
func TestReadIsWhatIsLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "random"})
	require.NoError(t, s.SaveAs(path))
	steps(t, s, 1)
	if _, err := s.rec.File.Begin(s.rec.Tree); err != nil {
		t.Fatal(err)
	}
	other := start(t, Config{Problem: "forrester", Optimizer: "random"})
	steps(t, other, 3)
	require.NoError(t, other.SaveAs(path+".new"))
	other.Close()
	ctx := &waited{Context: t.Context(), first: func() {
		if err := errors.Join(os.Rename(path+".new", path), s.Close()); err == nil {
			t.Error("nothing is said to who had the file before")
		}
	}}
	next, err := OpenForWriting(ctx, path, time.Minute)
	require.NoError(t, err)
	if n := len(next.State().Iterations); n != 3 {
		t.Errorf("it has %d steps, the file has 3", n)
	}
	steps(t, next, 1)
	next.Close()
	if n := len(reopen(t, path).State().Iterations); n != 4 {
		t.Errorf("after one more the file has %d steps", n)
	}
}

// waited is a context that does something when it is first waited for.
type waited struct {
	context.Context
	first func()
}

func (w *waited) Done() <-chan struct{} {
	if w.first != nil {
		first := w.first
		w.first = nil
		first()
	}
	return w.Context.Done()
}

func TestSaveAsNeverOverwrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	os.WriteFile(path, []byte("precious"), 0o644)
	s := start(t, Config{Problem: "forrester", Optimizer: "random"})
	assert.ErrorContains(t, s.SaveAs(path), "exists")
	if b, _ := os.ReadFile(path); string(b) != "precious" {
		t.Error("the file was changed")
	}
}

// A log that was cut off is gone on with any number of times, and what was cut off stays in the file.
func TestCutOffTwice(t *testing.T) {
	log, _ := realLog(t)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	os.WriteFile(path, log[:len(log)-20], 0o644)
	for round := range 3 {
		s := reopen(t, path)
		if len(s.Notices()) != 1 || s.State().ReadOnly {
			t.Fatalf("round %d: %q, read-only %v", round, s.Notices(), s.State().ReadOnly)
		}
		s.Last()
		steps(t, s, 1)
		s.Close()
		b, _ := os.ReadFile(path)
		require.True(t, bytes.Contains(b, log[:len(log)-20]), "round %d: old bytes were changed", round)
		os.WriteFile(path, b[:len(b)-20], 0o644)
	}
}

// Damage to a line that was cut off and gone on after is damage like any other.
func TestDamageInTornLine(t *testing.T) {
	log, _ := realLog(t)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	os.WriteFile(path, log[:len(log)-20], 0o644)
	s := reopen(t, path)
	s.Last()
	steps(t, s, 1)
	s.Close()
	b, _ := os.ReadFile(path)
	b[len(log)-25] ^= 1
	os.WriteFile(path, b, 0o644)
	if r := reopen(t, path); !r.State().ReadOnly {
		t.Error("the change goes unnoticed")
	}
}

// Leaving a session at the same places again and again gives no two equal lines.
func TestBookmarksDiffer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "random"})
	s.SaveAs(path)
	steps(t, s, 2)
	s.Close()
	for round := range 6 {
		s := reopen(t, path)
		if s.State().ReadOnly || len(s.State().Iterations) != 2-round%2 {
			t.Fatalf("round %d: %q, at %d", round, s.Notices(), len(s.State().Iterations))
		}
		s.rec.Now = func() time.Time { return s.rec.Last } // a clock that stands still
		if !s.Back() {
			s.First()
		}
		if round%2 == 1 {
			s.Last()
		}
		s.Close()
	}
}

// An event ahead that cannot be applied is reported when the file is opened; the session stands and goes on before it.
func TestInapplicableAhead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "random"})
	s.SaveAs(path)
	root := s.rec.Tree.Root().ID
	s.Close()
	id, bad := signedLine(`{"parent":"` + root + `","dt":0,"kind":"suggested","data":{"x":[]}}`)
	_, seen := signedLine(`{"parent":"` + id + `","dt":0,"kind":"observed","data":{}}`)
	_, mark := signedLine(`{"parent":"` + root + `","dt":0,"kind":"visited","data":{}}`)
	before, _ := os.ReadFile(path)
	os.WriteFile(path, bytes.Join([][]byte{bytes.TrimSpace(before), bad, seen, mark, nil}, []byte("\n")), 0o644)
	r := reopen(t, path)
	if st := r.State(); !st.ReadOnly || st.Ahead != 0 ||
		!strings.Contains(strings.Join(r.Notices(), " "), "suggests no point") ||
		strings.Contains(strings.Join(r.Notices(), " "), " more)") {
		t.Errorf("read-only %v, %d ahead, %q", st.ReadOnly, st.Ahead, r.Notices())
	}
	require.NoError(t, r.SaveAs(filepath.Join(t.TempDir(), "rescued.jsonl")))
	steps(t, r, 1)
}

func TestLongLines(t *testing.T) {
	whole, iterations := realLog(t)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	os.WriteFile(path, slices.Concat(whole, bytes.Repeat([]byte("x"), eventlog.MaxLine+1), []byte("\n")), 0o644)
	s := reopen(t, path)
	if st := s.State(); !st.ReadOnly || len(st.Iterations)+st.Ahead != iterations ||
		!strings.Contains(s.Notices()[0], "longer than 16 MiB") {
		t.Errorf("%q, %d iterations", s.Notices(), len(st.Iterations))
	}
}

// TestKilledWhileRunning kills a process that steps a session at random moments; at most the event being written is
// lost.
func TestKilledWhileRunning(t *testing.T) {
	if path := os.Getenv("BANDSCOPE_TEST_STEP"); path != "" {
		s, err := Open(t.Context(), path)
		if err != nil {
			os.Exit(3)
		}
		for {
			if _, err := s.Step(context.Background(), nil); err != nil {
				os.Exit(4)
			}
			os.Stdout.WriteString("x")
		}
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 1})
	require.NoError(t, s.SaveAs(path))
	s.Close()
	for round := range 6 {
		c := exec.Command(os.Args[0], "-test.run=^TestKilledWhileRunning$")
		c.Env = append(os.Environ(), "BANDSCOPE_TEST_STEP="+path)
		out, err := c.StdoutPipe()
		require.NoError(t, err)
		before := len(reopenOnce(t, path).Iterations) // while nobody writes
		require.NoError(t, c.Start())
		acknowledged := 0
		for buf := make([]byte, 1); acknowledged < 5+3*round; acknowledged++ {
			_, err = out.Read(buf)
			require.NoError(t, err)
		}
		c.Process.Kill()
		c.Wait()
		st := reopenOnce(t, path)
		if n := len(st.Iterations); n < before+acknowledged || n < 5+3*round {
			t.Errorf("round %d: %d iterations are left, %d were acknowledged after %d", round, n, acknowledged, before)
		}
	}
}

// reopenOnce reads the state of a file that may be in use.
func reopenOnce(t *testing.T, path string) State {
	t.Helper()
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	st := s.State()
	s.Close()
	return st
}
