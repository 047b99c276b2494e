package compare

import (
	"fmt"
	"strings"
	"testing"

	"bandscope/tui/internal/explained"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// A comparison of two and of four panes shortens no title and no entry of a legend at 80×24, whatever is shown, and all
// panes together have one legend of one line.
func TestSmallWindowsKeepWords(t *testing.T) {
	for _, name := range []string{"laws", "gamma", "samples"} {
		if testing.Short() && name == "samples" {
			continue
		}
		d := drive(t, name, 80, 24, trueColor)
		for _, keys := range []string{"", "tab", "v", "v", "j", "j R"} {
			d.press(strings.Fields(keys)...)
			for _, st := range []theme.Style{trueColor, theme.New(true, theme.NoColor, true)} {
				d.M.Restyle(st)
				where := fmt.Sprintf("%s, %q, ascii %v", name, keys, st.ASCII)
				explained.CutWords(t, where, d.M.Frame(), 80, 24)
				legends := 0
				for _, p := range layout.Arrange(d.M.Frame(), 80, 24).Boxes {
					if p.Name == layout.LegendName {
						if legends++; p.H > 1 || legends > 1 {
							t.Errorf("%s: legend %d has %d lines", where, legends, p.H)
						}
					}
				}
			}
			d.M.Restyle(trueColor)
		}
	}
}

// Every pane has the data of a step at once, and a note where its model is being fitted.
func TestDataAreInAllPanesAtOnce(t *testing.T) {
	d := drive(t, "laws", 120, 36, trueColor)
	n := len(d.M.base.State().Iterations)
	if _, err := d.M.base.Step(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for _, p := range d.M.panes {
		if drawn := d.M.drawing(p); len(drawn.State.Iterations) != n+1 || drawn.Fitting {
			t.Errorf("%s shows %d results, fitting %v", p.Title, len(drawn.State.Iterations), drawn.Fitting)
		}
		p.posterior = nil
		if drawn := d.M.drawing(p); !drawn.Fitting || len(drawn.State.Iterations) != n+1 {
			t.Errorf("%s without a picture shows %d results, fitting %v", p.Title, len(drawn.State.Iterations),
				drawn.Fitting)
		}
	}
	if text := d.screen(); strings.Count(text, "fitting…") != len(d.M.panes) {
		t.Errorf("not every pane has a note:\n%s", text)
	}
	d.check("while all panes are fitted")
}
