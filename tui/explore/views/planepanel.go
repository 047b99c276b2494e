package views

import (
	"fmt"
	"slices"
	"strings"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/explore/view"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/widget"
)

// planeLayout is where the parts of the panel are, in cells inside of its frame.
type planeLayout struct {
	w, h         int // of the fields
	bar          int // width of the colour bar
	small        int // width of the small fields, 0 if they do not fit
	slices       int // height of the slices with their dividing line, 0 if they do not fit
	plotW, plotH int // of the large field with its axes
}

func (p *Plane) layout(s view.Scene) planeLayout {
	l := planeLayout{w: s.W - 2, h: s.H - 3, bar: 10} // below the legend
	if s.H >= 28 || s.Overlay.Cursor != nil {
		l.slices = layout.Split(l.h, layout.Rule{Flex: 3}, layout.Rule{Min: 6, Flex: 1})[1]
	}
	l.h -= l.slices
	if l.w >= 66 && l.h >= 16 {
		l.small = layout.Split(l.w, layout.Rule{Flex: 3}, layout.Rule{Min: 20, Flex: 1})[1]
	}
	l.plotW, l.plotH = l.w-l.small-l.bar, l.h
	return l
}

// frame is the geometry of the large field.
func (p *Plane) frame(s view.Scene) chart.Frame {
	l := p.layout(s)
	return p.Chart(s).Frame(l.plotW, l.plotH)
}

// drawing declares the content of the fields.
func (p *Plane) drawing(s view.Scene) picture.Drawing {
	return picture.Drawing{Style: s.Style, State: s.State, Posterior: p.VisiblePlane(s), Axes: s.Axes,
		Map: colorMaps[p.colors], Shared: !p.own,
		Contours: p.contours, Numbers: p.numbers, Reveal: s.Reveal, Cursor: s.Overlay.Cursor,
		Marks: append(s.OutlierMarks(func(r diagnostics.Outlier) (x, y float64, shown bool) {
			x, y = p.VisiblePlane(s).ChartPlace(r.X)
			return x, y, r.Objective == 0
		}, true), s.Marks...)}
}

// Chart declares the large field.
func (p *Plane) Chart(s view.Scene) chart.Chart {
	d, big := p.drawing(s), p.large(s)
	c := d.Chart(big)
	if p.fitting(s, big) {
		c.Note = picture.FittingNote
	}
	return c
}

func (p *Plane) key(s view.Scene) string {
	return s.Key(p.plane, s.Late, fmt.Sprintf("%p", p.complete), p.view, p.big, p.contours, p.numbers, p.own, p.colors)
}

// Panel has the fields, and the slices below them.
func (p *Plane) Panel(s view.Scene) *layout.Box {
	l, where := p.layout(s), place(s)
	parts := []*layout.Part{{Title: p.title(s),
		Body: p.cache.Box("fields", p.key(s), func() *layout.Box { return p.fields(s, l) })}}
	if l.slices > 0 {
		stale := ""
		if len(p.slices.lines) > 0 {
			stale = s.Stale(p.slices.lines[0].Head, p.slices.lines[0].Step)
		}
		parts = append(parts, &layout.Part{Title: "slices through " + where + stale,
			Body: p.slicesBox(s, l.slices-1)})
	}
	panel := layout.SplitPanel(s.Style, s.W, s.H, false, parts...)
	for i, part := range panel.Children {
		if i == 0 {
			part.Describe(layout.Section, "the fields", "surrogate", func() string { return p.about(s) })
			continue
		}
		part.Describe(layout.Section, part.Name, "posterior", func() string {
			return sanitize.Text(fmt.Sprintf("Slices of the fields along %s through %s, %s, with the band. %s", map[bool]string{
				true: "each component", false: "both variables"}[p.view.Axes == picture.Ternary], where,
				widget.Point(s.State.Problem.Domain, anchor(s.Overlay.Cursor, s.State)), map[bool]string{
					true:  "The other components keep their ratio (the direction of Cox), and all other variables are fixed.",
					false: "All other variables are fixed."}[p.view.Axes == picture.Ternary]))
		})
	}
	return panel
}

// slicesBox has the slices beside each other.
func (p *Plane) slicesBox(s view.Scene, h int) *layout.Box {
	row := layout.Row()
	for k := range p.view.Variables() {
		row.Beside(p.along(s, k, h))
	}
	return row
}

// place names the point at which the variables that are not shown are fixed.
func place(s view.Scene) string {
	if s.Overlay.Cursor != nil {
		return "the cursor"
	}
	return "the best point"
}

// large is the large field: the chosen one, or the sample until that is computed.
func (p *Plane) large(s view.Scene) picture.FieldKind {
	if b := p.VisiblePlane(s); len(b.Fields[p.big].Z) == 0 && !b.Known[p.big] &&
		len(b.Fields[picture.SampleField].Z) > 0 {
		return picture.SampleField
	}
	return p.big
}

// FieldTitle names the large field, and says whether its logarithm is drawn.
func (p *Plane) FieldTitle(s view.Scene) string {
	big, d := p.large(s), p.drawing(s)
	return d.Posterior.Title(big, d.Scale(big))
}

// title names the large field, the other variables, and the zoom: the longest title that fits.
func (p *Plane) title(s view.Scene) string {
	big := p.large(s)
	head, step := p.VisiblePlane(s).FieldPlace(big)
	short := picture.ShortFieldTitle(big, p.drawing(s).Scale(big))
	names := []string{p.FieldTitle(s), short + p.VisiblePlane(s).OfObjective(big)}
	zoom := ""
	if n := len(p.zooms); n > 0 {
		zoom = fmt.Sprintf(" · ×%d", 1<<n)
	}
	others := []string{""}
	if cost := s.State.Problem.Cost; cost != nil && big != picture.CostField && p.layout(s).small == 0 {
		key := picture.CostField + 1
		others = []string{fmt.Sprintf(" · cost %s (%d)", cost.Text, key), fmt.Sprintf(" · %d cost", key), ""}
	}
	if n := s.State.Problem.Dim() - len(p.view.Variables()); n > 0 {
		count := widget.Count(n, "other variable")
		others = slices.Insert(others, 0, fmt.Sprintf(" · %s at %s ([ ] { } change)", count, place(s)),
			fmt.Sprintf(" · %s at %s", count, place(s)), " · "+count+" fixed")
	}
	var titles []string
	for _, other := range others {
		for _, name := range names {
			titles = append(titles, fmt.Sprintf("%d %s%s%s%s", big+1, name, s.Stale(head, step), other, zoom))
		}
	}
	titles = append(titles, fmt.Sprintf("%d %s%s%s", big+1, short, s.Stale(head, step), zoom))
	return layout.FirstFit(s.Style, s.W-layout.TitleRoom, titles...)
}

// about describes the panel.
func (p *Plane) about(s view.Scene) string {
	plane, domain := p.VisiblePlane(s), s.State.Problem.Domain
	view := plane.View
	whose := "The surrogate of " + s.State.Spec.Title + " for " + s.State.Problem.Objectives[0].Name
	if plane.Known[picture.MeanField] && len(plane.Fields[picture.MeanField].Z) == 0 {
		whose = "The data of " + s.State.Problem.Objectives[0].Name + " (" + s.State.Spec.Title + " has no model)"
	}
	over := domain[view.X].Name + " and " + domain[view.Y].Name
	if view.Axes == picture.Ternary {
		over = fmt.Sprintf("the mixtures of %s, %s and %s", domain[view.Y].Name, domain[view.Z].Name, domain[view.X].Name)
	}
	text := fmt.Sprintf("%s over %s after %s. Keys 1 to 7 enlarge a field; this is field %d.%s", whose, over,
		widget.Count(len(s.State.Iterations), "step"), p.large(s)+1, s.DescribeStale(plane.FieldPlace(p.large(s))))
	if n := len(domain) - len(p.view.Variables()); n > 0 {
		var held []string
		for j, v := range domain {
			if !slices.Contains(p.view.Variables(), j) && len(held) < 2 {
				held = append(held, v.Name+" = "+v.Text(plane.Anchor[j]))
			}
		}
		if n > len(held) {
			held = append(held, "…")
		}
		text += fmt.Sprintf(" %s fixed at %s: %s.", isOrAre(n, "other variable"), place(s), strings.Join(held, ", "))
	}
	if n := len(p.zooms); n > 0 {
		text += fmt.Sprintf(" Each axis shows 1/%d of its range; + and - zoom.", 1<<n)
	}
	return sanitize.Text(text)
}

// isOrAre is a subject with its verb, in the singular or plural.
func isOrAre(n int, subject string) string {
	if n == 1 {
		return "The " + subject + " is"
	}
	return "The " + widget.Count(n, subject) + " are"
}
