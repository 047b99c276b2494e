package modelcheck

import (
	"fmt"
	"math"
	"strings"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"

	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Names of entries of the legend.
const (
	chosenName      = "chosen"
	runnerUpName    = "runner-up"
	influentialName = "influential"
)

// picture draws the acquisition with the chosen point, the runners-up and the results.
func (m *ExplainPage) picture(w, h int) *layout.Box {
	if reason := m.noAcquisition(); reason != "" {
		return m.empty("acquisition", "acquisition",
			"The acquisition function, by which the method chooses the next point, if it has one.", reason, w, h)
	}
	if m.acquisition().Empty() {
		why := "drawing the acquisition…"
		if !m.jobs.Busy() {
			why = stoppedText
		}
		return m.empty("acquisition", "acquisition", "The acquisition function, by which the method chooses the next point.",
			why, w, h)
	}
	r := m.report
	domain := m.state.Problem.Domain
	g := m.grid
	axes := g.DescribeAxes(chart.Description{Marks: m.marks, Y: "Values of the acquisition."})
	variables, over := g.View.Variables(), "along "+g.Variable().Name
	if len(variables) > 1 {
		names := make([]string, len(variables))
		for k, j := range variables {
			names[k] = domain[j].Name
		}
		over = "over " + strings.Join(names, " and ")
	}
	if len(domain) > len(variables) {
		over += ", with the other variables as at the chosen point"
	}
	if key := (drawKey{r, g.View, m.Style.Key(), w, h}); m.drawn == nil || m.drawKey != key {
		legend := chart.LegendBox(m.Style, m.chart("").Legend(m.Style), w-4, 2)
		plot := m.chart(runnerUpName).Box(w-2, h-2-legend.H, m.Style, axes)
		chart.Link(plot, legend)
		if len(variables) > 1 {
			lo, hi := span(m.acquisition().Z)
			plot.Add(layout.New(plot.W, plot.H-1).
				Describe(layout.Mark, "field", "acquisition", layout.Static(fmt.Sprintf(
					"The acquisition over the variables, from %s to %s. It is better where the colour is brighter or, without colours, the pattern denser.%s",
					widget.Number(lo), widget.Number(hi), m.scale().Describe()))))
		}
		m.drawn, m.drawKey = layout.Column(layout.Row(layout.Space(1, legend.H), legend), plot), key
	}
	title := sanitize.Text(layout.FirstFit(m.Style, w-layout.TitleRoom, m.scale().Titles(r.Legend())...))
	return layout.Panel(m.Style, m.Style.Plain(title), m.drawn, w, h, false).Section(title, "acquisition",
		fmt.Sprintf(
			"The acquisition function: %s. It is drawn %s. At the chosen point, %[4]s, it is %[3]s, the best value that the search found.",
			r.Acquisition, over, widget.Number(r.Chosen.Acquisition.Value), m.point()))
}

// drawKey identifies the inputs of a drawn picture.
type drawKey struct {
	report *diagnostics.Explanation
	view   picture.View
	style  string
	w, h   int
}

// better says which end of the acquisition is better.
func (m *ExplainPage) better() string {
	return map[bool]string{true: "lower", false: "higher"}[m.report.Lower]
}

// marks describes the marks of the picture.
func (m *ExplainPage) marks(name string) (sentence, term string) {
	r := m.report
	domain := m.state.Problem.Domain
	g := m.grid
	value, all := widget.Number(r.Chosen.Acquisition.Value), len(r.Influence)
	switch name {
	case chosenName:
		return fmt.Sprintf(
			"The point that the method chooses, %s. The acquisition is %s there; the search found no %s value.",
			m.point(), value, m.better()), "acquisition"
	case runnerUpName:
		o := r.RunnersUp[0]
		return fmt.Sprintf(
			"Other local optima of the acquisition. 1 is the next best, %s, with %s instead of %s. Up and down compare one with the chosen point.",
			widget.Point(domain, o.X), widget.Number(o.Acquisition.Value), value), "acquisition"
	case influentialName:
		return fmt.Sprintf(
				"Influential results, %d of %d: without each of them the method would choose another point.",
				all-m.unchangedCount(), all),
			"leave-one-out"
	case "result":
		if r.Influence == nil {
			return fmt.Sprintf("The %s. It is not known on which of them the choice depends.",
				widget.Count(len(diagnostics.Results(m.state)), "result")), "leave-one-out"
		}
		return fmt.Sprintf("Results without which the choice would be the same: %d of %d.",
			m.unchangedCount(), all), "leave-one-out"
	case "acquisition":
		lo, hi := span(m.acquisition().Z)
		return fmt.Sprintf("The acquisition along %s, from %s to %s; %s is better.%s", g.Variable().Name,
			widget.Number(lo), widget.Number(hi), m.better(), m.scale().Describe()), "acquisition"
	}
	return picture.Describe(picture.Drawing{State: m.state, Posterior: m.grid}, 0, nil).Describe(name)
}

// chart is the picture: a curve along one variable, a field over two. The legend has an entry for the first runner-up;
// others is the name of the rest.
func (m *ExplainPage) chart(others string) chart.Chart {
	st, g, f := m.Style, m.grid, m.acquisition()
	c, line := g.Axes(), g.View.Axes == picture.OneVariable
	var place func(p diagnostics.Candidate) (x, y float64)
	scale, floor := m.scale(), 0.0
	if line {
		place = func(p diagnostics.Candidate) (x, y float64) { return p.X[g.View.X], scale.Clamp(p.Acquisition.Value) }
		within := chart.Scale{Log: scale.Log}
		within.From, within.To = span(scale.ClampAll(f.Z))
		floor = within.Value(-0.08)
		c.Y = chart.Axis{Min: within.Value(-0.12), Max: within.Value(1.1), Log: scale.Log}
		f.Z = scale.ClampAll(f.Z)
		x, y := g.Curve(f)
		c.Layers = append(c.Layers, chart.Curve{X: x, Y: y, Color: st.Acquisition, Name: "acquisition"})
	} else {
		place = func(p diagnostics.Candidate) (x, y float64) { return g.ChartPlace(p.X) }
		c.Layers = append(c.Layers, scale.Heat(f.Field, m.report.Legend()))
	}
	c.Layers = append(c.Layers, g.Hatches()...)
	c.Layers = append(c.Layers, m.results(floor)...)
	for i, o := range m.report.RunnersUp {
		x, y := place(o.Candidate)
		l := chart.Label{X: x, Y: y, Text: fmt.Sprint(i + 1), Color: st.Warn, Ink: !line, Name: others}
		if i == 0 {
			l.Name = runnerUpName
		}
		c.Layers = append(c.Layers, l)
	}
	x, y := place(m.report.Chosen)
	c.Layers = append(c.Layers, chart.Points{X: []float64{x}, Y: []float64{y}, Shape: theme.GlyphDiamond,
		Color: st.Next, Name: chosenName})
	return c
}

// scale is the scale of the drawn acquisition.
func (m *ExplainPage) scale() picture.AcquisitionScale {
	return picture.NewAcquisitionScale(m.report.Legend(), m.acquisition().Z)
}

// acquisition is the drawn acquisition; empty while there is none.
func (m *ExplainPage) acquisition() picture.Field {
	if m.grid == nil {
		return picture.Field{}
	}
	return m.grid.Fields[picture.AcquisitionField]
}

// results are the marks of the results, those that the choice depends on and the others; along one variable they are at
// the bottom of the picture.
func (m *ExplainPage) results(floor float64) []chart.Layer {
	st, g := m.Style, m.grid
	line := g.View.Axes == picture.OneVariable
	influential := chart.Points{Shape: theme.GlyphFilled, Color: st.Data, Ink: !line, Name: influentialName}
	free := chart.Points{Shape: theme.GlyphHollow, Color: st.Data, Ink: !line, Name: "result"}
	for i, r := range diagnostics.Results(m.state) {
		points := &free
		if i < len(m.report.Influence) && !m.report.Influence[i].Same {
			points = &influential
		}
		x, y := r.X[g.View.X], floor
		if !line {
			x, y = g.ChartPlace(r.X)
		}
		points.X, points.Y = append(points.X, x), append(points.Y, y)
	}
	return []chart.Layer{free, influential}
}

// span is the range of the finite values.
func span(values []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if !(hi > lo) {
		lo, hi = lo-1, lo+1
	}
	return lo, hi
}
