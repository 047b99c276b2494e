package explore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/theme"
)

func (d *driver) write(text string) {
	for _, k := range screentest.Text(text) {
		d.Run(d.M.Update(k))
		d.Settle()
	}
}

// Notes have several lines, are changed afterwards from where one stands, withdrawn, and never lost by a single key.
func TestWritingNotes(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	d.Press("space", "space", "n")
	d.Shows("new note on step 2")
	d.write("# Two\n\nq and b are *letters* here")
	d.M.Update(tea.PasteMsg{Content: "\npasted"})
	d.Press("esc")
	d.Shows("not saved")
	d.write("!")
	d.Press("ctrl+s")
	texts := func(step int) string {
		var all []string
		for _, n := range d.M.session.State().NotesAt(step) {
			if n.Text != "" {
				all = append(all, n.Text)
			}
		}
		return strings.Join(all, "|")
	}
	if got, want := texts(2), "# Two\n\nq and b are *letters* here\npasted!"; got != want || d.M.Modes.Active != nil {
		t.Fatalf("the notes are %q, want %q", got, want)
	}
	d.Shows("notes on step 2")
	d.Press("space", "space", "b", "b", "n")
	d.Shows("press tab to edit")
	d.Press("tab")
	d.Shows("note 1 of 1 on step 2")
	d.Press("ctrl+s")
	d.Shows("there are no changes to save")
	d.write(" And more.")
	d.Press("ctrl+s")
	if got := texts(2); !strings.HasSuffix(got, "pasted! And more.") || d.M.state.Ahead != 2 {
		t.Errorf("the notes are %q, %d steps ahead", got, d.M.state.Ahead)
	}
	d.Press("n")
	d.write("dropped")
	d.Press("esc", "esc")
	if d.M.Modes.Active != nil || strings.Contains(texts(2), "dropped") {
		t.Errorf("esc twice does not leave: %q", texts(2))
	}
	d.Press("n", "tab")
	for range "# Two\n\nq and b are *letters* here\npasted! And more." {
		d.Press("backspace")
	}
	d.Press("ctrl+s")
	assert.Equal(t, "", texts(2), "an emptied note")
	d.Shows("withdrawn")
	d.Press("n")
	d.write("not lost")
	require.NoError(t, d.M.session.Close())
	d.Press("ctrl+s")
	d.Shows("the session is closed")
	d.Shows("new note on step 2")
	d.Shows("not lost")
}

func TestGoldenNotes(t *testing.T) {
	for _, c := range []struct {
		name  string
		w, h  int
		style theme.Style
	}{
		{"note-80x24", 80, 24, noColor},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := driveAfter(t, 4, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, c.w, c.h, c.style)
			d.Press("n")
			d.write("# Four points\n\nThe band is narrow where they are, and wide between the second and the third.\n" +
				"\n- look there next")
			screentest.Check(t, c.name, d.Screen(), c.style.ASCII)
			d.told(t, c.name)
		})
	}
}

// A session is saved under a name with the ending of its kind; one that cannot be written stays to be mended.
func TestSavingAddsTheEnding(t *testing.T) {
	dir := t.TempDir()
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	d.Press("space", "ctrl+s")
	d.Press("ctrl+u")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	d.write(filepath.Join(dir, "file", "x"))
	d.Press("enter")
	require.True(t, d.M.Status.Open(), "a name that cannot be written is dropped")
	d.Shows("save as: ")
	d.Press("ctrl+u")
	d.write(filepath.Join(dir, "run.v2"))
	d.Press("enter")
	if _, err := os.Stat(filepath.Join(dir, "run.v2.jsonl")); err != nil {
		t.Errorf("%v:\n%s", err, d.Text())
	}
	d.Press("ctrl+e")
	d.write(filepath.Join(dir, "picture"))
	d.Press("enter")
	d.Shows("the extension must be one of")
}
