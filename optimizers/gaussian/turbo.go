package gaussian

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/numfmt"
	"bandscope/functions/rng"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// TuRBO searches in trust regions, each with a process of its own, by Thompson sampling.
var TuRBO = optimizers.Register(optimizers.Spec{
	Name: "turbo", Title: "TuRBO", Family: "Gaussian process", Rank: 4,
	Pending: optimizers.PendingDraws, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByDraws,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "Thompson sampling in a trust region, for many variables or many evaluations",
	Source:  "Eriksson, Pearce, Gardner, Turner & Poloczek 2019 (TuRBO-m); limits after Eriksson & Poloczek 2021 (SCBO), without its transformations",
	Params:  turboParams(),
	Fit:     func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) { return fitRegions(ctx, in) },
})

// Keys of the parameters of trust regions.
const (
	regionsKey    = "regions"
	updateKey     = "update_every"
	candidatesKey = "candidate_count"
)

// turboParams are the parameters of trust regions and of their processes.
func turboParams() []param.Decl {
	values := []param.Decl{
		{Key: regionsKey, Label: "trust regions m", Kind: param.Integer, Default: 1, Min: 1, Max: 20,
			Help:   "Number of trust regions. Each has its own results, model and initial design. The next point is in the one whose sample is lowest.",
			Source: "Eriksson et al. 2019, §3 (TuRBO-1)"},
		{Key: updateKey, Label: "batch size q", Kind: param.Integer, Default: 1, Min: 1, Max: 1000, Log: true,
			Help:   "Number of results after which the trust region changes. Set it to the number of points that you evaluate at once.",
			Source: "Eriksson et al. 2019, suppl. A: max(4, d)/q batches without a success halve the region"},
		{Key: candidatesKey, Label: "candidates", Kind: param.Integer, Default: 0, Min: 0, Max: 20000,
			Help:   "Number of points of the trust region at which a sample is drawn. 0 means 100 per variable, at most 5000.",
			Source: "Eriksson et al. 2019, suppl. A: min(100d, 5000)"}}
	return append(values, param.WithDefaults(Params(), "Eriksson et al. 2019, suppl. A (maximum likelihood)",
		map[string]any{hyperparametersKey: fittedLabel})...)
}

// maxClimbedDim is the number of variables up to which the minimum of a sample in the trust region is found by climbs.
// With more variables it is the best of the candidates, as published.
const maxClimbedDim = 2

// regionsBelief is the belief of the trust region of the next point.
type regionsBelief struct {
	acquisition.SampledBelief
	in      optimizers.Input // with all results
	history *regionHistory
	places  []regionPlace // of the trust regions that are compared; the first is the one of the next point

	once search.SuggestionCache
}

// regionPlace is where a trust region is, with a function drawn from its process.
type regionPlace struct {
	number    int // from 0
	region    *trustRegion
	belief    acquisition.SampledBelief
	center    []float64
	low, high []float64
}

// fitRegions returns the belief of the trust region of the next point: one whose initial design is not complete or, if
// there is none, the one whose sample has the lowest minimum.
func fitRegions(ctx context.Context, in optimizers.Input) (*regionsBelief, error) {
	b := &regionsBelief{in: in, history: followRegions(in)}
	incomplete := slices.IndexFunc(b.history.regions, func(r trustRegion) bool { return !r.designed(b.history.rules) })
	for k := range b.history.regions {
		if incomplete >= 0 && k != incomplete {
			continue
		}
		place, err := b.place(ctx, k, &b.history.regions[k])
		if err != nil {
			return nil, err
		}
		b.places = append(b.places, place)
	}
	if len(b.places) > 1 {
		if err := b.chooseRegion(ctx); err != nil {
			return nil, err
		}
	}
	b.SampledBelief = b.places[0].belief
	return b, nil
}

// place fits the process of a trust region, draws a function from it, and finds the box.
func (b *regionsBelief) place(ctx context.Context, k int, r *trustRegion) (regionPlace, error) {
	p, err := Fit(ctx, r.inputFor(b.in), 0)
	if err != nil {
		return regionPlace{}, err
	}
	path, err := p.GP.Path(PathFeatures, b.in.Stream("thompson", uint64(k)))
	if err != nil {
		return regionPlace{}, err
	}
	place := regionPlace{number: k, region: r, belief: acquisition.NewSampledBelief(p, acquisition.Draw{
		Gradient: path.Gradient,
		Values:   func(ctx context.Context, X *mat.Dense) ([]float64, error) { return PathValues(ctx, path, X) },
	}, "posterior sample")}
	place.center, err = b.history.center(ctx, r, p)
	if err != nil {
		return regionPlace{}, err
	}
	var lengths []float64
	if all := p.Lengthscales(); all != nil {
		lengths = all[0]
	}
	half := sideWeights(lengths, b.in.Dim)
	for j := range half {
		half[j] *= r.length / 2
	}
	place.low, place.high = search.NewSpace(b.in).BoxAround(place.center, half)
	return place, nil
}

// chooseRegion moves the trust region whose sample has the lowest minimum, in the units of the objective, to the front.
func (b *regionsBelief) chooseRegion(ctx context.Context) error {
	best := 0
	leastExcess := math.Inf(1)
	least := math.Inf(1)
	for i := range b.places {
		s, excess, err := b.places[i].suggest(ctx, b.in)
		if err != nil {
			return err
		}
		if v := s.Acquisition[0]; excess < leastExcess || excess == leastExcess && v < least {
			best = i
			leastExcess = excess
			least = v
		}
	}
	b.places[0], b.places[best] = b.places[best], b.places[0]
	return nil
}

// suggest returns the minimum of the sample in the trust region, and its excess over sampled limits.
func (p regionPlace) suggest(ctx context.Context, in optimizers.Input) (s optimizers.Suggestion, excess float64,
	err error) {
	whole := search.NewSpace(in).AllowNearPending()
	target, err := search.WithLimits(in, p.belief.Target())
	if err != nil {
		return s, 0, err
	}
	shown := func(v float64) float64 { return p.belief.Scale.Value(-v) }
	if in.Dim > maxClimbedDim || in.Domain.Constrained() {
		x, v, excess, err := p.bestCandidate(ctx, in, whole, target)
		if err != nil {
			return s, 0, err
		}
		if x != nil {
			inputs := mat.NewDense(1, in.Dim, x)
			bands, err := p.belief.Predict(ctx, inputs)
			if err != nil {
				return s, 0, err
			}
			return optimizers.Suggestion{X: inputs, Mean: bands[0].Mean, SD: bands[0].SD, Acquisition: []float64{shown(v)},
				Note: search.RepeatNote(in.Data, x)}, excess, nil
		}
	} else {
		s, err = p.minimum(ctx, in, whole.Within(p.low, p.high))
		if err == nil || ctx.Err() != nil {
			if s.Note == search.StopNote {
				s.Note = "nothing better is expected in the trust region"
			}
			return s, 0, err
		}
	}
	s, err = p.minimum(ctx, in, whole)
	s.Note = "outside the trust region, in which no point is left"
	return s, 0, err
}

// minimum returns the minimum of the sample in a space, found by climbs.
func (p regionPlace) minimum(ctx context.Context, in optimizers.Input, space search.Space) (optimizers.Suggestion, error) {
	return search.SuggestMaximum(ctx, in, space, p.belief.Target(),
		func(v float64) float64 { return p.belief.Scale.Value(-v) }, mat.NewDense(1, in.Dim, p.center), p.belief.Predict)
}

// bestCandidate returns the best candidate of the trust region; nil if there is none.
func (p regionPlace) bestCandidate(ctx context.Context, in optimizers.Input, whole search.Space,
	target search.Target) (x []float64, value, excess float64, err error) {
	n := in.Params.Int(candidatesKey)
	if n == 0 {
		n = min(candidatesPerInput*in.Dim, maxCandidates)
	}
	space := whole.Within(p.low, p.high)
	candidates, err := space.Perturbed(ctx, p.center, n, in.Stream("trust region", uint64(p.number)))
	if err != nil {
		return nil, 0, 0, err
	}
	return search.Best(ctx, in, space, target, candidates)
}

// The number of candidates (Eriksson et al. 2019, suppl. A).
const (
	candidatesPerInput = 100
	maxCandidates      = 5000
)

// Suggest returns the next point of the design of the trust region, if that is not complete, or the minimum of the
// sample in it.
func (b *regionsBelief) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	return b.once.Suggest(ctx, func() (optimizers.Suggestion, error) {
		if b.inDesign() {
			return b.designPoint(ctx, b.places[0])
		}
		s, _, err := b.places[0].suggest(ctx, b.in)
		return s, err
	})
}

// inDesign reports whether the next point belongs to the initial design of a trust region that began during the search.
// The initial design of the first one is that of the session.
func (b *regionsBelief) inDesign() bool {
	p := b.places[0]
	return !p.region.designed(b.history.rules) && (p.number > 0 || p.region.restarts > 0)
}

// searches reports whether the next point is searched for in the trust region, and belongs to no initial design.
func (b *regionsBelief) searches() bool { return !search.InDesign(b.in) && !b.inDesign() }

// designPoint returns the next point of the initial design of a trust region that began during the search: one of a
// Latin hypercube in the order of evaluated and pending points, or a random point if all of them are evaluated or pending.
func (b *regionsBelief) designPoint(ctx context.Context, p regionPlace) (optimizers.Suggestion, error) {
	n, row := b.history.rules.design, p.region.evaluated
	if b.in.Pending != nil {
		pending, _ := b.in.Pending.Dims()
		row += pending
	}
	x, err := search.DesignPoint(ctx, b.in, row, n,
		rng.New(b.in.Seed, p.region.restarts, "design of a trust region", uint64(p.number)))
	if err != nil {
		return optimizers.Suggestion{}, err
	}
	note := fmt.Sprintf("point %d of the initial design of trust region %d", row+1, p.number+1)
	if p.region.restarts > 0 {
		note = fmt.Sprintf("the trust region restarts: point %d of its initial design", row+1)
	}
	inputs := mat.NewDense(1, b.in.Dim, x)
	values, err := b.Acquisition(ctx, inputs)
	if err != nil {
		return optimizers.Suggestion{}, err
	}
	return optimizers.Suggestion{X: inputs, Acquisition: values, Note: note}, nil
}

// Legend adds the state of the trust region.
func (b *regionsBelief) Legend() optimizers.Legend {
	l := b.SampledBelief.Legend()
	r, rules := b.places[0].region, b.history.rules
	facts := []optimizers.Fact{{Name: "trust region length", Value: numfmt.Format(r.length)}}
	if !r.designed(rules) {
		facts = append(facts, optimizers.Fact{Name: "region design", Value: fmt.Sprintf("%d of %d", r.evaluated, rules.design)})
	} else {
		facts = append(facts,
			optimizers.Fact{Name: "successes", Value: fmt.Sprintf("%d of %d", r.successes, successTolerance)},
			optimizers.Fact{Name: "failures in a row", Value: fmt.Sprintf("%d of %d", r.failures, rules.failureTolerance)})
	}
	if r.restarts > 0 {
		facts = append(facts, optimizers.Fact{Name: "region restarts", Value: fmt.Sprint(r.restarts)})
	}
	l.Facts = append(facts, l.Facts...)
	return l
}

// Feasible reports which rows of X lie in the trust region, where sampled limits are met.
func (b *regionsBelief) Feasible(ctx context.Context, X *mat.Dense) ([]bool, error) {
	within, err := b.SampledBelief.Feasible(ctx, X)
	if err != nil || !b.searches() {
		return within, err
	}
	n, _ := X.Dims()
	allowed := make([]bool, n)
	for i := range allowed {
		allowed[i] = within == nil || within[i]
		for j, v := range X.RawRowView(i) {
			allowed[i] = allowed[i] && v >= b.places[0].low[j] && v <= b.places[0].high[j]
		}
	}
	return allowed, nil
}

// SearchRegions returns the boxes of the trust regions.
func (b *regionsBelief) SearchRegions() []optimizers.SearchRegion {
	if !b.searches() {
		return nil
	}
	var list []optimizers.SearchRegion
	for _, p := range b.places {
		list = append(list, optimizers.SearchRegion{Name: b.regionName(p.number), Low: p.low, High: p.high,
			Text: fmt.Sprintf("It has %d of %d successes and %d of %d failures in a row, after which its sides double or halve.", p.region.successes, successTolerance, p.region.failures,
				b.history.rules.failureTolerance)})
	}
	return list
}

func (b *regionsBelief) regionName(number int) string {
	if b.history.rules.regions == 1 {
		return "trust region"
	}
	return fmt.Sprintf("trust region %d", number+1)
}

// LeaveOneOut returns the residuals if the model has all results: others have no prediction from it.
func (b *regionsBelief) LeaveOneOut(ctx context.Context) ([]optimizers.Residuals, error) {
	if len(b.places[0].region.results) != b.in.Data.Len() {
		return nil, fmt.Errorf("leave-one-out predictions of some results: %w", optimizers.ErrUnsupported)
	}
	return b.SampledBelief.LeaveOneOut(ctx)
}
