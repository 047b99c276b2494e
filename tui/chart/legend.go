package chart

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/theme"
)

// Entry is one thing that a legend names: the very marks with which it is drawn, in their colours, and its name.
type Entry struct{ Mark, Name string }

// Legend names the layers of a chart, those in front first. Layers of one name share an entry, with all of their marks;
// layers without a name, or without marks, have none.
func (c Chart) Legend(st theme.Style) []Entry { return NewLegend(st, c.Layers) }

// NewLegend is the legend of layers.
func NewLegend(st theme.Style, layers []Layer) []Entry {
	var entries []Entry
	for _, l := range slices.Backward(layers) {
		mark, name := l.key(st)
		if name == "" || mark == "" {
			continue
		}
		i := slices.IndexFunc(entries, func(e Entry) bool { return e.Name == name })
		switch {
		case i < 0:
			entries = append(entries, Entry{mark, name})
		case ansi.StringWidth(entries[i].Mark+mark) <= maxMark(l) &&
			!strings.Contains(ansi.Strip(entries[i].Mark), ansi.Strip(mark)):
			entries[i].Mark += mark
		}
	}
	return entries
}

// maxMark is how many cells the marks of an entry have at most: of numbers or letters a few are enough.
func maxMark(l Layer) int {
	if _, label := l.(Label); label {
		return sampleCells
	}
	return 2 * sampleCells
}

// sample is what layers draw into a few cells with both axes from 0 to 1, without the blanks behind it.
func sample(st theme.Style, cols int, layers ...Layer) string {
	c := NewCanvas(cols, 1, st)
	f := Frame{Cols: cols, Rows: 1, x: Scale{To: 1}, y: Scale{From: 1}, style: st}
	for _, l := range layers {
		l.draw(c, f)
	}
	return strings.TrimRight(c.Lines()[0], " ")
}

// sampleCells is how many cells show a line: enough to see how it is broken.
const sampleCells = 4

// LineMark is a short piece of a line, as curves are drawn.
func LineMark(st theme.Style, l theme.Line, color theme.Color) string {
	cells := sampleCells
	if l == theme.Heavy {
		cells = 2
	}
	if l == theme.Solid || st.ASCII && l != theme.Fine || l == theme.Fine && st.Tier > theme.NoColor && !st.ASCII {
		cells--
	}
	return sample(st, cells, Curve{X: []float64{0, 1}, Y: []float64{0.4, 0.4}, Color: color, Line: l})
}

func (b Band) key(st theme.Style) (mark, name string) {
	if len(b.X) == 0 || b.Name == "" {
		return "", ""
	}
	if st.Tier > theme.NoColor && !st.ASCII {
		return st.On(theme.Color{}, b.Color).Render("  "), b.Name
	}
	top, bottom := edges(st)
	if st.Tier > theme.NoColor {
		return st.On(st.BandEdge, b.Color).Render(string(top) + " " + string(bottom)), b.Name
	}
	return string(top) + string(b.texture(' ')) + string(bottom), b.Name
}

func (l Curve) key(st theme.Style) (mark, name string) {
	if !slices.ContainsFunc(l.Y, Finite) {
		return "", ""
	}
	return LineMark(st, l.Line, l.Color), l.Name
}

func (a Area) key(st theme.Style) (mark, name string) {
	if len(a.X) == 0 {
		return "", ""
	}
	return sample(st, 3, Area{X: []float64{0, 1}, Y: []float64{0, 1}, Color: a.Color}), a.Name
}

func (r Rule) key(st theme.Style) (mark, name string) {
	return sample(st, 1, Rule{At: 0.5, Color: r.Color, Solid: r.Solid}), r.Name
}

func (p Points) key(st theme.Style) (mark, name string) {
	if len(p.X) == 0 {
		return "", ""
	}
	return sample(st, 1, Points{X: []float64{0.5}, Y: []float64{0.5}, Shape: p.Shape, Color: p.Color, Ink: p.Ink}),
		p.Name
}

func (l Label) key(st theme.Style) (mark, name string) {
	color := l.Color
	if l.Ink {
		color = st.Text
	}
	return st.PaintBold(color, l.Text), l.Name
}

func (l Cross) key(st theme.Style) (mark, name string) {
	return sample(st, 1, Cross{X: 0.5, Y: 0.5}), l.Name
}

func (l Box) key(st theme.Style) (mark, name string) {
	return sample(st, 3, Box{X1: 1, Y0: 0.4, Y1: 0.5, Color: l.Color}), l.Name
}

func (l Dots) key(st theme.Style) (mark, name string) {
	if len(l.X) == 0 {
		return "", ""
	}
	return sample(st, 2, Dots{X: []float64{0.1, 0.4, 0.8}, Y: []float64{0.7, 0.3, 0.6}, Color: l.Color}), l.Name
}

// A heatmap has its colour bar.
func (h Heat) key(theme.Style) (mark, name string) { return "", "" }

func (l Contours) key(st theme.Style) (mark, name string) {
	if len(l.Levels) == 0 || len(l.Field.Z) == 0 {
		return "", ""
	}
	field := Field{Cols: 2, Rows: 2, Z: []float64{0, 0.4, 0.6, 1}}
	return sample(st, 2, Contours{Field: field, Levels: []float64{0.5}, Dashed: l.Dashed}), l.Name
}

func (l Region) key(st theme.Style) (mark, name string) {
	if len(l.X) == 0 {
		return "", ""
	}
	switch {
	case st.ASCII:
		return string(plainRegionEdge), l.Name
	case st.Tier >= theme.Color256:
		return st.On(theme.Color{}, l.Color).Render("  "), l.Name
	}
	return sample(st, 3, Region{X: []float64{-1, -1, 2}, Y: []float64{-2, 2, -1}, Triangles: [][3]int{{0, 1, 2}},
		Whole: true, Color: l.Color}), l.Name
}
