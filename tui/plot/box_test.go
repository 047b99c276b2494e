package plot

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
)

// A legend keeps every entry whatever the width is, its names differ, and it has no more rows than asked for where shorter names do it.
func TestLegendLosesNothing(t *testing.T) {
	entries := []Entry{{Mark: "▔:▁", Name: "±2 sd of the Gaussian-process posterior"}, {Mark: "⠒⠒", Name: "posterior mean"}, {Mark: "+", Name: "true function"},
		{Mark: "◆", Name: "next"}, {Mark: "◉", Name: "newest"}, {Mark: "★", Name: "best"}, {Mark: "⠒", Name: "8 posterior samples"}}
	for w := 12; w < 160; w++ {
		for most := 1; most < 4; most++ {
			legend := LegendBox(mono, entries, w, most)
			rows := strings.Split(layout.Render(legend, max(w, 80), legend.H), "\n")
			all := strings.Join(rows, "\n")
			for _, e := range entries {
				if !strings.Contains(all, e.Mark+" ") {
					t.Fatalf("in %d columns and %d rows the legend lacks %s %s:\n%s", w, most, e.Mark, e.Name, all)
				}
			}
			for _, r := range rows {
				if ansi.StringWidth(r) > max(w, 20) {
					t.Fatalf("in %d columns a row is %q", w, r)
				}
			}
			if w >= 74 && most > 1 && len(rows) > most {
				t.Errorf("in %d columns it takes %d rows", w, len(rows))
			}
		}
	}
	if legend := LegendBox(mono, entries, 200, 1); legend.H != 1 || !strings.Contains(layout.Render(legend, 200, 1), "Gaussian-process") {
		t.Errorf("where there is room, names are whole: %q", layout.Render(legend, 200, 1))
	}
}
