// Package constraints models limits on measured quantities: a Gaussian process for each limited quantity, with
// hyperparameters of its own, and a classifier of failures. For methods it computes the probability that all limits are
// met, in the log domain with its gradient, sampled limits, and optimistic limits. WithLimits gives a method this
// Feasibility with its input; package search helps methods to use it.
package constraints

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/normdist"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// WithLimits is a method whose inputs have a model of the limits, if there are limits. Methods that use this model get
// the parameter of its scale.
func WithLimits(s optimizers.Spec) optimizers.Spec {
	fit := s.Fit
	if s.Limits == optimizers.LimitsUnsupported || s.Limits == optimizers.LimitsIgnored {
		return s
	}
	if s.Limits != optimizers.LimitsByProgram {
		s.Params = append(slices.Clip(s.Params), scaleParam())
	}
	s.Fit = func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, err := Fit(ctx, in, s.LimitsFor(in.Params))
		if err != nil {
			return nil, err
		}
		if b != nil {
			in.Feasible = b
		}
		return fit(ctx, in)
	}
	return s
}

// limitModel is the model of one limit.
type limitModel interface {
	// probability is the logarithm of the probability that the limit is met, at the rows of X.
	probability(ctx context.Context, X *mat.Dense) ([]float64, error)
	// approximate is a cheap approximation of probability.
	approximate(ctx context.Context, X *mat.Dense) ([]float64, error)
	// slope is the same at x, with its gradient.
	slope(x, grad []float64) float64
	// approximateSlope is a cheap approximation of slope.
	approximateSlope(x, grad []float64) float64
	// sampleExcess is the excess of a sampled function.
	sampleExcess(numbers []uint64) (optimizers.Excess, error)
	// optimisticExcess is the violation by the mean moved by a number of standard deviations towards feasible values; 0
	// or less where it meets the limit.
	optimisticExcess(ctx context.Context, X *mat.Dense, deviations float64) ([]float64, error)
	// feasibleData are the observations that meet the limit; nil means all.
	feasibleData(ctx context.Context) ([]bool, error)
}

// Belief models all limits, independently of each other.
type Belief struct {
	in       optimizers.Input
	handling optimizers.LimitHandling
	models   []limitModel
	feasible []bool
	facts    []optimizers.Fact

	mu    sync.Mutex
	draws map[string]optimizers.Excess
}

var _ optimizers.Feasibility = (*Belief)(nil)

// Fit fits the models of the limits of an input. It is nil if there are no limits and no failures to model, or no data.
func Fit(ctx context.Context, in optimizers.Input, limitHandling optimizers.LimitHandling) (*Belief, error) {
	if in.Data.Len() == 0 {
		return nil, nil
	}
	learned, err := fitFailures(ctx, in)
	if err != nil || len(in.Limits) == 0 && learned == nil {
		return nil, err
	}
	in.Report("fitting the limits", 0, len(in.Limits))
	b := &Belief{in: in, handling: limitHandling, models: make([]limitModel, len(in.Limits)),
		feasible: slices.Repeat([]bool{true}, in.Data.Len()), draws: map[string]optimizers.Excess{}}
	if err := parallel.Try(len(in.Limits), func(k int) error {
		p, err := fitQuantity(ctx, in, k)
		b.models[k] = p
		return err
	}); err != nil {
		return nil, err
	}
	if learned != nil {
		b.models, b.facts = append(b.models, learned), []optimizers.Fact{learned.fact()}
	}
	for _, p := range b.models {
		met, err := p.feasibleData(ctx)
		if err != nil {
			return nil, err
		}
		for i, ok := range met {
			b.feasible[i] = b.feasible[i] && ok
		}
		if q, ok := p.(*quantityModel); ok {
			b.facts = append(b.facts, q.fact(met))
		}
	}
	return b, nil
}

// Handling is how the method handles the limits.
func (b *Belief) Handling() optimizers.LimitHandling { return b.handling }

// FeasibleData are the observations within all limits.
func (b *Belief) FeasibleData() []bool { return b.feasible }

// Facts are the facts to show.
func (b *Belief) Facts() []optimizers.Fact { return b.facts }

// LogProbability is the logarithm of the probability that all limits are met.
func (b *Belief) LogProbability(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return sum(b.each(ctx, X, limitModel.probability))
}

// ApproximateLogProbability is LogProbability by a few draws of the hyperparameters.
func (b *Belief) ApproximateLogProbability(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return sum(b.each(ctx, X, limitModel.approximate))
}

// sum adds the values of all models.
func sum(all [][]float64, err error) ([]float64, error) {
	if err != nil {
		return nil, err
	}
	for _, p := range all[1:] {
		floats.Add(all[0], p)
	}
	return all[0], nil
}

// each computes a function of each model.
func (b *Belief) each(ctx context.Context, X *mat.Dense, apply func(limitModel, context.Context, *mat.Dense) ([]float64,
	error)) ([][]float64, error) {
	all := make([][]float64, len(b.models))
	err := parallel.Try(len(b.models), func(k int) (err error) {
		all[k], err = apply(b.models[k], ctx, X)
		return err
	})
	return all, err
}

// LimitProbabilities are the probabilities that each single limit is met.
func (b *Belief) LimitProbabilities(ctx context.Context, X *mat.Dense) ([][]float64, error) {
	all, err := b.each(ctx, X, limitModel.probability)
	for _, p := range all {
		for i := range p {
			p[i] = math.Exp(p[i])
		}
	}
	return all, err
}

// LogProbabilityGradient is the logarithm of the probability at x with its gradient.
func (b *Belief) LogProbabilityGradient(x, grad []float64) float64 {
	return b.sumSlopes(x, grad, limitModel.slope)
}

// ApproximateGradient is LogProbabilityGradient by a few draws of the hyperparameters; nil on the linear scale, as
// before there was another.
func (b *Belief) ApproximateGradient() func(x, grad []float64) float64 {
	if !usesBilog(b.in.Params) {
		return nil
	}
	return func(x, grad []float64) float64 { return b.sumSlopes(x, grad, limitModel.approximateSlope) }
}

// sumSlopes adds the values and the gradients of all models.
func (b *Belief) sumSlopes(x, grad []float64, apply func(m limitModel, x, grad []float64) float64) float64 {
	clear(grad)
	v, values := 0.0, make([]float64, len(grad))
	for _, p := range b.models {
		v += apply(p, x, values)
		floats.Add(grad, values)
	}
	return v
}

// Processes are the Gaussian processes of the limited quantities, in the order of the limits and in their directions, on
// the scales of the model, on which bounds have their own values.
func (b *Belief) Processes() (all []*gaussian.Process) {
	for _, p := range b.models {
		if q, ok := p.(*quantityModel); ok {
			all = append(all, q.of)
		}
	}
	return all
}

// LogSuccess is the logarithm of the probability that evaluations at the rows of X succeed; nil if failures are not
// modeled.
func (b *Belief) LogSuccess() func(ctx context.Context, X *mat.Dense) ([]float64, error) {
	for _, p := range b.models {
		if f, ok := p.(*failureModel); ok {
			return f.probability
		}
	}
	return nil
}

// SampleExcess is the excess of sampled limits.
func (b *Belief) SampleExcess(numbers ...uint64) (optimizers.Excess, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := fmt.Sprint(numbers)
	if known := b.draws[key]; known != nil {
		return known, nil
	}
	draws := make([]optimizers.Excess, len(b.models))
	for k, p := range b.models {
		var err error
		draws[k], err = p.sampleExcess(append([]uint64{uint64(k)}, numbers...))
		if err != nil {
			return nil, err
		}
	}
	all := func(ctx context.Context, X *mat.Dense) ([]float64, error) {
		return total(X, len(draws), func(k int) ([]float64, error) { return draws[k](ctx, X) })
	}
	b.draws[key] = all
	return all, nil
}

// OptimisticExcess is the excess of the moved means.
func (b *Belief) OptimisticExcess(deviations float64) optimizers.Excess {
	return func(ctx context.Context, X *mat.Dense) ([]float64, error) {
		return total(X, len(b.models), func(k int) ([]float64, error) {
			return b.models[k].optimisticExcess(ctx, X, deviations)
		})
	}
}

// total is the sum of the violations of all limits.
func total(X *mat.Dense, parts int, apply func(k int) ([]float64, error)) ([]float64, error) {
	n, _ := X.Dims()
	sum := make([]float64, n)
	for k := range parts {
		v, err := apply(k)
		if err != nil {
			return nil, err
		}
		for i := range sum {
			sum[i] += max(v[i], 0)
		}
	}
	return sum, nil
}

// quantityModel is a Gaussian process for a limited quantity.
type quantityModel struct {
	limit     optimizers.Limit
	of        *gaussian.Process
	low, high float64 // standardized

	target search.Target // the log probability that the limit is met, averaged over the processes of a mixture
}

// fitQuantity fits the process of a limit like that of an objective: with the method's parameters if it has those of a
// process, otherwise with the defaults of those and fitted hyperparameters, which cost less than integrated ones.
func fitQuantity(ctx context.Context, in optimizers.Input, k int) (*quantityModel, error) {
	l, n := in.Limits[k], in.Data.Len()
	input := in
	input.Objectives = 1
	input.Limits = nil
	input.Noise = []float64{l.Noise}
	input.Transforms = nil
	input.Lo = nil
	input.Hi = nil
	input.Expected = nil
	input.Data.Y = mat.NewDense(n, 1, mat.Col(nil, k, in.Data.Limits))
	input.Data.SE = nil
	input.Data.Limits = nil
	input.Data.LimitSE = nil
	if se := in.Data.LimitSE; se != nil {
		input.Data.SE = mat.NewDense(n, 1, mat.Col(nil, k, se))
	}
	if !gaussian.Declares(in.Params) {
		fitted, err := param.Defaults(gaussian.Params()).WithText("hyperparameters", "fitted")
		if err != nil {
			return nil, err
		}
		input.Params = fitted
	}
	fit := func() (*gaussian.Process, error) { return gaussian.Fit(ctx, input, 0) }
	if usesBilog(in.Params) {
		scale, _ := gaussian.FindBilog(ctx, l.Min, l.Max, input)
		input = gaussian.OnBilog(scale, input)
		fit = func() (*gaussian.Process, error) { return gaussian.FitLimit(ctx, input) }
	}
	p, err := fit()
	if err != nil {
		return nil, fmt.Errorf("fitting the limit on %s: %w", l.Name, err)
	}
	q := &quantityModel{limit: l, of: p, low: (l.Min - p.Scale.Mean) / p.Scale.SD,
		high: (l.Max - p.Scale.Mean) / p.Scale.SD}
	var differentiables []acquisition.Differentiable
	for _, g := range p.GP.Components() {
		differentiables = append(differentiables, g)
	}
	q.target = acquisition.MeanLogTarget(differentiables, q.logBetween)
	return q, nil
}

// minSD avoids a NaN probability where a process is certain.
const minSD = 1e-9

// sides are the standardized distances of the bounds from a mean.
func (q *quantityModel) sides(mean, sd float64) (a, b float64) {
	sd = max(sd, minSD)
	return (q.low - mean) / sd, (q.high - mean) / sd
}

func (q *quantityModel) probability(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return q.target.Values(ctx, X)
}

func (q *quantityModel) approximate(ctx context.Context, X *mat.Dense) ([]float64, error) {
	if q.target.Approximate == nil {
		return q.target.Values(ctx, X)
	}
	return q.target.Approximate(ctx, X)
}

func (q *quantityModel) slope(x, grad []float64) float64 { return q.target.Gradient(x, grad) }

func (q *quantityModel) approximateSlope(x, grad []float64) float64 {
	if q.target.ApproximateGradient == nil {
		return q.target.Gradient(x, grad)
	}
	return q.target.ApproximateGradient(x, grad)
}

// logBetween returns the log probability that a normal value meets the limit, with its derivatives by the mean and by
// the standard deviation.
func (q *quantityModel) logBetween(mean, sd float64) (v, byMean, bySD float64) {
	a, b := q.sides(mean, sd)
	v, byA, byB := normdist.LogBetween(a, b)
	if sd > minSD {
		for _, side := range [][2]float64{{a, byA}, {b, byB}} {
			if side[1] != 0 {
				bySD -= side[0] * side[1] / sd
			}
		}
	}
	return v, -(byA + byB) / max(sd, minSD), bySD
}

// excess is the violation of the bounds by a standardized value; 0 or less within both.
func (q *quantityModel) excess(v float64) float64 { return max(v-q.high, q.low-v) }

func (q *quantityModel) sampleExcess(numbers []uint64) (optimizers.Excess, error) {
	path, err := q.of.GP.Path(gaussian.PathFeatures, q.of.In.Stream("limit", numbers...))
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, X *mat.Dense) ([]float64, error) {
		v, err := gaussian.PathValues(ctx, path, X)
		for i := range v {
			v[i] = q.excess(v[i])
		}
		return v, err
	}, nil
}

// knownSD is the standard deviation of standardized values up to which a limit counts as known. A search with
// optimistic bounds ends at the bound itself, where the quantity violates the limit as long as any uncertainty is left.
// So where the uncertainty is nearly 0, the search keeps a distance instead.
const knownSD = 1e-3

func (q *quantityModel) optimisticExcess(ctx context.Context, X *mat.Dense, deviations float64) ([]float64, error) {
	mean, sd, err := q.of.GP.Predict(ctx, X)
	for i := range mean {
		granted := deviations * (sd[i] - knownSD)
		mean[i] = max(mean[i]-granted-q.high, q.low-mean[i]-granted)
	}
	return mean, err
}

// rounding is how far beyond a bound a standardized value may be to count as on it.
const rounding = 1e-9

func (q *quantityModel) feasibleData(ctx context.Context) ([]bool, error) {
	values, err := q.of.ValuesAtData(ctx, q.of.GP.MaxNoise())
	met := make([]bool, len(values))
	for i, v := range values {
		met[i] = q.excess(v) <= rounding
	}
	return met, err
}

// fact gives the number of observations that meet the limit.
func (q *quantityModel) fact(met []bool) optimizers.Fact {
	count := 0
	for _, ok := range met {
		if ok {
			count++
		}
	}
	return optimizers.Fact{Name: q.limit.Name + " " + q.limit.Text(),
		Value: fmt.Sprintf("met by %d of %d", count, len(met))}
}
