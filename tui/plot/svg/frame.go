package svg

import (
	"fmt"
	"html"

	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/plot/colormap"
)

// Frame draws a tree of boxes: its charts, legends and bars of colours where they lie, a cell of w×h pixels each, from (x, y) on, and the titles of its parts. A chart carries what is told of
// it as a title, which viewers show and read out. Styled text and what draws cells itself is left to screens.
func (v *Picture) Frame(f *layout.Frame, x, y, w, h float64) {
	for i, p := range f.Boxes {
		left, top := x+float64(p.Area.Min.X)*w, y+float64(p.Area.Min.Y)*h
		wide, high := float64(p.Area.Dx())*w, float64(p.Area.Dy())*h
		if p.Kind == layout.Section && p.Name != "" {
			v.Text(left+2*w, top+0.75*h, Start, p.Name, v.st.Title)
		}
		switch c := p.Content.(type) {
		case plot.Chart:
			v.group(f, i)
			v.Chart(c, left, top, wide, high, fmt.Sprint("plot", i))
			v.b.WriteString("</g>\n")
		case plot.Caption:
			v.Legend(c, left+w, top+0.75*h, wide-2*w)
		case colormap.Scale:
			v.Bar(c, left+w, top+0.5*h, high-h)
		}
	}
}

// group opens a group with what is told of a box's marks.
func (v *Picture) group(f *layout.Frame, i int) {
	v.b.WriteString("<g>")
	said := ""
	for _, c := range f.Boxes[i].Children {
		if c.Kind == layout.Mark && c.Says != nil {
			if s := c.Says(); s != "" {
				said += c.Name + ": " + s + "\n"
			}
		}
	}
	if said != "" {
		fmt.Fprintf(&v.b, "<title>%s</title>\n", html.EscapeString(said))
	}
}
