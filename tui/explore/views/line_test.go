package views

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/explore/view"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// computedLine is the picture of a session of some steps, in its scene, with what it told.
func computedLine(t *testing.T, cfg sessions.Config, steps int) (*Line, view.Scene) {
	t.Helper()
	s, err := sessions.New(t.Context(), cfg)
	for range steps {
		if err == nil {
			_, err = s.Step(t.Context(), nil)
		}
	}
	require.NoError(t, err)
	scene := view.Scene{State: s.State(), Style: theme.New(true, theme.NoColor, false), W: 84, H: 33,
		View: picture.View{Samples: 8}, Reveal: true}
	p := NewLine(scene.State)
	i, err := p.Compute(scene)(context.Background(), s.Snapshot(), nil, func(view.Image) {})
	require.NoError(t, err)
	scene.Report = p.SetImage(scene, i)
	return p, scene
}

func text(p *Line, s view.Scene) string { return modetest.Text(p.Panel(s)) }

// The panel is as large as its scene, shows what the method has, and hides what answers a question.
func TestLinePanel(t *testing.T) {
	p, s := computedLine(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 5)
	for _, size := range [][2]int{{46, 21}, {84, 33}, {148, 57}} {
		s.W, s.H = size[0], size[1]
		panel := p.Panel(s)
		if panel.W != s.W || panel.H != s.H {
			t.Fatalf("in %v it has %d×%d cells", size, panel.W, panel.H)
		}
		explained.Check(t, fmt.Sprint(size), panel, s.W, s.H)
	}
	if shown := text(p, s); !strings.Contains(shown, "◆") || !strings.Contains(shown, "expected improvement") ||
		!strings.Contains(shown, " truth ") {
		t.Errorf("the next point, the acquisition or the truth is missing:\n%s", shown)
	}
	early, at := computedLine(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 2)
	if shown := text(early, at); !strings.Contains(shown, "◇") || !strings.Contains(shown, "(not used yet)") {
		t.Errorf("the initial design is not shown:\n%s", shown)
	}
	s.Asking = true
	if shown := text(p, s); strings.Contains(shown, "◆") || strings.Contains(shown, " truth ") {
		t.Errorf("while it is asked for, the next point or the truth is shown:\n%s", shown)
	}
	for _, r := range p.ReadingsAt(s, []float64{0.5}) {
		assert.NotEqual(t, "acquisition", r.Name, "while it is asked for, the acquisition is described")
	}
}

// A picture of another place is drawn until the new one is there, without the point that was next; where the new one
// is late, it says of which step it is.
func TestOldPictures(t *testing.T) {
	p, s := computedLine(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 4)
	s.State.Head, s.State.Iterations = "elsewhere", s.State.Iterations[:3]
	if shown := text(p, s); !strings.Contains(shown, "±2 sd") || strings.Contains(shown, "(step 4)") {
		t.Errorf("at once:\n%s", shown)
	}
	s.Late = true
	if shown := text(p, s); !strings.Contains(shown, "±2 sd") || !strings.Contains(shown, "surrogate (step 4)") ||
		strings.Contains(shown, "◆") {
		t.Errorf("when the new one is late:\n%s", shown)
	}
}

// The values under the columns of the plots go over the whole variable, in steps as fine as the cursor's; elsewhere
// there are none.
func TestUnder(t *testing.T) {
	p, s := computedLine(t, sessions.Config{Problem: "branin", Optimizer: "random", Seed: 3}, 3)
	s.View.X = 1
	axis := p.Axes(s)[0]
	drawn := layout.Arrange(p.Panel(s), s.W, s.H)
	under := func(col, row int) []float64 {
		_, v := widget.Hit{MouseMsg: tea.MouseClickMsg{X: col, Y: row}, Path: drawn.PathAt(col, row)}.Value()
		return v
	}
	var seen []float64
	for col := range s.W {
		if v := under(col, s.H/2); v != nil {
			seen = append(seen, v[0])
		}
	}
	if axis.Variable != 1 || axis.Low != 0 || axis.High != 15 || len(seen) < axis.Cells()-1 {
		t.Fatalf("the axis is %+v of %d cells, %d columns have values", axis, axis.Cells(), len(seen))
	}
	if first, last := seen[0], seen[len(seen)-1]; math.Abs(first) > 0.2 || math.Abs(last-15) > 0.2 {
		t.Errorf("the columns go from %g to %g", first, last)
	}
	for _, row := range []int{0, 1, s.H - 1} {
		assert.Nil(t, under(s.W/2, row), "row %d, of the frame or the legend, has the value", row)
	}
}

// A lesson that leaves the acquisition out has the belief alone, and the truth beside it.
func TestLineBare(t *testing.T) {
	p, s := computedLine(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 4)
	with := p.Rows(s)
	s.Bare = true
	if shown := text(p, s); strings.Contains(shown, "◆") || strings.Contains(shown, "expected improvement") ||
		!strings.Contains(shown, " truth ") {
		t.Errorf("the next point or the acquisition is shown, or the truth is not:\n%s", shown)
	}
	for _, r := range p.ReadingsAt(s, []float64{0.5}) {
		assert.NotContains(t, r.Name, "acquisition", "%s is described", r.Name)
	}
	if rows := p.Rows(s); rows <= with {
		t.Errorf("the belief has %d rows, %d beside the acquisition", rows, with)
	}
}
