package compare

import (
	"fmt"

	"bandscope/tui/belief"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// planeDrawing declares how the fields of a pane are drawn.
func (m *Model) planeDrawing(p *pane) belief.PlaneDrawing {
	return belief.PlaneDrawing{Style: m.style, State: p.state, Plane: p.plane, Map: plot.Viridis, Reveal: m.shown.reveal}
}

// sharedScale is the colours that one quantity has in every pane.
func (m *Model) sharedScale() plot.Scale {
	var fields [][]float64
	for _, p := range m.panes {
		if p.plane != nil {
			fields = append(fields, p.plane.Fields[m.shown.quantity].Z)
		}
	}
	return plot.AutoScale(plot.Viridis, fields...)
}

// planePanel is one belief over two variables. All panes have one colour scale, but for acquisitions, which are of different kinds.
func (m *Model) planePanel(i, w, h int) []string {
	const bar = 10
	p, st := m.panes[i], m.style
	body := []string{" " + st.Paint(st.Dim, st.Plain(p.plane.Name(m.shown.quantity)))}
	focused := i == m.selected && len(m.panes) > 1
	title := st.PaintBold(st.Series[i], letter(i)) + " " + st.Plain(m.paneTitle(p))
	switch {
	case p.reason != "":
		for _, l := range screen.Wrap(p.reason, w-4) {
			body = append(body, " "+st.Paint(st.Error, l))
		}
	case p.plane == nil || len(p.plane.Fields[m.shown.quantity].Z) == 0 && !p.plane.Known[m.shown.quantity]:
		body = append(body, "", " "+st.Paint(st.Dim, st.Plain("computing…")))
	case len(p.plane.Fields[m.shown.quantity].Z) == 0:
		body = append(body, "", " "+st.Paint(st.Dim, fmt.Sprintf("%s has none", p.alt.Spec().Name)))
	default:
		d := m.planeDrawing(p)
		scale := m.sharedScale()
		if m.shown.quantity == belief.AcquisitionField {
			scale = d.Scale(m.shown.quantity)
		}
		chart := d.Chart(m.shown.quantity, scale, false)
		body = append(body, m.legend(chart.Layers, w-2)...)
		rows := h - 2 - len(body)
		heat := chart.Draw(w-2-bar, rows, st).Lines()
		legend := plot.ColorBar(scale, bar-1, rows-1, st)
		for k := range legend {
			legend[k] = " " + legend[k]
		}
		body = append(body, screen.Beside(heat, legend)...)
	}
	return screen.Panel(st, title, body, w, h, focused)
}
