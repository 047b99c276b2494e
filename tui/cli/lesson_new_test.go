package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// runLesson runs a command on lessons without a terminal, and returns what it printed.
func runLesson(t *testing.T, args ...string) (string, error) {
	t.Helper()
	c := lessonCommand()
	var out bytes.Buffer
	c.SetOut(&out)
	c.SetErr(&bytes.Buffer{})
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs(args)
	err := c.ExecuteContext(t.Context())
	return out.String(), err
}

// A lesson is made of a script, of a session, or empty; each can be read and checked, and none is written over another
// file.
func TestNewLessons(t *testing.T) {
	in := func(name string) string { return filepath.Join(t.TempDir(), name) }
	want := func(printed string, args ...string) {
		t.Helper()
		if got, err := runLesson(t, args...); err != nil || !strings.Contains(got, printed) {
			t.Errorf("%q prints %q, %v", args, got, err)
		}
	}
	wrong := func(says string, args ...string) {
		t.Helper()
		if got, err := runLesson(t, args...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %q, %v, want %q", args, got, err, says)
		}
	}
	example, err := runLesson(t, "new", "--example")
	require.NoError(t, err)
	md, made := in("mine.md"), in("mine.jsonl")
	require.NoError(t, os.WriteFile(md, []byte(example), 0o600))
	want(`"Where to look next", 6 pages, 2 questions`, "new", made, "--script", md)
	if m, err := findLesson(t.Context(), made); err != nil || m.session.Lesson().Title != "Where to look next" ||
		!strings.HasPrefix(m.session.Timeline().Stops[m.session.Timeline().At].Note, "Before any data") {
		t.Errorf("%+v, %v", m, err)
	}
	want("7 claims on 6 pages are true", "check", made)
	wrong("exists already", "new", made, "--script", md)
	os.WriteFile(md, []byte(strings.Replace(example, "points = 4", "points = 5", 1)), 0o600)
	false1 := in("false.jsonl")
	want("6 pages", "new", false1, "--script", md)
	wrong("1 of 7 claims are not true", "check", false1)
	os.WriteFile(md, []byte("> lab flops dim=8 hidden=8 batch=8 steps=20\n# Lab\nOf a lab.\n> begin\nOne.\n> step 2\n"+
		"Two.\n> claim metric > 0\n"), 0o600)
	labs := in("lab")
	want(`"Lab", 2 pages, 0 questions`, "new", labs, "--script", md)
	want("1 claim on 2 pages is true", "check", labs+".jsonl")

	empty := in("empty")
	want("has no pages yet", "new", empty, "--title", "Empty", "-f", "forrester", "-o", "random", "--seed", "4",
		"--hide", "truth,regret", "--part", "mine")
	s, err := sessions.Open(t.Context(), empty+".jsonl")
	require.NoError(t, err)
	if l := s.Lesson(); l.Title != "Empty" || l.About == "" || l.Part != "mine" || !l.Hides("truth") ||
		s.State().Config.Seed != 4 {
		t.Errorf("%+v", l)
	}
	require.NoError(t, s.Note("# A page"))
	s.Close()
	want(`"Again", 1 page,`, "new", in("again"), "--title", "Again", "--from", empty+".jsonl")

	wrong("a title", "new", in("x"))
	wrong("choose one of them", "new", in("x"), "--script", md, "--from", made)
	wrong("--function cannot be used with --script", "new", in("x"), "--script", md, "-f", "branin")
	wrong("--title cannot be used with --script", "new", in("x"), "--script", md, "--title", "T")
	wrong("did you mean truth", "new", in("x"), "--title", "T", "--hide", "tuth")
	wrong("did you mean forrester", "new", in("x"), "--title", "T", "-f", "forester")
	wrong("which file", "new")
	wrong("leave out the file", "new", in("x"), "--example")
	wrong("no such file", "new", in("x"), "--script", in("nothing.md"))
	wrong("no lesson", "nothing")
}
