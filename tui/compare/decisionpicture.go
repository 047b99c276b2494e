package compare

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

// Panel shows where they agree in w×h cells: a picture on the left, and its description on the right.
func (m *decisions) Panel(st theme.Style, w, h int) *layout.Box {
	title := fmt.Sprintf("where %s and %s agree", m.Sides[0].Letter, m.Sides[1].Letter)
	if m.shares[0] == nil || m.shares[1] == nil {
		return m.words(st, title, w, h)
	}
	right := layout.Split(w, layout.Rule{Flex: 3}, layout.Rule{Min: 36, Flex: 2, Max: 76})[1]
	return layout.Row(m.picture(st, title, w-right, h), m.words(st, "the next points", right, h))
}

// picture draws how each method ranks points.
func (m *decisions) picture(st theme.Style, title string, w, h int) *layout.Box {
	a, b := m.Sides[0].Letter, m.Sides[1].Letter
	c := m.chart(st)
	line := m.grid.View.Axes == picture.OneVariable
	c.Labels = line
	body := layout.New(0, 0)
	axes := m.grid.DescribeAxes(chart.Description{Marks: m.marks, Y: "The rank of a point by the acquisition: the share of points that are worse, from 0 to 1."})
	if !line {
		body.Below(layout.Text(w-2, " "+m.bar(st)).
			Prose("colours", "acquisition", fmt.Sprintf(
				"The colours: from −1, where %s ranks a point higher, to 1, where %s does.", b, a)))
	} else {
		title += ": rank of each point"
	}
	c = c.TitleInLegend(h - 2 - body.H)
	plot, legend := c.Labelled(w-2, h-2-body.H, w-4, st, axes)
	if !line {
		plot.Add(layout.New(plot.W, plot.H-1).Describe(layout.Mark, "field", "acquisition",
			layout.Static(fmt.Sprintf(
				"The difference between the ranks that %s and %s give to each point. In the middle colour they agree.",
				a, b))))
	}
	return layout.Panel(st, title, layout.Column(legend, body, plot), w, h, false).Section(title, "acquisition",
		fmt.Sprintf(
			"How %s and %s rank points, each by its own acquisition: the share of points that are worse, from 0 to 1. %s",
			a, b, agree(m.Comparison.Correlation)))
}

// marks describes the marks of the picture.
func (m *decisions) marks(name string) (sentence, term string) {
	domain, s := m.State.Problem.Domain, m.Comparison.Separating
	for k, x := range [][]float64{m.Report.Chosen.X, m.Comparison.Other.Chosen.X} {
		side := m.Sides[k]
		switch name {
		case side.Letter + " ranks":
			top := 0
			for i, share := range m.shares[k] {
				if share > m.shares[k][top] {
					top = i
				}
			}
			return fmt.Sprintf("How %s (%s) ranks points along %s: highest at %s.", side.Letter, side.Title,
				m.grid.Variable().Name, m.grid.Variable().Text(m.field().X[top])), "acquisition"
		case "next of " + side.Letter:
			return fmt.Sprintf("The next point of %s: %s.", side.Letter, sanitize.Text(widget.Point(domain, x))),
				"acquisition"
		}
	}
	switch name {
	case "top 10 %":
		return fmt.Sprintf("Points that both methods rank in their top 10 %%. The overlap is %.0f %%.",
			100*m.Comparison.Overlap), "acquisition"
	case "result":
		return fmt.Sprintf("The %s that both methods use.", widget.Count(len(diagnostics.Results(m.State)), "result")),
			"observation"
	case separatingName:
		return fmt.Sprintf(
			"Result %s. Without it the distance between the two next points would be %s instead of %s.",
			s.Label, widget.Number(s.Distance), widget.Number(m.Comparison.Distance)), "leave-one-out"
	}
	return picture.Describe(picture.Drawing{State: m.State, Posterior: m.grid}, 0, nil).Describe(name)
}

// agree describes a correlation of ranks.
func agree(r float64) string {
	switch {
	case math.IsNaN(r):
		return "It is not known how much they agree."
	case r > 0.8:
		return fmt.Sprintf("They mostly agree: their rank correlation is %.2f.", r)
	case r > 0.3:
		return fmt.Sprintf("They agree in part: their rank correlation is %.2f.", r)
	}
	return fmt.Sprintf("They hardly agree: their rank correlation is %.2f.", r)
}

// chart declares the picture: along one variable the ranks of each of the two, and where both have their top 10 %; over
// two variables the difference of their ranks.
func (m *decisions) chart(st theme.Style) chart.Chart {
	c := m.grid.Axes()
	projection := m.grid.ChartPlace
	if m.grid.View.Axes != picture.OneVariable {
		c.Layers = append(c.Layers, m.heat())
	} else {
		c.Y = chart.Axis{Min: 2 * floor, Max: 1 - floor}
		projection = func(x []float64) (float64, float64) { return x[m.grid.View.X], floor }
		xs := m.field().X
		steps := picture.NewSteps(m.grid.Variable(), xs)
		low, high := make([]float64, len(xs)), make([]float64, len(xs))
		for i := range xs {
			low[i], high[i] = 0, 1
			if m.shares[0][i] < best || m.shares[1][i] < best {
				low[i], high[i] = math.NaN(), math.NaN()
			}
		}
		c.Layers = append(c.Layers, chart.Band{X: steps.X, Lo: steps.Y(low), Hi: steps.Y(high), Color: st.Shade,
			Name: "top 10 %"})
		for k, s := range m.Sides {
			c.Layers = append(c.Layers, chart.Curve{X: steps.X, Y: steps.Y(m.shares[k]), Color: s.Color, Line: s.Line,
				Priority: 1 + k, Name: s.Letter + " ranks"})
		}
	}
	c.Layers = append(c.Layers, m.grid.Hatches()...)
	c.Layers = append(c.Layers, m.results(st, projection)...)
	return c
}

// best is the rank from which on a point is in the top 10 %; floor is where results are drawn below the curves.
const best, floor = 0.9, -0.08

// heat is by how much the first ranks points higher than the second.
func (m *decisions) heat() chart.Heat {
	apart := make([]float64, len(m.shares[0]))
	for i := range apart {
		apart[i] = m.shares[0][i] - m.shares[1][i]
	}
	scale := chart.ColorScale{Map: chart.Diverging, Lo: -1, Hi: 1}
	f := m.field().Field
	f.Z = apart
	return chart.Heat{Field: f, Scale: scale}
}

// field is the acquisition of the second.
func (m *decisions) field() picture.Field { return m.grid.Fields[picture.AcquisitionField] }

// barCells is how many cells the bar of colours has.
const barCells = 11

// bar explains the colours.
func (m *decisions) bar(st theme.Style) string {
	var b strings.Builder
	scale := m.heat().Scale
	for i := range barCells {
		v := float64(2*i)/(barCells-1) - 1
		if st.Tier == theme.NoColor {
			b.WriteRune(scale.Rune(v))
			continue
		}
		b.WriteString(st.On(theme.Color{}, scale.Color(v)).Render(" "))
	}
	return st.Paint(st.Text, m.Sides[1].Letter+" ranks it higher ") + b.String() +
		st.Paint(st.Text, " "+m.Sides[0].Letter+" does")
}

// separatingName names the result without which the two next points are the closest.
const separatingName = "separates them"

// results are the marks of the results, of the one that separates the two, and of the two next points.
func (m *decisions) results(st theme.Style, projection func([]float64) (x, y float64)) []chart.Layer {
	ink := m.grid.View.Axes != picture.OneVariable
	all := chart.Points{Shape: theme.GlyphHollow, Color: st.Data, Ink: ink, Name: "result"}
	separating := chart.Points{Shape: theme.GlyphFilled, Color: st.Warn, Ink: ink, Name: separatingName}
	for _, r := range diagnostics.Results(m.State) {
		points := &all
		if s := m.Comparison.Separating; s != nil && s.Label == r.Label {
			points = &separating
		}
		x, y := projection(r.X)
		points.X, points.Y = append(points.X, x), append(points.Y, y)
	}
	layers := []chart.Layer{all, separating}
	for k, next := range [][]float64{m.Report.Chosen.X, m.Comparison.Other.Chosen.X} {
		s := m.Sides[k]
		x, y := projection(next)
		if !ink {
			layers = append(layers, chart.Rule{At: x, Color: s.Color})
			y = 1
		}
		layers = append(layers, chart.Label{X: x, Y: y, Text: s.Letter, Color: s.Color, Ink: ink,
			Name: "next of " + s.Letter})
	}
	return layers
}
