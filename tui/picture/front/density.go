package front

import (
	"math"
	"slices"

	"bandscope/tui/chart"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
)

// weightsName names the weights of this step.
const weightsName = "λ now"

// densityNodes is at how many places the density of weights is drawn.
const densityNodes = 161

// headroom is the height of an axis relative to the curve, so that its name is above the curve.
const headroom = 1.3

// objectiveLines distinguish the lines of several objectives.
var objectiveLines = [...]theme.Line{theme.Solid, theme.Dashed, theme.Dotted, theme.Fine}

// Density draws the prior over the weights: of two objectives the density of the first one's weight, of three that over
// their triangle, of more that of each weight. It is drawn from its closed form where it has one; the λ of this step is
// marked.
func (d Drawing) Density() chart.Chart {
	st, o := d.Style, d.Outcomes
	objectives := d.State.Problem.Objectives
	c := chart.Chart{X: chart.Axis{Label: "λ of " + objectives[0].Name, Min: 0, Max: 1},
		Y: chart.Axis{Label: "density"}, Gutter: picture.Gutter, Labels: true, Beside: []string{weightsName}}
	curves := 1
	switch len(objectives) {
	case 2:
	case 3:
		return d.triangle()
	default:
		c.X.Label, curves = "λ", len(objectives)
	}
	x := make([]float64, densityNodes)
	for i := range x {
		x[i] = (float64(i) + 0.5) / densityNodes
	}
	top := 1.0
	for k := range curves {
		now := d.weightDensity(k, x)
		_, hi := chart.Extent(now)
		top = max(top, hi)
		if curves == 1 {
			c.Layers = append(c.Layers, chart.Area{X: x, Y: now, Color: st.Acquisition})
		} else {
			c.Layers = append(c.Layers, chart.Curve{X: x, Y: now, Color: st.Series[k%4], Line: objectiveLines[k%4],
				Priority: 3, Name: "λ of " + objectives[k].Name})
		}
		if curves == 1 && d.Previous != nil {
			before := kernelDensity(column(d.Previous.Scalarizations, k), x)
			_, hi := chart.Extent(before)
			top = max(top, hi)
			c.Layers = append(c.Layers, chart.Curve{X: x, Y: before, Color: st.Dim, Line: theme.Chained, Priority: 3,
				Name: "previous prior"})
		}
		if o.Weights != nil {
			rule := chart.Rule{At: o.Weights[k], Color: st.Next, Solid: true, Name: weightsName}
			if curves > 1 {
				rule.Color = st.Series[k%4]
			}
			c.Layers = append(c.Layers, rule)
		}
	}
	c.Y.Max = headroom * min(top, 40) // a density that is almost a point
	return c
}

// weightDensity is the density of one weight.
func (d Drawing) weightDensity(k int, x []float64) []float64 {
	law := marginalPDF(d.Outcomes.weightState, k)
	if law == nil {
		return kernelDensity(column(d.Outcomes.Scalarizations, k), x)
	}
	y := make([]float64, len(x))
	for i, w := range x {
		y[i] = law(w)
	}
	return y
}

// The triangle's grid.
const triangleCols, triangleRows = 81, 41

// corner is where weights lie in the triangle: λ₁ = 1 at the lower left, λ₂ = 1 at the lower right, λ₃ = 1 on top.
func corner(w []float64) (x, y float64) { return w[1] + w[2]/2, w[2] }

// PriorName is the name of the plot of the prior over weights.
const PriorName = "the prior over λ"

// TriangleWeights are the weights at a place of the plot of three weights, which may be negative beyond its edges.
func TriangleWeights(x, y float64) []float64 { return []float64{1 - x - y/2, x - y/2, y} }

// weightsAt are the weights at a place of the triangle; false outside of it.
func weightsAt(x, y float64) ([]float64, bool) {
	const inside = 1e-4 // densities may be infinite on the edges
	w := TriangleWeights(x, y)
	if min(w[0], w[1], w[2]) < -1e-9 {
		return nil, false
	}
	for k := range w {
		w[k] = (w[k] + inside) / (1 + 3*inside)
	}
	return w, true
}

// triangleFor is a field over the triangle.
func triangleFor(density func(w []float64) float64) chart.Field {
	f := chart.Field{Cols: triangleCols, Rows: triangleRows, Z: make([]float64, triangleCols*triangleRows)}
	for j := range triangleRows {
		for i := range triangleCols {
			z := math.NaN()
			if w, ok := weightsAt(float64(i)/(triangleCols-1), float64(j)/(triangleRows-1)); ok {
				z = density(w)
			}
			f.Z[j*triangleCols+i] = z
		}
	}
	return f
}

// DensityScale are the colours of a density over the triangle, from 0 to at least twice the density of the flat prior;
// a peak that is almost a point does not dwarf the rest.
func DensityScale(f chart.Field) chart.ColorScale {
	_, hi := chart.Extent(f.Z)
	return chart.ColorScale{Map: chart.Viridis, Hi: min(max(hi, 4), 60)}
}

// triangle is the density of three weights, light where it is high, with the objectives at the corners and lines where
// a weight is 1/2.
func (d Drawing) triangle() chart.Chart {
	st, o := d.Style, d.Outcomes
	law := weightPDF(o.weightState)
	if law == nil {
		law = kernelDensity2D(o.Scalarizations)
	}
	objectives := d.State.Problem.Objectives
	density := triangleFor(law)
	c := chart.Chart{X: chart.Axis{Max: 1, Ends: [2]string{objectives[0].Name, objectives[1].Name}},
		Y: chart.Axis{Label: "λ of " + objectives[2].Name, Max: 1}, Gutter: 6, Labels: true,
		Beside: []string{weightsName}}
	c.Layers = append(c.Layers, chart.Heat{Field: density, Scale: DensityScale(density)})
	for k := range objectives {
		half := triangleFor(func(w []float64) float64 { return w[k] })
		c.Layers = append(c.Layers, chart.Contours{Field: half, Levels: []float64{0.5}, Name: "a weight of 1/2",
			Short: "λ = 1/2"})
	}
	if o.Weights != nil {
		x, y := corner(o.Weights)
		c.Layers = append(c.Layers, chart.Points{X: []float64{min(x, 0.999)}, Y: []float64{min(y, 0.999)},
			Shape: theme.GlyphDown, Color: st.Next, Ink: true, Name: weightsName})
	}
	return c
}

// chanceBins is the number of bins of the probability along the front.
const chanceBins = 28

// Along draws the probability that the prior puts on each part of the front, along the objective of the x axis, with
// that before the last change dashed. x0 and x1 are the ends of the axis.
func (d Drawing) Along() chart.Chart {
	st, o := d.Style, d.Outcomes
	var values []float64
	for _, y := range o.Front {
		values = append(values, y[d.I])
	}
	g, axis := d.gauge(d.I), picture.ValueAxis(d.State.Problem.Objectives[d.I], values)
	axis.Label = "the front along " + d.State.Problem.Objectives[d.I].Name
	lo, hi := g.ToScale(axis.Min), g.ToScale(axis.Max)
	x := make([]float64, chanceBins)
	for i := range x {
		x[i] = g.FromScale(lo + (hi-lo)*(float64(i)+0.5)/chanceBins)
	}
	share := func(chance []float64) []float64 {
		y := make([]float64, chanceBins)
		for i, c := range chance {
			y[min(max(int((g.ToScale(o.Front[i][d.I])-lo)/(hi-lo)*chanceBins), 0), chanceBins-1)] += c
		}
		return y
	}
	now := share(o.Chance)
	top := slices.Max(now)
	c := chart.Chart{X: axis, Gutter: 6, Labels: true,
		Layers: []chart.Layer{chart.Area{X: x, Y: now, Color: st.Acquisition}}}
	if d.Previous != nil && len(d.Previous.Chance) == len(o.Front) {
		before := share(d.Previous.Chance)
		top = math.Max(top, slices.Max(before))
		c.Layers = append(c.Layers, chart.Curve{X: x, Y: before, Color: st.Dim, Line: theme.Chained, Priority: 3,
			Name: "previous prior"})
	}
	c.Y = chart.Axis{Label: "probability", Min: 0, Max: math.Max(headroom*top, 0.1)}
	return c
}

// Inputs draws the space of one or two variables: of one, the predictions of every objective as outcomes; of two, the
// data, and where the model's front is.
func (d Drawing) Inputs() chart.Chart {
	dom := d.State.Problem.Domain
	c := chart.Chart{X: picture.Axis(dom[0]), Gutter: 6, Labels: true}
	if len(dom) == 1 {
		c.Y = chart.Axis{Label: "outcome, 1 best", Min: -0.2, Max: 1.3}
		c.Layers = d.inputLine()
		return c
	}
	c.Y = picture.Axis(dom[1])
	c.Layers = d.inputPlane()
	return c
}

// inputLine are the predictions of every objective along a single variable, the data, and where the model's front is.
func (d Drawing) inputLine() []chart.Layer {
	st, o := d.Style, d.Outcomes
	var layers []chart.Layer
	objectives := d.State.Problem.Objectives
	for k, p := range o.Objectives {
		band := p.Band(st.Band)
		band.Lo, band.Hi = d.outcomes(k, band.Lo), d.outcomes(k, band.Hi)
		if d.gauge(k).Sign > 0 { // less is better, so the lower edge is the better outcome
			band.Lo, band.Hi = band.Hi, band.Lo
		}
		band.Second, band.Name, band.Short = k > 0, "±2 sd", ""
		layers = append(layers, band)
	}
	for k, p := range o.Objectives {
		mean := p.Fields[picture.MeanField]
		x, y := p.Curve(mean)
		named := len(mean.X) / 12
		layers = append(layers, chart.Curve{X: x, Y: d.outcomes(k, y), Color: st.Series[k%4], Line: objectiveLines[k%4], Priority: 4,
			Name: "mean of " + objectives[k].Name},
			chart.Label{X: mean.X[named], Y: min(max(d.Outcome(k, mean.Values()[named]), -0.15), 1.2), Text: objectives[k].Name,
				Color: st.Series[k%4]})
	}
	for _, x := range o.Inputs {
		layers = append(layers, chart.Points{X: x, Y: []float64{-0.15}, Shape: theme.GlyphTriangle, Color: st.Sample,
			Name: "model's front"})
	}
	dominated := d.Dominated()
	for i, it := range d.State.Iterations {
		for b, pt := range it.Points {
			if pt.Failed {
				continue
			}
			p := chart.Points{Shape: theme.GlyphFilled, Color: st.Data, Name: "nondominated"}
			switch {
			case !d.State.Feasible(it, b):
				p = picture.LimitViolationLayer(st, false)
			case i == len(d.State.Iterations)-1:
				p.Shape = theme.GlyphTarget
				p.Color = st.Newest
				p.Name = "newest"
			case dominated[i][b]:
				p.Shape = theme.GlyphHollow
				p.Color = st.Dim
				p.Name = "dominated"
			}
			for k := range objectives {
				p.X, p.Y = append(p.X, pt.X[0]), append(p.Y, d.Outcome(k, pt.Y[k]))
			}
			layers = append(layers, p)
		}
	}
	for _, x := range o.Next {
		layers = append(layers, chart.Rule{At: x[0], Color: st.Next, Solid: true, Name: o.NextPoints.Name()})
	}
	return layers
}

// inputPlane are the data over two variables, and where the model's front is.
func (d Drawing) inputPlane() []chart.Layer {
	st, o := d.Style, d.Outcomes
	var layers []chart.Layer
	marks := func(shape theme.Glyph, color theme.Color, name string, points [][]float64) {
		p := chart.Points{Shape: shape, Color: color, Name: name}
		for _, x := range points {
			p.X, p.Y = append(p.X, x[0]), append(p.Y, x[1])
		}
		layers = append(layers, p)
	}
	front := chart.Dots{Color: st.Sample, Name: "model's front"}
	for _, x := range o.Inputs {
		front.X, front.Y = append(front.X, x[0]), append(front.Y, x[1])
	}
	layers = append(layers, front)
	var beaten, good, newest, beyond [][]float64
	dominated := d.Dominated()
	for i, it := range d.State.Iterations {
		for b, pt := range it.Points {
			switch {
			case pt.Failed:
			case !d.State.Feasible(it, b):
				beyond = append(beyond, pt.X)
			case i == len(d.State.Iterations)-1:
				newest = append(newest, pt.X)
			case dominated[i][b]:
				beaten = append(beaten, pt.X)
			default:
				good = append(good, pt.X)
			}
		}
	}
	limits := picture.LimitViolationLayer(st, false)
	marks(limits.Shape, limits.Color, limits.Name, beyond)
	marks(theme.GlyphHollow, st.Dim, "dominated", beaten)
	marks(theme.GlyphFilled, st.Data, "nondominated", good)
	marks(theme.GlyphTarget, st.Newest, "newest", newest)
	marks(o.NextPoints.Mark(), st.Next, o.NextPoints.Name(), o.Next)
	return layers
}
