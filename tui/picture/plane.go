package picture

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/functions/transform"
	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/chart"
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
	CostField     // of problems whose evaluations have different costs
	FeasibleField // of problems with limits, and where failures are learned
	FieldKindCount
)

// fieldNames name the kinds.
var fieldNames = [FieldKindCount]string{"true function", "mean", "standard deviation", "acquisition", "sample", "cost",
	feasibilityName}

// PlaneView is what the person chose to look at over two variables.
type PlaneView struct {
	X, Y int // the variables
	// X, Y and Z are components of one mixture, drawn as a triangle with X at the right, Y at the top and Z at the left
	// corner
	Ternary bool
	Z       int
	Low     [2]float64 // the window, as parts of the axes of the two variables
	High    [2]float64
	Draw    uint64 // which sample

	Objective int // of which the mean, the standard deviation and the sample are
}

// WholePlane looks at all of two variables.
func WholePlane(x, y int) PlaneView { return PlaneView{X: x, Y: y, High: [2]float64{1, 1}} }

// FirstPlane looks at all of the first two variables, or at the first three components of the mixture of one of them. A
// choice among them is along y, where its names fit, and a number along x.
func FirstPlane(p *functions.Problem) PlaneView {
	domain := p.Domain
	for j := range min(len(domain), 2) {
		if m := p.MixtureOf(j); m != nil && len(m.Components) > 2 {
			indices := m.Indices(domain)
			return PlaneOver(p, indices[2], indices[0], indices[1])
		}
	}
	if len(domain) > 1 && domain[0].Kind == functions.Choice && domain[1].Kind != functions.Choice {
		return WholePlane(1, 0)
	}
	return WholePlane(0, 1)
}

// Zoomed is half of the window in each direction, around a place of it.
func (v PlaneView) Zoomed(point [2]float64) PlaneView {
	for k := range 2 {
		half := (v.High[k] - v.Low[k]) / 4
		lo := min(max(point[k]-half, v.Low[k]), v.High[k]-2*half)
		v.Low[k], v.High[k] = lo, lo+2*half
	}
	return v
}

// Plane holds the numbers of one drawn belief over two variables, in the problem's own units and direction.
type Plane struct {
	Head   string
	Step   int // the number of steps there
	View   PlaneView
	Legend optimizers.Legend
	Anchor []float64 // where the other variables are held, length d
	// mean, sample and truth along the scale of the objective: where factors count their decimal logarithms
	Fields          [FieldKindCount]chart.Field
	Known           [FieldKindCount]bool // computed, or found to be absent
	FeasibleMask    chart.Field          // 1 where the next point may lie, 0 elsewhere; empty if it may everywhere
	ConstraintHatch chart.Hatch          // where known constraints do not hold
	Regions         []Region             // in which the method looks for the next point; nil if everywhere
	Best            float64              // the best observation, of what EI is made
	Theory          *optimizers.Theory

	NextPoints
	Partial bool

	earlier *Plane              // that has the fields which are not computed yet; nil for none
	gauge   transform.Transform // of the objective
}

// The nodes of the grids along a variable: of a coarse one that is fast, and of a fine one.
const (
	coarseNodes = 21
	fineNodes   = 61
)

// grid are the inputs over the window at which a field is computed: evenly spaced nodes or, along a variable with
// levels, at most as many of these.
type grid struct {
	x    *mat.Dense   // in the unit cube, a row each, the first variable running
	cols int          // along the first variable
	rows int          // along the second
	cuts [2][]float64 // between levels, as parts of the window

	ternary bool // the window is a triangle
}

// newGrid is the grid over the window.
func (p *Plane) newGrid(st sessions.State, nodes int) grid {
	if p.View.Ternary {
		return p.ternaryGrid(st, nodes)
	}
	var units [2][]float64
	var g grid
	for k, variable := range [2]int{p.View.X, p.View.Y} {
		v := st.Problem.Domain[variable]
		low := p.View.Low[k]
		high := p.View.High[k]
		if v.Levels() == 0 {
			for i := range nodes {
				units[k] = append(units[k], low+(high-low)*float64(i)/float64(nodes-1))
			}
			continue
		}
		levels := Grid(v, low, high, nodes)
		for _, x := range levels {
			units[k] = append(units[k], v.ToUnit(x))
		}
		g.cuts[k] = Cuts(v, levels)
		for i, cut := range g.cuts[k] {
			g.cuts[k][i] = (cut - low) / (high - low)
		}
	}
	g.cols, g.rows = len(units[0]), len(units[1])
	g.x = mat.NewDense(g.cols*g.rows, st.Problem.Dim(), nil)
	anchor := st.Problem.Domain.ToUnit(p.Anchor)
	mixed := st.Problem.MixtureOf(p.View.X) != nil || st.Problem.MixtureOf(p.View.Y) != nil
	for j, v := range units[1] {
		for i, u := range units[0] {
			row := g.x.RawRowView(j*g.cols + i)
			copy(row, anchor)
			row[p.View.X], row[p.View.Y] = u, v
			if mixed {
				x := st.Problem.Domain[p.View.X].FromUnit(u)
				point := st.Problem.WithValue(p.Anchor, p.View.X, x)
				point = st.Problem.WithValue(point, p.View.Y, st.Problem.Domain[p.View.Y].FromUnit(v))
				copy(row, st.Problem.Domain.ToUnit(point))
			}
		}
	}
	return g
}

// field is the field over the window of values at the inputs of a grid.
func (g grid) field(z []float64) chart.Field {
	return chart.Field{Cols: g.cols, Rows: g.rows, Z: z, Cuts: g.cuts, Simplex: g.ternary}
}

// ComputePlane computes the fields of a belief: coarse at first, then fine, each time with what takes longest last; the
// next points are found beside them. Every stage is given to show, from one goroutine at a time, which may be another
// than this one's; nil shows none.
func ComputePlane(ctx context.Context, s Source, v PlaneView, point []float64, progress sessions.Progress,
	show func(*Plane)) (*Plane, error) {
	st := s.State()
	p := NewPlane(st, v, point)
	p.truth(st)
	p.addConstraints(st, p.newGrid(st, fineNodes))
	b, err := s.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	p.Legend, p.Regions = b.Legend(), regionsOf(st, b)
	if show == nil {
		show = func(*Plane) {}
	}
	d := newDraft(*p, show)
	next := d.findNext(ctx, s, st, progress, func(p *Plane, next NextPoints) { p.NextPoints = next })
	defer next.stop()
	displayed := b
	coarse, fine := p.newGrid(st, coarseNodes), p.newGrid(st, fineNodes)
	finer := func(stage func(context.Context, sessions.State, optimizers.Belief, grid) error) error {
		if len(coarse.x.RawMatrix().Data) == len(fine.x.RawMatrix().Data) {
			return nil // all levels are known already
		}
		return stage(ctx, st, displayed, fine)
	}
	for _, stage := range []func() error{
		func() error { return p.computeFast(ctx, st, b, coarse) },
		func() (err error) { displayed, err = diagnostics.DisplayedBelief(ctx, st, b, progress); return err },
		func() error { return p.computeSlow(ctx, st, displayed, coarse) },
		func() error { return finer(p.computeFast) },
		func() error { return p.feasible(ctx, st, b) },
		func() error { return finer(p.computeSlow) },
		func() error { return p.sample(ctx, st, b) },
		func() error { return p.limit(ctx, st, b) },
	} {
		if err := stage(); err != nil {
			return nil, err
		}
		d.update(func(shown *Plane) {
			p.NextPoints = shown.NextPoints
			*shown = *p
		})
	}
	p.NextPoints, err = next.wait()
	if err != nil {
		return nil, err
	}
	p.Legend, p.Partial = displayed.Legend(), false
	return p, nil
}

// FilledFrom is the plane with the fields of an earlier one of the same view, nil for none, in place of those that are
// not computed yet.
func (p *Plane) FilledFrom(earlier *Plane) *Plane {
	if !p.Partial || earlier == nil || earlier == p || earlier.View.withoutDraw() != p.View.withoutDraw() {
		return p
	}
	filled := *p
	filled.earlier = earlier
	for k := range FieldKindCount {
		if filled.isEarlier(k) {
			filled.Fields[k] = earlier.Fields[k]
		}
	}
	return &filled
}

// isEarlier reports whether a field is that of the earlier plane.
func (p *Plane) isEarlier(k FieldKind) bool {
	return p.earlier != nil && !p.Known[k] && (k != SampleField || p.View.Draw == p.earlier.View.Draw)
}

// FieldPlace is the place in the session that a field belongs to, and the number of steps there.
func (p *Plane) FieldPlace(k FieldKind) (head string, step int) {
	if p.isEarlier(k) {
		return p.earlier.Head, p.earlier.Step
	}
	return p.Head, p.Step
}

// NewPlane is a plane without a surrogate.
func NewPlane(st sessions.State, v PlaneView, point []float64) *Plane {
	p := &Plane{Head: st.Head, Step: len(st.Iterations), View: v, Anchor: slices.Clone(point), Partial: true, Best: math.NaN(),
		gauge: st.Problem.Objectives[v.Objective].Transform()}
	if _, best, _, ok := st.Best(); ok {
		p.Best = best
	}
	return p
}

// withoutDraw is the view of no particular sample.
func (v PlaneView) withoutDraw() PlaneView {
	v.Draw = 0
	return v
}

// truth fills the true function, which stays empty where there is none, and the cost.
func (p *Plane) truth(st sessions.State) {
	g := p.newGrid(st, fineNodes)
	if st.Problem.Truth == nil {
		p.Known[TrueField] = true
	} else {
		z := make([]float64, g.cols*g.rows)
		for i := range z {
			z[i] = math.NaN()
			if y, err := st.Problem.TrueValues(st.Problem.Domain.FromUnit(g.x.RawRowView(i))); err == nil {
				z[i] = p.gauge.ToScale(y[p.View.Objective])
			}
		}
		p.setField(TrueField, g, z)
	}
	if st.Problem.Cost == nil {
		p.Known[CostField] = true
		return
	}
	cost := make([]float64, g.cols*g.rows)
	for i := range cost {
		cost[i] = st.CostAt(st.Problem.Domain.FromUnit(g.x.RawRowView(i)))
	}
	p.setField(CostField, g, cost)
}

// limit fills the region where the method allows the next point.
func (p *Plane) limit(ctx context.Context, st sessions.State, b optimizers.Belief) error {
	if !limitsSearch(b, p.Regions) {
		return nil
	}
	g := p.newGrid(st, fineNodes)
	ok, err := feasibleMask(ctx, b, g.x)
	if err != nil || ok == nil {
		return err
	}
	z := make([]float64, len(ok))
	for i, a := range ok {
		if a {
			z[i] = 1
		}
	}
	p.FeasibleMask = g.field(z)
	return nil
}

func (p *Plane) setField(kind FieldKind, g grid, z []float64) {
	p.Fields[kind], p.Known[kind] = g.field(z), true
}

// computeFast fills what every belief can compute fast: its acquisition, and the function that it uses as the sample.
func (p *Plane) computeFast(ctx context.Context, st sessions.State, b optimizers.Belief, g grid) error {
	acq, err := b.Acquisition(ctx, g.x)
	switch {
	case err == nil:
		p.setField(AcquisitionField, g, acq)
	case errors.Is(err, optimizers.ErrUnsupported):
		p.Known[AcquisitionField] = true
	default:
		return err
	}
	used, err := b.Used(ctx, g.x)
	if errors.Is(err, optimizers.ErrUnsupported) {
		return nil
	}
	if err == nil {
		p.setField(SampleField, g, scaled(used[p.View.Objective], p.gauge.Sign))
	}
	return err
}

// computeSlow fills the mean and the standard deviation.
func (p *Plane) computeSlow(ctx context.Context, st sessions.State, b optimizers.Belief, g grid) error {
	bands, err := b.Predict(ctx, g.x)
	if errors.Is(err, optimizers.ErrUnsupported) {
		p.Known[MeanField], p.Known[SDField] = true, true
		return nil
	}
	if err != nil {
		return err
	}
	p.setField(MeanField, g, scaled(bands[p.View.Objective].Mean, p.gauge.Sign))
	p.setField(SDField, g, bands[p.View.Objective].SD)
	return nil
}

// sample fills one surrogate sample: the function in use of draw 0 is shown already where there is one.
func (p *Plane) sample(ctx context.Context, st sessions.State, b optimizers.Belief) error {
	if p.View.Draw == 0 && len(p.Fields[SampleField].Z) > 0 {
		return nil
	}
	g := p.newGrid(st, sampleNodes)
	z, err := b.Samples(ctx, g.x, 1, p.View.Draw)
	p.Known[SampleField] = true
	if errors.Is(err, optimizers.ErrUnsupported) {
		return nil
	}
	if err == nil {
		p.setField(SampleField, g, scaled(mat.Row(nil, 0, z[p.View.Objective]), p.gauge.Sign))
	}
	return err
}

// sampleNodes is the grid of a sample: few enough that it is drawn jointly.
const sampleNodes = 25

// Name names the field of a kind.
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
	case kind == SDField && p.gauge.IsLog():
		name += " of log10"
	}
	return name
}

// ShortFieldName names the field of a kind in few characters.
func ShortFieldName(kind FieldKind) string {
	return [FieldKindCount]string{"truth", "mean", "sd", "acquisition", "sample", "cost", "feasible"}[kind]
}

// ShortFieldTitle is ShortFieldName of a field that is drawn with a scale.
func ShortFieldTitle(kind FieldKind, s chart.ColorScale) string {
	if s.Log {
		return ShortFieldName(kind) + " (log)"
	}
	return ShortFieldName(kind)
}

// valued reports whether a field is of values of the objective.
func valued(kind FieldKind) bool {
	return kind == MeanField || kind == SampleField || kind == TrueField
}

// Scale is the colours of fields of a kind. They are reversed for an acquisition that is better when lower, so that the
// best value is the brightest, and logarithmic for one by the rule of NewAcquisitionScale.
func (p *Plane) Scale(kind FieldKind, m chart.ColorMap, fields ...[]float64) chart.ColorScale {
	switch {
	case p == nil:
		return chart.NewColorScale(m, fields...)
	case kind == AcquisitionField:
		return NewAcquisitionScale(p.Legend, fields...).colors(p.Legend, m, fields...)
	case !valued(kind) || !p.gauge.IsLog():
		return chart.NewColorScale(m, fields...)
	}
	s := chart.NewLinearColorScale(m, fields...)
	s.Log = true
	return s
}

// acquisitionScale is the scale of an acquisition that is drawn in colours.
func acquisitionScale(kind FieldKind, s chart.ColorScale) AcquisitionScale {
	if kind != AcquisitionField || !s.Log {
		return AcquisitionScale{}
	}
	return AcquisitionScale{Log: true, Floor: s.DisplayValue(s.Lo)}
}

// drawnField is a field with the values that a scale has colours for.
func (p *Plane) drawnField(kind FieldKind, s chart.ColorScale) chart.Field {
	return acquisitionScale(kind, s).field(p.Fields[kind])
}

// Title names the field of a kind that is drawn with a scale.
func (p *Plane) Title(kind FieldKind, s chart.ColorScale) string {
	if a := acquisitionScale(kind, s); a.Log {
		return a.Title(p.Legend)
	}
	return p.Name(kind)
}

// Place is where a point of the problem lies in the window, in [0, 1] where it is inside.
func (p *Plane) Place(st sessions.State, x []float64) (u, v float64) {
	if p.View.Ternary {
		return p.ternary(st).place(x)
	}
	fractions := [2]float64{AxisFraction(st.Problem.Domain[p.View.X], x[p.View.X]),
		AxisFraction(st.Problem.Domain[p.View.Y], x[p.View.Y])}
	return (fractions[0] - p.View.Low[0]) / (p.View.High[0] - p.View.Low[0]),
		(fractions[1] - p.View.Low[1]) / (p.View.High[1] - p.View.Low[1])
}

// At is a field at a point of the problem, in the objective's unit; NaN where it is not known or outside of the window.
func (p *Plane) At(st sessions.State, kind FieldKind, x []float64) float64 {
	u, v := p.Place(st, x)
	if u < 0 || u > 1 || v < 0 || v > 1 {
		return math.NaN()
	}
	z := p.Fields[kind].At(u, v)
	if valued(kind) {
		return p.gauge.FromScale(z)
	}
	return z
}
