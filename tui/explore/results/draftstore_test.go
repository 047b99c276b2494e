package results

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/tui/explore/mode"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// done does commands, and gives what they bring to the form.
func done(t *testing.T, s *sessions.Session, f *Form, cmd tea.Cmd) (text string) {
	t.Helper()
	if cmd == nil {
		return ""
	}
	switch msg := widget.Perform(rights.Rights{}, cmd).(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			text += done(t, s, f, c)
		}
	case loadedMsg, savedMsg:
		for _, a := range modetest.Take(f, modetest.Scene(s), msg) {
			if say, ok := a.(mode.Say); ok {
				text += say.Text
			}
		}
	}
	return text
}

// What was typed and not told stands in the form again after the program ended, by the names of what it is of; it is in
// a file beside the session until it is told, and never in the session's.
func TestTypedOverTheEnd(t *testing.T) { synctest.Test(t, typedOverTheEnd) } // a cursor blinks in it

func typedOverTheEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := espresso(t, 2)
	require.NoError(t, s.SaveAs(path))
	start := func() (*Form, string) {
		f := newForm()
		cmd, _ := f.Start(modetest.Scene(s))
		return f, done(t, s, f, cmd)
	}
	f, message := start()
	assert.Equal(t, "", message, "at first it")
	write := func(f *Form, keys ...tea.KeyPressMsg) {
		for _, k := range keys {
			cmd, _ := f.Update(modetest.Scene(s), k)
			done(t, s, f, cmd)
		}
	}
	write(f, screentest.Text("18.5")...)
	write(f, screentest.Key("tab"), screentest.Key("tab"))
	write(f, screentest.Text("4x")...)
	text, _ := os.ReadFile(path)
	if file, err := os.ReadFile(draftsPath(path)); err != nil ||
		!strings.Contains(string(file), `"value extraction":"18.5"`) || strings.Contains(string(text), "18.5") {
		t.Fatalf("kept is %s, %v", file, err)
	}
	s.Close()
	var err error
	if s, err = sessions.Open(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	require.NoError(t, s.DropObjective("extraction", ""))
	f, message = start()
	if !strings.Contains(message, "your input from last time; it is not reported yet") || f.input.Text() != "4x" {
		t.Errorf("it says %q, and %q is in the field", message, f.input.Text())
	}
	write(f, screentest.Key("backspace"), screentest.Key("ctrl+s"))
	require.Contains(t, f.saving, "/0", "it is not told")
	_, err = s.Tell(strings.TrimSuffix(f.saving, "/0"), functions.Outcome{Values: []float64{4}})
	require.NoError(t, err)
	cmd, _ := f.Update(modetest.Scene(s), mode.Changed{})
	done(t, s, f, cmd)
	_, err = os.Stat(draftsPath(path))
	assert.Error(t, err, "what was told is kept still")
}

// A file that is none of ours is left out of the form.
func TestOtherDrafts(t *testing.T) { synctest.Test(t, otherDrafts) } // a cursor blinks in it

func otherDrafts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := espresso(t, 1)
	require.NoError(t, s.SaveAs(path))
	for _, text := range []string{"", "[1]", `{"x": {"value extraction": "1"}}`, "{"} {
		require.NoError(t, os.WriteFile(draftsPath(path), []byte(text), 0o600))
		f := newForm()
		cmd, _ := f.Start(modetest.Scene(s))
		if message := done(t, s, f, cmd); message != "" || f.input.Text() != "" {
			t.Errorf("%q: it says %q", text, message)
		}
	}
}

// Of several that are out the one is rejected that is chosen, when that was said twice.
func TestRejectTheChosen(t *testing.T) {
	s, f := espresso(t, 3), newForm()
	modetest.Start(f, modetest.Scene(s))
	typed(t, s, f, "down ctrl+k esc")
	require.Equal(t, 3, len(s.State().Pending), "it was said once")
	modetest.Start(f, modetest.Scene(s))
	typed(t, s, f, "shift+tab leaks ctrl+k ctrl+k")
	if st := s.State(); len(st.Pending) != 2 || st.Rejections[0].Number != 2 || st.Rejections[0].Reason != "leaks" {
		t.Errorf("%+v", st.Rejections)
	}
}
