package explain

import (
	"bandscope/tui/plot"
	"bandscope/tui/theme"
)

// Placed is where in the window a chart is drawn.
type Placed struct {
	Style           theme.Style
	Left, Top, W, H int
}

// Axes tells the numbers along a chart's axes: of the one at the left, and of the one under it. An empty sentence leaves one out.
func (p Placed) Axes(c plot.Chart, left, under string) []Element {
	var list []Element
	at, below := c.Axes(p.W, p.H)
	if left != "" {
		list = append(list, Element{Kind: Axis, Name: "axis at the left", Says: left, Where: func() []plot.Span { return Moved(p.Left, p.Top, at) }})
	}
	if under != "" {
		list = append(list, Element{Kind: Axis, Name: "axis below", Says: under, Where: func() []plot.Span { return Moved(p.Left, p.Top, below) }})
	}
	return list
}
