// Package picture computes the picture of a posterior over one or two variables, and describes it in words. A state of
// a session goes in, off the update loop; a picture comes out, numbers that are never changed; with a style it declares
// charts. The explorer, the comparison and the exports draw with it. Steps and Axis say where the values of a variable
// lie on an axis: real values on its scale, levels of other kinds in slots of equal width. Descriptions give every mark
// of a picture a sentence with its current values, under the mark's name in the legend. Pictures of several objectives
// are in package front.
package picture

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/functions/transform"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
)

const (
	// gridPoints is how many evenly spaced inputs a curve of the belief is drawn through, draftPoints the same for one
	// of an incomplete picture, and truthPoints for the true function, which is fast to evaluate.
	gridPoints  = 241
	draftPoints = 81
	truthPoints = 961
)

// View is what the person chose to see.
type View struct {
	Variable int    // the input along the x axis
	Samples  int    // how many surrogate samples
	Draw     uint64 // which ones
	Theory   bool   // the theory of the covariance function is asked for
}

// Picture holds the numbers of one drawn belief, in the problem's own units and direction.
type Picture struct {
	Head   string // the place in the session that it belongs to
	Step   int    // the number of steps there
	View   View
	Legend optimizers.Legend
	Anchor []float64 // where the other variables are held, length d

	Grid               []float64 // along the chosen variable; of one with levels they are all that is evaluated
	Mean, Lower, Upper []float64 // nil where there is no band (yet)
	Samples            [][]float64
	Used               []float64
	Acquisition        []float64
	Cost               []float64   // nil where all evaluations cost the same
	FeasibleMask       []bool      // where the method allows the next point; nil if everywhere
	ConstraintHatch    chart.Hatch // where known constraints do not hold
	Feasible           []float64   // the probability that all limits are met; nil where there are none
	Regions            []Region    // in which the method looks for the next point; nil if everywhere

	Theory *optimizers.Theory // nil where it was not asked for, or there is none

	NextPoints
	Partial bool // the band and the samples are still being computed

	variable functions.Variable  // the chosen variable
	gauge    transform.Transform // of the objective
}

// Source is where a belief comes from: a session, or another method's view of its data.
type Source interface {
	State() sessions.State
	Belief(context.Context, sessions.Progress) (optimizers.Belief, error)
	Next(context.Context, sessions.Progress) (optimizers.Suggestion, error)
}

// Truth is the true function along the chosen variable, in steps where that has levels; empty where there is none.
type Truth struct{ X, Y []float64 }

// TruthAlong evaluates the first objective of the problem along a variable, the others held at the anchor; those of its
// mixture keep their ratio.
func TruthAlong(st sessions.State, variable int, anchor []float64) Truth {
	if st.Problem.Truth == nil {
		return Truth{}
	}
	v := st.Problem.Domain[variable]
	grid := Grid(v, 0, 1, truthPoints)
	values := make([]float64, len(grid))
	for i := range grid {
		values[i] = math.NaN()
		if y, err := st.Problem.TrueValues(st.Problem.WithValue(anchor, variable, grid[i])); err == nil {
			values[i] = st.Problem.Objectives[0].Transform().Clamp(y[0])
		}
	}
	steps := NewSteps(v, grid)
	return Truth{X: steps.X, Y: steps.Y(values)}
}

// Anchor is where a slice through a problem of several variables is taken: the best point so far, or the middle of the
// domain or, with known constraints, a feasible point near the middle.
func Anchor(st sessions.State) []float64 {
	if x, _, _, ok := st.Best(); ok {
		return x
	}
	mid := make([]float64, st.Problem.Dim())
	for i := range mid {
		mid[i] = 0.5
	}
	if st.Problem.Constraints != nil {
		search.Space{Dim: st.Problem.Dim(), Domain: st.Input().Domain}.Project(mid)
	}
	return st.Problem.Domain.FromUnit(mid)
}

// Compute computes a picture of the session's current belief. If show is not nil, it is given each stage of a draft on
// a coarse grid, from one goroutine at a time: first what every belief computes fast, then the band, and the next points
// once they are found, which takes longest for some methods.
func Compute(ctx context.Context, s Source, v View, progress sessions.Progress, show func(*Picture)) (*Picture, error) {
	st := s.State()
	belief, err := s.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	p := newPicture(st, v, belief, Anchor(st))
	if show == nil {
		p.NextPoints, _, err = NextPointsFor(ctx, s, st, progress)
		if err != nil {
			return nil, err
		}
		return p, p.compute(ctx, st, belief, progress)
	}
	d := newDraft(*p, show)
	next := d.findNext(ctx, s, st, progress, func(p *Picture, next NextPoints) { p.NextPoints = next })
	defer next.stop()
	if err := computeDraft(ctx, d, st, belief, progress); err != nil {
		return nil, err
	}
	p.NextPoints, err = next.wait()
	if err != nil {
		return nil, err
	}
	return p, p.compute(ctx, st, belief, progress)
}

// newPicture is a picture without numbers.
func newPicture(st sessions.State, v View, b optimizers.Belief, anchor []float64) *Picture {
	return &Picture{Head: st.Head, Step: len(st.Iterations), View: v, Legend: b.Legend(), Anchor: anchor, Partial: true,
		variable: st.Problem.Domain[v.Variable], gauge: st.Problem.Objectives[0].Transform()}
}

// compute fills all of a picture whose next points are known.
func (p *Picture) compute(ctx context.Context, st sessions.State, b optimizers.Belief,
	progress sessions.Progress) error {
	x := p.inputs(st, gridPoints)
	if err := p.computeFast(ctx, st, b, x); err != nil {
		return err
	}
	p.Partial = false
	return p.computeSlow(ctx, st, b, x, progress)
}

// computeDraft computes the stages of a draft, without samples and theory.
func computeDraft(ctx context.Context, d *draft[Picture], st sessions.State, b optimizers.Belief,
	progress sessions.Progress) error {
	p := d.latest()
	put := func(shown *Picture) {
		p.NextPoints = shown.NextPoints
		*shown = p
	}
	x := p.inputs(st, draftPoints)
	if err := p.computeFast(ctx, st, b, x); err != nil {
		return err
	}
	d.update(put)
	if err := p.computeBand(ctx, st, b, x, progress); err != nil {
		return err
	}
	d.update(put)
	return nil
}

// ComputeSlice computes a whole picture along a variable with the others held at a point, without the next points.
func ComputeSlice(ctx context.Context, s Source, v View, point []float64, progress sessions.Progress) (*Picture, error) {
	st := s.State()
	b, err := s.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	p := newPicture(st, v, b, point)
	return p, p.compute(ctx, st, b, progress)
}

// NextPoints are the points that the next steps would evaluate: all pending points, or the suggestion.
type NextPoints struct {
	Next    [][]float64 // B×d, in the problem's units; nil while it is not known
	ByStart bool        // they belong to the initial design
	Pending bool        // they are pending: on record, without an outcome yet
	Note    string
	Unknown string // why the program that is the method suggests nothing; empty if it does
}

// Found reports whether the points are known, or why there are none.
func (a NextPoints) Found() bool { return len(a.Next) > 0 || a.Unknown != "" }

// Name names the points that the next step evaluates.
func (a NextPoints) Name() string {
	switch {
	case a.Pending:
		return "pending"
	case len(a.Next) > 1:
		return fmt.Sprintf("next %d", len(a.Next))
	}
	return "next"
}

// NextPointsFor finds the points that the next steps would evaluate, also in the unit cube; nil if the program that
// suggests them fails, so that everything else can be drawn.
func NextPointsFor(ctx context.Context, s Source, st sessions.State, progress sessions.Progress) (NextPoints,
	*mat.Dense, error) {
	next, err := s.Next(ctx, progress)
	if err != nil && st.Spec.Suggest != nil && ctx.Err() == nil {
		return NextPoints{Unknown: sanitize.Text(err.Error())}, nil, nil
	}
	if err != nil {
		return NextPoints{}, nil, err
	}
	a := NextPoints{Note: next.Note, Pending: len(st.Pending) > 0, ByStart: search.InDesign(st.Input())}
	x := next.X
	if a.Pending { // the oldest is the next
		x = st.PendingPoints()
	}
	n, _ := x.Dims()
	for i := range n {
		a.Next = append(a.Next, st.Problem.Domain.FromUnit(mat.Row(nil, i, x)))
	}
	return a, x, nil
}

// inputs lays the grid: evenly spaced points along the variable, or its levels, and on a line also the data and the
// next points, so that the band meets its data and the acquisition its maximum. It returns the same inputs in the unit
// cube, in which the other components of a mixture keep their ratio.
func (p *Picture) inputs(st sessions.State, nodes int) *mat.Dense {
	p.Grid = Grid(p.variable, 0, 1, nodes)
	if st.Problem.Dim() == 1 {
		for _, it := range st.Iterations {
			for _, pt := range it.Points {
				p.Grid = append(p.Grid, pt.X[0])
			}
		}
		for _, x := range p.Next {
			p.Grid = append(p.Grid, x[0])
		}
	}
	slices.Sort(p.Grid)
	p.Grid = slices.Compact(p.Grid)
	x := mat.NewDense(len(p.Grid), st.Problem.Dim(), nil)
	for i, g := range p.Grid {
		x.SetRow(i, st.Problem.Domain.ToUnit(st.Problem.WithValue(p.Anchor, p.View.Variable, g)))
	}
	return x
}

// computeFast fills what every belief can compute fast: the function that it uses, and its acquisition.
func (p *Picture) computeFast(ctx context.Context, st sessions.State, b optimizers.Belief, x *mat.Dense) error {
	if used, err := b.Used(ctx, x); err == nil {
		p.Used = p.gauge.InvertAll(used[0])
	} else if optimizers.IgnoreUnsupported(err) != nil {
		return err
	}
	p.addConstraints(st)
	p.Regions = regionsOf(st, b)
	acq, err := b.Acquisition(ctx, x)
	if optimizers.IgnoreUnsupported(err) != nil {
		return err
	}
	p.Acquisition = acq
	n, _ := x.Dims()
	for i := range n {
		if st.Problem.Cost != nil {
			p.Cost = append(p.Cost, st.CostAt(st.Problem.Domain.FromUnit(x.RawRowView(i))))
		}
	}
	if limitsSearch(b, p.Regions) {
		p.FeasibleMask, err = feasibleMask(ctx, b, x)
		if err != nil {
			return err
		}
	}
	p.Feasible, err = feasible(ctx, b, x)
	return err
}

// feasibleMask is where the belief's constraint allows the next point; nil if it has none.
func feasibleMask(ctx context.Context, b optimizers.Belief, x *mat.Dense) ([]bool, error) {
	if l, ok := b.(optimizers.Constrained); ok {
		return l.Feasible(ctx, x)
	}
	return nil, nil
}

// computeBand fills the mean and the band, and the legend with what they add to it.
func (p *Picture) computeBand(ctx context.Context, st sessions.State, b optimizers.Belief, x *mat.Dense,
	progress sessions.Progress) error {
	displayed, err := diagnostics.DisplayedBelief(ctx, st, b, progress)
	if err != nil {
		return err
	}
	defer func() { p.Legend = displayed.Legend() }()
	g := p.gauge
	bands, err := displayed.Predict(ctx, x)
	if err == nil {
		n := len(bands[0].Mean)
		p.Mean = make([]float64, n)
		p.Lower = make([]float64, n)
		p.Upper = make([]float64, n)
		for i, m := range bands[0].Mean {
			p.Mean[i] = g.Invert(m)
			p.Lower[i] = g.FromScale(g.Sign*m - 2*bands[0].SD[i])
			p.Upper[i] = g.FromScale(g.Sign*m + 2*bands[0].SD[i])
		}
	}
	return optimizers.IgnoreUnsupported(err)
}

// computeSlow fills the band, the theory and the samples, and the legend.
func (p *Picture) computeSlow(ctx context.Context, st sessions.State, b optimizers.Belief, x *mat.Dense,
	progress sessions.Progress) error {
	if err := p.computeBand(ctx, st, b, x, progress); err != nil {
		return err
	}
	if p.View.Theory {
		if err := p.computeTheory(ctx, b); err != nil {
			return err
		}
	}
	if p.View.Samples == 0 {
		return nil
	}
	samples, err := b.Samples(ctx, x, p.View.Samples, p.View.Draw)
	if errors.Is(err, optimizers.ErrUnsupported) {
		return nil
	}
	if err != nil {
		return err
	}
	for i := range p.View.Samples {
		p.Samples = append(p.Samples, p.gauge.InvertAll(mat.Row(nil, i, samples[0])))
	}
	return nil
}

// computeTheory fills the theory, if the belief has one.
func (p *Picture) computeTheory(ctx context.Context, b optimizers.Belief) (err error) {
	p.Theory, err = theoryFor(ctx, b)
	return err
}

// TheoryFor is the theory of the current state of a session; nil if there is none.
func TheoryFor(ctx context.Context, s Source, progress sessions.Progress) (*optimizers.Theory, error) {
	b, err := s.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	return theoryFor(ctx, b)
}

func theoryFor(ctx context.Context, b optimizers.Belief) (*optimizers.Theory, error) {
	t, ok := b.(optimizers.Spectrum)
	if !ok {
		return nil, nil
	}
	theory, err := t.Theory(ctx)
	if err != nil {
		return nil, IgnoreUnsupported(err)
	}
	return &theory, nil
}

func scaled(v []float64, factor float64) []float64 {
	for i := range v {
		v[i] *= factor
	}
	return v
}

// Steps are the points through which the curves of the picture are drawn.
func (p *Picture) Steps() Steps { return NewSteps(p.variable, p.Grid) }

// At interpolates a curve of the picture linearly, or takes its step where the variable has levels; NaN where there is
// none.
func (p *Picture) At(curve []float64, x float64) float64 {
	if len(curve) == 0 {
		return math.NaN()
	}
	i, _ := slices.BinarySearch(p.Grid, x)
	if p.variable.Levels() > 0 {
		if i == len(p.Grid) || i > 0 && x-p.Grid[i-1] < p.Grid[i]-x {
			i--
		}
		return curve[i]
	}
	switch {
	case i == 0:
		return curve[0]
	case i >= len(p.Grid):
		return curve[len(curve)-1]
	}
	t := (x - p.Grid[i-1]) / (p.Grid[i] - p.Grid[i-1])
	return curve[i-1] + t*(curve[i]-curve[i-1])
}

// IgnoreUnsupported is an error of a belief, nil if it says that the belief does not support the request.
func IgnoreUnsupported(err error) error {
	return optimizers.IgnoreUnsupported(err)
}
