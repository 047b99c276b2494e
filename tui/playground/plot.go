package playground

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// gutter is the width of the labels at the left of the plots.
const gutter = picture.Gutter

// Names of marks in the legend.
const (
	resultsName  = "results"
	selectedName = "selected"
	cursorName   = "cursor"
)

// plotted is the plot with its legend, in w×h cells.
func (m *Model) plotted(w, h int) *layout.Box {
	rows := max(h-1, 0)
	c := m.chart(w, rows)
	entries := slices.DeleteFunc(c.Legend(m.Style), func(e chart.Entry) bool {
		return slices.ContainsFunc(m.handles(), func(h optimizers.Handle) bool { return h.Name == e.Name }) // named below
	})
	legend := chart.LegendLine(m.Style, entries, w-2)
	v := m.state.Problem.Domain[0]
	xlo, xhi := m.xSpan()
	axes := chart.Description{Marks: m.describeMark, Y: fmt.Sprintf("Values of %s, from %s to %s.",
		m.state.Problem.Objectives[0].Name, widget.Number(c.Y.Min), widget.Number(c.Y.Max))}
	if !c.X.HideTicks {
		axes.X = fmt.Sprintf("Values of the variable %s, from %s to %s.", v.Name, widget.Number(xlo), widget.Number(xhi))
	}
	plot := c.Box(w, rows, m.Style, axes)
	plot.Name = plotName
	chart.Link(plot, legend)
	return layout.Column(layout.Row(layout.Space(1, 1), legend), plot)
}

// plotCells is the size of the plot region, in cells.
func (m *Model) plotCells() (w, h int) {
	_, plot, _ := m.heights()
	w, h = layout.Inner(m.mainWidth(), plot)
	return w - gutter, h - 3
}

// chart declares the plot in w×h cells.
func (m *Model) chart(w, h int) chart.Chart {
	st, o := m.Style, m.state.Problem.Objectives[0]
	lo, hi := m.ySpan()
	c := chart.Chart{X: picture.Axis(m.state.Problem.Domain[0]), Y: chart.Axis{Label: o.Name, Min: lo, Max: hi},
		Gutter: gutter}
	c.X.HideTicks = m.row.shown
	for i := len(m.beliefs) - 1; i >= 0; i-- { // the legend has them the other way round
		c.Layers = append(c.Layers, m.beliefLayers(i)...)
	}
	if p := m.beliefs[m.active].picture; p != nil && !m.row.joint {
		for i := range min(len(p.Samples), m.samples.count) {
			x, y := p.Curve(p.at(m.samples, i))
			c.Layers = append(c.Layers, chart.Curve{X: x, Y: y, Color: st.Sample, Line: theme.Fine, Priority: 1,
				Name: m.samplesName(p), Short: "samples"})
		}
	}
	for _, b := range m.brackets(w, h) {
		if b.drawn {
			c.Layers = append(c.Layers, b.Bracket, b.label)
		}
	}
	if len(m.items) == 0 && !m.pointing {
		c.Note = "click here to put a result"
	}
	return m.withResults(c)
}

// withResults adds the results and the cursor to the plot.
func (m *Model) withResults(c chart.Chart) chart.Chart {
	st := m.Style
	if m.row.shown {
		c.Layers = append(c.Layers, chart.Rule{At: m.rowInput(), Color: st.Cursor, Name: "input of the row"})
	}
	if m.row.joint {
		c.Layers = append(c.Layers, m.conditionalLayers()...)
	}
	points := chart.Points{Shape: theme.GlyphFilled, Color: st.Data, Name: resultsName}
	selected := chart.Points{Shape: theme.GlyphTarget, Color: st.Newest, Name: selectedName}
	for _, it := range m.items {
		target := &points
		if m.chosen.kind == result && m.chosen.item == it {
			target = &selected
		}
		target.X, target.Y = append(target.X, it.x), append(target.Y, it.y)
	}
	c.Layers = append(c.Layers, points, selected)
	if m.pointing {
		c.Layers = append(c.Layers, chart.Points{X: m.cursor[:1], Y: m.cursor[1:], Shape: theme.GlyphPlus,
			Color: st.Cursor, Name: cursorName})
	}
	return c
}

// beliefName names one of two beliefs in the legend: by what distinguishes them, which is the method or the first
// assumption.
func (m *Model) beliefName(i int) string {
	title := m.beliefTitle(m.beliefs[i])
	method, assumption, ok := strings.Cut(title, ", ")
	if other, _, _ := strings.Cut(m.beliefTitle(m.beliefs[1-i]), ", "); ok && other == method {
		title = assumption
	}
	return string(rune('A'+i)) + " " + title
}

// beliefTitle is the title of a belief: its method, and the value of its first assumption.
func (m *Model) beliefTitle(b *belief) string {
	spec, params, err := m.state.ParamsOf(b.shown())
	if err != nil {
		return b.shown().Optimizer
	}
	if d, ok := params.ByRole(optimizers.RoleAssumption); ok {
		if text, isText := params.Value(d.Key).(string); isText {
			return spec.Title + ", " + text
		}
	}
	return spec.Title
}

// samplesName names the samples in the legend.
func (m *Model) samplesName(p *beliefPicture) string {
	return fmt.Sprintf("%s (%d)", p.Legend.Samples, min(m.samples.count, len(p.Samples)))
}

// beliefLayers are the band and the mean of a belief.
func (m *Model) beliefLayers(i int) (layers []chart.Layer) {
	st, p := m.Style, m.beliefs[i].picture
	switch {
	case p == nil || p.Fields[picture.MeanField].Empty():
		return nil
	case len(m.beliefs) > 1:
		return p.Overlay(st, i, i == 0, m.beliefName(i), string(rune('A'+i)))
	}
	x, y := p.Curve(p.Fields[picture.MeanField])
	return []chart.Layer{p.Band(st.Band), chart.Curve{X: x, Y: y, Color: st.Mean, Priority: 3, Name: p.Legend.Mean}}
}

// describeMark describes a mark of the plot, with its term of the glossary.
func (m *Model) describeMark(name string) (sentence, term string) {
	v := m.state.Problem.Domain[0]
	switch name {
	case resultsName:
		return fmt.Sprintf("The %s. Drag one to move it; a right click removes it.",
			widget.Count(len(m.items), "result")), "observation"
	case selectedName:
		if m.chosen.kind == result {
			return fmt.Sprintf("The selected result, %s. The arrow keys move it.",
				m.place(m.chosen.item.x, m.chosen.item.y)), "observation"
		}
	case cursorName:
		return fmt.Sprintf("The cursor, at %s. Space puts a result there.", m.place(m.cursor[0], m.cursor[1])), "observation"
	case "input of the row":
		return fmt.Sprintf("The input whose covariances are below, %s = %s.", v.Name, widget.Number(m.rowInput())),
			"covariance function"
	}
	if m.row.joint {
		if says, term := m.describeConditional(name); says != "" {
			return says, term
		}
	}
	for i, b := range m.beliefs {
		if p := b.picture; p != nil {
			if says, term := m.describeBeliefMark(i, p, name); says != "" {
				return says, term
			}
		}
	}
	for i, h := range m.handles() {
		if h.Name == name {
			return m.describeHandle(i, h)
		}
	}
	return "", ""
}

// describeBeliefMark describes the band, the mean or the samples of a belief; empty for another mark.
func (m *Model) describeBeliefMark(i int, p *beliefPicture, name string) (sentence, term string) {
	here := m.cursor[0]
	value := func(k picture.FieldKind) string { return widget.Number(p.Fields[k].Along(here)) }
	place := fmt.Sprintf("%s = %s", m.state.Problem.Domain[0].Name, widget.Number(here))
	switch {
	case len(m.beliefs) > 1 && name == m.beliefName(i):
		return fmt.Sprintf("Belief %s: its mean and its band. At %s the mean is %s and the band goes from %s to %s.",
			name, place, value(picture.MeanField), value(picture.LowerField), value(picture.UpperField)), "posterior"
	case len(m.beliefs) == 1 && !p.Fields[picture.MeanField].Empty() && name == p.Legend.Band:
		return fmt.Sprintf("The band, %s. At %s it goes from %s to %s.", name, place, value(picture.LowerField), value(picture.UpperField)), "confidence band"
	case len(m.beliefs) == 1 && !p.Fields[picture.MeanField].Empty() && name == p.Legend.Mean:
		return fmt.Sprintf("The mean of the belief. At %s it is %s.", place, value(picture.MeanField)), "posterior"
	case len(p.Samples) > 0 && name == m.samplesName(p):
		return fmt.Sprintf("Functions drawn from the belief: %s. The belief is uncertain where they differ.",
			p.Legend.Samples), "sample"
	}
	return "", ""
}

// describeHandle describes a handle of the active belief.
func (m *Model) describeHandle(i int, h optimizers.Handle) (sentence, term string) {
	says, term := picture.DescribeFact(optimizers.Fact{Name: h.Name, Value: m.handleValue(h)}, m.state)
	if says == "" {
		says = fmt.Sprintf("The hyperparameter %s: %s.", h.Name, m.handleValue(h))
	}
	switch {
	case m.isChosen(i):
		says += " Left and right change it."
	case h.Fitted:
		says += " It is fitted to the results."
	}
	return says, term
}

// handleValue is the value of a handle as text, in the unit of its axis.
func (m *Model) handleValue(h optimizers.Handle) string {
	v := h.Value
	if h.Kind == optimizers.HandleLength {
		v *= m.state.Problem.Domain[0].Width()
	}
	if math.Abs(v) < 1e-3 && v != 0 {
		return numfmt.Format(v)
	}
	return widget.Number(v)
}
