package several

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/weights"
)

// ParEGO maximizes the expected improvement of one process of a random scalarization.
var ParEGO = optimizers.Spec{
	Name: "parego", Title: "ParEGO", Family: "several objectives", Multi: true,
	Pending: optimizers.ByJoint, Errors: optimizers.ErrorsInModels, Limits: optimizers.ByProbability,
	Summary: "expected improvement of a random augmented Tchebyshev scalarization, modelled by one Gaussian process",
	Source:  "Knowles 2006; as the baseline of Paria 2022 (thesis), ch. 2",
	Params:  gaussian.Params(), Judge: weights.JudgeParams(), Fit: fitParEGO, Check: weights.Check,
}

// parEGOBelief is the expected improvement of one process of a scalarization, beside the processes of the objectives.
type parEGOBelief struct {
	*belief
	chosen acquisition.Scored
}

var _ optimizers.Carrier = (*parEGOBelief)(nil)

// fitParEGO scalarizes the data: the augmented Tchebyshev distance from the best outcomes, weights from the flat law.
func fitParEGO(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
	m, err := fitProcesses(ctx, in)
	if err != nil {
		return nil, err
	}
	rng := in.Stream("weights")
	m.chosen.Weights = make([]float64, in.Objectives)
	sum := 0.0
	for k := range m.chosen.Weights {
		m.chosen.Weights[k] = rng.ExpFloat64()
		sum += m.chosen.Weights[k]
	}
	for k := range m.chosen.Weights {
		m.chosen.Weights[k] /= sum
	}
	one := in
	one.Objectives = 1
	one.Data.SE, one.Noise, one.Expected = nil, nil, nil // those of a maximum of several are fitted
	if n := in.Data.Len(); n > 0 {
		y := mat.NewDense(n, 1, nil)
		for i := range n {
			worst, total := math.Inf(-1), 0.0
			for k, p := range m.parts {
				lost := m.chosen.Weights[k] * (1 - m.outcome(k, (in.Data.Y.At(i, k)-p.Scale.Mean)/p.Scale.SD))
				worst, total = math.Max(worst, lost), total+lost
			}
			y.Set(i, 0, worst+weights.Augmentation*total)
		}
		one.Data.Y = y
	}
	g, err := gaussian.FitAfresh(ctx, one, 0)
	if err != nil {
		return nil, err
	}
	best, err := g.Incumbent(ctx, g.GP.MostNoise())
	return &parEGOBelief{m, acquisition.ByScore(g, g.ExpectedImprovement(best))}, err
}

func (b *parEGOBelief) Legend() optimizers.Legend {
	l := b.belief.Legend()
	l.Acquisition = "expected improvement of the scalarization, higher is better"
	return l
}

// Carry keeps the belief, whose weights do not come from the prior.
func (b *parEGOBelief) Carry(in optimizers.Input) (optimizers.Belief, bool) {
	return b, sameBut(b.in, in, judgeKeys)
}

// Acquisition is the expected improvement of the scalarization.
func (b *parEGOBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return b.chosen.Acquisition(ctx, X)
}

// Suggest maximizes it; what is expected of the first objective is told, not of the scalarization.
func (b *parEGOBelief) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	s, err := b.chosen.Suggest(ctx)
	if err != nil {
		return s, err
	}
	bands, err := b.Predict(ctx, s.X)
	if err != nil {
		return s, err
	}
	s.Mean, s.SD, s.Weights = bands[0].Mean, bands[0].SD, b.belief.chosen.Weights
	return s, nil
}
