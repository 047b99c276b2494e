package views

import (
	"fmt"

	"bandscope/tui/chart"
	"bandscope/tui/explore/view"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/widget"
)

// fields are the large field below its legend, with its colour bar and the small fields at its right.
func (p *Plane) fields(s view.Scene, l planeLayout) *layout.Box {
	d := p.drawing(s)
	big := p.large(s)
	c := p.Chart(s).TitleInLegend(l.plotH + 1)
	f := picture.Describe(d, big, s.Outliers)
	axes, scale := f.Axes(c), d.Scale(big)
	marks := func(name string) (sentence, term string) {
		if sentence := p.answered(s, name); sentence != "" {
			return sentence, "acquisition"
		}
		return f.Describe(name)
	}
	axes.Marks = marks
	large, legend := c.Labelled(l.plotW, l.plotH+1, s.W-4, s.Style, axes)
	frame := c.Frame(large.W, large.H)
	region := layout.New(frame.Cols, frame.Rows).At(frame.Left, frame.Top).
		Describe(layout.Mark, d.Posterior.Name(big), "", func() string { says, _ := f.DescribeField(big); return says }).
		Important(layout.ImportanceMain)
	region.TermOf = func() string { _, term := f.DescribeField(big); return term }
	if legend == nil {
		legend = layout.Space(0, 1)
	}
	bar := layout.Space(l.bar, l.plotH)
	switch {
	case p.fitting(s, big):
	case p.fieldShown(s, big):
		bar.Add(layout.Text(l.bar-1, chart.ColorBar(scale, l.bar-1, l.plotH-1, s.Style)...).At(1, 0).
			Describe(layout.Mark, "colour bar", "", func() string { return f.DescribeColorBar(big) }))
	default: // they are drawn on the small fields
		line := chart.LegendLine(s.Style, c.Legend(s.Style), s.W-4)
		legend = layout.New(s.W-2, 1, line.At(1, 0))
		for _, e := range line.Children {
			e.Describe(layout.Mark, e.Name, "", func() string { says, _ := marks(e.Name); return says }).
				TermOf = func() string { _, term := marks(e.Name); return term }
		}
		values := large.Value
		large, region.Overlaps = p.field(s, d, big, l.plotW, l.plotH), true
		large.Value = values
	}
	large.Name, large.Children = "picture", append([]*layout.Box{region}, large.Children...)
	all := layout.Row(large, bar)
	if l.small > 0 {
		all.Beside(p.smallFields(s, f, l))
	}
	return layout.Column(legend, all)
}

// others are the small fields.
func (p *Plane) others(s view.Scene) (kinds []picture.FieldKind) {
	b := p.VisiblePlane(s)
	for k := range picture.FieldKindCount {
		if k != p.large(s) && !truthHidden(s, b, k) && (k != picture.TrueField || s.Reveal) &&
			(k != picture.CostField || s.State.Problem.Cost != nil) &&
			(k != picture.FeasibleField || len(b.Fields[k].Z) > 0) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// smallFields are the other fields in a column, each with its name and range.
func (p *Plane) smallFields(s view.Scene, f picture.Description, l planeLayout) *layout.Box {
	st, d := s.Style, f.Drawing
	kinds := p.others(s)
	all := &layout.Box{}
	for i, k := range kinds {
		top, bottom := l.plotH*i/len(kinds), l.plotH*(i+1)/len(kinds)
		name := fmt.Sprintf("%d %s", k+1, picture.ShortFieldName(k))
		title := " " + name
		if scale := d.Scale(k); len(d.Posterior.Fields[k].Z) > 0 {
			title = fmt.Sprintf(" %d %s", k+1, picture.ShortFieldTitle(k, scale))
			if unused := d.Posterior.Unused(); k == picture.AcquisitionField && unused != "" {
				title = layout.FirstFit(st, l.small, title+unused, fmt.Sprintf(" %d acq. (not used)", k+1))
			} else {
				title += ends(scale, l.small-len(title))
			}
		}
		column := layout.Column(layout.Text(l.small, st.Paint(st.Dim, layout.ShortenIn(st, st.Plain(title), l.small))),
			p.field(s, d, k, l.small, bottom-top-1))
		column.Describe(layout.Mark, name, "", func() string { says, _ := f.DescribeField(k); return says }).
			TermOf = func() string { _, term := f.DescribeField(k); return term }
		all.Below(column)
	}
	return all
}

// ends are the ends of a scale in at most w columns, with as many digits as fit; empty if they do not fit.
func ends(s chart.ColorScale, w int) string {
	const between = " to "
	room := w - len(between) - 1
	if s.Clipped {
		room--
	}
	lo := widget.NumberIn(s.DisplayValue(s.Lo), (room+1)/2)
	hi := widget.NumberIn(s.DisplayValue(s.Hi), room-len(lo))
	lo = widget.NumberIn(s.DisplayValue(s.Lo), room-len(hi))
	if room < 2 || lo == "…" || hi == "…" {
		return ""
	}
	switch {
	case s.Clipped && s.Flip:
		hi = "≥" + hi
	case s.Clipped:
		lo = "≤" + lo
	}
	return " " + lo + between + hi
}

// field is one field without axes, or a sentence why there is none.
func (p *Plane) field(s view.Scene, d picture.Drawing, k picture.FieldKind, w, h int) *layout.Box {
	switch {
	case truthHidden(s, d.Posterior, k):
		return view.SentenceBox(s.Style, "hidden until you choose a point (x)", w, h)
	case k == picture.TrueField && !s.Reveal:
		return view.SentenceBox(s.Style, "the true function is hidden (t)", w, h)
	case len(d.Posterior.Fields[k].Z) > 0:
		d.Small = true
		return d.Chart(k).Draw(w, h, s.Style).Box()
	case d.Posterior.Known[k]:
		return view.SentenceBox(s.Style, "not available for this method", w, h)
	}
	return view.SentenceBox(s.Style, "computing…", w, h)
}

// fieldShown reports whether a field is drawn.
func (p *Plane) fieldShown(s view.Scene, k picture.FieldKind) bool {
	return (k != picture.TrueField || s.Reveal) && len(p.VisiblePlane(s).Fields[k].Z) > 0
}

// answered describes the reader's point in a lesson.
func (p *Plane) answered(s view.Scene, name string) string {
	domain := s.State.Problem.Domain
	for _, l := range s.Marks {
		if m, ok := l.(chart.Points); ok && m.Name == name && len(m.X) > 0 {
			x, y := domain[p.view.X], domain[p.view.Y]
			return fmt.Sprintf("The point that you chose, %s = %s, %s = %s. The page says how much improvement was expected there.",
				x.Name, x.Text(m.X[0]), y.Name, y.Text(m.Y[0]))
		}
	}
	return ""
}
