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

// Panel has the plots in a column.
func (p *Line) Panel(s view.Scene) *layout.Box {
	l := p.layout(s)
	key := p.key(s, l.rows)
	a := p.describe(s)
	parts := []*layout.Part{{Title: p.title(s),
		Body: p.cache.Box("belief", key, func() *layout.Box { return p.posteriorBox(s, l.posterior) })}}
	describe := []func(*layout.Box){func(b *layout.Box) {
		b.Describe(layout.Section, "the surrogate", "surrogate", func() string { return p.about(s) })
	}}
	for k, kind := range lowerFields {
		if l.rows[k] == 0 {
			continue
		}
		name, titles := picture.PanelName(kind), a.Titles(kind)
		for i := range titles {
			titles[i] += p.stale(s)
		}
		parts = append(parts, &layout.Part{Title: layout.FirstFit(s.Style, s.W-layout.TitleRoom, titles...),
			Body: p.cache.Box(name, key, func() *layout.Box {
				panel := a.Panel(kind)
				panel.Chart.X.HideTicks = slices.ContainsFunc(l.rows[k+1:], func(rows int) bool { return rows > 0 })
				return below(s, panel.Chart, l.rows[k], panel.Axes)
			})})
		describe = append(describe, func(b *layout.Box) {
			b.Describe(layout.Section, "the "+name, "", func() string { says, _ := a.Help(kind); return says })
			b.TermOf = func() string { _, term := a.Help(kind); return term }
		})
	}
	panel := layout.SplitPanel(s.Style, s.W, s.H, false, parts...)
	for i, part := range panel.Children {
		describe[i](part)
	}
	return panel
}

// describe describes a scene.
func (p *Line) describe(s view.Scene) picture.Description {
	a := picture.Describe(p.Drawing(s), picture.MeanField, s.Outliers)
	a.Asking = s.Asking || s.Quiz
	return a
}

// posteriorBox is the plot of the surrogate below its legend, in h rows.
func (p *Line) posteriorBox(s view.Scene, h int) *layout.Box {
	a, c := p.describe(s), p.Chart(s).TitleInLegend(h)
	if p.stays(s) {
		c.Memory = p.labels.Begin(p.key(s), p.current(s), s.W, h)
	}
	b, legend := c.Labelled(s.W-2, h, s.W-4, s.Style, a.Axes(c))
	b.Add(p.answered(s, c, b.W, b.H)...)
	return layout.Column(legend, along(b, c))
}

// along maps the cells of a plot to values of the variable.
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

// below is a plot below the surrogate.
func below(s view.Scene, c chart.Chart, h int, axes chart.Description) *layout.Box {
	if c.X.HideTicks {
		axes.X = ""
	}
	b := c.Box(s.W-2, h, s.Style, axes)
	b.Children = slices.DeleteFunc(b.Children, func(m *layout.Box) bool {
		// marks that the upper plot describes, or that are narrower than a cell
		return m.Kind == layout.Mark && (m.Description() == "" || len(m.Cells()) == 0)
	})
	return along(b, c)
}

// answered is the reader's point in a lesson, which is not in the legend.
func (p *Line) answered(s view.Scene, c chart.Chart, w, h int) (list []*layout.Box) {
	for _, m := range s.Marks {
		mark, ok := m.(chart.Points)
		if !ok || len(mark.X) == 0 || mark.Name != "" {
			continue
		}
		mark.Name = "your point"
		v := s.State.Problem.Domain[s.View.X]
		b := layout.New(w, h).Describe(layout.Mark, mark.Name, "acquisition", func() string {
			return fmt.Sprintf("The point that you chose, %s = %s, where %s = %s. The page says how much improvement was expected there.",
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

func (p *Line) title(s view.Scene) string {
	subject := "surrogate"
	if len(s.State.Iterations) == 0 {
		subject = "prior"
	}
	if stale := p.stale(s); stale != "" {
		subject = "surrogate" + stale
	}
	o := s.State.Problem.Objectives[0]
	title := fmt.Sprintf("%s · %s %s", subject, o.Direction, o.Name)
	titles := []string{title}
	if p.stays(s) && p.axis.Extended(p.Drawing(s)) {
		titles = []string{title + " · axis extended (0 fits it)", title}
	}
	if s.State.Problem.Dim() > 1 {
		v := s.State.Problem.Domain[s.View.X].Name
		title += " along " + v
		titles = []string{title + ", others at the best point ([ ] changes " + v + ")", title + " ([ ] other)", title,
			o.Name + " along " + v + p.stale(s), "along " + v + p.stale(s)}
	}
	return layout.FirstFit(s.Style, s.W-layout.TitleRoom, titles...)
}

// about describes the panel.
func (p *Line) about(s view.Scene) string {
	o, domain := s.State.Problem.Objectives[0], s.State.Problem.Domain
	text := fmt.Sprintf(
		"The surrogate of %s for %s after %s: the mean, the band, and the function that picks the next point.",
		s.State.Spec.Title, o.Name, widget.Count(len(s.State.Iterations), "step"))
	if len(s.State.Iterations) == 0 {
		text = fmt.Sprintf("The prior of %s for %s, before any result. The first results turn it into a posterior.",
			s.State.Spec.Title, o.Name)
	}
	b := p.at(s)
	switch {
	case !b.Fitted:
		text = fmt.Sprintf("The surrogate of %s for %s after %s is being computed. Only the data are drawn so far.",
			s.State.Spec.Title, o.Name, widget.Count(len(s.State.Iterations), "step"))
	case b.Legend.Band == "" && b.Legend.Used == "":
		text = fmt.Sprintf("%s has no model of %s. The plot shows %s and the next point.",
			s.State.Spec.Title, o.Name, widget.Count(len(s.State.Iterations), "result"))
	}
	if b.Fitted {
		text += s.DescribeStale(b.Head, b.Step)
	}
	if b.Fitted && len(domain) > 1 {
		anchor := ""
		for j, v := range domain {
			if j != s.View.X && len(domain) <= 4 {
				anchor += fmt.Sprintf(", %s = %s", v.Name, v.Text(b.Anchor[j]))
			}
		}
		text += fmt.Sprintf(" The plot is a slice along %s through the best point%s.", domain[s.View.X].Name, anchor)
	}
	return text
}
