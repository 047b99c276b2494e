package tui

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/rights"
)

// A file that is opened stays as it is, through moves, declined changes and the end of the window, until the user
// continues there; a copy leaves it so.
func TestOpenedFileIsUnchanged(t *testing.T) {
	for name, c := range map[string]struct {
		keys    []string
		shows   string
		changes bool // the file
		copies  bool
	}{
		"moves":            {keys: []string{"b", "b", "space"}, shows: "step 2/"},
		"a step":           {keys: []string{"space"}, shows: "Continue in this file, or in a copy?"},
		"declined":         {keys: []string{"space", "esc", "b"}, shows: "step 2/"},
		"an edit declined": {keys: []string{"e", "right", "esc", "esc"}, shows: "step 3/"},
		"continued":        {keys: []string{"space", "enter", "space"}, shows: "step 5/", changes: true},
		"copied":           {keys: []string{"space", "c", "space"}, shows: "step 5/", copies: true},
		"a run":            {keys: []string{"r", "c"}, shows: "step 4/", copies: true},
		"saved":            {keys: []string{"ctrl+s", "enter", "space"}, shows: "step 4/", copies: true},
		"a comparison":     {keys: []string{"c", "space"}, shows: "Continue in this file, or in a copy?"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.jsonl")
			s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 6})
			require.NoError(t, err)
			require.NoError(t, s.SaveAs(path))
			for range 3 {
				_, err = s.Step(t.Context(), nil)
				require.NoError(t, err)
			}
			require.NoError(t, s.Close())
			before, err := os.ReadFile(path)
			require.NoError(t, err)
			opened, err := sessions.OpenProtected(t.Context(), path)
			require.NoError(t, err)
			w := openWindow(t, Options{Session: opened, Rights: rights.Own(filepath.Dir(path))}, 100, 30)
			w.press(c.keys...)
			w.shows(c.shows)
			require.NoError(t, w.a.close())
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, c.changes, string(after) != string(before), "the file changed")
			copied, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.jsonl"))
			require.NoError(t, err)
			assert.Equal(t, c.copies, len(copied) == 2, "the files are %v", copied)
		})
	}
}
