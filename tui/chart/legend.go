package chart

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/theme"
)

// Entry is one thing that a legend names: the very marks with which it is drawn, in their colours, its name, and a name
// of few characters for where that one does not fit; empty takes the name.
type Entry struct{ Mark, Name, Short string }

// Legend names the layers of a chart, those in front first. Layers of one name share an entry, with all of their marks;
// layers without a name, or without marks, have none.
func (c Chart) Legend(st theme.Style) []Entry { return NewLegend(st, c.Layers) }

// NewLegend is the legend of layers.
func NewLegend(st theme.Style, layers []Layer) []Entry {
	var entries []Entry
	for _, l := range slices.Backward(layers) {
		next := l.key(st)
		if next.Name == "" || next.Mark == "" {
			continue
		}
		i := slices.IndexFunc(entries, func(e Entry) bool { return e.Name == next.Name })
		switch {
		case i < 0:
			entries = append(entries, next)
		case ansi.StringWidth(entries[i].Mark+next.Mark) <= maxMark(l) &&
			!strings.Contains(ansi.Strip(entries[i].Mark), ansi.Strip(next.Mark)):
			entries[i].Mark += next.Mark
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

func (b Band) key(st theme.Style) Entry {
	if len(b.X) == 0 || b.Name == "" {
		return Entry{}
	}
	ends := []float64{0, 1}
	piece := Band{X: ends, Lo: []float64{0.01, 0.01}, Hi: []float64{0.99, 0.99}, Color: b.Color, Edge: b.Edge,
		Outline: b.Outline, Second: b.Second}
	return Entry{sample(st, 3, piece), b.Name, b.Short}
}

func (l Curve) key(st theme.Style) Entry {
	if !slices.ContainsFunc(l.Y, Finite) {
		return Entry{}
	}
	return Entry{LineMark(st, l.Line, l.Color), l.Name, l.Short}
}

func (a Area) key(st theme.Style) Entry {
	if len(a.X) == 0 {
		return Entry{}
	}
	return Entry{Mark: sample(st, 3, Area{X: []float64{0, 1}, Y: []float64{0, 1}, Color: a.Color}), Name: a.Name}
}

func (r Rule) key(st theme.Style) Entry {
	return Entry{Mark: sample(st, 1, Rule{At: 0.5, Color: r.Color, Solid: r.Solid, Dash: r.Dash}), Name: r.Name}
}

func (p Points) key(st theme.Style) Entry {
	if len(p.X) == 0 {
		return Entry{}
	}
	points := Points{X: []float64{0.5}, Y: []float64{0.5}, Shape: p.Shape, Color: p.Color, Ink: p.Ink}
	return Entry{sample(st, 1, points), p.Name, p.Short}
}

func (l Label) key(st theme.Style) Entry {
	color := l.Color
	if l.Ink {
		color = st.Text
	}
	return Entry{st.PaintBold(color, l.Text), l.Name, l.Short}
}

func (l Cross) key(st theme.Style) Entry {
	return Entry{Mark: sample(st, 1, Cross{X: 0.5, Y: 0.5}), Name: l.Name}
}

func (l Box) key(st theme.Style) Entry {
	return Entry{sample(st, 3, Box{X1: 1, Y0: 0.4, Y1: 0.5, Color: l.Color, Dash: l.Dash}), l.Name, l.Short}
}

func (l Dots) key(st theme.Style) Entry {
	if len(l.X) == 0 {
		return Entry{}
	}
	few := Dots{X: []float64{0.1, 0.4, 0.8}, Y: []float64{0.7, 0.3, 0.6}, Color: l.Color}
	return Entry{sample(st, 2, few), l.Name, l.Short}
}

// A heatmap has its colour bar.
func (h Heat) key(theme.Style) Entry { return Entry{} }

func (l Contours) key(st theme.Style) Entry {
	if len(l.Levels) == 0 || len(l.Field.Z) == 0 {
		return Entry{}
	}
	field := Field{Cols: 2, Rows: 2, Z: []float64{0, 0.4, 0.6, 1}}
	return Entry{sample(st, 2, Contours{Field: field, Levels: []float64{0.5}, Dashed: l.Dashed}), l.Name, l.Short}
}

func (l Region) key(st theme.Style) Entry {
	e := Entry{Name: l.Name}
	switch {
	case len(l.X) == 0:
		return Entry{}
	case st.ASCII:
		e.Mark = string(plainRegionEdge)
	case st.Tier >= theme.Color256:
		e.Mark = st.On(theme.Color{}, l.Color).Render("  ")
	default:
		e.Mark = sample(st, 3, Region{X: []float64{-1, -1, 2}, Y: []float64{-2, 2, -1}, Triangles: [][3]int{{0, 1, 2}},
			Whole: true, Color: l.Color})
	}
	return e
}
