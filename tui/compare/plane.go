package compare

import (
	"fmt"

	"bandscope/tui/belief"
	"bandscope/tui/plot"
	"bandscope/tui/plot/colormap"
	"bandscope/tui/screen"
)

// planeDrawing declares how the fields of a pane are drawn.
func (m *Model) planeDrawing(p *pane) belief.PlaneDrawing {
	return belief.PlaneDrawing{Style: m.Style, State: p.state, Plane: p.plane, Map: colormap.Viridis, Reveal: m.shown.reveal}
}

// sharedScale is the colours that one quantity has in every pane.
func (m *Model) sharedScale() colormap.Scale {
	var fields [][]float64
	var one *belief.Plane
	for _, p := range m.panes {
		if p.plane != nil {
			one, fields = p.plane, append(fields, p.plane.Fields[m.shown.quantity].Z)
		}
	}
	return one.Scale(m.shown.quantity, colormap.Viridis, fields...)
}

// planePanel is one belief over two variables. All panes have one colour scale, but for acquisitions, which are of different kinds.
func (m *Model) planePanel(i, w, h int) []string {
	p, st, quantity := m.panes[i], m.Style, m.shown.quantity
	waiting := ""
	switch {
	case p.plane == nil || len(p.plane.Fields[quantity].Z) == 0 && !p.plane.Known[quantity]:
		waiting = "computing…"
	case len(p.plane.Fields[quantity].Z) == 0:
		waiting = fmt.Sprintf("%s has none", p.alt.Spec().Name)
	}
	head := []string{" " + st.Paint(st.Dim, st.Plain(p.plane.Name(quantity)))}
	return m.framed(i, w, h, head, waiting, func(rows int) []string {
		const bar = 10
		d, scale := m.planeDrawing(p), m.sharedScale()
		if quantity == belief.AcquisitionField {
			scale = d.Scale(quantity)
		}
		chart := d.Chart(quantity, scale, false)
		body := m.legend(chart.Layers, w-2)
		rows -= len(body)
		legend := plot.ColorBar(scale, bar-1, rows-1, st)
		for k := range legend {
			legend[k] = " " + legend[k]
		}
		return append(body, screen.Beside(m.book.Draw(chart, w-2-bar, rows, st), legend)...)
	})
}
