package export

import (
	"strings"
	"testing"

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
	if n := len(s.State().Iterations); n != 2 {
		t.Errorf("the session stands at step %d", n)
	}
}
