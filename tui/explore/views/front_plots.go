package views

import (
	"fmt"
	"sync"

	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/explore/view"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/picture/front"
)

// plots are the plots of the panel below their common legend, and the prior with the preferred part of the front, each
// with its description. An entry of the legend is linked to its marks in all plots. Slow descriptions are computed
// once.
func (p *Front) plots(s view.Scene, l frontLayout) *layout.Box {
	d, legend := p.Drawing(s), p.legend(s)
	t := front.Describe(d, s.Outliers)
	var charts []*layout.Box
	draw := func(c chart.Chart, name string, w, h int, left, under string) *layout.Box {
		b := c.Box(w, h, s.Style, chart.Description{Y: left, X: under})
		for _, part := range b.Children {
			if part.Kind == layout.Axis {
				part.Name += " of " + name
			}
		}
		if b.Name = name; name == "the outcomes" {
			b.Name = "picture"
		} else {
			b.Value = nil
		}
		charts = append(charts, b)
		return b
	}
	axis := func(c chart.Chart) (left, under string) {
		return t.DescribeAxis(t.J, c.Y.Min, c.Y.Max, true), t.DescribeAxis(t.I, c.X.Min, c.X.Max, false)
	}
	c := d.Chart()
	left, under := axis(c)
	upper := layout.Row(draw(c, "the outcomes", l.outcomes, l.upper, left, under))
	if l.inputs > 0 {
		left, under := inputAxes(s)
		c := d.Inputs()
		upper.Beside(region(draw(c, "the inputs", l.inputs, l.upper, left, under), c, "the inputs", "",
			sync.OnceValue(t.DescribeInputs)))
	}
	lower := layout.Space(s.W-2, max(l.lower, 0))
	switch {
	case s.Below != nil || weightsHidden(s):
	case p.outcomes.Scalarizations == nil:
		lower = layout.Text(s.W-2, " "+s.Style.Paint(s.Style.Dim, "this method has no prior over weights")).
			Filled(l.lower)
	default:
		left, under := densityAxes(s)
		lower = layout.Row(draw(d.Density(), "the prior over λ", l.density, l.lower, left, under))
		if l.along > 0 {
			c := d.Along()
			_, under := axis(c)
			const aims = "the preferred part of the front"
			lower.Beside(region(draw(c, aims, l.along, l.lower,
				"Vertical axis: the probability that the sampled weights prefer that part of the front.", under), c,
				aims, "Pareto front", sync.OnceValue(t.DescribeAlong)))
		}
	}
	lower.Describe(layout.Section, "the prior over λ", "prior over weights", sync.OnceValue(t.DescribeDensity))
	for _, e := range legend.Children {
		describe := sync.OnceValues(func() (says, term string) { return t.Describe(e.Name) })
		e.Describe(layout.Mark, e.Name, "", func() string { says, _ := describe(); return says }).
			TermOf = func() string {
			_, term := describe()
			return term
		}
		for _, chart := range charts {
			for _, mark := range chart.Children {
				if mark.Name == e.Name {
					e.Important(max(e.Importance, mark.Importance))
					e.Linked = append(e.Linked, mark)
				}
			}
		}
	}
	return layout.New(0, 0, layout.Column(layout.Row(layout.Space(1, legend.H), legend), upper), lower)
}

// region describes the plot area of a chart, without its axes.
func region(b *layout.Box, c chart.Chart, name, term string, says func() string) *layout.Box {
	f := c.Frame(b.W, b.H)
	b.Children = append([]*layout.Box{layout.New(f.Cols, f.Rows).At(f.Left, f.Top).
		Describe(layout.Mark, name, term, says)}, b.Children...)
	return b
}

// inputAxes describe the axes of the inputs.
func inputAxes(s view.Scene) (left, under string) {
	domain := s.State.Problem.Domain
	if len(domain) > 1 {
		return picture.DescribeVariable(domain[1]), picture.DescribeVariable(domain[0])
	}
	return "Vertical axis: each objective scaled to its range; 1 is the best value, 0 the worst.",
		picture.DescribeVariable(domain[0])
}

// densityAxes describe the axes of the prior over the weights.
func densityAxes(s view.Scene) (left, under string) {
	objectives := s.State.Problem.Objectives
	left = "Vertical axis: the probability density; the area under it is 1."
	switch name := func(k int) string { return sanitize.Text(objectives[k].Name) }; {
	case len(objectives) == 3:
		return fmt.Sprintf("Vertical axis: the weight of %s, from 0 to 1.", name(2)),
			fmt.Sprintf("The lower corners: only %s counts at the left one, only %s at the right one.", name(0),
				name(1))
	case len(objectives) > 2:
		return left, "Horizontal axis: the weights, from 0 (the objective does not count) to 1 (no other one counts)."
	default:
		return left, fmt.Sprintf("Horizontal axis: the weight of %s, from 0 (it does not count) to 1 (no other "+
			"objective counts).", name(0))
	}
}
