package compare

import (
	"fmt"

	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
)

// planeDrawing declares how the fields of a pane are drawn.
func (m *Model) planeDrawing(p *pane) picture.PlaneDrawing {
	d := picture.PlaneDrawing{Style: m.Style, State: m.data(p), Posterior: p.posterior, Map: chart.Viridis,
		Reveal: m.shown.reveal}
	if d.Posterior == nil {
		d.Posterior = picture.New(d.State, m.shown.window, nil)
	}
	return d
}

// sharedScale is the colour scale that one quantity has in every pane. Acquisitions of one kind are one quantity.
func (m *Model) sharedScale(p *picture.Posterior) chart.ColorScale {
	var fields [][]float64
	for _, other := range m.panes {
		if other.posterior != nil && (m.shown.quantity != picture.AcquisitionField ||
			sameAcquisition(other.posterior.Legend, p.Legend)) {
			fields = append(fields, other.posterior.Fields[m.shown.quantity].Z)
		}
	}
	return p.Scale(m.shown.quantity, chart.Viridis, fields...)
}

// planePane is one posterior over two variables.
func (m *Model) planePane(i, w, h int, shared *sharedLegend) *layout.Box {
	p := m.panes[i]
	st := m.Style
	quantity := m.shown.quantity
	d := m.planeDrawing(p)
	known, waiting := len(d.Posterior.Fields[quantity].Z) > 0, ""
	scale := m.sharedScale(d.Posterior)
	title := d.Posterior.Title(quantity, scale)
	name := layout.FirstFit(st, w-4, title, picture.ShortFieldTitle(quantity, scale))
	head := layout.Text(w-2, " "+st.Paint(st.Dim, st.Plain(name)))
	if !known && d.Posterior.Known[quantity] {
		waiting = fmt.Sprintf("%s has none", p.alt.Spec().Name)
	}
	return m.framed(i, w, h, head, waiting, func(w, h int) *layout.Box {
		const bar = 10
		f, c := picture.DescribePlane(d, quantity, nil), d.Chart(quantity, scale, false)
		if !known {
			c.Note = picture.FittingNote
		}
		plot := shared.draw(c, w-bar, h, st, chart.Description{Marks: here(f.Describe), Y: f.DescribeAxis(1),
			X: f.DescribeAxis(0)})
		if !known {
			return plot
		}
		field := here(func(string) (string, string) { return f.DescribeField(quantity) })
		head.Describe(layout.Mark, title, "", func() string { says, _ := field(""); return says }).
			Linked = []*layout.Box{plot}
		head.TermOf = func() string { _, term := field(""); return term }
		colours := layout.Text(bar-1, chart.ColorBar(scale, bar-1, plot.H-1, st)...).
			Describe(layout.Axis, "colours", "", func() string {
				return ours.Replace(f.DescribeColorBar(quantity, scale))
			})
		colours.TermOf = head.TermOf
		return layout.Row(plot, layout.Space(1, 0), colours)
	})
}
