package picture

import (
	"bandscope/tui/chart"
	"bandscope/tui/layout"
)

// Box is the plot of a kind in w×h cells, with the descriptions of its left and its bottom axis; without them before
// there is something to draw.
func (t *Theories) Box(kind TheoryKind, w, h int, left, below string) *layout.Box {
	switch {
	case !t.Has(kind):
		return layout.Text(w, t.Lines(kind, w, h)...)
	case kind == Evidence:
		b := t.EvidenceChart().Box(w, h, t.Style, chart.Description{Y: left, X: below})
		b.Value = nil // it is beside the picture, in which places are chosen
		return b
	}
	return t.trace(kind).Box(w, h, t.Style, chart.TraceDescription{Y: left, X: below})
}
