package belief

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/pareto"
	"bandscope/functions/stream"
	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// Outcomes holds the numbers of one picture of the space of objectives, in the problem's own units and directions.
type Outcomes struct {
	Head       string
	Legend     optimizers.Legend
	Expected   [][]float64 // what is expected there of every objective, B×K; nil where the method has no band
	ExpectedSD [][]float64

	Front  [][]float64 // known, or what the model expects of it
	Known  bool        // it is known in closed form
	SD     [][]float64 // of an expected front
	Chance []float64   // the probability that the prior over weights puts on each point of the front; nil without a prior

	Weights []float64                  // λ of this step; nil where the method has none
	Drawn   []optimizers.Scalarization // from the prior over weights, as the answers have it
	Lo, Hi  []float64                  // the frozen range of the minimized objectives
	Traces  sessions.ObjectiveTraces

	Aim
}

// How finely the space of objectives is looked at.
const (
	frontNodes  = 200
	modelInputs = 800
	priorDraws  = 4000
)

// LookOutcomes computes a picture of the space of objectives.
func LookOutcomes(ctx context.Context, s Source, progress sessions.Progress) (*Outcomes, error) {
	st := s.State()
	b, err := s.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	o := &Outcomes{Head: st.Head, Legend: b.Legend()}
	o.Lo, o.Hi = optimizers.Frozen(st.Input())
	if w, ok := b.(interface{ Weights() []float64 }); ok {
		o.Weights = w.Weights()
	}
	var next *mat.Dense
	if o.Aim, next, err = aimOf(ctx, s, st, progress); err != nil {
		return nil, err
	}
	if o.Expected, o.ExpectedSD, err = expected(ctx, st, b, next); err != nil {
		return nil, err
	}
	if err := o.findFront(ctx, st, b); err != nil {
		return nil, err
	}
	o.Drawn = st.Weights(priorDraws)
	o.weigh(st)
	o.Traces = st.ObjectiveTraces()
	return o, nil
}

// expected is what a belief expects of every objective at the rows of X, with its standard deviation; nil where it has no band.
func expected(ctx context.Context, st sessions.State, b optimizers.Belief, X *mat.Dense) (mean, sd [][]float64, err error) {
	bands, err := b.Predict(ctx, X)
	if err != nil {
		return nil, nil, absentIsNil(err)
	}
	n, _ := X.Dims()
	for i := range n {
		m, s := make([]float64, len(bands)), make([]float64, len(bands))
		for k, band := range bands {
			m[k], s[k] = st.Problem.Objectives[k].Direction.Sign()*band.Mean[i], band.SD[i]
		}
		mean, sd = append(mean, m), append(sd, s)
	}
	return mean, sd, nil
}

// findFront takes the front that is known, or what the model expects of it at a spread of inputs.
func (o *Outcomes) findFront(ctx context.Context, st sessions.State, b optimizers.Belief) error {
	if st.Problem.Front != nil {
		o.Front, o.Known = st.Problem.Front(frontNodes), true
		return nil
	}
	if len(st.Iterations) == 0 {
		return nil
	}
	rng := stream.New(st.Config.Seed, 0, "expected front")
	x := mat.NewDense(modelInputs, st.Problem.Dim(), nil)
	for i := range modelInputs {
		for j := range st.Problem.Dim() {
			x.Set(i, j, rng.Float64())
		}
	}
	mean, sd, err := expected(ctx, st, b, x)
	if err != nil || mean == nil {
		return err
	}
	minimized := make([][]float64, len(mean))
	for i, m := range mean {
		minimized[i] = make([]float64, len(m))
		for k, v := range m {
			minimized[i][k] = v * st.Problem.Objectives[k].Direction.Sign()
		}
	}
	for _, i := range pareto.Front(minimized) {
		o.Front, o.SD = append(o.Front, mean[i]), append(o.SD, sd[i])
	}
	return nil
}

// weigh finds the probability of each part of the front: how often it is the best under weights from the prior.
func (o *Outcomes) weigh(st sessions.State) {
	if o.Drawn == nil || len(o.Front) == 0 {
		return
	}
	u := make([][]float64, len(o.Front))
	for i, y := range o.Front {
		u[i] = st.Outcome(y, o.Lo, o.Hi)
	}
	o.Chance = make([]float64, len(o.Front))
	for _, w := range o.Drawn {
		best, at := math.Inf(-1), 0
		for i := range u {
			if v, _ := optimizers.Scalarize(w.Kind, w.Weights, u[i]); v > best {
				best, at = v, i
			}
		}
		o.Chance[at] += 1 / float64(len(o.Drawn))
	}
}

// OutcomeDrawing declares how the space of two objectives is drawn.
type OutcomeDrawing struct {
	Style    theme.Style
	State    sessions.State
	Outcomes *Outcomes
	I, J     int // the objectives along x and y
	Reveal   bool
	Box      [4]float64 // from and to along x, from and to along y, as outcomes in [0, 1]
	Boxed    bool
	Asked    [][]float64                // the two outcomes of a question
	Before   []optimizers.Scalarization // the prior before the last answer; nil if there is none
}

// value is what an outcome is in the units of an objective.
func (d OutcomeDrawing) value(k int, u float64) float64 {
	o := d.Outcomes
	return (o.Hi[k] - u*(o.Hi[k]-o.Lo[k])) * d.State.Problem.Objectives[k].Direction.Sign()
}

// Outcome is what a value is as an outcome.
func (d OutcomeDrawing) Outcome(k int, v float64) float64 {
	o := d.Outcomes
	return (o.Hi[k] - v*d.State.Problem.Objectives[k].Direction.Sign()) / (o.Hi[k] - o.Lo[k])
}

// shown reports whether the front is shown: a known one only while the truth is revealed.
func (d OutcomeDrawing) shown() bool {
	return len(d.Outcomes.Front) > 0 && (d.Reveal || !d.Outcomes.Known)
}

// Chart draws the data, the front with the probability that the prior puts on it, the boxes, and where the next point aims.
func (d OutcomeDrawing) Chart() plot.Chart {
	st, o := d.Style, d.Outcomes
	var xs, ys []float64
	see := func(y []float64) { xs, ys = append(xs, y[d.I]), append(ys, y[d.J]) }
	data, newest, nondominated := plot.Points{Shape: theme.GlyphHollow, Color: st.Dim}, plot.Points{Shape: theme.GlyphTarget, Color: st.Newest}, plot.Points{Shape: theme.GlyphFilled, Color: st.Data}
	failed := 0
	for i, it := range d.State.Iterations {
		for b, y := range it.Y {
			switch {
			case it.Failed[b]:
				failed++
				continue
			case i == len(d.State.Iterations)-1:
				newest.X, newest.Y = append(newest.X, y[d.I]), append(newest.Y, y[d.J])
			case d.beaten(y):
				data.X, data.Y = append(data.X, y[d.I]), append(data.Y, y[d.J])
			default:
				nondominated.X, nondominated.Y = append(nondominated.X, y[d.I]), append(nondominated.Y, y[d.J])
			}
			see(y)
		}
	}
	var layers []plot.Layer
	if d.shown() {
		for _, y := range o.Front {
			see(y)
		}
		layers = append(layers, d.frontLayers()...)
	}
	next := plot.Points{Shape: theme.GlyphDiamond, Color: st.Next}
	for _, y := range o.Expected {
		if d.State.Iterations != nil {
			see(y)
			next.X, next.Y = append(next.X, y[d.I]), append(next.Y, y[d.J])
		}
	}
	if d.Boxed {
		x0, x1 := d.value(d.I, d.Box[0]), d.value(d.I, d.Box[1])
		y0, y1 := d.value(d.J, d.Box[2]), d.value(d.J, d.Box[3])
		xs, ys = append(xs, x0, x1), append(ys, y0, y1)
		layers = append(layers, plot.Box{X0: min(x0, x1), X1: max(x0, x1), Y0: min(y0, y1), Y1: max(y0, y1), Color: st.Accent})
	}
	layers = append(layers, data, nondominated, newest, next)
	for n, y := range d.Asked {
		layers = append(layers, plot.Label{X: y[d.I], Y: y[d.J], Text: string(rune('A' + n)), Color: st.Accent})
	}
	objectives := d.State.Problem.Objectives
	label := func(k int) string { return fmt.Sprintf("%s %s", objectives[k].Name, objectives[k].Direction) }
	x0, x1 := plot.Pad(plot.Span(xs))
	y0, y1 := plot.Pad(plot.Span(ys))
	return plot.Chart{X: plot.Axis{Label: label(d.I), Min: x0, Max: x1}, Y: plot.Axis{Label: label(d.J), Min: y0, Max: y1}, Gutter: Gutter, Layers: layers}
}

// beaten reports whether an observation is dominated by another.
func (d OutcomeDrawing) beaten(y []float64) bool {
	minimized := func(y []float64) []float64 {
		out := make([]float64, len(y))
		for k, v := range y {
			out[k] = v * d.State.Problem.Objectives[k].Direction.Sign()
		}
		return out
	}
	own := minimized(y)
	for _, it := range d.State.Iterations {
		for b, other := range it.Y {
			if !it.Failed[b] && pareto.Dominates(minimized(other), own) {
				return true
			}
		}
	}
	return false
}

// frontLayers are the front as a line, or as points where the model expects it, and where the prior puts its probability: the larger the
// mark, the more.
func (d OutcomeDrawing) frontLayers() []plot.Layer {
	st, o := d.Style, d.Outcomes
	order := make([]int, len(o.Front))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if o.Front[a][d.I] < o.Front[b][d.I] {
			return -1
		}
		return 1
	})
	line := plot.Curve{Color: st.Truth, Line: theme.Dotted, Priority: 2}
	likely, some := plot.Points{Shape: theme.GlyphSquare, Color: st.Acquisition}, plot.Points{Shape: theme.GlyphDot, Color: st.Acquisition}
	most := 0.0
	for _, c := range o.Chance {
		most = max(most, c)
	}
	gap := 0.0
	if o.Known && len(order) > 1 {
		gap = 5 * (o.Front[order[len(order)-1]][d.I] - o.Front[order[0]][d.I]) / float64(len(order)-1)
	}
	for i, k := range order {
		y := o.Front[k]
		if i > 0 && gap > 0 && y[d.I]-o.Front[order[i-1]][d.I] > gap { // a front in pieces
			line.X, line.Y = append(line.X, y[d.I]), append(line.Y, math.NaN())
		}
		line.X, line.Y = append(line.X, y[d.I]), append(line.Y, y[d.J])
		switch {
		case o.Chance == nil || o.Chance[k] < most/20:
		case o.Chance[k] > most/3:
			likely.X, likely.Y = append(likely.X, y[d.I]), append(likely.Y, y[d.J])
		default:
			some.X, some.Y = append(some.X, y[d.I]), append(some.Y, y[d.J])
		}
	}
	if len(d.State.Problem.Objectives) > 2 { // a surface seen from one side is no line
		return []plot.Layer{plot.Points{X: line.X, Y: line.Y, Shape: theme.GlyphDot, Color: st.Truth}, some, likely}
	}
	return []plot.Layer{line, some, likely}
}

// Entries are the legend.
func (d OutcomeDrawing) Entries() []string {
	st := d.Style
	mark := func(color theme.Color, glyph, name string) string {
		return st.PaintBold(color, glyph) + " " + st.Paint(st.Dim, name)
	}
	front := "expected front"
	if d.Outcomes.Known {
		front = "front"
	}
	entries := []string{mark(st.Next, st.Glyph(theme.GlyphDiamond), "expected of the next"), mark(st.Data, st.Glyph(theme.GlyphFilled), "not dominated")}
	if d.shown() {
		entries = append(entries, mark(st.Truth, st.LineMark(theme.Dotted), front))
		if d.Outcomes.Chance != nil {
			entries = append(entries, mark(st.Acquisition, st.Glyph(theme.GlyphSquare), "where the prior aims"))
		}
	}
	if d.Boxed {
		entries = append(entries, mark(st.Accent, "[]", "box"))
	}
	return append(entries, mark(st.Newest, st.Glyph(theme.GlyphTarget), "newest"), mark(st.Dim, st.Glyph(theme.GlyphHollow), "dominated"))
}

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
		for _, w := range o.Drawn {
			y[min(int(w.Weights[k]*densityBins), densityBins-1)] += densityBins / float64(len(o.Drawn))
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
	for _, w := range o.Drawn {
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

// Table is the λ of this step in words.
func (d OutcomeDrawing) Table() string {
	if d.Outcomes.Weights == nil {
		return "this method has no weights"
	}
	text := "λ of the next step"
	for k, w := range d.Outcomes.Weights {
		text += fmt.Sprintf("  %s %s", d.State.Problem.Objectives[k].Name, screen.Number(math.Round(w*1000)/1000))
	}
	return text
}
