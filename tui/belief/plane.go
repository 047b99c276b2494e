package belief

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/plot"
)

// FieldKind is one of the things that are shown over a plane.
type FieldKind int

// The kinds, in the order of their keys.
const (
	TrueField FieldKind = iota
	MeanField
	SDField
	AcquisitionField
	SampleField
	CostField     // of problems whose evaluations do not all cost the same
	FeasibleField // of problems with limits, and where failures are learned
	FieldKinds
)

// fieldNames name the kinds.
var fieldNames = [FieldKinds]string{"true function", "mean", "standard deviation", "acquisition", "sample", "cost", "probability to be within all limits"}

// PlaneView is what the person chose to look at over two variables.
type PlaneView struct {
	X, Y int        // the variables
	Low  [2]float64 // the window, in the unit square of the two variables
	High [2]float64
	Draw uint64 // which sample
}

// WholePlane looks at all of two variables.
func WholePlane(x, y int) PlaneView { return PlaneView{X: x, Y: y, High: [2]float64{1, 1}} }

// Zoomed is half of the window in each direction, around a place of the unit square.
func (v PlaneView) Zoomed(at [2]float64) PlaneView {
	for k := range 2 {
		half := (v.High[k] - v.Low[k]) / 4
		lo := min(max(at[k]-half, v.Low[k]), v.High[k]-2*half)
		v.Low[k], v.High[k] = lo, lo+2*half
	}
	return v
}

// Plane holds the numbers of one drawn belief over two variables, in the problem's own units and direction.
type Plane struct {
	Head    string
	View    PlaneView
	Legend  optimizers.Legend
	Anchor  []float64 // where the other variables are held, length d
	Fields  [FieldKinds]plot.Field
	Known   [FieldKinds]bool // computed, or found to be absent
	Allowed plot.Field       // 1 where the next point may lie, 0 elsewhere; empty if it may everywhere
	Best    float64          // the best observation, of what EI is made
	Theory  *optimizers.Theory

	Aim
	Partial bool
}

// The grids: a coarse one that is at hand soon, and a fine one.
const (
	coarseNodes = 21
	fineNodes   = 61
)

// lay is the grid of inputs over the window, in the unit cube.
func (p *Plane) lay(st sessions.State, nodes int) *mat.Dense {
	x := mat.NewDense(nodes*nodes, st.Problem.Dim(), nil)
	anchor := st.Problem.Domain.ToUnit(p.Anchor)
	for j := range nodes {
		for i := range nodes {
			row := x.RawRowView(j*nodes + i)
			copy(row, anchor)
			row[p.View.X] = p.View.Low[0] + (p.View.High[0]-p.View.Low[0])*float64(i)/float64(nodes-1)
			row[p.View.Y] = p.View.Low[1] + (p.View.High[1]-p.View.Low[1])*float64(j)/float64(nodes-1)
		}
	}
	return x
}

// LookPlane computes the fields of a belief: coarse at first, then fine, each time with what takes longest last. Every stage is given to
// show, which may be called from another goroutine than this one's.
func LookPlane(ctx context.Context, s Source, v PlaneView, at []float64, progress sessions.Progress, show func(*Plane)) (*Plane, error) {
	st := s.State()
	shown := time.Now()
	p := &Plane{Head: st.Head, View: v, Anchor: slices.Clone(at), Partial: true, Best: math.NaN()}
	if _, best, _, ok := st.Best(); ok {
		p.Best = best
	}
	p.truth(st)
	b, err := s.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	p.Legend = b.Legend()
	for _, stage := range []func() error{
		func() error { return p.quick(ctx, st, b, coarseNodes) },
		func() (err error) { p.Aim, _, err = AimOf(ctx, s, st, progress); return err },
		func() error { return p.quick(ctx, st, b, fineNodes) },
		func() error { return p.feasible(ctx, st, b) },
		func() error { return p.slow(ctx, st, b, coarseNodes) },
		func() error { return p.slow(ctx, st, b, fineNodes) },
		func() error { return p.sample(ctx, st, b) },
		func() error { return p.limit(ctx, st, b) },
	} {
		if err := stage(); err != nil {
			return nil, err
		}
		if time.Since(shown) > stageGrace {
			copied := *p
			show(&copied)
			shown = time.Now()
		}
	}
	p.Legend, p.Partial = b.Legend(), false
	return p, nil
}

// stageGrace is how long stages wait for the next one before they are shown.
const stageGrace = 60 * time.Millisecond

// truth fills the true function, which stays empty where there is none, and the cost.
func (p *Plane) truth(st sessions.State) {
	x := p.lay(st, fineNodes)
	if st.Problem.Truth == nil {
		p.Known[TrueField] = true
	} else {
		z := make([]float64, fineNodes*fineNodes)
		for i := range z {
			z[i] = math.NaN()
			if y, err := st.Problem.TrueValues(st.Problem.Domain.FromUnit(x.RawRowView(i))); err == nil {
				z[i] = y[0]
			}
		}
		p.put(TrueField, fineNodes, z)
	}
	if st.Problem.Cost == nil {
		p.Known[CostField] = true
		return
	}
	cost := make([]float64, fineNodes*fineNodes)
	for i := range cost {
		cost[i] = st.CostAt(st.Problem.Domain.FromUnit(x.RawRowView(i)))
	}
	p.put(CostField, fineNodes, cost)
}

// limit fills where the next point may lie.
func (p *Plane) limit(ctx context.Context, st sessions.State, b optimizers.Belief) error {
	ok, err := allowed(ctx, b, p.lay(st, fineNodes))
	if err != nil || ok == nil {
		return err
	}
	z := make([]float64, len(ok))
	for i, a := range ok {
		if a {
			z[i] = 1
		}
	}
	p.Allowed = plot.Field{Cols: fineNodes, Rows: fineNodes, Z: z}
	return nil
}

func (p *Plane) put(kind FieldKind, nodes int, z []float64) {
	p.Fields[kind], p.Known[kind] = plot.Field{Cols: nodes, Rows: nodes, Z: z}, true
}

// quick fills what every belief has at hand: its acquisition, and the function that it uses in the place of a sample.
func (p *Plane) quick(ctx context.Context, st sessions.State, b optimizers.Belief, nodes int) error {
	x := p.lay(st, nodes)
	acq, err := b.Acquisition(ctx, x)
	switch {
	case err == nil:
		p.put(AcquisitionField, nodes, acq)
	case errors.Is(err, optimizers.ErrAbsent):
		p.Known[AcquisitionField] = true
	default:
		return err
	}
	used, err := b.Used(ctx, x)
	if errors.Is(err, optimizers.ErrAbsent) {
		return nil
	}
	if err == nil {
		p.put(SampleField, nodes, scaled(used[0], st.Problem.Objectives[0].Direction.Sign()))
	}
	return err
}

// slow fills the mean and the standard deviation.
func (p *Plane) slow(ctx context.Context, st sessions.State, b optimizers.Belief, nodes int) error {
	bands, err := b.Predict(ctx, p.lay(st, nodes))
	if errors.Is(err, optimizers.ErrAbsent) {
		p.Known[MeanField], p.Known[SDField] = true, true
		return nil
	}
	if err != nil {
		return err
	}
	p.put(MeanField, nodes, scaled(bands[0].Mean, st.Problem.Objectives[0].Direction.Sign()))
	p.put(SDField, nodes, bands[0].SD)
	return nil
}

// sample fills one surrogate sample: the function in use of draw 0 is shown already where there is one.
func (p *Plane) sample(ctx context.Context, st sessions.State, b optimizers.Belief) error {
	if p.View.Draw == 0 && len(p.Fields[SampleField].Z) > 0 {
		return nil
	}
	z, err := b.Samples(ctx, p.lay(st, sampleNodes), 1, p.View.Draw)
	p.Known[SampleField] = true
	if errors.Is(err, optimizers.ErrAbsent) {
		return nil
	}
	if err == nil {
		p.put(SampleField, sampleNodes, scaled(mat.Row(nil, 0, z[0]), st.Problem.Objectives[0].Direction.Sign()))
	}
	return err
}

// sampleNodes is the grid of a sample: few enough that it is drawn jointly.
const sampleNodes = 25

// Name says what a kind shows of a belief.
func (p *Plane) Name(kind FieldKind) string {
	name := fieldNames[kind]
	switch {
	case p == nil:
	case kind == SampleField && p.View.Draw == 0 && p.Legend.Used != "":
		name = p.Legend.Used
	case kind == SampleField && p.Legend.Samples != "":
		name = "one of the " + p.Legend.Samples
	case kind == AcquisitionField && p.Legend.Acquisition != "":
		name = AcquisitionName(p.Legend)
	}
	return name
}

// Place is where a point of the problem lies in the window, in [0, 1] where it is inside.
func (p *Plane) Place(st sessions.State, x []float64) (u, v float64) {
	at := st.Problem.Domain.ToUnit(x)
	return (at[p.View.X] - p.View.Low[0]) / (p.View.High[0] - p.View.Low[0]), (at[p.View.Y] - p.View.Low[1]) / (p.View.High[1] - p.View.Low[1])
}

// At is a field at a point of the problem; NaN where it is not known or outside of the window.
func (p *Plane) At(st sessions.State, kind FieldKind, x []float64) float64 {
	u, v := p.Place(st, x)
	if u < 0 || u > 1 || v < 0 || v > 1 {
		return math.NaN()
	}
	return p.Fields[kind].At(u, v)
}
