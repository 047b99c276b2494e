package compare

import (
	"fmt"

	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
)

// planeDrawing declares how the fields of a pane are drawn.
func (m *Model) planeDrawing(p *pane) picture.PlaneDrawing {
	return picture.PlaneDrawing{Style: m.Style, State: p.state, Plane: p.plane, Map: chart.Viridis,
		Reveal: m.shown.reveal}
}

// sharedScale is the colour scale that one quantity has in every pane. Acquisitions of one kind are one quantity.
func (m *Model) sharedScale(p *pane) chart.ColorScale {
	var fields [][]float64
	for _, other := range m.panes {
		if other.plane != nil && (m.shown.quantity != picture.AcquisitionField ||
			sameAcquisition(other.plane.Legend, p.plane.Legend)) {
			fields = append(fields, other.plane.Fields[m.shown.quantity].Z)
		}
	}
	return p.plane.Scale(m.shown.quantity, chart.Viridis, fields...)
}

// planePane is one posterior over two variables.
func (m *Model) planePane(i, w, h int) *layout.Box {
	p, st, quantity := m.panes[i], m.Style, m.shown.quantity
	title := p.plane.Name(quantity)
	if p.plane != nil {
		title = p.plane.Title(quantity, m.sharedScale(p))
	}
	head := layout.Text(w-2, " "+st.Paint(st.Dim, st.Plain(title)))
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
		f, c := picture.DescribePlane(d, quantity, nil), d.Chart(quantity, scale, false)
		field := here(func(string) (string, string) { return f.DescribeField(quantity) })
		legend := chart.LegendBox(st, c.Legend(st), w-2, paneRows)
		plot := c.Box(w-bar, h-legend.H, st, chart.Description{Marks: here(f.Describe), Y: f.DescribeAxis(1),
			X: f.DescribeAxis(0)})
		chart.Link(plot, legend)
		head.Describe(layout.Mark, title, "", func() string { says, _ := field(""); return says }).
			Linked = []*layout.Box{plot}
		head.TermOf = func() string { _, term := field(""); return term }
		colours := layout.Text(bar-1, chart.ColorBar(scale, bar-1, plot.H-1, st)...).
			Describe(layout.Axis, "colours", "", func() string {
				return ours.Replace(f.DescribeColorBar(quantity, scale))
			})
		colours.TermOf = head.TermOf
		return layout.Column(layout.Row(layout.Space(1, legend.H), legend),
			layout.Row(plot, layout.Space(1, 0), colours))
	})
}
