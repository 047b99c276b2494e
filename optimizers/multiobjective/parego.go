package multiobjective

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/weights"
)

// ParEGO maximizes the expected improvement of a single process, which models a random scalarization.
var ParEGO = optimizers.Register(optimizers.Spec{
	Name: "parego", Title: "ParEGO", Family: "several objectives", Rank: 3, Multi: true,
	Pending: optimizers.PendingFantasies, Errors: optimizers.ErrorsByWeights, Limits: optimizers.LimitsByProbability,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "expected improvement of a random augmented Tchebyshev scalarization, modeled by one Gaussian process",
	Source:  "Knowles 2006; as the baseline of Paria 2022 (thesis), ch. 2",
	Params:  gaussian.Params(), ScoringParams: weights.ScoringParams(), Fit: fitParEGO, Check: weights.Check,
})

// parEGOBelief holds the expected improvement of one process of a scalarization, and the processes of the objectives.
type parEGOBelief struct {
	*belief
	improvement acquisition.ScoredBelief
}

var _ optimizers.WarmStarter = (*parEGOBelief)(nil)

// fitParEGO fits a process to the scalarized data: the augmented Tchebyshev distance from the best outcomes, with
// weights that are uniform on the simplex.
func fitParEGO(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
	m, err := fitProcesses(ctx, in)
	if err != nil {
		return nil, err
	}
	rng := in.Stream("weights")
	m.weighting.Weights = make([]float64, in.Objectives)
	sum := 0.0
	for k := range m.weighting.Weights {
		m.weighting.Weights[k] = rng.ExpFloat64()
		sum += m.weighting.Weights[k]
	}
	for k := range m.weighting.Weights {
		m.weighting.Weights[k] /= sum
	}
	scalar := in
	scalar.Objectives = 1
	scalar.Data.Y, scalar.Data.SE, scalar.Noise = m.scalarized()
	scalar.Expected, scalar.Transforms = nil, nil
	g, err := gaussian.FitFromScratch(ctx, scalar, 0)
	if err != nil {
		return nil, err
	}
	best, err := g.Incumbent(ctx, g.GP.MaxNoise())
	if err != nil {
		return nil, err
	}
	scored, err := acquisition.NewScoredBelief(ctx, g, g.ExpectedImprovement(best))
	return &parEGOBelief{m, scored}, err
}

// scalarized returns the data scalarized with the weights, n×1, to be minimized; nil without data. It returns standard
// errors if those of every objective are known, nil otherwise. They are those of the linearized scalarization: the
// error of the objective with the greatest loss enters the maximum and the sum, the errors of the others enter only the
// sum. If two losses are nearly equal, the objective with the greater one counts.
func (m *belief) scalarized() (y, se *mat.Dense, noise []float64) {
	n := m.in.Data.Len()
	if n == 0 {
		return nil, nil, nil
	}
	errors := make([][]float64, len(m.processes))
	known := true
	for k := range m.processes {
		errors[k] = m.in.Errors(k)
		known = known && errors[k] != nil
	}
	y, se = mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		worst := math.Inf(-1)
		most := 0
		total := 0.0
		for k, p := range m.processes {
			lost := m.weighting.Weights[k] * (1 - m.outcome(k, (m.in.Data.Y.At(i, k)-p.Scale.Mean)/p.Scale.SD))
			if lost > worst {
				worst, most = lost, k
			}
			total += lost
		}
		y.Set(i, 0, worst+weights.Augmentation*total)
		variance := 0.0
		for k, p := range m.processes {
			slope := weights.Augmentation
			if k == most {
				slope++
			}
			if known {
				e := slope * m.weighting.Weights[k] * (m.outcome(k, 0) - m.outcome(k, errors[k][i]/p.Scale.SD))
				variance += e * e
			}
		}
		se.Set(i, 0, math.Sqrt(variance))
	}
	if !known {
		return y, nil, nil
	}
	return y, se, nil
}

func (b *parEGOBelief) Legend() optimizers.Legend {
	l := b.belief.Legend()
	l.Acquisition, l.NonNegative = "expected improvement of the scalarization, higher is better", true
	return l
}

// WarmStart returns the belief itself, whose weights do not come from the prior.
func (b *parEGOBelief) WarmStart(in optimizers.Input) (optimizers.Belief, bool) {
	return b, equalExcept(b.in, in, scoringKeys)
}

// Acquisition returns the expected improvement of the scalarization.
func (b *parEGOBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return b.improvement.Acquisition(ctx, X)
}

// Suggest maximizes the expected improvement of the scalarization. The suggestion has the prediction of the first
// objective, not that of the scalarization.
func (b *parEGOBelief) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	s, err := b.improvement.Suggest(ctx)
	if err != nil {
		return s, err
	}
	bands, err := b.Predict(ctx, s.X)
	if err != nil {
		return s, err
	}
	s.Mean = bands[0].Mean
	s.SD = bands[0].SD
	s.Weights = b.belief.weighting.Weights
	return s, nil
}
