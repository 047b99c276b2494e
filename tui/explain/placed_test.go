package explain

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// An entry is found in a drawn legend at every width, with its own mark, also where names are shortened, or are parts of each other, and where a mark is a colour alone.
func TestInLegend(t *testing.T) {
	x := []float64{0, 1}
	layers := []plot.Layer{plot.Band{X: x, Lo: x, Hi: x, Name: "±2 sd of the posterior under the kernel"}, plot.Curve{X: x, Y: x, Name: "mean"},
		plot.Points{X: x, Y: x, Shape: theme.GlyphFilled, Name: "data"}, plot.Points{X: x, Y: x, Shape: theme.GlyphHollow, Name: "data beside the slice"},
		plot.Band{X: x, Lo: x, Hi: x, Name: "band of another"}, plot.Points{X: x, Y: x, Shape: theme.GlyphStar, Name: "best"}}
	for _, st := range []theme.Style{theme.New(true, theme.Color256, false), theme.New(true, theme.NoColor, false), theme.New(true, theme.NoColor, true)} {
		entries := plot.LegendOf(st, layers)
		for w := 24; w < 120; w += 7 {
			rows := screen.Legend(st, entries, w, 2)
			for i := range rows {
				rows[i] = " " + rows[i]
			}
			taken := map[plot.Span]string{}
			for _, e := range entries {
				spans := InLegend(st, rows, e)
				if len(spans) != 1 || taken[spans[0]] != "" {
					t.Fatalf("%d columns: %q is at %v, where %q is, of\n%s", w, e.Name, spans, taken[spans[0]], ansi.Strip(strings.Join(rows, "\n")))
				}
				taken[spans[0]] = e.Name
				text := ansi.Strip(ansi.Cut(rows[spans[0].Row], spans[0].From, spans[0].To))
				name, marked := strings.CutPrefix(text, ansi.Strip(e.Mark)+" ")
				if kept := strings.TrimRight(name, " .…"); !marked || kept == "" || !strings.HasPrefix(st.Plain(e.Name), kept) {
					t.Errorf("%d columns: %q is found as %q", w, e.Name, text)
				}
			}
		}
	}
	if InLegend(theme.New(true, theme.NoColor, false), []string{" ● data"}, plot.Entry{Mark: "●", Name: "best"}) != nil {
		t.Error("what a legend does not have is found in it")
	}
}

// What a legend names is lit with its entry, which stands above the chart.
func TestLayersHaveTheirEntries(t *testing.T) {
	st := theme.New(true, theme.NoColor, false)
	c := plot.Chart{X: plot.Axis{Max: 1}, Y: plot.Axis{Max: 1}, Layers: []plot.Layer{plot.Points{X: []float64{0.5}, Y: []float64{0.5}, Shape: theme.GlyphFilled, Name: "data"}}}
	place := Placed{Style: st, Left: 3, Top: 5, W: 30, H: 8, Legend: []string{" " + screen.Legend(st, c.Legend(st), 28, 2)[0]}}
	list := Layers(c, place, func(string) (string, string) { return "One is there.", "" })
	if len(list) != 1 {
		t.Fatalf("%d are told", len(list))
	}
	spans := list[0].Where()
	if want := (plot.Span{Row: 4, From: 4, To: 10}); len(spans) != 2 || spans[1] != want {
		t.Errorf("its cells are %v, of which the last should be %v", spans, want)
	}
}
