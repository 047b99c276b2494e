package playground

import (
	"context"
	"fmt"
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers"
	"bandscope/optimizers/normdist"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// joint is the normal distribution of the values at two inputs, and the covariance matrix of the values at a grid.
type joint struct {
	pair   normdist.Bivariate
	second float64     // the second input; the first is that of the row
	matrix chart.Field // over both inputs
}

// Names of the boxes and marks of the joint distribution.
const (
	jointName       = "joint density"
	matrixName      = "covariance matrix"
	givenName       = "first value"
	secondName      = "second input"
	conditionalName = "conditional"
)

// matrixSize is how many inputs the covariance matrix has, and densitySize the nodes of the density along each value.
const (
	matrixSize  = 49
	densitySize = 81
)

// newJoint computes the distribution of the values at two inputs, and the covariance matrix unless it is there.
func newJoint(ctx context.Context, st sessions.State, p *beliefPicture, first, second float64,
	matrix chart.Field) (*joint, error) {
	covariant, ok := p.belief.(optimizers.Covariant)
	if !ok {
		return nil, optimizers.ErrUnsupported
	}
	posterior := func(x float64, others []float64) ([]float64, error) {
		_, values, err := covariant.Covariances(ctx, st.Problem.Domain.ToUnit([]float64{x}), unitGrid(st, others))
		return values, err
	}
	j := &joint{second: second, matrix: matrix}
	inputs := []float64{first, second}
	for i, x := range inputs {
		cov, err := posterior(x, inputs)
		if err != nil {
			return nil, err
		}
		j.pair.Mean[i], j.pair.Var[i], j.pair.Covariance = p.Fields[picture.MeanField].Along(x), cov[i], cov[1-i]
	}
	if len(matrix.Z) > 0 {
		return j, nil
	}
	v := st.Problem.Domain[0]
	grid := make([]float64, matrixSize)
	for i := range grid {
		grid[i] = v.FromUnit(float64(i) / (matrixSize - 1))
	}
	j.matrix = chart.Field{Cols: matrixSize, Rows: matrixSize}
	for _, x := range grid {
		cov, err := posterior(x, grid)
		if err != nil {
			return nil, err
		}
		j.matrix.Z = append(j.matrix.Z, cov...)
	}
	return j, nil
}

// beginJoint shows the joint distribution of the values at the cursor and at a second input. The cursor leaves a result,
// where the value is known, for the nearest input where the belief is uncertain.
func (m *Model) beginJoint() {
	m.row.joint = true
	m.choose(selection{})
	m.pointing = true
	lo, hi := m.xSpan()
	if p := m.beliefs[m.active].picture; p != nil && !p.Fields[picture.SDField].Empty() {
		sd, mean := p.Fields[picture.SDField], p.Fields[picture.MeanField]
		if widest := slices.Max(sd.Z); sd.Along(m.cursor[0]) < 0.5*widest {
			nearest := math.Inf(1)
			for i, x := range sd.X {
				if sd.Z[i] >= 0.9*widest && math.Abs(x-m.cursor[0]) < math.Abs(nearest-m.cursor[0]) {
					nearest = x
				}
			}
			m.cursor[0] = tidy(nearest, lo, hi)
		}
		m.cursor[1] = tidy(mean.Along(m.cursor[0])+sd.Along(m.cursor[0]), m.ends()[0], m.ends()[1])
	}
	m.row.second = m.cursor[0] + (hi-lo)/10
	if m.row.second > hi {
		m.row.second = m.cursor[0] - (hi-lo)/10
	}
}

// ends are the ends of the axis of values.
func (m *Model) ends() [2]float64 {
	lo, hi := m.ySpan()
	return [2]float64{lo, hi}
}

// firstValue is the value at the first input that the conditional is given: that of the mouse, or of the cursor.
func (m *Model) firstValue() float64 {
	if m.row.hovered != nil {
		return m.row.hovered[1]
	}
	return m.cursor[1]
}

// jointComputed reports whether the joint distribution is that of the belief and the inputs on the screen.
func (m *Model) jointComputed() bool {
	r := m.row
	return r.joint && r.pair != nil && r.picture == m.beliefs[m.active].picture && r.x == m.rowInput() &&
		r.pair.second == r.second
}

// moveSecond moves the second input by cells of the plot.
func (m *Model) moveSecond(cols float64) tea.Cmd {
	lo, hi := m.xSpan()
	w, _ := m.plotCells()
	m.row.second = tidy(m.row.second+cols*(hi-lo)/float64(max(w, 10)), lo, hi)
	return m.computeRow()
}

// grabJoint begins to drag the first value on its density, or both inputs on the covariance matrix.
func (m *Model) grabJoint(hit widget.Hit) (cmd tea.Cmd, taken bool) {
	for name, c := range map[string]chart.Chart{jointName: m.densityChart(), matrixName: m.matrixChart()} {
		box, _, _, ok := hit.On(name)
		if !ok || !m.row.joint {
			continue
		}
		m.choose(selection{})
		m.pointing = true
		m.drag = &drag{area: box.Area, frame: c.Frame(box.Area.Dx(), box.Area.Dy()), joint: name}
		return m.dragTo(hit.Mouse().X, hit.Mouse().Y), true
	}
	return nil, false
}

// dragJoint takes a place of the density or of the matrix.
func (m *Model) dragJoint(x, y float64) tea.Cmd {
	lo, hi := m.xSpan()
	if m.drag.joint == jointName {
		m.cursor[1] = tidy(x, m.ends()[0], m.ends()[1])
		return nil
	}
	m.cursor[0], m.row.second = tidy(x, lo, hi), tidy(y, lo, hi)
	return m.computeRow()
}

// conditionalLayers are the mean and the edges of the band of the belief, given the value at the first input, in the
// plot of the belief, with the second input and the interval there.
func (m *Model) conditionalLayers() []chart.Layer {
	st := m.Style
	layers := []chart.Layer{chart.Rule{At: m.row.second, Color: st.Next, Dash: true, Name: secondName}}
	if !m.jointComputed() {
		return layers
	}
	r := m.row
	mean, sd := r.picture.Fields[picture.MeanField], r.picture.Fields[picture.SDField]
	curves := [3]chart.Curve{{Line: theme.Solid, Priority: 4, Name: conditionalName},
		{Line: theme.Fine, Priority: 2}, {Line: theme.Fine, Priority: 2}}
	for i, x := range mean.X {
		b := normdist.Bivariate{Mean: [2]float64{r.pair.pair.Mean[0], mean.Z[i]},
			Var: [2]float64{r.pair.pair.Var[0], sd.Z[i] * sd.Z[i]}, Covariance: r.posterior[i]}
		center, spread := b.Conditional(m.firstValue())
		for k, y := range []float64{center, center - 2*spread, center + 2*spread} {
			curves[k].X, curves[k].Y = append(curves[k].X, x), append(curves[k].Y, y)
		}
	}
	for _, c := range curves {
		c.Color = st.Next
		layers = append(layers, c)
	}
	return layers
}

// densityChart is the density of the values at the two inputs, with the given first value and the interval of the
// second one.
func (m *Model) densityChart() chart.Chart {
	st := m.Style
	lo, hi := m.ySpan()
	c := chart.Chart{X: chart.Axis{Label: m.valueAt(m.row.x), Min: lo, Max: hi},
		Y: chart.Axis{Label: m.valueAt(m.row.second), Min: lo, Max: hi}, Gutter: gutter}
	if m.row.pair == nil {
		return c
	}
	b := m.row.pair.pair
	for i := range b.Var { // so that a known value has an ellipse as wide as a node
		b.Var[i] += math.Pow((hi-lo)/densitySize, 2)
	}
	f := chart.Field{Cols: densitySize, Rows: densitySize, Z: make([]float64, 0, densitySize*densitySize)}
	for j := range densitySize {
		for i := range densitySize {
			f.Z = append(f.Z, b.RelativeDensity(lo+(hi-lo)*float64(i)/(densitySize-1), lo+(hi-lo)*float64(j)/(densitySize-1)))
		}
	}
	mean, sd := m.row.pair.pair.Conditional(m.firstValue())
	at := []float64{m.firstValue()}
	c.Layers = []chart.Layer{chart.Heat{Field: f, Scale: chart.ColorScale{Map: chart.Viridis, Hi: 1}},
		chart.Contours{Field: f, Levels: []float64{math.Exp(-2), math.Exp(-0.5)}},
		chart.Rule{At: at[0], Color: st.Cursor, Name: givenName},
		chart.Errors{At: at, Lo: []float64{mean - 2*sd}, Hi: []float64{mean + 2*sd}, Color: st.Next, Name: conditionalName}}
	return c
}

// matrixChart is the covariance matrix with the two inputs.
func (m *Model) matrixChart() chart.Chart {
	v := m.state.Problem.Domain[0]
	c := chart.Chart{X: picture.Axis(v), Y: picture.Axis(v), Gutter: gutter}
	c.Y.Label += "'"
	if m.row.pair == nil {
		return c
	}
	f := m.row.pair.matrix
	c.Layers = []chart.Layer{chart.Heat{Field: f, Scale: chart.NewColorScale(chart.Diverging, f.Z)},
		chart.Cross{X: m.row.x, Y: m.row.second, Name: cursorName}}
	return c
}

// valueAt is the symbol of the value at an input.
func (m *Model) valueAt(x float64) string { return "f(" + widget.Number(x) + ")" }

// conditional says what the second value is if the first one is given.
func (m *Model) conditional() string {
	mean, sd := m.row.pair.pair.Conditional(m.firstValue())
	return fmt.Sprintf("%s = %s ± %s if %s = %s", m.valueAt(m.row.second), widget.Number(mean), widget.Number(2*sd),
		m.valueAt(m.row.x), widget.Number(m.firstValue()))
}

// jointPanel is the panels of the joint distribution: the density, and the covariance matrix beside it.
func (m *Model) jointPanel(w, h int) *layout.Box {
	st, r := m.Style, m.row
	subject := fmt.Sprintf("The joint distribution of the values at %s and at %s, after the results.", widget.Number(r.x),
		widget.Number(r.second))
	if r.reason != "" || r.pair == nil {
		why := r.reason
		if why == "" {
			why = "computing the covariances"
		}
		return layout.EmptyPanel(st, "two values", why, w, h, "conditional distribution", subject, why)
	}
	left := w * 3 / 5
	inner, rows := layout.Inner(left, h)
	correlation := widget.Number(r.pair.pair.Correlation())
	axis := func(x float64) string {
		lo, hi := m.ySpan()
		return fmt.Sprintf("Values of %s, from %s to %s.", m.valueAt(x), widget.Number(lo), widget.Number(hi))
	}
	c := m.densityChart()
	body := c.WithLegend(inner, rows, 1, st, chart.Description{X: axis(r.x), Y: axis(r.second), Marks: m.describeJoint})
	density := layout.Panel(st, m.conditional(), m.named(body, jointName), left, h, false).Section("two values",
		"conditional distribution", subject+" The ellipses are at 1 and 2 standard deviations; the correlation is "+correlation+". Drag sideways to change the first value.")
	title := fmt.Sprintf("covariances, here r = %s", correlation)
	inner, rows = layout.Inner(w-left, h)
	lo, hi := chart.Extent(r.pair.matrix.Z)
	v := m.state.Problem.Domain[0]
	ends := fmt.Sprintf("Values of the variable %s, from %s to %s.", v.Name, v.Text(v.Low), v.Text(v.High))
	matrix := m.matrixChart().Box(inner, rows, st, chart.Description{X: ends, Y: ends, Marks: m.describeJoint})
	matrix.Name = matrixName
	return layout.Row(density, layout.Panel(st, title, matrix, w-left, h, false).Section(title, "covariance function",
		fmt.Sprintf("The covariances of the values at all pairs of inputs, from %s to %s, after the results. Click to choose both inputs.",
			widget.Number(lo), widget.Number(hi))))
}

// named gives the chart of a box with a legend a name, by which the mouse finds it.
func (m *Model) named(body *layout.Box, name string) *layout.Box {
	body.Children[len(body.Children)-1].Name = name
	return body
}

// describeJoint describes a mark of the joint distribution.
func (m *Model) describeJoint(name string) (sentence, term string) {
	switch name {
	case givenName:
		return fmt.Sprintf("The given first value, %s.", widget.Number(m.firstValue())), "conditional distribution"
	case conditionalName:
		return fmt.Sprintf("The mean and 2 standard deviations of the second value given the first: %s.", m.conditional()),
			"conditional distribution"
	case cursorName:
		return fmt.Sprintf("The two inputs, %s and %s. Their values have the covariance %s.", widget.Number(m.row.x),
			widget.Number(m.row.second), widget.Number(m.row.pair.pair.Covariance)), "covariance function"
	}
	return "", ""
}

// describeConditional describes a mark of the conditional distribution in the plot of the belief.
func (m *Model) describeConditional(name string) (sentence, term string) {
	switch {
	case name == secondName:
		return fmt.Sprintf("The second input, %s. Tab selects it, and left and right move it.", widget.Number(m.row.second)),
			"conditional distribution"
	case name == conditionalName && m.row.pair != nil:
		return "The mean and 2 standard deviations of the belief if the cursor were a result without noise: " +
			m.conditional() + ".", "conditional distribution"
	}
	return "", ""
}
