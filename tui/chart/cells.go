package chart

import (
	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Span is a run of cells of one row, To exclusive.
type Span = layout.Span

// Cells are those of the w×h cells of the chart into which the layers of a name draw, also where others cover them.
func (c Chart) Cells(w, h int, st theme.Style, name string) []Span {
	canvas := NewCanvas(w, h, st)
	f := c.Frame(canvas.w, canvas.h)
	f.style = st
	if f.Cols < 1 || f.Rows < 1 {
		return nil
	}
	for _, l := range c.PaintOrder() {
		if l.key(st).Name == name {
			l.draw(canvas, f)
		}
	}
	var spans []Span
	for row := range canvas.h {
		for col := range canvas.w {
			switch p := canvas.at(col, row); {
			case p.glyph == 0 && p.dots|p.fine == 0 && !p.bg.IsSet():
			case len(spans) > 0 && spans[len(spans)-1] == Span{Row: row, From: spans[len(spans)-1].From, To: col}:
				spans[len(spans)-1].To++
			default:
				spans = append(spans, Span{Row: row, From: col, To: col + 1})
			}
		}
	}
	return spans
}

// Axes are the cells of the chart beside the plot: those of the left axis, and those of the bottom axis.
func (c Chart) Axes(w, h int) (left, under []Span) {
	f := c.Frame(max(w, 0), max(h, 0))
	for row := range f.Rows {
		left = append(left, Span{Row: f.Top + row, From: 0, To: f.Left})
	}
	if f.Top > 0 {
		left = append(left, Span{Row: 0, From: 1, To: min(1+ansi.StringWidth(c.Y.Label), w)})
	}
	for row := f.Top + f.Rows; row < h; row++ {
		under = append(under, Span{Row: row, From: 0, To: w})
	}
	return left, under
}
