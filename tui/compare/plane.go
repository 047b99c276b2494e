package compare

import (
	"fmt"

	"bandscope/tui/belief"
	"bandscope/tui/belief/told"
	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/plot/colormap"
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

// planePane is one belief over two variables.
func (m *Model) planePane(i, w, h int) *layout.Box {
	p, st, quantity := m.panes[i], m.Style, m.shown.quantity
	head := layout.Text(w-2, " "+st.Paint(st.Dim, st.Plain(p.plane.Name(quantity))))
	waiting := ""
	switch {
	case p.plane == nil || len(p.plane.Fields[quantity].Z) == 0 && !p.plane.Known[quantity]:
		waiting = "computing…"
	case len(p.plane.Fields[quantity].Z) == 0:
		waiting = fmt.Sprintf("%s has none", p.alt.Spec().Name)
	}
	return m.framed(i, w, h, head, waiting, func(w, h int) *layout.Box {
		const bar = 10
		d, scale := m.planeDrawing(p), m.sharedScale(p)
		f, c := told.OfPlane(d, quantity, nil), d.Chart(quantity, scale, false)
		field := here(func(string) (string, string) { return f.Field(quantity) })
		legend := plot.LegendBox(st, c.Legend(st), w-2, paneRows)
		chart := c.Box(w-bar, h-legend.H, st, plot.Description{Marks: here(f.Says), Y: f.Axis(1), X: f.Axis(0)})
		plot.Link(chart, legend)
		head.Describe(layout.Mark, p.plane.Name(quantity), "", func() string { says, _ := field(""); return says }).Linked = []*layout.Box{chart}
		head.TermOf = func() string { _, term := field(""); return term }
		colours := layout.Text(bar-1, plot.ColorBar(scale, bar-1, chart.H-1, st)...).Describe(layout.Axis, "colours", "", func() string { return ours.Replace(f.Bar(quantity, scale)) })
		colours.TermOf = head.TermOf
		return layout.Column(layout.Row(layout.Space(1, legend.H), legend), layout.Row(chart, layout.Space(1, 0), colours))
	})
}
