package diagnostics

import (
	"fmt"
	"math"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"

	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// runnerUpName is what the legend calls the places that were nearly chosen.
const runnerUpName = "nearly chosen"

// picture draws the acquisition with the point, the places that were nearly chosen, and the results.
func (m *ExplainPage) picture(w, h int) *layout.Box {
	if lacks := m.noAcquisition(); lacks != "" {
		return m.empty("why this point", "acquisition",
			"What the method weighs to choose the next point, where it weighs anything.", lacks, w, h)
	}
	r, domain, g := m.report, m.state.Problem.Domain, m.grid
	axes, over := chart.Description{Marks: m.marks, Y: "Values of the acquisition.",
		X: "Values of " + domain[g.I].Name + "."}, "along "+domain[g.I].Name
	if g.J >= 0 {
		axes.Y, over = "Values of "+domain[g.J].Name+".", "over "+domain[g.I].Name+" and "+domain[g.J].Name
	}
	if len(domain) > 2 || len(domain) == 2 && g.J < 0 {
		over += ", the other variables as they are at the point"
	}
	if of := (drawKey{r, g.I, g.J, m.Style.Key(), w, h}); m.drawn == nil || m.drawKey != of {
		legend := chart.LegendBox(m.Style, m.chart("").Legend(m.Style), w-4, 2)
		plot := m.chart(runnerUpName).Box(w-2, h-2-legend.H, m.Style, axes)
		chart.Link(plot, legend)
		if g.J >= 0 {
			lo, hi := span(g.Values)
			plot.Add(layout.New(plot.W, plot.H-1).
				Describe(layout.Mark, "field", "acquisition", layout.Static(fmt.Sprintf(
					"The acquisition over both variables, from %s to %s: the brighter, or the denser where there is "+
						"no "+
						"colour, the more it promises.", widget.Number(lo), widget.Number(hi)))))
		}
		m.drawn, m.drawKey = layout.Column(layout.Row(layout.Space(1, legend.H), legend), plot), of
	}
	title := sanitize.Text(r.Acquisition)
	return layout.Panel(m.Style, m.Style.Plain(title), m.drawn, w, h, false).Section(title, "acquisition",
		fmt.Sprintf("What the method chooses by: %s. It is drawn %s, and %s at the point, %s, which is as good as "+
			"was found.", r.Acquisition, over, widget.Number(r.Chosen.Acquisition.Value), m.point()))
}

// drawKey is what a drawn picture was made of.
type drawKey struct {
	report *diagnostics.Explanation
	i, j   int
	style  string
	w, h   int
}

// better says which end of the acquisition is better.
func (m *ExplainPage) better() string {
	return map[bool]string{true: "lower", false: "higher"}[m.report.Lower]
}

// marks describes what the picture draws.
func (m *ExplainPage) marks(name string) (sentence, term string) {
	r, domain, g := m.report, m.state.Problem.Domain, m.grid
	value, all := widget.Number(r.Chosen.Acquisition.Value), len(r.Influence)
	switch name {
	case "the point":
		return fmt.Sprintf("The point that the method chooses, %s: the acquisition is %s there, and nowhere found to "+
			"be %s.", m.point(), value, m.better()), "acquisition"
	case runnerUpName:
		o := r.RunnersUp[0]
		return fmt.Sprintf("Places where the acquisition is better than all around: 1 is the next best, %s, with %s "+
			"in place of %s. Up and down tell what each is made of.", widget.Point(domain, o.X),
			widget.Number(o.Acquisition.Value), value), "acquisition"
	case "result that holds it":
		return fmt.Sprintf("Results without which another point would be chosen: %d of %d.", all-m.unchangedCount(),
				all),
			"leave-one-out"
	case "result":
		if r.Influence == nil {
			return fmt.Sprintf("Where the %s are; of none is it known whether the choice hangs on it.",
				widget.Count(len(diagnostics.Results(m.state)), "result")), "leave-one-out"
		}
		return fmt.Sprintf("Results that could be left out and would leave the choice where it is: %d of %d.",
			m.unchangedCount(), all), "leave-one-out"
	case "acquisition":
		lo, hi := span(g.Values)
		return fmt.Sprintf("The acquisition along %s, from %s to %s here; %s is better.", domain[g.I].Name,
			widget.Number(lo), widget.Number(hi), m.better()), "acquisition"
	}
	return picture.Description{State: m.state}.Describe(name)
}

// chart is the picture: a curve along one variable, a field over two. Of the places that were nearly chosen a legend
// has the first alone; others are the name of the rest.
func (m *ExplainPage) chart(others string) chart.Chart {
	st, domain, g := m.Style, m.state.Problem.Domain, m.grid
	c := chart.Chart{X: picture.Axis(domain[g.I])}
	at := func(p diagnostics.Candidate) (x, y float64) { return p.X[g.I], p.Acquisition.Value }
	floor := 0.0
	if g.J < 0 {
		lo, hi := span(g.Values)
		floor = lo - 0.08*(hi-lo)
		c.Y = chart.Axis{Min: lo - 0.12*(hi-lo), Max: hi + 0.1*(hi-lo)}
		steps := picture.NewSteps(domain[g.I], g.Xs)
		c.Layers = append(c.Layers, chart.Curve{X: steps.X, Y: steps.Y(g.Values), Color: st.Acquisition,
			Name: "acquisition"})
	} else {
		c.Y = picture.Axis(domain[g.J])
		at = func(p diagnostics.Candidate) (x, y float64) { return p.X[g.I], p.X[g.J] }
		scale := chart.NewColorScale(chart.Viridis, g.Values)
		scale.Flip = m.report.Lower
		c.Layers = append(c.Layers, chart.Heat{Field: g.Field(domain, g.Values), Scale: scale})
	}
	if !g.Infeasible.Empty() {
		c.Layers = append(c.Layers, g.Infeasible)
	}
	c.Layers = append(c.Layers, m.results(floor)...)
	for i, o := range m.report.RunnersUp {
		x, y := at(o.Candidate)
		l := chart.Label{X: x, Y: y, Text: fmt.Sprint(i + 1), Color: st.Warn, Ink: g.J >= 0, Name: others}
		if i == 0 {
			l.Name = runnerUpName
		}
		c.Layers = append(c.Layers, l)
	}
	x, y := at(m.report.Chosen)
	return chart.Chart{X: c.X, Y: c.Y, Gutter: c.Gutter,
		Layers: append(c.Layers, chart.Points{X: []float64{x}, Y: []float64{y}, Shape: theme.GlyphDiamond,
			Color: st.Next, Name: "the point"})}
}

// results are the marks of the results: those that hold the choice, and others; along one variable at the foot of the
// picture.
func (m *ExplainPage) results(floor float64) []chart.Layer {
	st, g := m.Style, m.grid
	held := chart.Points{Shape: theme.GlyphFilled, Color: st.Data, Ink: g.J >= 0, Name: "result that holds it"}
	free := chart.Points{Shape: theme.GlyphHollow, Color: st.Data, Ink: g.J >= 0, Name: "result"}
	for i, r := range diagnostics.Results(m.state) {
		points := &free
		if i < len(m.report.Influence) && !m.report.Influence[i].Same {
			points = &held
		}
		y := floor
		if g.J >= 0 {
			y = r.X[g.J]
		}
		points.X, points.Y = append(points.X, r.X[g.I]), append(points.Y, y)
	}
	return []chart.Layer{free, held}
}

// span is from the least to the greatest finite value.
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
