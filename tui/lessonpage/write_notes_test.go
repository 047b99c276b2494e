package lessonpage

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/explore/note"
)

// What a page claims is checked when it is written, of the picture that a reader will see; it is recorded all the same.
func TestNotedClaims(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3,
		Params: map[string]any{"initial": 3}})
	require.NoError(t, err)
	for range 2 {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	for _, c := range []struct{ text, wrong string }{
		{"Two points.\n! points = 2\n! moved > 0\n! next = 1", ""},
		{"Where?\n?\n! next = 0\n! truth = 0", ""},
		{"Where?\n?\n! next = 1", "false claims: next = 1 (next is 0)"},
		{"Wrong.\n! points = 3\n! band < 0", "false claims: points = 3 (points is 2); band < 0 (band is"},
		{"Nowhere.\n@ plane", "a plane needs two variables"},
		{"Unknown.\n! bandd > 2", "did you mean band"},
		{"Only words.", ""},
	} {
		before := len(s.State().NotesAt(2))
		notes, err := WriteNotes{note.Write{Notes: []note.Text{{Text: c.text}}}}.Do(t.Context(), s, nil)
		if notes == "" || (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%q: %q, %v, want %q", c.text, notes, err, c.wrong)
		}
		if n := len(s.State().NotesAt(2)); n != before+1 {
			t.Errorf("%q: %d notes, %d before", c.text, n, before)
		}
	}
	if notes, err := (WriteNotes{note.Write{Notes: []note.Text{{Text: "x\n? a | b"}}}}).Do(t.Context(), s, nil); notes !=
		"" || err == nil {
		t.Errorf("a question without a right answer: %q, %v", notes, err)
	}
}
