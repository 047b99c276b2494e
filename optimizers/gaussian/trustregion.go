package gaussian

import (
	"context"
	"math"
	"slices"

	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// The rules of a trust region (Eriksson et al. 2019, §3 and suppl. A; the authors' program counts a result as better if
// it is so by 0.1 % of the best one).
const (
	initialLength    = 0.8
	minLength        = 1.0 / 128 // below it the trust region restarts
	maxLength        = 1.6
	successTolerance = 3    // successes in a row after which the length doubles
	minGain          = 1e-3 // of a success, relative to the best value
)

// regionRules are the rules of the trust regions of an input.
type regionRules struct {
	regions          int // m
	batch            int // q, results after which a trust region changes
	design           int // results of the initial design of a trust region
	failureTolerance int // failures in a row after which the length halves
}

func rulesFor(in optimizers.Input) regionRules {
	q := in.Params.Int(updateKey)
	return regionRules{regions: in.Params.Int(regionsKey), batch: q, design: search.InitialCount(in),
		failureTolerance: int(math.Ceil(max(4/float64(q), float64(in.Dim)/float64(q))))}
}

// trustRegion is the state of a trust region: what the results so far made of it.
type trustRegion struct {
	results   []int // its results since its last restart, as rows of the data
	evaluated int   // number of these and of its failed evaluations
	length    float64
	successes int // in a row
	failures  int // in a row
	restarts  int

	best  int   // of its results, observed; −1 without one
	batch []int // results that count for the next change; −1 for a failed evaluation
}

// designed reports whether the initial design of the trust region is complete.
func (r *trustRegion) designed(rules regionRules) bool { return r.evaluated >= rules.design }

// regionHistory follows trust regions through the results.
type regionHistory struct {
	in      optimizers.Input
	rules   regionRules
	regions []trustRegion
	scale   []float64 // of the excess of every limit
}

// followRegions returns the trust regions after all results of an input: a function of the results in their order. A
// result belongs to the first trust region whose design is not complete, or else to the one whose best result is nearest,
// relative to its length.
func followRegions(in optimizers.Input) *regionHistory {
	h := &regionHistory{in: in, rules: rulesFor(in)}
	h.regions = make([]trustRegion, h.rules.regions)
	for k := range h.regions {
		h.regions[k] = trustRegion{length: initialLength, best: -1}
	}
	h.scale = limitScales(in, h.rules.design)
	failed := 0
	for i := range in.Data.Len() + 1 {
		for ; failed < len(in.Data.FailedAfter) && in.Data.FailedAfter[failed] <= i; failed++ {
			h.add(-1, in.Data.Failed.RawRowView(failed))
		}
		if i < in.Data.Len() {
			h.add(i, in.Data.X.RawRowView(i))
		}
	}
	return h
}

// limitScales returns the standard deviation of every limited quantity over the first results.
func limitScales(in optimizers.Input, design int) []float64 {
	scales := make([]float64, len(in.Limits))
	for k := range scales {
		n := float64(min(design, in.Data.Len()))
		mean := 0.0
		square := 0.0
		for i := range int(n) {
			v := in.Data.Limits.At(i, k)
			mean, square = mean+v/n, square+v*v/n
		}
		scales[k] = math.Sqrt(max(square-mean*mean, 0))
		if !(scales[k] > 0) {
			scales[k] = 1
		}
	}
	return scales
}

// add gives a trust region result i, or a failed evaluation if i is −1, at a point.
func (h *regionHistory) add(i int, x []float64) {
	r := h.owner(x)
	inDesign := !r.designed(h.rules)
	r.evaluated++
	if i >= 0 {
		r.results = append(r.results, i)
	}
	if inDesign || !h.counts(r, x) {
		h.updateBest(r, i)
		return
	}
	r.batch = append(r.batch, i)
	if len(r.batch) == h.rules.batch {
		h.change(r)
	}
}

// owner returns the trust region that an evaluation belongs to.
func (h *regionHistory) owner(x []float64) *trustRegion {
	near, least := &h.regions[0], math.Inf(1)
	for k := range h.regions {
		r := &h.regions[k]
		if !r.designed(h.rules) {
			return r
		}
		if r.best < 0 {
			continue
		}
		distance := 0.0
		for j, v := range h.in.Data.X.RawRowView(r.best) {
			distance = max(distance, math.Abs(v-x[j])/r.length)
		}
		if distance < least {
			near, least = r, distance
		}
	}
	return near
}

// counts reports whether an evaluation can be of the trust region, so that it is a success or a failure. Results that
// were imported or that the user chose need not be. The sides of a trust region are multiples of its length whose
// geometric mean is 1, so the geometric mean of the distances between two of its points is at most the length.
func (h *regionHistory) counts(r *trustRegion, x []float64) bool {
	if r.best < 0 {
		return true
	}
	sum, n := 0.0, 0.0
	for j, v := range h.in.Data.X.RawRowView(r.best) {
		if h.in.Domain.Choice(j) {
			continue
		}
		sum += math.Log(max(math.Abs(v-x[j])-h.in.Domain.LevelGap(j), 0))
		n++
	}
	return n == 0 || sum/n <= math.Log(r.length)
}

// change changes a trust region after a batch: three successes in a row double its length, as many failures in a row as
// the tolerance halve it, and a length below the least one restarts it without results.
func (h *regionHistory) change(r *trustRegion) {
	before := r.best
	success := false
	for _, i := range r.batch {
		success = success || i >= 0 && (before < 0 || h.improves(i, before))
		h.updateBest(r, i)
	}
	r.batch = nil
	if success {
		r.successes, r.failures = r.successes+1, 0
	} else {
		r.successes, r.failures = 0, r.failures+1
	}
	switch {
	case r.successes == successTolerance:
		r.length, r.successes = min(2*r.length, maxLength), 0
	case r.failures == h.rules.failureTolerance:
		r.length, r.failures = r.length/2, 0
	}
	if r.length < minLength {
		*r = trustRegion{length: initialLength, restarts: r.restarts + 1, best: -1}
	}
}

// updateBest makes result i the best one of a trust region if it is better.
func (h *regionHistory) updateBest(r *trustRegion, i int) {
	if i >= 0 && (r.best < 0 || h.better(i, r.best)) {
		r.best = i
	}
}

// better reports whether result i is better than another: the smaller total excess over the limits, then the smaller
// value (Eriksson & Poloczek 2021, §4.1).
func (h *regionHistory) better(i, than int) bool {
	a, b := h.excess(i), h.excess(than)
	return a < b || a == b && h.in.Data.Y.At(i, 0) < h.in.Data.Y.At(than, 0)
}

// improves reports whether result i is better than another by enough to be a success.
func (h *regionHistory) improves(i, than int) bool {
	a, b := h.excess(i), h.excess(than)
	if b > 0 {
		return a < b*(1-minGain)
	}
	best := h.in.Data.Y.At(than, 0)
	return a == 0 && h.in.Data.Y.At(i, 0) < best-minGain*math.Abs(best)
}

// excess is the total excess of a result over the limits, each relative to the standard deviation of the quantity.
func (h *regionHistory) excess(i int) (sum float64) {
	for k, l := range h.in.Limits {
		if v := l.Excess(h.in.Data.Limits.At(i, k)); v > 0 {
			sum += v / h.scale[k]
		}
	}
	return sum
}

// sideWeights returns the sides of a trust region of length 1: the lengthscales of the inputs, divided by their
// geometric mean (Eriksson et al. 2019, §3); 1 for inputs without a lengthscale.
func sideWeights(lengths []float64, dim int) []float64 {
	weights := make([]float64, dim)
	sum, n := 0.0, 0.0
	for j := range weights {
		weights[j] = 1
		if lengths != nil && lengths[j] > 0 {
			sum, n = sum+math.Log(lengths[j]), n+1
		}
	}
	for j := range weights {
		if lengths != nil && lengths[j] > 0 {
			weights[j] = lengths[j] / math.Exp(sum/n)
		}
	}
	return weights
}

// selected is a model of limits whose observations are some of all.
type selected struct {
	optimizers.Feasibility
	met []bool
}

func (s selected) FeasibleData() []bool { return s.met }

// inputFor is the input of the model of a trust region: with its own results alone.
func (r *trustRegion) inputFor(in optimizers.Input) optimizers.Input {
	if len(r.results) == in.Data.Len() {
		return in
	}
	input := in
	input.Data, input.Clipped = in.Data.Select(r.results), nil
	if in.Feasible != nil {
		all := in.Feasible.FeasibleData()
		met := make([]bool, len(r.results))
		for k, i := range r.results {
			met[k] = all[i]
		}
		input.Feasible = selected{in.Feasible, met}
	}
	return input
}

// center returns the center of a trust region, given the process of its results: its best result or, if results are
// noisy, that with the least mean; of those within the limits or, if there are none, that with the least excess. Without
// results it is the middle of the cube.
func (h *regionHistory) center(ctx context.Context, r *trustRegion, p *Process) ([]float64, error) {
	if r.best < 0 {
		return slices.Repeat([]float64{0.5}, h.in.Dim), nil
	}
	values, err := p.ValuesAtData(ctx, p.GP.MaxNoise())
	if err != nil {
		return nil, err
	}
	best, least := -1, math.Inf(1)
	for k, v := range values {
		if feasible := p.In.Feasible == nil || p.In.Feasible.FeasibleData()[k]; feasible && v < least {
			best, least = r.results[k], v
		}
	}
	if best < 0 {
		best = r.best
	}
	return slices.Clone(h.in.Data.X.RawRowView(best)), nil
}
