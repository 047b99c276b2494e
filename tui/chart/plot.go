package chart

import (
	"slices"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Plot is the plot region of a chart in a frame whose style leaves it to a picture: texts and the cursor are cells, and
// the other layers are painted.
type Plot struct {
	Chart Chart
	// the plot region, in cells of the box that has the plot as its content
	Left, Top, Cols, Rows int
	Style                 theme.Style
}

// newPlot is the plot region of a chart, without the layers that are cells in front of a picture.
func newPlot(c Chart, f Frame) *Plot {
	c.Layers = slices.DeleteFunc(slices.Clone(c.Layers), inFront)
	return &Plot{Chart: c, Left: f.Left, Top: f.Top, Cols: f.Cols, Rows: f.Rows, Style: f.style}
}

// inFront reports whether a layer is cells in front of a picture: it moves with each key press.
func inFront(l Layer) bool {
	_, cursor := l.(Cross)
	return cursor
}

// Box is the canvas as a part of a frame. Its content is the plot region, where that is left to a picture.
func (c *Canvas) Box() *layout.Box {
	b := layout.New(c.w, c.h)
	b.Draw = c.Draw
	if c.plot != nil {
		b.Content = c.plot
	}
	return b
}

// inFront is a cell in front of a picture. With few colours its background would not be that of the picture around it: it
// has none.
func (c *Canvas) inFront(p *cell) *cell {
	if !p.bg.IsSet() || !p.front || c.style.Tier == theme.TrueColor {
		return p
	}
	text := *p
	text.bg = theme.Color{}
	if p.fg == c.style.OnTop(p.bg) { // black or white, whatever the page is
		text.fg = c.style.Text
	}
	return &text
}

// behind reports whether a cell is left to a picture behind the text.
func (c *Canvas) behind(col, row int) bool {
	p := c.plot
	if p == nil || col < p.Left || row < p.Top || col >= p.Left+p.Cols || row >= p.Top+p.Rows {
		return false
	}
	return !c.cells[row*c.w+col].front
}
