package explore

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/tui/chart"
	"bandscope/tui/internal/explained"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// largeLayers are the layers of all plots that the legend of the large panel speaks of.
func (d *driver) largeLayers() []chart.Layer {
	m := d.M
	switch {
	case m.frontShown():
		return m.outcomes().Drawing(m.stage()).Chart().Layers
	case m.planeShown():
		p := m.plane()
		return p.Chart(m.stage()).Layers
	}
	return m.along().Chart(m.stage()).Layers
}

// nameless reports whether a layer draws something that no legend names; what fills a plot alone is named by the plot's
// title.
func nameless(l chart.Layer) bool {
	v := reflect.ValueOf(l)
	switch l.(type) {
	case chart.Area, chart.Heat:
		return false
	case chart.Label:
		return false // a letter or a number at a line that has a name, or named itself
	}
	if x := v.FieldByName("X"); x.Kind() == reflect.Slice && x.Len() == 0 {
		return false
	}
	return v.FieldByName("Name").String() == ""
}

// Everything that a large plot draws is in its legend with the mark that is drawn, at every size and in every style;
// marks differ where there is no colour; the footer has the keys without which one is lost.
func TestEveryMarkIsInTheLegend(t *testing.T) {
	if testing.Short() {
		t.Skip("every size and style is drawn by one goroutine: nothing is shared")
	}
	fitted := map[string]any{"hyperparameters": "fitted"}
	open := func(problem, method string, params map[string]any) *sessions.Session {
		s, err := sessions.New(t.Context(), sessions.Config{Problem: problem, Optimizer: method, Seed: 3, Params: params})
		require.NoError(t, err)
		return s
	}
	lesson, err := library.OpenLesson("posterior")
	require.NoError(t, err)
	for i, c := range []struct {
		s     *sessions.Session
		steps int
		keys  string // what is looked at, one after the other
	}{
		{open("forrester", "gp-ei", fitted), 4, "x esc e esc t ctrl+t"},
		{open("forrester", "neural-greedy", map[string]any{"width": 100}), 4, "x"},
		{open("branin", "gp-ei", fitted), 6, "4 l # x esc d"},
		{open("schaffer", "mobo-rs-ucb", fitted), 6, "A esc a esc"},
		{open("forrester-hot", "gp-ei", fitted), 6, "t x"},
		{open("gramacy-toy", "gp-ei", fitted), 7, "l 7"},
		{open("cornell-yarn", "gp-ei", fitted), 7, "l # x esc"},
		{open("binh-korn", "parego", fitted), 6, "d"},
		{open("pressure-vessel", "random", nil), 6, "d"},
		{open("dtlz2-k3", "parego", nil), 8, "A right enter a esc ] v"},
		{open("forrester-cost", "ei-per-cost", nil), 5, "v v"},
		{open("branin-currin", "ehvi", nil), 6, "A right enter a esc v v"},
		{lesson, 0, "space 2 space space"},
		{exercised(t, 4), 0, "e down down esc"},
	} {
		if testing.Short() && i%4 > 0 {
			continue
		}
		for range c.steps {
			_, err = c.s.Step(t.Context(), nil)
			require.NoError(t, err)
		}
		d := driveSession(t, c.s, 120, 36, trueColor)
		st := c.s.State()
		d.checkWindows(t, st.Problem.Name+" "+st.Spec.Name)
		for _, key := range strings.Fields(c.keys) {
			d.Press(key)
			d.checkWindows(t, strings.Join([]string{st.Problem.Name, st.Spec.Name, key}, " "))
		}
	}
}

// checkWindows checks what is drawn in small and large windows, in colours and without: marks, and what the walk tells.
// The least window shortens no title and no entry of a legend, and no legend has more than one line.
func (d *driver) checkWindows(t *testing.T, where string) {
	t.Helper()
	for _, c := range []struct {
		w, h  int
		style theme.Style
	}{
		{80, 24, theme.New(true, theme.NoColor, true)},
		{120, 36, theme.New(true, theme.NoColor, false)},
		{200, 60, theme.New(false, theme.Color16, false)},
		{80, 24, trueColor},
	} {
		d.M.Restyle(c.style)
		d.Resize(c.w, c.h)
		d.checkMarks(t, where, c.style)
		if c.w == 200 { // what is told has more room there
			continue
		}
		d.told(t, where)
		if c.w > 80 {
			continue
		}
		explained.CutWords(t, where, d.M.Frame(), c.w, c.h)
		for _, p := range d.Arranged().Boxes {
			if p.Name == layout.LegendName && p.H > 1 {
				t.Errorf("%s, ascii %v: a legend has %d lines", where, c.style.ASCII, p.H)
			}
		}
	}
}

func (d *driver) checkMarks(t *testing.T, where string, st theme.Style) {
	t.Helper()
	layers := d.largeLayers()
	for _, l := range layers {
		assert.False(t, nameless(l), "%s: a %T is drawn and has no name", where, l)
	}
	lines, seen := strings.Split(d.Text(), "\n"), map[string]string{}
	for _, e := range chart.NewLegend(st, layers) {
		mark := ansi.Strip(e.Mark)
		if other, ok := seen[mark]; ok && st.Tier == theme.NoColor {
			t.Errorf("%s: %s and %s both look like %q", where, e.Name, other, mark)
		}
		seen[mark] = e.Name
	}
	lost := unnamed(d.M.picture().Panel(d.M.stage()))
	if most := map[bool]int{true: 2}[d.M.Width < 120]; len(lost) > most {
		t.Errorf("%s at %dx%d: neither the legend nor the plot names %q:\n%s", where, d.M.Width, d.M.Height, lost,
			d.Text())
	}
	footer := " " + lines[len(lines)-1]
	must := []string{" : ", " ? ", " q "}
	if !d.M.stepping() {
		must = []string{" enter", " esc"}
		if d.M.lower() != nil {
			must = must[1:] // an answer is a key of its own
		}
	}
	for _, want := range must {
		if !strings.Contains(footer, want) {
			t.Errorf("%s at %dx%d: the footer lacks%s: %s", where, d.M.Width, d.M.Height, want, footer)
		}
	}
}

// told checks that the walk tells all that is seen on the screen.
func (d *driver) told(t *testing.T, where string) {
	t.Helper()
	explained.Check(t, fmt.Sprintf("%s at %dx%d", where, d.M.Width, d.M.Height), d.M.Frame(), d.M.Width, d.M.Height)
}

// unnamed are the marks of charts in a tree of boxes that no entry of a legend and no label names. The acquisition has
// a title.
func unnamed(b *layout.Box) (names []string) {
	for _, c := range b.Children {
		if c == nil {
			continue
		}
		if c.Kind == layout.Mark && c.Cells != nil && b.Owner != nil && !strings.Contains(c.Name, " is better: ") &&
			!slices.ContainsFunc(c.Linked,
				func(l *layout.Box) bool { return l.Cells == nil }) {
			names = append(names, c.Name)
		}
		names = append(names, unnamed(c)...)
	}
	return names
}

// BenchmarkFrame measures a frame after the next message, which draws what is kept, and one of which everything is
// drawn anew, as the window makes them.
func BenchmarkFrame(b *testing.B) {
	for _, fresh := range []bool{false, true} {
		benchmark(b, map[bool]string{false: "kept", true: "anew"}[fresh], func(d *driver) func() {
			var e layout.Encoder
			c := lipgloss.NewCanvas(d.M.Width, d.M.Height)
			return func() {
				if fresh {
					d.anew()
				}
				c.Clear()
				d.Arranged().Draw(c)
				e.Encode(c)
			}
		})
	}
}

// BenchmarkElements measures what the walk needs to tell a screen: all sentences, and the cells of one element.
func BenchmarkElements(b *testing.B) {
	benchmark(b, "told", func(d *driver) func() {
		return func() {
			f := d.Arranged()
			f.Spans(f.DescribedBoxes()[9])
		}
	})
}

// benchmark measures what is done with screens of one variable, without a model and with one, of two, and of two
// objectives.
func benchmark(b *testing.B, name string, prepared func(*driver) func()) {
	for _, cfg := range []sessions.Config{
		{Problem: "forrester", Optimizer: "random", Seed: 3}, {Problem: "forrester", Optimizer: "gp-ei", Seed: 3},
		{Problem: "branin", Optimizer: "gp-ei", Seed: 3},
		{Problem: "branin-currin", Optimizer: "mobo-rs-ts", Seed: 3}} {
		for _, size := range [][2]int{{120, 36}, {200, 60}} {
			b.Run(fmt.Sprintf("%s-%s-%s-%dx%d", name, cfg.Problem, cfg.Optimizer, size[0], size[1]),
				func(b *testing.B) {
					d := drive(b, cfg, size[0], size[1], trueColor)
					for range 12 {
						d.Press("space")
					}
					do := prepared(d)
					b.ReportAllocs()
					for b.Loop() {
						do()
					}
				})
		}
	}
}
