package belief

import (
	"fmt"
	"math"
	"slices"

	"bandscope/tui/plot"
	"bandscope/tui/theme"
)

// densityBins is how finely the density of weights is drawn.
const densityBins = 30

// Density draws the prior over the weights: of two objectives the density of λ₁, of three that over their triangle, of more that of each
// weight; the λ of this step is marked.
func (d OutcomeDrawing) Density() plot.Chart {
	st, o := d.Style, d.Outcomes
	c := plot.Chart{X: plot.Axis{Label: "λ1", Min: 0, Max: 1}, Gutter: Gutter}
	curves := len(d.State.Problem.Objectives)
	if curves == 3 {
		return d.triangle()
	}
	if curves == 2 {
		curves = 1
	} else {
		c.X.Label = "λ"
	}
	top := 0.0
	lines := [...]theme.Line{theme.Solid, theme.Dashed, theme.Dotted, theme.Fine}
	for k := range curves {
		x, y := make([]float64, densityBins), make([]float64, densityBins)
		for i := range x {
			x[i] = (float64(i) + 0.5) / densityBins
		}
		for _, w := range o.Scalarizations {
			y[min(int(w.Weights[k]*densityBins), densityBins-1)] += densityBins / float64(len(o.Scalarizations))
		}
		for _, v := range y {
			top = max(top, v)
		}
		if curves == 1 {
			c.Layers = append(c.Layers, plot.Area{X: x, Y: y, Color: st.Acquisition})
		} else {
			c.Layers = append(c.Layers, plot.Curve{X: x, Y: y, Color: st.Series[k%4], Line: lines[k%4], Priority: 3})
		}
		if curves == 1 && d.Before != nil {
			old := make([]float64, densityBins)
			for _, w := range d.Before {
				old[min(int(w.Weights[k]*densityBins), densityBins-1)] += densityBins / float64(len(d.Before))
			}
			c.Layers = append(c.Layers, plot.Curve{X: x, Y: old, Color: st.Truth, Line: theme.Dashed, Priority: 3})
		}
		if o.Weights != nil {
			c.Layers = append(c.Layers, plot.Rule{At: o.Weights[k], Color: st.Next, Solid: true})
		}
	}
	c.Y = plot.Axis{Min: 0, Max: math.Max(1.1*top, 1)}
	return c
}

// The triangle's grid: the density is that of draws within some cells of a node.
const (
	triangleCols, triangleRows = 41, 21
	triangleReach              = 2
)

// corner is where weights lie in the triangle: λ₁ = 1 at the lower left, λ₂ = 1 at the lower right, λ₃ = 1 on top.
func corner(w []float64) (x, y float64) { return w[1] + w[2]/2, w[2] }

// triangle is the density of three weights, light where there are many draws, with the corners named.
func (d OutcomeDrawing) triangle() plot.Chart {
	st, o := d.Style, d.Outcomes
	f := plot.Field{Cols: triangleCols, Rows: triangleRows, Z: make([]float64, triangleCols*triangleRows)}
	for _, w := range o.Scalarizations {
		x, y := corner(w.Weights)
		i, j := int(math.Round(x*(triangleCols-1))), int(math.Round(y*(triangleRows-1)))
		for a := max(i-triangleReach, 0); a <= min(i+triangleReach, triangleCols-1); a++ {
			for b := max(j-triangleReach/2, 0); b <= min(j+triangleReach/2, triangleRows-1); b++ {
				f.Z[b*triangleCols+a]++
			}
		}
	}
	for j := range triangleRows {
		for i := range triangleCols {
			x, y := float64(i)/(triangleCols-1), float64(j)/(triangleRows-1)
			if x < y/2-1e-9 || x > 1-y/2+1e-9 {
				f.Z[j*triangleCols+i] = math.NaN()
			}
		}
	}
	c := plot.Chart{X: plot.Axis{Max: 1, HideTicks: true}, Y: plot.Axis{Max: 1, HideTicks: true}, Gutter: 1,
		Layers: []plot.Layer{plot.Heat{Field: f, Scale: plot.AutoScale(plot.Viridis, f.Z)}}}
	for k, at := range [3][2]float64{{0.01, 0.02}, {0.93, 0.02}, {0.53, 0.97}} {
		c.Layers = append(c.Layers, plot.Label{X: at[0], Y: at[1], Text: fmt.Sprintf("λ%d", k+1), Color: st.Text, Ink: true})
	}
	if o.Weights != nil {
		x, y := corner(o.Weights)
		c.Layers = append(c.Layers, plot.Points{X: []float64{min(x, 0.999)}, Y: []float64{min(y, 0.999)}, Shape: theme.GlyphDiamond, Color: st.Next, Ink: true})
	}
	return c
}

// chanceBins is how finely the probability along the front is drawn.
const chanceBins = 28

// Along draws the probability that the prior puts on each part of the front, along the objective of the x axis, with that before the last change
// dashed. x0 and x1 are the ends of the axis.
func (d OutcomeDrawing) Along() plot.Chart {
	st, o := d.Style, d.Outcomes
	var at []float64
	for _, y := range o.Front {
		at = append(at, y[d.I])
	}
	lo, hi := plot.Pad(plot.Span(at))
	x := make([]float64, chanceBins)
	for i := range x {
		x[i] = lo + (hi-lo)*(float64(i)+0.5)/chanceBins
	}
	share := func(chance []float64) []float64 {
		y := make([]float64, chanceBins)
		for i, c := range chance {
			y[min(max(int((o.Front[i][d.I]-lo)/(hi-lo)*chanceBins), 0), chanceBins-1)] += c
		}
		return y
	}
	now := share(o.Chance)
	top := slices.Max(now)
	c := plot.Chart{X: plot.Axis{Label: "front along " + d.State.Problem.Objectives[d.I].Name, Min: lo, Max: hi}, Gutter: 6,
		Layers: []plot.Layer{plot.Area{X: x, Y: now, Color: st.Acquisition}}}
	if d.Before != nil {
		before := share(o.chances(d.State, d.Before))
		top = math.Max(top, slices.Max(before))
		c.Layers = append(c.Layers, plot.Curve{X: x, Y: before, Color: st.Truth, Line: theme.Dashed, Priority: 3})
	}
	c.Y = plot.Axis{Min: 0, Max: math.Max(1.1*top, 0.1)}
	return c
}

// Inputs draws the space of one or two variables: of one, what is believed of every objective as outcomes; of two, the data, and where the
// model's front is.
func (d OutcomeDrawing) Inputs() plot.Chart {
	dom := d.State.Problem.Domain
	c := plot.Chart{X: plot.Axis{Label: dom[0].Name, Min: dom[0].Low, Max: dom[0].High}, Gutter: 6}
	if len(dom) == 1 {
		c.Y = plot.Axis{Label: "outcome, 1 best", Min: -0.2, Max: 1.3}
		c.Layers = d.inputLine()
		return c
	}
	c.Y = plot.Axis{Label: dom[1].Name, Min: dom[1].Low, Max: dom[1].High}
	c.Layers = d.inputPlane()
	return c
}

// inputLine is what is believed of every objective along a single variable, the data, and where the model's front is.
func (d OutcomeDrawing) inputLine() []plot.Layer {
	st, o := d.Style, d.Outcomes
	var layers []plot.Layer
	lines := [...]theme.Line{theme.Solid, theme.Dashed, theme.Dotted, theme.Fine}
	if o.Line != nil {
		for k := range o.Line.Mean {
			layers = append(layers, plot.Band{X: o.Line.X, Lo: o.Line.Low[k], Hi: o.Line.High[k], Color: st.Band})
		}
		for k, mean := range o.Line.Mean {
			layers = append(layers, plot.Curve{X: o.Line.X, Y: mean, Color: st.Series[k%4], Line: lines[k%4], Priority: 4},
				plot.Label{X: o.Line.X[lineNodes/12], Y: min(max(mean[lineNodes/12], -0.15), 1.2), Text: d.State.Problem.Objectives[k].Name, Color: st.Series[k%4]})
		}
	}
	for _, x := range o.Inputs {
		layers = append(layers, plot.Points{X: x, Y: []float64{-0.15}, Shape: theme.GlyphSquare, Color: st.Truth})
	}
	for i, it := range d.State.Iterations {
		for b, y := range it.Y {
			if it.Failed[b] {
				continue
			}
			p := plot.Points{Shape: theme.GlyphFilled, Color: st.Data}
			if i == len(d.State.Iterations)-1 {
				p.Shape, p.Color = theme.GlyphTarget, st.Newest
			}
			for k := range y {
				p.X, p.Y = append(p.X, it.X[b][0]), append(p.Y, d.Outcome(k, y[k]))
			}
			layers = append(layers, p)
		}
	}
	for _, x := range o.Next {
		layers = append(layers, plot.Rule{At: x[0], Color: st.Next, Solid: true})
	}
	return layers
}

// inputPlane are the data over two variables, and where the model's front is.
func (d OutcomeDrawing) inputPlane() []plot.Layer {
	st, o := d.Style, d.Outcomes
	var layers []plot.Layer
	marks := func(shape theme.Glyph, color theme.Color, points [][]float64) {
		p := plot.Points{Shape: shape, Color: color}
		for _, x := range points {
			p.X, p.Y = append(p.X, x[0]), append(p.Y, x[1])
		}
		layers = append(layers, p)
	}
	front := plot.Specks{Color: st.Truth}
	for _, x := range o.Inputs {
		front.X, front.Y = append(front.X, x[0]), append(front.Y, x[1])
	}
	layers = append(layers, front)
	var beaten, good, newest [][]float64
	for i, it := range d.State.Iterations {
		for b, x := range it.X {
			switch {
			case it.Failed[b]:
			case i == len(d.State.Iterations)-1:
				newest = append(newest, x)
			case d.Beaten(it.Y[b]):
				beaten = append(beaten, x)
			default:
				good = append(good, x)
			}
		}
	}
	marks(theme.GlyphHollow, st.Dim, beaten)
	marks(theme.GlyphFilled, st.Data, good)
	marks(theme.GlyphTarget, st.Newest, newest)
	marks(theme.GlyphDiamond, st.Next, o.Next)
	return layers
}
