package chart

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"bandscope/tui/internal/contrast"
	"bandscope/tui/theme"
)

// labelledChart is a chart of lines, a band and points, by chance.
func labelledChart(rng *rand.Rand) Chart {
	c := Chart{X: Axis{Max: 1, Label: "x"}, Y: Axis{Min: -2, Max: 2, Label: "f"}, Gutter: 6, Labels: true}
	var x []float64
	for i := range 41 {
		x = append(x, float64(i)/40)
	}
	curve := func(scale float64) []float64 {
		y := make([]float64, len(x))
		for i := range y {
			y[i] = scale * math.Sin(3*float64(i)/40*scale+rng.Float64()/4)
		}
		return y
	}
	lo, hi := curve(1), curve(1)
	for i := range lo {
		lo[i], hi[i] = lo[i]-1, hi[i]+1
	}
	c.Layers = append(c.Layers, Band{X: x, Lo: lo, Hi: hi, Color: theme.New(true, theme.TrueColor, false).Band,
		Name: "±2 sd of the posterior of a model", Short: "±2 sd"})
	for i := range rng.IntN(4) {
		c.Layers = append(c.Layers, Curve{X: x, Y: curve(rng.Float64() * 2), Priority: i,
			Name: []string{"mean", "truth", "samples"}[i]})
	}
	for i := range rng.IntN(4) {
		p := Points{Shape: theme.GlyphFilled, Name: []string{"data", "newest", "the best result so far"}[i]}
		for range 1 + rng.IntN(9) {
			p.X, p.Y = append(p.X, rng.Float64()), append(p.Y, 4*rng.Float64()-2)
		}
		c.Layers = append(c.Layers, p)
	}
	return c
}

// Labels are names or short names of the layers, each at most once, whole, within the plot, apart from each other, and
// over no point: everything but lines is drawn as it is without labels.
func TestLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	written := 0
	for range 300 {
		c, w, h := labelledChart(rng), 12+rng.IntN(90), 4+rng.IntN(30)
		st := []theme.Style{theme.New(true, theme.TrueColor, false), theme.New(true, theme.NoColor, false),
			theme.New(true, theme.NoColor, true)}[rng.IntN(3)]
		if rng.IntN(2) == 0 {
			c.Beside = []string{"data", "newest"}
		}
		canvas, labels := c.draw(w, h, st)
		c.Labels, c.Beside = false, nil
		bare, none := c.draw(w, h, st)
		if len(none) > 0 {
			t.Fatal("a chart without labels has labels")
		}
		f, taken := c.Frame(w, h), map[[2]int]bool{}
		for i, l := range labels {
			if written++; slices.ContainsFunc(labels[:i], func(o placedLabel) bool { return o.name == l.name }) {
				t.Fatalf("%s is labelled twice", l.name)
			}
			text := ""
			for col := l.From; col < l.To; col++ {
				if taken[[2]int{col, l.Row}] || col < f.Left || l.Row < f.Top || l.Row >= f.Top+f.Rows {
					t.Fatalf("%q lies over another label, or outside of the plot:\n%s", l.name,
						ansi.Strip(canvas.String()))
				}
				taken[[2]int{col, l.Row}] = true
				text += string(canvas.at(col, l.Row).glyph)
				if under := bare.at(col, l.Row); under.priority >= priorityPoint && under.glyph != 0 {
					t.Fatalf("%q is over %q:\n%s", l.name, under.glyph, ansi.Strip(canvas.String()))
				}
			}
			if text != st.Plain(l.name) && !strings.HasPrefix(text, st.Plain("±2 sd")) {
				t.Fatalf("%q is labelled %q", l.name, text)
			}
		}
		for i := range canvas.cells {
			if position := [2]int{i % w, i / w}; !taken[position] && canvas.cells[i] != bare.cells[i] {
				t.Fatalf("cell %v differs, where there is no label", position)
			}
		}
	}
	if written < 300 {
		t.Errorf("300 charts have %d labels", written)
	}
}

// What a plot labels is not in its legend, which has one line, whole names, short ones where they are needed, and
// nothing where all is labelled.
func TestLegendOfLabels(t *testing.T) {
	st, rng := theme.New(true, theme.NoColor, false), rand.New(rand.NewPCG(3, 4))
	empty := 0
	for range 500 {
		c, w, h := labelledChart(rng), 30+rng.IntN(80), 8+rng.IntN(20)
		plot, legend := c.Labelled(w, h, w-2, st, Description{})
		if legend == nil {
			if empty++; plot.H != h {
				t.Fatalf("without a legend the plot has %d of %d rows", plot.H, h)
			}
			continue
		}
		if plot.H != h-1 || legend.H != 1 {
			t.Fatalf("the plot has %d of %d rows, the legend %d", plot.H, h, legend.H)
		}
		used := 0
		for _, e := range legend.Children[0].Children {
			used = max(used, e.X+e.W)
		}
		for _, m := range plot.Children {
			free := w - 2 - used - entryGap
			if m.Cells != nil && m.Linked == nil && free > len("● the best result so far") {
				t.Errorf("%q is named nowhere, and the legend has %d more columns", m.Name, free)
			}
		}
		for _, e := range legend.Children[0].Children {
			_, name, _ := strings.Cut(ansi.Strip(e.Lines[0]), " ")
			if name != e.Name && (e.Name != "±2 sd of the posterior of a model" || !strings.HasSuffix(name, "±2 sd")) {
				t.Errorf("%q is named %q", e.Name, name)
			}
			for _, m := range plot.Children {
				if m.Cells == nil && m.Name == e.Name {
					t.Errorf("%q is in the legend and labelled in the plot", e.Name)
				}
			}
		}
	}
	if empty == 0 || empty == 200 {
		t.Errorf("%d of 200 charts have no legend", empty)
	}
}

// A note is in the plot and over no data, whatever is there.
func TestNote(t *testing.T) {
	st, rng := theme.New(true, theme.NoColor, true), rand.New(rand.NewPCG(5, 6))
	for range 100 {
		c := labelledChart(rng)
		c.Note = "fitting…"
		with := ansi.Strip(c.Draw(60, 16, st).String())
		require.Contains(t, with, "fitting...", "there is no note in\n%s", with)
		if c.Note = ""; strings.Count(ansi.Strip(c.Draw(60, 16, st).String()), "@") != strings.Count(with, "@") {
			t.Fatalf("the note hides a point:\n%s", with)
		}
	}
}

// Every character of a label can be read on what is behind it.
func TestLabelsCanBeRead(t *testing.T) {
	rng, filled := rand.New(rand.NewPCG(3, 4)), 0
	for range 500 {
		st := theme.New(rng.IntN(2) == 0, theme.TrueColor, false)
		c := labelledChart(rng)
		for i, l := range c.Layers {
			switch l := l.(type) {
			case Band:
				l.Color = st.BandEdge
				c.Layers[i] = l
			case Curve:
				l.Color = st.Sample
				c.Layers[i] = l
			}
		}
		r := Region{Color: st.BandEdge, Name: "region", Whole: true, Triangles: [][3]int{{0, 1, 2}}}
		for range 3 {
			r.X, r.Y = append(r.X, rng.Float64()), append(r.Y, 4*rng.Float64()-2)
		}
		c.Layers = slices.Insert(c.Layers, 0, Layer(r))
		canvas, labels := c.draw(80, 24, st)
		for _, l := range labels {
			for col := l.From; col < l.To; col++ {
				p := canvas.at(col, l.Row)
				if !p.bg.IsSet() {
					continue
				}
				filled++
				if got := contrast.Ratio(contrast.RGB(p.fg.RGB), contrast.RGB(p.bg.RGB)); got < contrast.Text {
					t.Fatalf("%q of %s has a contrast of %.2f", p.glyph, l.name, got)
				}
			}
		}
	}
	if filled < 1000 {
		t.Errorf("only %d characters of labels are on a fill", filled)
	}
}
