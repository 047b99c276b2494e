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

// sharedScale is the colours that one quantity has in every pane. Acquisitions are one quantity where they are of one kind.
func (m *Model) sharedScale(p *pane) colormap.Scale {
	var fields [][]float64
	for _, other := range m.panes {
		if other.plane != nil && (m.shown.quantity != belief.AcquisitionField || sameAcquisition(other.plane.Legend, p.plane.Legend)) {
			fields = append(fields, other.plane.Fields[m.shown.quantity].Z)
		}
	}
	scale := p.plane.Scale(m.shown.quantity, colormap.Viridis, fields...)
	scale.Flip = m.shown.quantity == belief.AcquisitionField && p.plane.Legend.Lower
	return scale
}

// planePanel is one belief over two variables.
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
		d, scale := m.planeDrawing(p), m.sharedScale(p)
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
