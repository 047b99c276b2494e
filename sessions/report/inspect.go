package report

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/optimizers"
	"bandscope/optimizers/inspection"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/eventlog"
)

// InspectOptions says where to evaluate a belief.
type InspectOptions struct {
	Inputs  [][]float64 // problem's units
	Samples int         // surrogate samples of each objective
	Draw    uint64      // the seed of the samples
}

// Inspection is a belief as numbers, in the problem's units and directions. Quantities that the optimizer does not have
// are absent.
type Inspection struct {
	Step        int                `json:"step"`
	Inputs      [][]encoding.Value `json:"inputs"`
	Objectives  []Objective        `json:"objectives"`
	Acquisition *Curve             `json:"acquisition,omitempty"`
	// the probability that each limit is met, and that an evaluation succeeds if failures are modelled
	Limits     []Curve            `json:"limits,omitempty"`
	Feasible   []Number           `json:"feasible,omitempty"` // the probability that all of them are met
	Suggestion [][]encoding.Value `json:"suggestion"`
	Regions    []Region           `json:"regions,omitempty"` // in which alone the next point is searched for
	Data       Data               `json:"data"`
}

// Region is a box of inputs, such as a trust region, by its least and its greatest values.
type Region struct {
	Name string           `json:"name"`
	Low  []encoding.Value `json:"low"`
	High []encoding.Value `json:"high"`
}

// Objective is the belief about one objective.
type Objective struct {
	Name string   `json:"name"`
	Mean []Number `json:"mean,omitempty"`
	SD   []Number `json:"sd,omitempty"`
	// instead of SD on a log scale: that of the decimal logarithm; Mean is then the median
	Log10SD []Number `json:"log10_sd,omitempty"`
	// factor of the recalibration that the standard deviations include; absent if they are not recalibrated
	BandFactor Number     `json:"band_factor,omitempty"`
	Samples    [][]Number `json:"samples,omitempty"`
	Used       []Number   `json:"used,omitempty"`  // the function that the method minimizes for its suggestion
	Truth      []Number   `json:"truth,omitempty"` // of a test function
}

// Curve is a named row of values, one per input.
type Curve struct {
	Name   string   `json:"name"`
	Values []Number `json:"values"`
}

// Data lists the observations.
type Data struct {
	X [][]encoding.Value `json:"x"`
	Y [][]Number         `json:"y"`
	// who reported each, null where that is unknown; absent if no author is known
	By []*sessions.Author `json:"by,omitempty"`
}

// Grid is n evenly spaced inputs per variable, or all levels of a variable that has levels, for problems with one or
// two variables; of a mixture of three components and nothing else the points within the bounds of a simplex lattice
// with n points along each edge (Scheffé 1958).
func Grid(st sessions.State, n int) ([][]float64, error) {
	d := st.Problem.Dim()
	ternary := d == 3 && len(st.Problem.Mixtures) == 1 && len(st.Problem.Mixtures[0].Components) == 3
	if d > 2 && !ternary {
		return nil, fmt.Errorf("a grid needs a problem with 1 or 2 variables, and %s has %d: give inputs with -x instead",
			st.Problem.Name, d)
	}
	if n < 2 || n > 2000 {
		return nil, fmt.Errorf("a grid has 2 to 2000 points per variable, got %d", n)
	}
	if ternary {
		return lattice(st.Problem, n), nil
	}
	grid := [][]float64{nil}
	for _, v := range st.Problem.Domain {
		var wider [][]float64
		for _, x := range grid {
			for _, value := range along(v, n) {
				wider = append(wider, append(slices.Clone(x), value))
			}
		}
		grid = wider
	}
	return grid, nil
}

// lattice is a simplex lattice of a mixture of three components, all of them at least at their lower bounds.
func lattice(p *functions.Problem, n int) (list [][]float64) {
	size := p.Mixtures[0].Sum()
	for _, v := range p.Domain {
		size -= v.Low
	}
	for i := range n {
		for j := range n - i {
			x := make([]float64, len(p.Domain))
			within := true
			for k, parts := range [3]int{i, j, n - 1 - i - j} {
				x[k] = p.Domain[k].Low + size*float64(parts)/float64(n-1)
				within = within && x[k] <= p.Domain[k].High*(1+1e-12)
				x[k] = min(x[k], p.Domain[k].High)
			}
			if within {
				list = append(list, x)
			}
		}
	}
	return list
}

// along are the levels of a variable, or n values if it has none.
func along(v functions.Variable, n int) (list []float64) {
	for i := range v.Levels() {
		list = append(list, v.Level(i))
	}
	for i := 0; v.Levels() == 0 && i < n; i++ {
		list = append(list, v.FromUnit(float64(i)/float64(n-1)))
	}
	return list
}

// Predict evaluates what the current belief of a session predicts: means, standard deviations, samples and the
// probabilities of limits, without the next suggestion and the data.
func Predict(ctx context.Context, s *sessions.Session, q InspectOptions, progress sessions.Progress) (Inspection,
	error) {
	snapshot := s.Snapshot()
	st := snapshot.State()
	r, x, err := newInspection(st, q)
	if err != nil {
		return r, err
	}
	for _, o := range st.Problem.Objectives {
		r.Objectives = append(r.Objectives, Objective{Name: o.Name})
	}
	belief, err := snapshot.Belief(ctx, progress)
	if err != nil {
		return r, err
	}
	if err := r.bands(ctx, st, belief, x, progress); err != nil {
		return r, err
	}
	if err := r.feasible(ctx, st, belief, x); err != nil {
		return r, err
	}
	return r, r.samples(ctx, st, belief, q, x)
}

// newInspection is an inspection without values, and its inputs in the unit cube.
func newInspection(st sessions.State, q InspectOptions) (Inspection, *mat.Dense, error) {
	r := Inspection{Step: len(st.Iterations), Inputs: encoding.EncodeRows(st.Problem.Domain, q.Inputs),
		Data: Data{X: [][]encoding.Value{}, Y: [][]Number{}}}
	x := mat.NewDense(len(q.Inputs), st.Problem.Dim(), nil)
	for i, in := range q.Inputs {
		if err := st.Problem.Domain.Check(in); err != nil {
			return r, nil, err
		}
		x.SetRow(i, st.Problem.Domain.ToUnit(in))
	}
	return r, x, nil
}

// Inspect evaluates the current belief of a session.
func Inspect(ctx context.Context, s *sessions.Session, q InspectOptions, progress sessions.Progress) (Inspection,
	error) {
	snapshot := s.Snapshot()
	st := snapshot.State()
	r, x, err := newInspection(st, q)
	if err != nil {
		return r, err
	}
	for _, it := range st.Iterations {
		r.Data.X, r.Data.Y = append(r.Data.X, encoding.EncodeRows(st.Problem.Domain, it.Inputs())...),
			append(r.Data.Y, eventlog.CastRows[Number](it.Outcomes())...)
	}
	r.Data.By = authors(st)
	belief, err := snapshot.Belief(ctx, progress)
	if err != nil {
		return r, err
	}
	next, err := snapshot.Next(ctx, progress)
	if err != nil && (st.Spec.Suggest == nil || ctx.Err() != nil) { // a program that fails leaves the rest to inspect
		return r, err
	}
	n := 0
	if next.X != nil {
		n, _ = next.X.Dims()
	}
	for i := range n {
		r.Suggestion = append(r.Suggestion, encoding.EncodeRow(st.Problem.Domain,
			st.Problem.Domain.FromUnit(mat.Row(nil, i, next.X))))
	}
	if local, ok := belief.(optimizers.LocalSearcher); ok {
		d := st.Problem.Domain
		for _, searchRegion := range local.SearchRegions() {
			r.Regions = append(r.Regions, Region{Name: searchRegion.Name, Low: encoding.EncodeRow(d, d.FromUnit(searchRegion.Low)),
				High: encoding.EncodeRow(d, d.FromUnit(searchRegion.High))})
		}
	}
	if err := r.truth(ctx, st, q.Inputs); err != nil {
		return r, err
	}
	return r, r.believe(ctx, st, belief, q, x, progress)
}

// authors are those who reported each observation; nil if none is known.
func authors(st sessions.State) (list []*sessions.Author) {
	known := false
	for _, it := range st.Iterations {
		author := &it.ToldBy
		known = known || author.Known()
		if !author.Known() {
			author = nil
		}
		for range it.Points {
			list = append(list, author)
		}
	}
	if !known {
		return nil
	}
	return list
}

// truth fills in the names of the objectives, and the true values of a test function.
func (r *Inspection) truth(ctx context.Context, st sessions.State, inputs [][]float64) error {
	for k, o := range st.Problem.Objectives {
		rep := Objective{Name: o.Name}
		for _, in := range inputs {
			if st.Problem.Truth == nil {
				break
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			y, err := st.Problem.TrueValues(in)
			if err != nil {
				return err
			}
			rep.Truth = append(rep.Truth, Number(y[k]))
		}
		r.Objectives = append(r.Objectives, rep)
	}
	return nil
}

// present reports whether a belief supports a quantity, by the error of asking for it.
func present(err error) (bool, error) {
	if errors.Is(err, optimizers.ErrUnsupported) {
		return false, nil
	}
	return err == nil, err
}

// believe fills in the quantities that the belief supports.
func (r *Inspection) believe(ctx context.Context, st sessions.State, b optimizers.Belief, q InspectOptions,
	x *mat.Dense, progress sessions.Progress) error {
	if err := r.bands(ctx, st, b, x, progress); err != nil {
		return err
	}
	used, err := b.Used(ctx, x)
	if ok, err := present(err); err != nil {
		return err
	} else if ok {
		for k, u := range used {
			r.Objectives[k].Used = toUnits(st, k, u)
		}
	}
	if err := r.feasible(ctx, st, b, x); err != nil {
		return err
	}
	values, err := b.Acquisition(ctx, x)
	if ok, err := present(err); err != nil {
		return err
	} else if ok {
		r.Acquisition = &Curve{Name: b.Legend().Acquisition, Values: eventlog.Cast[Number](values)}
	}
	return r.samples(ctx, st, b, q, x)
}

// bands fills in the means and the standard deviations.
func (r *Inspection) bands(ctx context.Context, st sessions.State, b optimizers.Belief, x *mat.Dense,
	progress sessions.Progress) error {
	displayed, err := diagnostics.DisplayedBelief(ctx, st, b, progress)
	if err != nil {
		return err
	}
	if d, ok := displayed.(inspection.Recalibrated); ok {
		for k := range r.Objectives {
			r.Objectives[k].BandFactor = Number(d.Factors[k].Drawn())
		}
	}
	bands, err := displayed.Predict(ctx, x)
	if ok, err := present(err); err != nil || !ok {
		return err
	}
	for k, band := range bands {
		g, o := st.Problem.Objectives[k].Transform(), &r.Objectives[k]
		o.Mean = toUnits(st, k, band.Mean)
		if g.IsLog() {
			o.Log10SD = eventlog.Cast[Number](band.SD)
		} else {
			o.SD = eventlog.Cast[Number](band.SD)
		}
	}
	return nil
}

// samples fills in joint samples of the surrogate.
func (r *Inspection) samples(ctx context.Context, st sessions.State, b optimizers.Belief, q InspectOptions,
	x *mat.Dense) error {
	if q.Samples == 0 {
		return nil
	}
	samples, err := b.Samples(ctx, x, q.Samples, q.Draw)
	ok, err := present(err)
	if ok {
		for k, s := range samples {
			for i := range q.Samples {
				r.Objectives[k].Samples = append(r.Objectives[k].Samples, toUnits(st, k, mat.Row(nil, i, s)))
			}
		}
	}
	return err
}

// feasible fills in the probabilities of limits.
func (r *Inspection) feasible(ctx context.Context, st sessions.State, b optimizers.Belief, x *mat.Dense) error {
	f := optimizers.FeasibilityFor(b)
	if f == nil {
		return nil
	}
	parts, err := f.LimitProbabilities(ctx, x)
	if err != nil {
		return err
	}
	all := slices.Repeat([]float64{1}, len(r.Inputs))
	limits := st.Input().Limits
	for k, p := range parts {
		name := "success"
		if k < len(limits) {
			name = limits[k].Name
		}
		r.Limits = append(r.Limits, Curve{Name: name, Values: eventlog.Cast[Number](p)})
		floats.Mul(all, p)
	}
	r.Feasible = eventlog.Cast[Number](all)
	return nil
}

// toUnits are values of objective k in its own unit and direction.
func toUnits(st sessions.State, k int, counted []float64) []Number {
	return eventlog.Cast[Number](st.Problem.Objectives[k].Transform().InvertAll(counted))
}
