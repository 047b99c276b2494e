package svg

import (
	"fmt"
	"html"

	"bandscope/tui/chart"
	"bandscope/tui/chart/vector"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Label is a text whose beginning, or end, is at the upper left corner of a box, on its line.
type Label struct {
	Text   string
	Anchor vector.Anchor
	Color  theme.Color
}

// Content is a box of w×h pixels that draws something at a place: a Label, a chart.Chart, a chart.Caption or a
// chart.ColorScale.
func Content(content any, x, y, w, h float64) *layout.Box {
	b := layout.New(int(w), int(h)).At(int(x), int(y))
	b.Content = content
	return b
}

// Chart is a box with a chart, by the name that its place in the page has, and with the descriptions of its marks.
func Chart(name string, c chart.Chart, x, y, w, h float64, st theme.Style,
	marks func(name string) (sentence, term string)) *layout.Box {
	b := Content(c, x, y, w, h)
	b.Name = name
	if marks == nil {
		return b
	}
	for _, e := range c.Legend(st) {
		if says, term := marks(e.Name); says != "" {
			b.Add(layout.New(b.W, b.H).Describe(layout.Mark, e.Name, term, layout.Static(says)))
		}
	}
	return b
}

// Frame draws a tree of boxes of which a cell is a pixel: the declarations that screens draw in cells. A chart has the
// descriptions of its marks as titles, which viewers show and read out.
func (v *Picture) Frame(f *layout.Frame) {
	for _, p := range f.Boxes {
		x := float64(p.Area.Min.X)
		y := float64(p.Area.Min.Y)
		w := float64(p.W)
		h := float64(p.H)
		switch c := p.Content.(type) {
		case Label:
			v.write(x, y, c.Anchor, c.Text, c.Color)
		case chart.Chart:
			v.markTooltips(p)
			v.Chart(c, x, y, w, h, p.Name)
		case chart.Caption:
			v.Legend(c, x, y, w)
		case chart.ColorScale:
			v.Bar(c, x, y, h)
		}
	}
}

// markTooltips writes the descriptions of the marks of a box, over an invisible area.
func (v *Picture) markTooltips(b layout.PlacedBox) {
	text := ""
	for _, c := range b.Children {
		text += c.Name + ": " + c.Description() + "\n"
	}
	if text != "" {
		fmt.Fprintf(&v.b,
			`<rect x="%d" y="%d" width="%d" height="%d" fill="none" pointer-events="all"><title>%s</title></rect>`+
				"\n", b.Area.Min.X, b.Area.Min.Y, b.W, b.H, html.EscapeString(text))
	}
}
