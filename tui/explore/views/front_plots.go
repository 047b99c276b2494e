package views

import (
	"fmt"
	"slices"
	"sync"

	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/explore/view"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/picture/front"
)

// plots are the plots of the panel below their common legend, and the prior with the preferred part of the front, each
// with its description. A mark in several plots is described once, and highlighted in all of them. Slow
// descriptions are computed once.
func (p *Front) plots(s view.Scene, l frontLayout) *layout.Box {
	d := p.Drawing(s)
	t := front.Describe(d, s.Outliers)
	all := frontPlots{scene: s, charts: make([]*layout.Box, 1)}
	inputs, lower := p.inputs(s, l, d, t, &all), p.lower(s, l, d, t, &all)
	c := d.Chart().TitleInLegend(l.upper + 1)
	left, under := frontAxes(t, c)
	outcomes, legend := c.Labelled(l.outcomes, l.upper+1, s.W-4, s.Style, chart.Description{Y: left, X: under},
		all.unlabelled()...)
	all.charts[0] = named(outcomes, "the outcomes")
	all.describe(t, legend)
	if legend == nil && inputs != nil { // the plots end in one row
		inputs = layout.Column(layout.Space(0, 1), inputs)
	}
	return layout.New(0, 0, layout.Column(legend, layout.Row(outcomes, inputs)), lower)
}

// frontPlots are the plots that share a legend: the outcomes first.
type frontPlots struct {
	scene   view.Scene
	charts  []*layout.Box
	entries []chart.Entry   // of plots other than the outcomes
	placed  map[string]bool // the names that one of these plots labels
}

// draw draws a plot other than the outcomes.
func (a *frontPlots) draw(c chart.Chart, name string, w, h int, left, under string) *layout.Box {
	b, rest := c.BoxWithEntries(w, h, a.scene.Style, chart.Description{Y: left, X: under})
	for _, e := range c.Legend(a.scene.Style) {
		if !slices.ContainsFunc(rest, func(r chart.Entry) bool { return r.Name == e.Name }) {
			if a.placed == nil {
				a.placed = map[string]bool{}
			}
			a.placed[e.Name] = true
		}
	}
	a.entries = chart.Merge(a.entries, rest)
	values := b.Value
	a.charts = append(a.charts, named(b, name))
	if name == front.PriorName && a.scene.Overlay.Weights { // the mouse draws on it
		b.Value = values
	}
	return b
}

// unlabelled are the entries of the legend that no plot other than the outcomes labels.
func (a *frontPlots) unlabelled() []chart.Entry {
	return slices.DeleteFunc(slices.Clone(a.entries), func(e chart.Entry) bool { return a.placed[e.Name] })
}

// named gives a plot a name, and its axes names of their own. Only the outcomes know the values under a cell.
func named(b *layout.Box, name string) *layout.Box {
	for _, part := range b.Children {
		if part.Kind == layout.Axis {
			part.Name += " of " + name
		}
	}
	b.Name = name
	if name == "the outcomes" {
		b.Name = "picture"
	} else {
		b.Value = nil
	}
	return b
}

// describe describes the first mark of each name, which is highlighted with those of the other plots and the entry of
// the legend.
func (a *frontPlots) describe(t front.Description, legend *layout.Box) {
	first := map[string]*layout.Box{}
	for _, c := range a.charts {
		for _, mark := range c.Children {
			if mark.Kind != layout.Group || mark.Name == "" || mark.Cells == nil {
				continue
			}
			if m := first[mark.Name]; m != nil {
				m.Linked = append(append(m.Linked, mark), mark.Linked...)
				m.Important(max(m.Importance, mark.Importance))
				continue
			}
			first[mark.Name] = mark
			describe := sync.OnceValues(func() (says, term string) { return t.Describe(mark.Name) })
			mark.Describe(layout.Mark, mark.Name, "", func() string { says, _ := describe(); return says }).TermOf =
				func() string { _, term := describe(); return term }
		}
	}
	if legend == nil {
		return
	}
	for _, e := range legend.Children[0].Children {
		if m := first[e.Name]; m != nil && !slices.Contains(m.Linked, e) {
			m.Linked = append(m.Linked, e)
		}
	}
}

// frontAxes describe the axes of a chart of outcomes.
func frontAxes(t front.Description, c chart.Chart) (left, under string) {
	return t.DescribeAxis(t.J, c.Y.Min, c.Y.Max, true), t.DescribeAxis(t.I, c.X.Min, c.X.Max, false)
}

// inputs is the plot of the inputs; nil if it is not shown.
func (p *Front) inputs(s view.Scene, l frontLayout, d front.Drawing, t front.Description,
	all *frontPlots) *layout.Box {
	if l.inputs == 0 {
		return nil
	}
	left, under := inputAxes(s)
	c := d.Inputs()
	return region(all.draw(c, "the inputs", l.inputs, l.upper, left, under), c, "the inputs", "",
		sync.OnceValue(t.DescribeInputs))
}

// lower are the prior over the weights and the preferred part of the front, or the text in their place.
func (p *Front) lower(s view.Scene, l frontLayout, d front.Drawing, t front.Description, all *frontPlots) *layout.Box {
	lower := layout.Space(s.W-2, max(l.lower, 0))
	switch text := "this method has no prior over weights"; {
	case s.Below != nil || weightsHidden(s):
	case d.Outcomes.Scalarizations == nil:
		if d.Fitting && s.State.HasWeightPrior() {
			text = picture.FittingNote
		}
		lower = layout.Text(s.W-2, " "+s.Style.Paint(s.Style.Dim, s.Style.Plain(text))).Filled(l.lower)
	default:
		left, under := densityAxes(s)
		lower = layout.Row(all.draw(d.Density(), front.PriorName, l.density, l.lower, left, under))
		if l.along > 0 {
			c := d.Along()
			_, under := frontAxes(t, c)
			const aims = "the preferred part of the front"
			lower.Beside(region(all.draw(c, aims, l.along, l.lower,
				"Vertical axis: the probability that the sampled weights prefer that part of the front.", under), c,
				aims, "Pareto front", sync.OnceValue(t.DescribeAlong)))
		}
	}
	return lower.Describe(layout.Section, front.PriorName, "prior over weights", sync.OnceValue(t.DescribeDensity))
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
		return left, fmt.Sprintf(
			"Horizontal axis: the weight of %s, from 0 (it does not count) to 1 (no other objective counts).",
			name(0))
	}
}
