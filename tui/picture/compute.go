package picture

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/transform"
	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/theme"
)

// Source is where a belief comes from: a session, or another method's view of its data.
type Source interface {
	State() sessions.State
	Belief(context.Context, sessions.Progress) (optimizers.Belief, error)
	Next(context.Context, sessions.Progress) (optimizers.Suggestion, error)
}

// NextPoints are the points that the next steps would evaluate: all pending points, or the suggestion.
type NextPoints struct {
	Next    [][]float64 // B×d, in the problem's units; nil while it is not known
	ByStart bool        // they belong to the initial design
	Pending bool        // they are pending: on record, without an outcome yet
	Note    string
	Reason  string // why they were chosen, in a few words; empty if that is not known
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

// Unused says behind the name of the acquisition that the next points do not come from it; empty if they do.
func (a NextPoints) Unused() string {
	if a.ByStart && len(a.Next) > 0 {
		return " (not used yet)"
	}
	return ""
}

// Mark is the mark of the points.
func (a NextPoints) Mark() theme.Glyph {
	switch {
	case a.Pending:
		return theme.GlyphSquare
	case a.ByStart:
		return theme.GlyphDesign
	}
	return theme.GlyphDiamond
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
	a := NextPoints{Note: next.Note, Pending: len(st.Pending) > 0, ByStart: st.NextDesignPlace() != nil}
	x := next.X
	if a.Pending { // the oldest is the next
		x = st.PendingPoints()
	}
	n, _ := x.Dims()
	if n > 0 {
		belief, err := s.Belief(ctx, progress)
		if err != nil {
			return NextPoints{}, nil, err
		}
		a.Reason, err = diagnostics.BriefReason(ctx, st, belief, mat.Row(nil, 0, x))
		if err != nil {
			return NextPoints{}, nil, err
		}
	}
	for i := range n {
		a.Next = append(a.Next, st.Problem.Domain.FromUnit(mat.Row(nil, i, x)))
	}
	return a, x, nil
}

// draft is an incomplete posterior, of which every stage is shown. The next points are found beside it, since their
// search takes much longer than the band of some methods, and much less long than that of others.
type draft struct {
	mu   sync.Mutex
	p    Posterior
	show func(*Posterior)

	stop context.CancelFunc // of the search for the next points
	done chan struct{}
	err  error // of the search
}

// newDraft starts the search for the next points; s is nil if they are not shown.
func newDraft(ctx context.Context, p *Posterior, s Source, st sessions.State, progress sessions.Progress,
	show func(*Posterior)) *draft {
	d := &draft{p: *p, show: show, done: make(chan struct{})}
	ctx, d.stop = context.WithCancel(ctx)
	if s == nil {
		close(d.done)
		return d
	}
	go func() {
		defer close(d.done)
		var next NextPoints
		if p := parallel.Catch(func() { next, _, d.err = NextPointsFor(ctx, s, st, progress) }); p != nil {
			d.err = fmt.Errorf("finding the next point: %v", p.Value)
		}
		if d.err == nil {
			d.update(func(p *Posterior) { p.NextPoints = next })
		}
	}()
	return d
}

// update changes the draft and shows a copy of it.
func (d *draft) update(change func(*Posterior)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(&d.p)
	if d.show != nil {
		copied := d.p
		d.show(&copied)
	}
}

// put replaces the draft but for its next points.
func (d *draft) put(p *Posterior) {
	d.update(func(shown *Posterior) {
		p.NextPoints = shown.NextPoints
		*shown = *p
	})
}

// wait returns the next points.
func (d *draft) wait() (NextPoints, error) {
	<-d.done
	return d.p.NextPoints, d.err
}

// Compute computes the posterior of the session's current belief, the other variables held at a point; nil takes the
// anchor. If show is not nil, it is given each stage of a draft, from one goroutine at a time, which may be another than
// this one's: the fields on a coarse grid, then on a fine one, each time with what takes longest last, and the next
// points once they are found, which takes longest for some methods.
func Compute(ctx context.Context, s Source, v View, point []float64, progress sessions.Progress,
	show func(*Posterior)) (*Posterior, error) {
	return compute(ctx, s, s, v, point, progress, show)
}

// ComputeSlice is Compute without the next points.
func ComputeSlice(ctx context.Context, s Source, v View, point []float64, progress sessions.Progress) (*Posterior, error) {
	return compute(ctx, s, nil, v, point, progress, nil)
}

// compute computes the posterior of a source, and the next points of another one, nil for none.
func compute(ctx context.Context, s, next Source, v View, point []float64, progress sessions.Progress,
	show func(*Posterior)) (*Posterior, error) {
	st := s.State()
	p := Unfitted(st, v, point)
	b, err := s.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	p.Legend, p.Regions, p.Fitted = b.Legend(), regionsOf(st, b), true
	d := newDraft(ctx, p, next, st, progress, show)
	defer d.stop()
	var displayed optimizers.Belief
	fast := func(g grid) error { return p.computeFast(ctx, b, g) }
	band := func(g grid) (err error) {
		if displayed == nil {
			displayed, err = diagnostics.DisplayedBelief(ctx, st, b, progress)
			if err != nil {
				return err
			}
		}
		return p.computeBand(ctx, displayed, g)
	}
	var coarse grid
	if show != nil {
		coarse = p.newGrid(p.nodes(0))
		for _, stage := range []func(grid) error{fast, band} {
			if err := stage(coarse); err != nil {
				return nil, err
			}
			d.put(p)
		}
	}
	if v.Axes == OneVariable { // the acquisition meets its maximum
		p.NextPoints, err = d.wait()
		if err != nil {
			return nil, err
		}
	}
	fine := p.newGrid(p.nodes(1), p.dataAlong(st)...)
	stages := []func(grid) error{fast, band}
	if fine.size() == coarse.size() { // all levels are known already
		stages = nil
	}
	stages = append(stages, func(g grid) error { return p.computeSamples(ctx, b, g) },
		func(g grid) error { return p.computeAllowed(ctx, b, g) },
		func(grid) error { return p.computeTheory(ctx, b) })
	for _, stage := range stages {
		if err := stage(fine); err != nil {
			return nil, err
		}
		d.put(p)
	}
	p.NextPoints, err = d.wait()
	p.Partial = false
	return p, err
}

// Unfitted is New with what needs no model: the true function, which stays empty where there is none, the cost, and
// where constraints do not hold.
func Unfitted(st sessions.State, v View, point []float64) *Posterior {
	p := New(st, v, point)
	g := p.newGrid(p.nodes(1))
	p.addConstraints(g)
	if st.Problem.Cost != nil {
		cost := make([]float64, g.size())
		for i := range cost {
			cost[i] = st.CostAt(g.at(p, i))
		}
		p.setField(CostField, g, cost)
	}
	if st.Problem.Truth != nil {
		if v.Axes == OneVariable {
			g = p.newGrid(truthNodes)
		}
		z := make([]float64, g.size())
		for i := range z {
			z[i] = math.NaN()
			if y, err := st.Problem.TrueValues(g.at(p, i)); err == nil {
				z[i] = p.scale.ToScale(y[v.Objective])
			}
		}
		p.setField(TrueField, g, z)
	}
	p.Known[TrueField], p.Known[CostField] = true, true
	return p
}

// setField sets a field; nil leaves it empty.
func (p *Posterior) setField(kind FieldKind, g grid, z []float64) {
	p.Known[kind] = true
	if z == nil {
		return
	}
	p.Fields[kind] = Field{Field: g.field(z), X: g.along, inputs: g.x}
	if valued(kind) {
		p.Fields[kind].scale = p.scale
	}
}

// computeFast fills what every belief can compute fast: its acquisition, the function that it uses, and the probability
// that all limits are met.
func (p *Posterior) computeFast(ctx context.Context, b optimizers.Belief, g grid) error {
	acq, err := b.Acquisition(ctx, g.x)
	if optimizers.IgnoreUnsupported(err) != nil {
		return err
	}
	p.setField(AcquisitionField, g, acq)
	used, err := b.Used(ctx, g.x)
	if optimizers.IgnoreUnsupported(err) != nil {
		return err
	}
	p.Known[UsedField] = true
	if err == nil {
		z := scaled(used[p.View.Objective], p.scale)
		p.setField(UsedField, g, z)
		if p.View.Axes != OneVariable && p.View.Draw == 0 {
			p.setField(SampleField, g, z)
		}
	}
	feasible, err := feasible(ctx, b, g.x)
	p.setField(FeasibleField, g, feasible)
	return err
}

// computeBand fills the mean, the standard deviation and the band, and the legend with what they add to it.
func (p *Posterior) computeBand(ctx context.Context, b optimizers.Belief, g grid) error {
	bands, err := b.Predict(ctx, g.x)
	if optimizers.IgnoreUnsupported(err) != nil {
		return err
	}
	p.Legend = b.Legend()
	p.setBand(g, bands)
	return nil
}

// setBand sets the mean, the standard deviation and the band from those of every objective; nil leaves them empty.
func (p *Posterior) setBand(g grid, bands []optimizers.Band) {
	var mean, sd, lower, upper []float64
	if bands != nil {
		band := bands[p.View.Objective]
		mean, sd = scaled(band.Mean, p.scale), band.SD
		for i := range mean {
			lower = append(lower, p.scale.Sign*band.Quantile(i, -2*p.scale.Sign))
			upper = append(upper, p.scale.Sign*band.Quantile(i, 2*p.scale.Sign))
		}
	}
	p.setField(MeanField, g, mean)
	p.setField(SDField, g, sd)
	p.setField(LowerField, g, lower)
	p.setField(UpperField, g, upper)
}

// scaled are values as a belief has them, to be minimized, along the scale of the objective.
func scaled(counted []float64, s transform.Transform) []float64 {
	z := make([]float64, len(counted))
	for i, c := range counted {
		z[i] = s.Sign * c
	}
	return z
}

// computeSamples fills the samples along one variable, or one sample; the function in use is draw 0 where there is one.
func (p *Posterior) computeSamples(ctx context.Context, b optimizers.Belief, g grid) error {
	count, known := p.View.Samples, p.Known[SampleField]
	if p.View.Axes != OneVariable {
		count, g = 1, p.newGrid(sampleNodes)
		known = p.View.Draw == 0 && !p.Fields[SampleField].Empty()
	}
	p.Known[SampleField] = true
	if count == 0 || known {
		return nil
	}
	samples, err := b.Samples(ctx, g.x, count, p.View.Draw)
	if err != nil {
		return optimizers.IgnoreUnsupported(err)
	}
	for i := range count {
		p.setField(SampleField, g, scaled(mat.Row(nil, i, samples[p.View.Objective]), p.scale))
		if p.View.Axes == OneVariable {
			p.Samples = append(p.Samples, p.Fields[SampleField])
		}
	}
	return nil
}

// computeAllowed fills where the method allows the next point, if it restricts it.
func (p *Posterior) computeAllowed(ctx context.Context, b optimizers.Belief, g grid) error {
	p.Known[AllowedField], p.Known[FeasibleField] = true, true
	l, ok := b.(optimizers.Constrained)
	if !ok || !limitsSearch(b, p.Regions) {
		return nil
	}
	allowed, err := l.Feasible(ctx, g.x)
	if err != nil || allowed == nil {
		return err
	}
	z := make([]float64, len(allowed))
	for i, a := range allowed {
		if a {
			z[i] = 1
		}
	}
	p.setField(AllowedField, g, z)
	return nil
}

// computeTheory fills the theory, if it is asked for and the belief has one.
func (p *Posterior) computeTheory(ctx context.Context, b optimizers.Belief) error {
	t, ok := b.(optimizers.Spectrum)
	if !ok || !p.View.Theory {
		return nil
	}
	theory, err := t.Theory(ctx)
	if err != nil {
		return optimizers.IgnoreUnsupported(err)
	}
	p.Theory = &theory
	return nil
}

// ComputeBelief computes the band and the samples of a belief along a variable, and nothing else of the posterior.
func ComputeBelief(ctx context.Context, st sessions.State, b optimizers.Belief, v View) (*Posterior, error) {
	p := New(st, v, nil)
	p.Fitted = true
	g := p.newGrid(p.nodes(1))
	if err := p.computeBand(ctx, b, g); err != nil {
		return nil, err
	}
	return p, p.computeSamples(ctx, b, g)
}

// ComputeObjectives computes the bands of every objective along the first variable; nil where the belief has none.
func ComputeObjectives(ctx context.Context, st sessions.State, b optimizers.Belief) (all []*Posterior, err error) {
	g := New(st, View{}, nil).newGrid(lineNodes[1])
	bands, err := b.Predict(ctx, g.x)
	if err != nil {
		return nil, optimizers.IgnoreUnsupported(err)
	}
	for k := range bands {
		p := New(st, View{Objective: k}, nil)
		p.setBand(g, bands)
		all = append(all, p)
	}
	return all, nil
}

// acquisitionNodes is how many points of an acquisition alone are drawn along each variable.
func acquisitionNodes(v View) int {
	if v.Axes == OneVariable {
		return 201
	}
	return 36
}

// ComputeAcquisition computes the acquisition of a place along variable i, or over i and j where that is not −1, the
// others held at x, with where limits are more likely violated than met; and nothing else of the posterior. Components
// of a mixture of three or more are drawn as a triangle, and one of them in the direction of Cox.
func ComputeAcquisition(ctx context.Context, source diagnostics.Source, x []float64, i, j int,
	progress sessions.Progress) (*Posterior, error) {
	st := source.State()
	v := View{X: i}
	if j >= 0 {
		v = PlaneOver(st.Problem, i, j)
	}
	p := New(st, v, x)
	g := p.newGrid(acquisitionNodes(v))
	p.addConstraints(g)
	b, err := source.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	values, err := b.Acquisition(ctx, g.x)
	if optimizers.IgnoreUnsupported(err) != nil {
		return nil, err
	}
	p.setField(AcquisitionField, g, values)
	limits, err := feasible(ctx, b, g.x)
	p.setField(FeasibleField, g, limits)
	return p, err
}
