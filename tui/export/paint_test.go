package export

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/sessions"
	"bandscope/sessions/acts"
)

// A picture shows the session where it stands, at the size that is asked for, and leaves it there.
func TestPaint(t *testing.T) {
	s := session(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 4)
	s.Seek(2)
	text, err := Paint(t.Context(), s, acts.PictureArgs{Width: 480})
	if err != nil || !strings.Contains(text, `width="480" height="320"`) || !strings.Contains(text, "step 2") {
		t.Errorf("%v: %.200s", err, text)
	}
	dark, err := Paint(t.Context(), s, acts.PictureArgs{Width: 480, Theme: acts.ThemeDark})
	if err != nil || !strings.Contains(text, `height="640" fill="#ffffff"`) ||
		!strings.Contains(dark, `height="640" fill="#0f1117"`) {
		t.Errorf("%v: %.300s", err, dark)
	}
	text, err = Paint(t.Context(), s, acts.PictureArgs{Format: acts.FormatText, Width: 100, Height: 30})
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if err != nil || len(lines) != 30 || strings.ContainsRune(text, '\x1b') || !strings.Contains(text, "forrester") {
		t.Errorf("%v: %d lines\n%s", err, len(lines), text)
	}
	assert.Equal(t, 2, len(s.State().Iterations), "the session stands at step")
}

// A view is a part of the picture: the traces are in two of them, and each differs from the others.
func TestPaintViews(t *testing.T) {
	for problem, method := range map[string]string{"forrester": "gp-ei", "branin": "gp-ei", "thesis-xy": "ehvi"} {
		s := session(t, sessions.Config{Problem: problem, Optimizer: method, Seed: 3}, 4)
		name := Traces(s.State())[0].Name
		seen := map[string]string{}
		for _, view := range []string{acts.ViewAll, acts.ViewPosterior, acts.ViewAcquisition, acts.ViewTraces, acts.ViewFront} {
			answer, err := acts.Picture.Do(t.Context(), acts.Turn{Session: s, Paint: Paint}, acts.PictureArgs{View: view})
			if isOne := len(s.State().Problem.Objectives) == 1; view == acts.ViewFront && isOne {
				assert.ErrorContains(t, err, "needs several objectives", "%s: the front is drawn", problem)
				continue
			}
			if err != nil || strings.Contains(answer.Picture, "No picture of the model") {
				t.Fatalf("%s, %s: %v\n%.300s", problem, view, err, answer.Picture)
			}
			first, _, _ := strings.Cut(name, " ")
			hasTraces := strings.Contains(answer.Picture, first)
			if want := view == acts.ViewAll || view == acts.ViewTraces; hasTraces != want {
				t.Errorf("%s, %s: it has the trace %q: %v", problem, view, first, hasTraces)
			}
			if other, twice := seen[answer.Picture]; twice {
				t.Errorf("%s: the views %s and %s are the same", problem, view, other)
			}
			seen[answer.Picture] = view
		}
	}
}
