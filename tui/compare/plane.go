package compare

import (
	"fmt"

	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
)

// planePane is one posterior over two variables.
func (m *Model) planePane(i, w, h int, shared *sharedLegend) *layout.Box {
	p, st, quantity := m.panes[i], m.Style, m.shown.quantity
	f := m.describe(p)
	f.Compared = m.compared(f.Posterior, quantity)
	known, waiting := !f.Posterior.Fields[quantity].Empty(), ""
	panel := f.Panel(quantity)
	head := layout.Text(w-2, " "+st.Paint(st.Dim, st.Plain(layout.FirstFit(st, w-4, panel.Titles...))))
	if !known && f.Posterior.Known[quantity] {
		waiting = fmt.Sprintf("%s has none", p.alt.Spec().Name)
	}
	return m.framed(i, w, h, head, waiting, func(w, h int) *layout.Box {
		const bar = 10
		c := panel.Chart
		if !known {
			c.Note = picture.FittingNote
		}
		panel.Axes.Marks = here(panel.Axes.Marks)
		plot := shared.draw(c, w-bar, h, st, panel.Axes)
		if !known {
			return plot
		}
		field := here(func(string) (string, string) { return f.Help(quantity) })
		head.Describe(layout.Mark, panel.Titles[0], "", func() string { says, _ := field(""); return says }).
			Linked = []*layout.Box{plot}
		head.TermOf = func() string { _, term := field(""); return term }
		colours := layout.Text(bar-1, chart.ColorBar(f.Scale(quantity), bar-1, plot.H-1, st)...).
			Describe(layout.Axis, "colours", "", func() string {
				return ours.Replace(f.DescribeColorBar(quantity))
			})
		colours.TermOf = head.TermOf
		return layout.Row(plot, layout.Space(1, 0), colours)
	})
}
