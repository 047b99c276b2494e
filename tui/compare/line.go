package compare

import (
	"fmt"
	"math"
	"slices"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/explore/view"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// data is the state whose data a pane shows: that of the session, in a race its own.
func (m *Model) data(p *pane) sessions.State {
	if m.arrangement == racing && p.racer != nil {
		return p.racer.State()
	}
	return m.base.State()
}

// fitting reports whether a pane waits for its first picture.
func (m *Model) fitting(p *pane) bool {
	return p.reason == "" && p.posterior == nil && p.outcomes == nil
}

// stale marks the picture of earlier data, which is drawn until the new one is there: " (step 9)"; empty if it is the
// current one, or if that is expected at once.
func (m *Model) stale(p *pane) string {
	if p.reason != "" || m.fitting(p) {
		return ""
	}
	s := view.Scene{State: m.data(p), Late: m.work.jobs.Late() || !m.work.jobs.Busy()}
	return s.Stale(p.state.Head, len(p.state.Iterations))
}

// drawing declares the charts of a pane.
func (m *Model) drawing(p *pane) picture.Drawing {
	d := picture.Drawing{Style: m.Style, State: m.data(p), Posterior: p.posterior, Reveal: m.shown.reveal,
		NoBand: m.comparison.NoBand, Whole: true, Fitting: m.fitting(p), Map: chart.Viridis}
	if v := m.computedView(); d.Posterior == nil && v.Axes == picture.OneVariable {
		d.Posterior = m.shown.unfitted
	} else if d.Posterior == nil {
		d.Posterior = picture.New(d.State, v, nil)
	}
	return d
}

// current reports whether a pane has the picture of its data, and it is complete.
func (m *Model) current(p *pane) bool {
	return p.posterior != nil && !p.posterior.Partial && p.posterior.Head == m.data(p).Head
}

// sharedRange is the range of the y axis of all posteriors.
func (m *Model) sharedRange() []float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	var drawings []picture.Drawing
	complete := true
	for _, i := range m.overlaidPanes() {
		p := m.panes[i]
		d := m.drawing(p)
		complete = complete && (p.reason != "" || m.current(p))
		l, h := d.Range()
		lo, hi = min(lo, l), max(hi, h)
		drawings = append(drawings, d)
	}
	if m.arrangement == bandWidths {
		lo, hi = picture.BandRange(drawings...)
	}
	lo, hi = m.shown.axis.Range(lo, hi, complete, drawings...)
	lo, hi = picture.ZoomRange(m.shown.zoom, lo, hi, drawings...)
	return []float64{lo, hi}
}

// compared are the values of a quantity in all panes in which it is the same as in one of them.
func (m *Model) compared(p *picture.Posterior, kind picture.FieldKind) (values []float64) {
	for _, other := range m.panes {
		if other.has(kind) && (kind != picture.AcquisitionField || sameAcquisition(other.posterior.Legend, p.Legend)) {
			values = append(values, other.posterior.Fields[kind].Z...)
		}
	}
	return values
}

// sameAcquisition reports whether two acquisitions are the same quantity, by their names.
func sameAcquisition(a, b optimizers.Legend) bool {
	return picture.AcquisitionName(a) == picture.AcquisitionName(b)
}

// lowerRows is how many rows the charts below the posterior have in every pane, 0 without them.
type lowerRows struct{ acquisition, cost int }

// The rows that a pane has at least with the acquisition below the posterior, and with the cost of an evaluation, which
// has a title in a higher pane.
const (
	minAcquisitionPane = 20
	minCostPane        = 7
	minCostTitlePane   = 12
)

// lowerRows divides the lowest pane, which has so many rows.
func (m *Model) lowerRows(least int) (rows lowerRows) {
	if m.base.State().Problem.Cost != nil && least >= minCostPane {
		rows.cost = 2
		if least >= minCostTitlePane {
			rows.cost = max(least/6, 3) + 1
		}
	}
	if !m.shown.acquisition && least >= minAcquisitionPane && slices.ContainsFunc(m.panes, func(p *pane) bool {
		return p.has(picture.AcquisitionField)
	}) {
		rows.acquisition = max(least/4, 5)
	}
	return rows
}

// linePane is one posterior along a variable, with the acquisition below it in a tall pane, or its acquisition, and
// below these the cost.
func (m *Model) linePane(i, w, h int, span []float64, shared *sharedLegend) *layout.Box {
	p, waiting := m.panes[i], ""
	if m.shown.acquisition && p.posterior != nil && !p.has(picture.AcquisitionField) {
		waiting = noAcquisition
	}
	return m.framed(i, w, h, nil, waiting, func(w, h int) *layout.Box {
		rows := m.lowerRows(shared.least)
		h -= rows.cost
		all := layout.New(w, 0)
		if m.shown.acquisition {
			all.Below(m.acquisitionBox(i, w, h, rows.cost > 0, shared))
		} else {
			a := m.describe(p)
			a.Y, a.HideXTicks = span, rows != lowerRows{}
			panel := a.Panel(picture.MeanField)
			panel.Chart.Memory = p.labels.Begin(m.drawKey(w, h), m.current(p), w, h)
			panel.Axes.Marks = here(panel.Axes.Marks)
			all.Below(shared.draw(panel.Chart, w, h-rows.acquisition, m.Style, panel.Axes))
		}
		if rows.acquisition > 0 {
			all.Below(m.acquisitionBox(i, w, rows.acquisition, rows.cost > 0, shared))
		}
		if rows.cost > 0 {
			all.Below(m.costBox(p, w, rows.cost, shared))
		}
		return all
	})
}

const noAcquisition = "this method has no acquisition function"

// costBox is the cost of an evaluation along a variable in w×h cells, below its title if there are more than 2 rows.
func (m *Model) costBox(p *pane, w, h int, shared *sharedLegend) *layout.Box {
	st, a, hidden := m.Style, m.describe(p), ""
	panel, name := a.Panel(picture.CostField), picture.PanelName(picture.CostField)
	panel.Axes.Marks = func(mark string) (sentence, term string) {
		if mark == name {
			return a.Help(picture.CostField)
		}
		return here(a.Describe)(mark)
	}
	head := layout.New(w, 0)
	if h > 2 {
		head.Below(layout.Text(w, " "+st.Paint(st.Dim, layout.FirstFit(st, w-2, panel.Titles...))))
		hidden = name
	}
	plot := shared.draw(panel.Chart, w, h-head.H, st, panel.Axes, hidden)
	linkTitle(plot, hidden, head)
	return layout.Column(head, plot)
}

// linkTitle makes the title of a plot the legend of a mark.
func linkTitle(plot *layout.Box, name string, title *layout.Box) {
	for _, mark := range plot.Children {
		if mark.Cells != nil && mark.Name == name {
			mark.Linked = append(mark.Linked, title)
		}
	}
}

// acquisitionBox is the acquisition of a pane along a variable, below its title, in w×h cells. Another chart below it may
// have the labels of the x axis.
func (m *Model) acquisitionBox(i, w, h int, hideXTicks bool, shared *sharedLegend) *layout.Box {
	p, st := m.panes[i], m.Style
	a, title, hidden := m.describe(p), "", ""
	if p.has(picture.AcquisitionField) {
		a.Compared = m.compared(p.posterior, picture.AcquisitionField)
	}
	panel := a.Panel(picture.AcquisitionField)
	if p.has(picture.AcquisitionField) {
		title, hidden = layout.FirstFit(st, w-2, panel.Titles...), a.AcquisitionScale().Title(p.posterior.Legend)
	} else if p.posterior != nil {
		title = noAcquisition
	}
	head, c := layout.Text(w, " "+st.Paint(st.Dim, title)), panel.Chart
	c.X.HideTicks = hideXTicks
	if a.Fitting {
		c.Note = picture.FittingNote
	}
	if c.Y.HideTicks {
		panel.Axes.Marks = nil
	} else {
		marks := panel.Axes.Marks
		panel.Axes.Marks = func(name string) (sentence, term string) {
			if name == p.posterior.NextPoints.Name() {
				return here(a.Describe)(name)
			}
			return marks(name)
		}
		panel.Axes.Y = fmt.Sprintf("Values of the acquisition of pane %s, which has its own scale.", letter(i))
	}
	plot := shared.draw(c, w, h-1, st, panel.Axes, hidden)
	linkTitle(plot, hidden, head)
	return layout.Column(head, plot)
}

// describe describes a pane's posterior.
func (m *Model) describe(p *pane) picture.Description {
	return picture.Describe(m.drawing(p), m.shown.quantity, nil)
}

// overlay draws all posteriors in one plot: bands blended, means distinguished by colour, line and letter.
func (m *Model) overlay(w, h int) *layout.Box {
	state := m.base.State()
	return layout.Panel(m.Style, "posteriors", m.overlayPlot(w-2, h-2, false), w, h, false).
		Section("posteriors", "posterior", fmt.Sprintf(
			"The posteriors of %s after the same %s, overlaid. Where the bands differ, the methods disagree.",
			widget.Count(len(m.panes), "method"), widget.Count(len(state.Iterations), "step")))
}

// overlayPlot is the plot of all overlaid posteriors in w×h cells. Another chart below it may have the labels of the x
// axis.
func (m *Model) overlayPlot(w, h int, hideXTicks bool) *layout.Box {
	st := m.Style
	span := m.sharedRange()
	state := m.base.State()
	v := state.Problem.Domain[m.shown.view.X]
	c := chart.Chart{X: picture.Axis(v), Y: chart.Axis{Label: picture.AxisName(state.Problem.Objectives[0]),
		Min: span[0], Max: span[1], Align: true, Log: state.Problem.Objectives[0].Transform().IsLog()},
		Gutter: picture.Gutter}
	if truth := m.shown.unfitted.Fields[picture.TrueField]; m.shown.reveal && !m.shown.acquisition && !truth.Empty() {
		x, y := m.shown.unfitted.Curve(truth)
		c.Layers = append(c.Layers, chart.Curve{X: x, Y: y, Color: st.Truth, Line: theme.Marked, Priority: 2, Name: "truth"})
	}
	c.X.HideTicks = hideXTicks
	shown := m.overlaidPanes()
	for _, i := range slices.Backward(shown) { // the legend has them the other way round
		c.Layers = append(c.Layers, m.overlayLayers(i, m.panes[i])...)
	}
	data := m.drawing(&pane{state: state})
	c.Layers = append(c.Layers, data.Data(c)...)
	a := m.describe(&pane{state: state, posterior: m.panes[0].posterior})
	c.Labels = true
	if slices.ContainsFunc(shown, func(i int) bool { return m.fitting(m.panes[i]) }) {
		c.Note = picture.FittingNote
	}
	axes := a.Axes(c)
	axes.Marks = m.overlayMarks(a)
	return c.WithLegend(w, h, 1, st, axes)
}

// overlayMarks describes the marks of overlaid posteriors.
func (m *Model) overlayMarks(a picture.Description) func(name string) (sentence, term string) {
	return func(name string) (sentence, term string) {
		for i, p := range m.panes {
			if name == letter(i)+" "+m.paneTitle(p) {
				return m.describeBelief(i, p), "confidence band"
			}
		}
		return here(a.Describe)(name)
	}
}

// describeBelief describes one posterior among others: where its mean is best, and its band widest.
func (m *Model) describeBelief(i int, p *pane) string {
	st, fields := m.base.State(), p.posterior.Fields
	mean, lower, upper := fields[picture.MeanField], fields[picture.LowerField], fields[picture.UpperField]
	v := st.Problem.Domain[m.shown.view.X]
	best, _ := p.posterior.Best(picture.MeanField)
	_, widest, _ := p.posterior.Extremes(picture.SDField)
	return fmt.Sprintf(
		"%s, %s. Its mean is best, %s, at %s = %s. Its band is widest at %s, where it goes from %s to %s. %s",
		letter(i), m.paneTitle(p), widget.Number(mean.Values()[best]), v.Name, v.Text(mean.X[best]),
		v.Text(mean.X[widest]),
		widget.Number(lower.Values()[widest]), widget.Number(upper.Values()[widest]), m.describeNext(p))
}

// overlayLayers are the layers of one posterior among others.
func (m *Model) overlayLayers(i int, p *pane) []chart.Layer {
	st := m.Style
	pic := p.posterior
	if !p.has(picture.LowerField) || m.fitting(p) {
		return nil
	}
	name := letter(i) + " " + m.paneTitle(p)
	mean := pic.Fields[picture.MeanField]
	layers := pic.Overlay(st, i, i == m.selected || m.arrangement == bandWidths, name, "")
	// letters are apart from each other and from data
	x, v := mean.X[(len(mean.X)-1)*(2*i+3)/12], pic.Variable()
	return append(layers, chart.Label{X: picture.Spread(v, x, 0, 4), Y: mean.Along(x), Text: letter(i),
		Color: st.Series[i]})
}

// summaryLine compares two posteriors in a sentence, where the screen or the comparison asks for it.
func (m *Model) summaryLine() (string, bool) {
	if m.arrangement == bandWidths {
		return layout.FirstFit(m.Style, m.Width-2, m.widthsSentences()...), true
	}
	return m.distanceLine()
}

// distanceLine describes how far the first two bands are apart where the comparison asks for it.
func (m *Model) distanceLine() (string, bool) {
	if !m.comparison.Distance || m.arrangement == racing || len(m.panes) < 2 {
		return "", false
	}
	return m.distance()
}

// distance describes how far the first two bands are apart.
func (m *Model) distance() (string, bool) {
	a, b := m.panes[0].posterior, m.panes[1].posterior
	if !m.panes[0].has(picture.MeanField) || !m.panes[1].has(picture.MeanField) {
		return "", false
	}
	apart, spread := picture.Distance(a, b)
	text := fmt.Sprintf("distance between A and B: %s, %.0f %% of B's standard deviation",
		m.base.State().Problem.Objectives[0].Transform().FormatDifference(apart, widget.Number), 100*apart/spread)
	if count := a.Legend.Draws; count > 0 {
		text += fmt.Sprintf(" (%d draws: sampling error about %.0f %%)", count, 100*math.Sqrt(1.5/float64(count)))
	}
	return text, true
}
