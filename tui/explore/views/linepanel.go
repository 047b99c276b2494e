package views

import (
	"fmt"
	"slices"

	"bandscope/tui/chart"
	"bandscope/tui/explore/view"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/widget"
)

// Panel is the plots, one under the other.
func (p *Line) Panel(s view.Scene) *layout.Box {
	l := p.layout(s)
	key := p.key(s, l.acq > 0, l.limits)
	a := p.describe(s)
	parts := []*layout.Part{{Title: title(s), Body: layout.Column(layout.Row(layout.Space(1, l.legend.H), l.legend),
		p.cache.Box("belief", key, func() *layout.Box { return p.posteriorBox(s, l) }))}}
	describe := []func(*layout.Box){func(b *layout.Box) {
		b.Describe(layout.Section, "the belief", "surrogate", func() string { return p.about(s) })
	}}
	under := func(h int, name, title, term string, says func() string, c func() chart.Chart,
		axis func(chart.Chart) string, marks map[string]func() string) {
		if h == 0 {
			return
		}
		parts = append(parts, &layout.Part{Title: s.Style.Plain(title),
			Body: p.cache.Box(name, key, func() *layout.Box {
				return below(s, c(), h, term, axis, a.DescribeVariable(), marks)
			})})
		describe = append(describe, func(b *layout.Box) { b.Describe(layout.Section, "the "+name, term, says) })
	}
	d := a.Drawing
	under(l.acq, "acquisition", p.acquisitionTitle(s), "acquisition", func() string {
		says, _ := a.DescribeAcquisition()
		return says
	}, d.AcquisitionChart, func(c chart.Chart) string {
		return fmt.Sprintf("Values of the acquisition in its own unit, %s to %s here: only where it is best matters, "+
			"not how much that is.", widget.Number(c.Y.Min), widget.Number(c.Y.Max))
	}, map[string]func() string{
		picture.AcquisitionName(a.Legend): func() string {
			_, area := a.DescribeAcquisition()
			return area
		}, picture.AllowedName: a.DescribeFeasible})
	if l.cost > 0 {
		under(l.cost, "cost", "cost: "+s.State.Problem.Cost.Text, "cost", a.DescribeCost, d.CostChart,
			func(c chart.Chart) string {
				return fmt.Sprintf("What an evaluation costs, 0 to %s here.", widget.Number(c.Y.Max))
			}, nil)
	}
	const limits = "probability to be within all limits"
	under(l.limits, limits, limits, "limit", a.DescribeLimits, d.FeasibleChart, func(chart.Chart) string {
		return "Probabilities, from 0 to 1."
	}, nil)
	panel := layout.SplitPanel(s.Style, s.W, s.H, false, parts...)
	for i, part := range panel.Children {
		describe[i](part)
	}
	return panel
}

// describe has what a reader is told of a scene.
func (p *Line) describe(s view.Scene) picture.LineDescription {
	a := picture.DescribeLine(p.Drawing(s), s.Outliers)
	a.Asking = s.Asking || s.Quiz
	return a
}

// posteriorBox is the plot of the belief, whose marks are lit with the legend's entries.
func (p *Line) posteriorBox(s view.Scene, l lineLayout) *layout.Box {
	a, c := p.describe(s), p.Chart(s)
	says := chart.Description{Marks: a.Describe, Y: a.DescribeAxis(c.Y)}
	if !c.X.HideTicks {
		says.X = a.DescribeVariable()
	}
	b := c.Box(s.W-2, l.posterior, s.Style, says)
	b.Add(p.answered(s, c, b.W, b.H)...)
	chart.Link(b, l.legend)
	return along(b, c)
}

// along lets the cells of a plot stand for values of the variable.
func along(b *layout.Box, c chart.Chart) *layout.Box {
	f := c.Frame(b.W, b.H)
	b.Name, b.Value = "picture", func(col, _ float64) []float64 {
		x, ok := f.X(col)
		if !ok {
			return nil
		}
		return []float64{x}
	}
	return b
}

// below is a plot under the belief, with what its marks are told by.
func below(s view.Scene, c chart.Chart, h int, term string, axis func(chart.Chart) string, variable string,
	marks map[string]func() string) *layout.Box {
	told := chart.Description{X: variable, Marks: func(name string) (string, string) {
		if says := marks[name]; says != nil {
			return says(), term
		}
		return "", ""
	}}
	if c.X.HideTicks {
		told.X = ""
	}
	if !c.Y.HideTicks {
		told.Y = axis(c)
	}
	b := c.Box(s.W-2, h, s.Style, told)
	b.Children = slices.DeleteFunc(b.Children, func(m *layout.Box) bool {
		// what the belief describes too, or is narrower than a cell and not drawn
		return m.Kind == layout.Mark && (marks[m.Name] == nil || len(m.Cells()) == 0)
	})
	return along(b, c)
}

// answered is the reader's point in a lesson, which the legend does not name.
func (p *Line) answered(s view.Scene, c chart.Chart, w, h int) (list []*layout.Box) {
	for _, m := range s.Marks {
		mark, ok := m.(chart.Points)
		if !ok || len(mark.X) == 0 || mark.Name != "" {
			continue
		}
		mark.Name = "your point"
		v := s.State.Problem.Domain[s.View.Variable]
		b := layout.New(w, h).Describe(layout.Mark, mark.Name, "acquisition", func() string {
			return fmt.Sprintf("The point that you chose, %s = %s: it would have given %s = %s. The page says what "+
				"could be expected of it before.",
				v.Name, v.Text(mark.X[0]), s.State.Problem.Objectives[0].Name, widget.Number(mark.Y[0]))
		})
		b.Cells = func() []layout.Span {
			c.Layers = []chart.Layer{mark}
			return c.Cells(w, h, s.Style, mark.Name)
		}
		list = append(list, b)
	}
	return list
}

func title(s view.Scene) string {
	what := "belief"
	if len(s.State.Iterations) == 0 {
		what = "prior belief"
	}
	o := s.State.Problem.Objectives[0]
	said := fmt.Sprintf("%s · %s %s", what, o.Direction, o.Name)
	if s.State.Problem.Dim() > 1 {
		said += fmt.Sprintf(" along %s, the others at the best point ([ ] turn)",
			s.State.Problem.Domain[s.View.Variable].Name)
	}
	return s.Style.Plain(said)
}

func (p *Line) acquisitionTitle(s view.Scene) string {
	b := p.visiblePicture(s)
	if b == nil {
		return "acquisition"
	}
	return picture.AcquisitionName(b.Legend)
}

// about tells the panel.
func (p *Line) about(s view.Scene) string {
	o, domain := s.State.Problem.Objectives[0], s.State.Problem.Domain
	text := fmt.Sprintf("What %s believes of %s after %s: the curve that it expects, the band, and what chooses the "+
		"next point.", s.State.Spec.Title, o.Name, widget.Count(len(s.State.Iterations), "step"))
	if len(s.State.Iterations) == 0 {
		text = fmt.Sprintf("What %s believes of %s before any result: its prior, which the first results will turn "+
			"into a posterior.", s.State.Spec.Title, o.Name)
	}
	b := p.visiblePicture(s)
	switch {
	case b == nil:
		text = fmt.Sprintf("What %s believes of %s after %s is being computed; meanwhile only what is known for "+
			"certain is drawn.", s.State.Spec.Title, o.Name, widget.Count(len(s.State.Iterations), "step"))
	case b.Legend.Band == "" && b.Legend.Used == "":
		text = fmt.Sprintf("%s has no model of %s: what is drawn are the %s, and where it goes next.",
			s.State.Spec.Title, o.Name, widget.Count(len(s.State.Iterations), "result"))
	}
	if b != nil && len(domain) > 1 {
		at := ""
		for j, v := range domain {
			if j != s.View.Variable && len(domain) <= 4 {
				at += fmt.Sprintf(", %s = %s", v.Name, v.Text(b.Anchor[j]))
			}
		}
		text += fmt.Sprintf(" It is a slice along %s through the best point%s.", domain[s.View.Variable].Name, at)
	}
	return text
}
