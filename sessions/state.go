package sessions

import (
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/functions/external"
	"bandscope/functions/numfmt"
	"bandscope/functions/timefmt"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/sessions/recorder"
)

// Iteration is one suggestion with what its evaluation gave: B points, in the problem's units and directions.
type Iteration struct {
	ID          string // of the event that recorded the suggestion
	Step        int    // from 1; while it is pending, the step that it will be if all earlier suggestions are reported first
	Number      int    // of the suggestion on its branch, from 1; it does not depend on the order of results
	Points      []Point
	By          string       // the optimizer's name, or ByPerson
	Seconds     float64      // to find the suggestion
	Weights     []float64    // λ that it was chosen with, of several objectives
	Prior       string       // over the weights when it was suggested, with the number of answers; empty without one
	Note        string       // of the optimizer, at the time
	Batch       *Batch       // of several points that were asked for at once; nil otherwise
	Corrections []Correction // of its observations, in their order
	AskedBy     Author       // who recorded the suggestion; zero if unknown
	ToldBy      Author       // who reported its results last; zero if unknown, or without results
	// another program asked for it while the session was open here, and evaluates it
	Foreign bool
	State   *optimizers.State // what the program remembers that suggested it; nil for none

	told int // how many partial reports there were
}

// Point is an input with its outcome. Y of all points of an iteration is nil, or of none; so it is with Truth.
type Point struct {
	X           []float64 // where it was evaluated, or is to be
	Suggested   []float64 // where it was to be evaluated; nil where it was evaluated there
	Y           []float64 // observed, with noise; NaN if unknown; nil until anything is reported
	SE          []float64 // standard errors of Y, NaN where one is not known; nil where none is
	Truth       []float64 // noise-free; nil if unknown
	Missing     []string  // the objectives without a report; nil if all are reported, or none
	Failed      bool      // Y has not a finite value of every objective: it failed, or something is missing
	Reason      string    // why it failed; empty where that is not known
	Note        string    // the remark of the report
	Block       string    // the plate, day or batch that it was measured in; empty for none
	Mean, SD    float64   // predicted of the first objective when it was suggested; NaN where nothing was
	Acquisition float64   // NaN where it was not chosen by one
	Cost        float64   // 0 until it is reported
}

// pointsAt are points to evaluate, with their predictions: lists with one value per point, or nil.
func pointsAt(x [][]float64, mean, sd, acquisition []float64) []Point {
	valueAt := func(list []float64, i int) float64 {
		if i < len(list) {
			return list[i]
		}
		return math.NaN()
	}
	points := make([]Point, len(x))
	for i, row := range x {
		points[i] = Point{X: row, Mean: valueAt(mean, i), SD: valueAt(sd, i), Acquisition: valueAt(acquisition, i)}
	}
	return points
}

// Column is a value of each point.
func Column[T any](it Iteration, apply func(Point) T) []T {
	list := make([]T, len(it.Points))
	for i, pt := range it.Points {
		list[i] = apply(pt)
	}
	return list
}

// Inputs are where the points were evaluated, or are to be.
func (it Iteration) Inputs() [][]float64 {
	return Column(it, func(pt Point) []float64 { return pt.X })
}

// Outcomes are the observed values; rows of nil until anything is reported.
func (it Iteration) Outcomes() [][]float64 {
	return Column(it, func(pt Point) []float64 { return pt.Y })
}

// Moved reports whether a point was evaluated elsewhere than it was suggested.
func (it Iteration) Moved() bool {
	return slices.ContainsFunc(it.Points, func(pt Point) bool { return pt.Suggested != nil })
}

// Planned is where the point was to be evaluated.
func (pt Point) Planned() []float64 {
	if pt.Suggested == nil {
		return pt.X
	}
	return pt.Suggested
}

// Judged is what the point is judged by, noise-free where there is a truth and otherwise as it was observed.
func (pt Point) Judged() []float64 {
	if pt.Truth == nil {
		return pt.Y
	}
	return pt.Truth
}

// Cost is what the evaluation of all points has cost.
func (it Iteration) Cost() (sum float64) {
	for _, pt := range it.Points {
		sum += pt.Cost
	}
	return sum
}

// Incomplete reports whether something is missing of the iteration's outcome.
func (it Iteration) Incomplete() bool {
	return slices.ContainsFunc(it.Points, func(pt Point) bool { return len(pt.Missing) > 0 })
}

// IncompleteAt reports whether the value of an objective is missing at a point of the iteration, so that it can still
// be reported.
func (it Iteration) IncompleteAt(point int) bool { return len(it.Points[point].Missing) > 0 }

// HasResults reports whether any result of the iteration is reported.
func (it Iteration) HasResults() bool { return len(it.Points) > 0 && it.Points[0].Y != nil }

// ByPerson is the value of By for a point that a person chose.
const ByPerson = "person"

// State is what a session amounts to at one place of its log. It is a snapshot: nothing in it may be changed.
type State struct {
	Config     Config
	Problem    *functions.Problem
	Spec       *optimizers.Spec
	Params     param.Set
	Iterations []Iteration
	Pending    []Iteration      // the pending suggestions, the oldest first
	Answers    []Answer         // answers of a person about pairs of outcomes
	Branch     string           // the name that was given last
	Range      *Range           // what outcomes are measured by, once it is frozen; nil before, and of one objective
	Bounds     functions.Domain // where the next point may lie, nil for the whole domain
	Original   functions.Domain // the domain of the beginning; nil while it is the same
	Rejections []Rejection
	Plates     []Plate       // where points are measured together, in the order in which they were asked for
	Second     *BeliefConfig // the second belief of a playground; nil for none

	recorder.Place

	suggestionCount int           // how many suggestions are on the way here
	dropped         droppedValues // values of dropped objectives
	author          Author        // of the last event
	foreign         bool          // the last event is of another program
	modelID         string        // the id of the last event that a belief depends on
	cache           *sessionCache // what others keep with the session; its states share it
	programs        *external.Host
	// how much of the array under Iterations is taken, by this state or one that follows it
	used *int
}

// SuggestionCount is how many suggestions were made on the way here, those that were discarded among them.
func (st State) SuggestionCount() int { return st.suggestionCount }

// ModelID names what the belief of a state depends on: the id of the last event that changed it. States with the same
// one believe the same.
func (st State) ModelID() string { return st.modelID }

// ExpectedDuration is how long a result usually takes, as declared; 0 if that is not declared.
func (st State) ExpectedDuration() time.Duration {
	if st.Config.Experiment == nil || st.Config.Experiment.Duration == "" {
		return 0
	}
	d, err := timefmt.Parse(st.Config.Experiment.Duration)
	if err != nil { // a file of another program
		return 0
	}
	return d
}

// add appends an iteration.
func (st *State) add(it Iteration) {
	st.Iterations, st.used = recorder.AppendShared(st.Iterations, st.used, it)
}

// unitBounds are bounds of a domain in the unit cube.
func unitBounds(d, bounds functions.Domain) (low, high []float64) {
	low, high = make([]float64, len(bounds)), make([]float64, len(bounds))
	for j, v := range bounds {
		low[j], high[j] = v.Low, v.High
	}
	return d.ToUnit(low), d.ToUnit(high)
}

// inputWithoutData is what the optimizer sees of the problem and of its parameters, without data.
func (st State) inputWithoutData() optimizers.Input {
	in := optimizers.Input{Dim: st.Problem.Dim(), Objectives: len(st.Problem.Objectives), Step: len(st.Iterations),
		Budget: st.Config.Budget, Seed: st.Config.Seed, Params: st.Params, Regions: map[string]string{},
		Domain: domainFor(st.Problem)}
	for _, v := range st.Problem.Domain {
		in.Widths, in.Factors = append(in.Widths, v.Width()), append(in.Factors, v.Scale == functions.Log)
	}
	for _, o := range st.Problem.Objectives {
		in.Transforms, in.Noise = append(in.Transforms, o.Transform()), append(in.Noise, declaredNoise(o))
		in.Expected = append(in.Expected, declaredInterval(o))
	}
	in.Noisy, in.FixedScale = st.Config.Noise > 0, st.Config.Playground
	if st.cache != nil {
		in.Fits = st.cache.fits
	}
	in.Limits, in.LearnFailures = limitsFor(st.Problem), st.Config.Failures == experiment.FailuresLearned
	for _, r := range st.Problem.Regions {
		in.Regions[r.Name] = r.Prior
	}
	if c := st.Problem.Cost; c != nil {
		domain := st.Problem.Domain
		in.Cost = func(u []float64) float64 { return c.Func(domain.FromUnit(u)) }
	}
	if st.Spec.Suggest != nil {
		in.Source = st.source()
	}
	if i := st.Problem.FidelityIndex(); i >= 0 {
		v, full := st.Problem.Domain[i], st.Problem.Fidelity.Full
		in.Fidelity = &optimizers.Fidelity{Index: i, Full: v.ToUnit(full), Text: v.Name + " = " + numfmt.Exact(full)}
	}
	return in
}

// declaredInterval is the declared range of an objective, as it is counted; nil if there is none.
func declaredInterval(o functions.Objective) []float64 {
	if o.Range == nil {
		return nil
	}
	g := o.Transform()
	a, b := g.Apply(o.Range[0]), g.Apply(o.Range[1])
	return []float64{min(a, b), max(a, b)}
}

// declaredNoise is the declared standard deviation of the noise of an output, on the scale on which it is counted: on a
// logarithmic scale, at a value halfway along the expected range; 0 if unknown.
func declaredNoise(o functions.Objective) float64 {
	g := o.Transform()
	if !g.IsLog() || o.Noise == 0 {
		return o.Noise
	}
	middle := g.Floor
	if o.Range != nil {
		middle = g.Interpolate(o.Range[0], o.Range[1], 0.5)
	}
	return g.ApplySE(middle, o.Noise)
}

// Input is what the optimizer sees here: inputs in the unit cube, objectives minimized, failed points apart.
func (st State) Input() optimizers.Input {
	in := st.inputWithoutData()
	if st.Bounds != nil {
		in.Low, in.High = unitBounds(st.Problem.Domain, st.Bounds)
	}
	for _, r := range st.Rejections {
		for _, x := range r.X {
			in.Avoid = append(in.Avoid, st.Problem.Domain.ToUnit(x))
		}
	}
	in.Data, in.Clipped = st.winsorized(in)
	if st.Range != nil {
		in.Lo, in.Hi = st.Range.Minimized(st.Problem)
	}
	in.Answers = st.answers(in)
	return in
}

// inputWithPending is the optimizer's input for the next suggestion while points are pending: they count as steps, and
// the method suggests a point given those.
func (st State) inputWithPending() optimizers.Input {
	in := st.Input()
	if len(st.Pending) == 0 {
		return in
	}
	in.Step, in.Pending = in.Step+len(st.Pending), st.PendingPoints()
	return in
}

// PendingPoints are all pending points, m×d in the unit cube, the oldest first; nil if there are none.
func (st State) PendingPoints() *mat.Dense {
	var all []float64
	for _, it := range st.Pending {
		for _, pt := range it.Points {
			all = append(all, st.Problem.Domain.ToUnit(pt.X)...)
		}
	}
	if all == nil {
		return nil
	}
	return mat.NewDense(len(all)/st.Problem.Dim(), st.Problem.Dim(), all)
}

// Best is the best observation of the first objective so far that is within all limits, with the step in which it was
// made; false if there is none.
func (st State) Best() (x []float64, y float64, step int, ok bool) {
	g := st.Problem.Objectives[0].Transform()
	for _, it := range st.Iterations {
		for i, pt := range it.Points {
			if st.Feasible(it, i) && (!ok || g.Apply(pt.Y[0]) < g.Apply(y)) {
				x = pt.X
				y = pt.Y[0]
				step = it.Step
				ok = true
			}
		}
	}
	return append([]float64(nil), x...), y, step, ok
}

// Feasible reports whether there is a value of all that is measured at a point of an iteration, within all limits.
func (st State) Feasible(it Iteration, point int) bool {
	return !it.Points[point].Failed && st.Problem.Feasible(it.Points[point].Y)
}

// Outcome maps values of the objectives in the problem's units to u, over a frozen range of minimized objectives.
func (st State) Outcome(y, lo, hi []float64) []float64 {
	u := make([]float64, len(lo))
	for k := range u {
		m := st.Problem.Objectives[k].Transform().Apply(y[k])
		u[k] = (hi[k] - m) / (hi[k] - lo[k])
	}
	return u
}

// HasWeightPrior reports whether there is a prior over weights that results are judged by.
func (st State) HasWeightPrior() bool {
	_, ok := st.Params.ByRole(optimizers.RolePrior)
	return ok
}

// Title is one line that says what the session is about.
func (st State) Title() string {
	s := fmt.Sprintf("%s · %s · seed %d · budget %d", st.Problem.Name, st.Spec.Name, st.Config.Seed, st.Config.Budget)
	if st.Problem.Cost != nil {
		s += " · cost " + st.Problem.Cost.Text
	}
	if st.Config.CostBudget > 0 {
		s += " up to " + numfmt.Exact(st.Config.CostBudget)
	}
	if st.Config.Noise > 0 {
		s += " · noise " + numfmt.Exact(st.Config.Noise)
	}
	return s
}
