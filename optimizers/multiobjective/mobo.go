// Package multiobjective implements the methods for several objectives, with one Gaussian process per objective. They
// maximize a scalarization with weights drawn at every step (MOBO-RS, ParEGO), the improvement of the Pareto front
// (EHVI, SMS-EGO, MOEA/D-EGO), or the information about it (PESMO). Package gaussian has the processes, package weights
// the weights, and package functions/pareto the fronts of known points.
package multiobjective

import (
	"context"
	"math"
	"slices"
	"strings"

	"golang.org/x/sync/semaphore"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/numfmt"
	"bandscope/model/parallel"
	"bandscope/model/preference"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/search"
	"bandscope/optimizers/weights"
)

// MOBOUCB and MOBOTS draw weights from the prior at every step, and optimize the scalarization of the confidence
// bounds, or of posterior samples, of the objectives.
var (
	MOBOUCB = optimizers.Register(optimizers.Spec{
		Name: "mobo-rs-ucb", Title: "MOBO-RS, UCB", Family: "several objectives", Rank: 1, Multi: true,
		Pending: optimizers.PendingBand, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByBounds,
		Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
		Summary: "random scalarizations of the objectives' confidence bounds, with weights from a prior that you choose",
		Source:  "Paria 2022 (thesis), Alg. 2.1, table 2.1",
		Params:  append(append(weights.Params(), acquisition.BetaParams()...), gaussian.Params()...),
		Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
			return fitMOBO(ctx, in, false)
		},
		Check: weights.Check,
	})
	MOBOTS = optimizers.Register(optimizers.Spec{
		Name: "mobo-rs-ts", Title: "MOBO-RS, Thompson sampling", Family: "several objectives", Rank: 2, Multi: true,
		Pending: optimizers.PendingDraws, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByDraws,
		Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
		Summary: "random scalarizations of one posterior sample per objective, with weights from a prior that you choose",
		Source:  "Paria 2022 (thesis), Alg. 2.1, table 2.1",
		Params:  append(append(weights.Params(), drawScaleParam()), gaussian.Params()...),
		Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
			return fitMOBO(ctx, in, true)
		},
		Check: weights.Check,
	})
)

// belief holds one Gaussian process per objective, and the scalarization of this step.
type belief struct {
	in        optimizers.Input
	processes []*gaussian.Process
	// the processes, which take their own means at the pending points as observations
	withPending []gaussian.EncodedGP
	draws       []draw                   // of Thompson sampling; nil otherwise
	root        float64                  // √β
	weighting   preference.Scalarization // of this step
	// of every objective, standardized by its process: the value with outcome 1, and its distance to the value with
	// outcome 0
	lo, span []float64
	fronts   *fronts // cached fronts of the processes

	once search.SuggestionCache
}

var (
	_ optimizers.Belief        = (*belief)(nil)
	_ optimizers.WarmStarter   = (*belief)(nil)
	_ optimizers.Scalarizer    = (*belief)(nil)
	_ optimizers.ParetoSolver  = (*belief)(nil)
	_ optimizers.LeaveOneOuter = (*belief)(nil)
	_ optimizers.FitReport     = (*belief)(nil)
	_ optimizers.Decomposer    = (*belief)(nil)
)

func fitMOBO(ctx context.Context, in optimizers.Input, sample bool) (optimizers.Belief, error) {
	b, err := fitProcesses(ctx, in)
	if err != nil {
		return nil, err
	}
	return b, b.drawScalarization(in, sample)
}

// drawScalarization draws the scalarization of this step and, with sample, the functions that it combines.
func (b *belief) drawScalarization(in optimizers.Input, sample bool) error {
	b.in = in
	b.weighting = weights.DrawScalarizations(in, 1, in.Stream("weights"))[0]
	if !sample {
		b.root = math.Sqrt(acquisition.Beta(in))
		return nil
	}
	for k, part := range b.processes {
		var indices []uint64
		if k > 0 {
			indices = []uint64{uint64(k)}
		}
		path, err := part.GP.Path(gaussian.PathFeatures, in.Stream("thompson", indices...))
		if err != nil {
			return err
		}
		b.draws = append(b.draws, draw{path: path, mean: part.GP, scale: drawScale(in)})
	}
	return nil
}

// fitProcesses fits one Gaussian process per objective, and fixes the range of the outcomes.
func fitProcesses(ctx context.Context, in optimizers.Input) (*belief, error) {
	b := &belief{in: in, fronts: &fronts{semaphore: semaphore.NewWeighted(1)}}
	lo, hi := weights.ObjectiveRange(in)
	in.Report("fitting the objectives", 0, in.Objectives)
	b.processes, b.withPending = make([]*gaussian.Process, in.Objectives), make([]gaussian.EncodedGP, in.Objectives)
	if err := parallel.Try(in.Objectives, func(k int) error {
		part, err := gaussian.Fit(ctx, in, k)
		if err != nil {
			return err
		}
		b.processes[k] = part
		b.withPending[k], err = part.GP.Believe(ctx, in.Pending)
		return err
	}); err != nil {
		return nil, err
	}
	for k, part := range b.processes {
		if in.Objectives == 1 { // there are no weights: the method is that of one objective
			b.lo, b.span = []float64{0}, []float64{1}
		} else {
			b.lo = append(b.lo, (lo[k]-part.Scale.Mean)/part.Scale.SD)
			b.span = append(b.span, (hi[k]-lo[k])/part.Scale.SD)
		}
	}
	return b, nil
}

// Feasibility returns the model of the limits.
func (b *belief) Feasibility() optimizers.Feasibility { return b.in.Feasible }

// Feasible reports for each row of X whether the limits allow the next point there.
func (b *belief) Feasible(ctx context.Context, X *mat.Dense) ([]bool, error) {
	return search.FeasibleRows(ctx, b.in, X)
}

// Weights returns the weights λ of this step.
func (b *belief) Weights() []float64 { return b.weighting.Weights }

func (b *belief) Legend() optimizers.Legend {
	l := b.processes[0].Describe()
	l.Acquisition = b.weighting.Kind + " scalarization, higher is better"
	parts := make([]string, len(b.weighting.Weights))
	for k, w := range b.weighting.Weights {
		parts[k] = numfmt.Format(w)
	}
	l.Facts = slices.Concat([]optimizers.Fact{{Name: optimizers.FactWeights, Value: strings.Join(parts, " ")}},
		b.in.DataFacts(), l.Facts)
	if b.draws != nil {
		l.Used = "Thompson sample"
	}
	return l
}

// Predict returns the band of every objective.
func (b *belief) Predict(ctx context.Context, X *mat.Dense) ([]optimizers.Band, error) {
	var bands []optimizers.Band
	for k := range b.processes {
		band, err := b.PredictObjective(ctx, X, k)
		if err != nil {
			return nil, err
		}
		bands = append(bands, band)
	}
	return bands, nil
}

// PredictObjective returns the band of an objective.
func (b *belief) PredictObjective(ctx context.Context, X *mat.Dense, objective int) (optimizers.Band, error) {
	bands, err := b.processes[objective].Predict(ctx, X)
	if err != nil {
		return optimizers.Band{}, err
	}
	return bands[0], nil
}

// Samples returns draws of every objective.
func (b *belief) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	var all []*mat.Dense
	for k, p := range b.processes {
		s, err := p.Samples(ctx, X, count, draw+uint64(k)<<32)
		if err != nil {
			return nil, err
		}
		all = append(all, s[0])
	}
	return all, nil
}

// LeaveOneOut returns the residuals of every objective.
func (b *belief) LeaveOneOut(ctx context.Context) ([]optimizers.Residuals, error) {
	var all []optimizers.Residuals
	for _, p := range b.processes {
		r, err := p.LeaveOneOut(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, r[0])
	}
	return all, nil
}

// BlockEffects returns the shifts of the blocks for every objective.
func (b *belief) BlockEffects(ctx context.Context) (all []optimizers.BlockEffects, err error) {
	for _, p := range b.processes {
		blockEffects, err := p.BlockEffects(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, blockEffects...)
	}
	return all, nil
}

// NoiseSD returns the standard deviation of the noise of every objective.
func (b *belief) NoiseSD() []float64 { return collect(b, (*gaussian.Process).NoiseSD) }

// LogEvidence returns the log evidence of every objective.
func (b *belief) LogEvidence(ctx context.Context) (all []float64, err error) {
	for _, p := range b.processes {
		logEvidence, err := p.LogEvidence(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, logEvidence...)
	}
	return all, nil
}

// Lengthscales returns the lengthscales of every objective.
func (b *belief) Lengthscales() [][]float64 { return collect(b, (*gaussian.Process).Lengthscales) }

// collect concatenates the results of tell for all processes.
func collect[T any](b *belief, tell func(*gaussian.Process) []T) (all []T) {
	for _, p := range b.processes {
		all = append(all, tell(p)...)
	}
	return all
}

// Used returns the drawn function of every objective.
func (b *belief) Used(ctx context.Context, X *mat.Dense) ([][]float64, error) {
	if b.draws == nil {
		return nil, optimizers.ErrUnsupported
	}
	all := make([][]float64, len(b.draws))
	for k, d := range b.draws {
		values, err := d.values(ctx, X)
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			values[i] = b.processes[k].Scale.Value(v)
		}
		all[k] = values
	}
	return all, nil
}

// value returns the scalarization at one point of the cube, with its gradient: u_k = (lo_k + span_k − f_k)/span_k,
// where f_k is the bound or the draw.
func (b *belief) value(x, grad []float64) float64 {
	d := len(x)
	u, slopes := make([]float64, len(b.processes)), make([][]float64, len(b.processes))
	dmean, dsd := make([]float64, d), make([]float64, d)
	for k := range b.processes {
		slopes[k] = make([]float64, d)
		var f float64
		if b.draws != nil {
			f = b.draws[k].gradient(x, slopes[k])
		} else {
			mean, sd := b.withPending[k].Gradient(x, dmean, dsd)
			f = mean - b.root*sd
			for j := range slopes[k] {
				slopes[k][j] = dmean[j] - b.root*dsd[j]
			}
		}
		u[k] = b.outcome(k, f)
	}
	v, worst := weights.Scalarize(b.weighting, u)
	clear(grad)
	for k, s := range slopes {
		factor := 0.0
		if worst < 0 || worst == k {
			factor = b.weighting.Weights[k]
		}
		if b.weighting.Kind == weights.Augmented {
			factor += weights.Augmentation * b.weighting.Weights[k]
		}
		for j := range grad {
			grad[j] -= factor * s[j] / b.span[k]
		}
	}
	return v
}

// outcome maps a standardized value of an objective to [0, 1] over the fixed range, 1 being best.
func (b *belief) outcome(k int, f float64) float64 {
	if b.in.Objectives == 1 {
		return -f
	}
	return 1 - (f-b.lo[k])/b.span[k]
}

// outcomes returns the outcomes of the bounds or the draws at the rows of X, n×K, for the scalarization.
func (b *belief) outcomes(ctx context.Context, X *mat.Dense) (*mat.Dense, error) {
	n, _ := X.Dims()
	u := mat.NewDense(n, len(b.processes), nil)
	err := parallel.Try(len(b.processes), func(k int) error {
		var f, sd []float64
		var err error
		if b.draws != nil {
			f, err = b.draws[k].values(ctx, X)
		} else {
			f, sd, err = b.withPending[k].Predict(ctx, X)
		}
		if err != nil {
			return err
		}
		for i, v := range f {
			if sd != nil {
				v -= b.root * sd[i]
			}
			u.Set(i, k, b.outcome(k, v))
		}
		return nil
	})
	return u, err
}

// values returns the scalarization at the rows of X.
func (b *belief) values(ctx context.Context, X *mat.Dense) ([]float64, error) {
	u, err := b.outcomes(ctx, X)
	if err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	out := make([]float64, n)
	for i := range out {
		out[i], _ = weights.Scalarize(b.weighting, u.RawRowView(i))
	}
	return out, nil
}

// Acquisition returns the scalarization of this step.
func (b *belief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return b.values(ctx, X)
}

// Suggest maximizes the scalarization.
func (b *belief) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	return b.once.Suggest(ctx, func() (optimizers.Suggestion, error) {
		s, err := b.search(ctx, search.Target{Values: b.values, Gradient: b.value}, func(v float64) float64 {
			return v
		})
		if b.in.Objectives > 1 {
			s.Weights = b.weighting.Weights
		}
		return s, err
	})
}

// search maximizes a target, starting from a sample of the space and from the data where the target is greatest.
func (b *belief) search(ctx context.Context, t search.Target, shown func(float64) float64) (optimizers.Suggestion,
	error) {
	starts, err := b.starts(ctx, t)
	if err != nil {
		return optimizers.Suggestion{}, err
	}
	return search.SuggestMaximum(ctx, b.in, search.NewSpace(b.in).AllowNearPending(), t, shown, starts, b.Predict)
}

// starts returns the few observed points where a target is greatest, as rows; with one objective, those with the best
// results.
func (b *belief) starts(ctx context.Context, t search.Target) (*mat.Dense, error) {
	if b.in.Objectives == 1 || b.in.Data.Len() == 0 {
		return search.Incumbents(b.in.Data, 3), nil
	}
	values, err := t.Values(ctx, b.in.Data.X)
	if err != nil {
		return nil, err
	}
	order := mat.NewDense(len(values), 1, values)
	order.Scale(-1, order)
	return search.Incumbents(optimizers.Data{X: b.in.Data.X, Y: order}, 3), nil
}
