package optimizers

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// gpEI is expected improvement with a Gaussian process: the gold standard of the neural papers.
var gpEI = Spec{
	Name: "gp-ei", Title: "GP-EI", Family: "Gaussian process",
	Summary: "Gaussian process with expected improvement, found in the log domain",
	Source:  "Jones et al. 1998; as the baseline of Paria et al. 2022, App. F.1",
	Params:  gpParams(),
	Fit: func(ctx context.Context, in Input) (Belief, error) {
		g, scale, err := fitGP(ctx, in, 0)
		if err != nil {
			return nil, err
		}
		b := &eiBelief{gpBelief: gpBelief{in: in, gp: g, scale: scale}}
		return b, b.findIncumbent(ctx)
	},
}

type eiBelief struct {
	gpBelief
	best float64 // y*, standardized
}

// findIncumbent finds y*: the best observation, or the best posterior mean at the data once the noise is more than rounding.
// Without data it is the prior mean.
func (b *eiBelief) findIncumbent(ctx context.Context) error {
	if b.in.Data.Len() == 0 {
		return nil
	}
	values := b.scale.Apply(b.in.Data.Column(0))
	if b.gp.Noise() > 1e-3 {
		var err error
		if values, _, err = b.gp.Predict(ctx, b.in.Data.X); err != nil {
			return err
		}
	}
	b.best = slices.Min(values)
	return nil
}

func (b *eiBelief) Legend() Legend {
	l := b.legend()
	l.Acquisition = "expected improvement, higher is better"
	return l
}

// Acquisition is the expected improvement in the objective's units.
func (b *eiBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	values, err := b.logEI(ctx, X)
	for i, v := range values {
		values[i] = b.scale.SD * math.Exp(v)
	}
	return values, err
}

func (b *eiBelief) logEI(ctx context.Context, X *mat.Dense) ([]float64, error) {
	mean, sd, err := b.gp.Predict(ctx, X)
	for i := range mean {
		mean[i], _, _ = logEI(mean[i], sd[i], b.best)
	}
	return mean, err
}

func (b *eiBelief) Suggest(ctx context.Context) (Suggestion, error) {
	dmean, dsd := make([]float64, b.in.Dim), make([]float64, b.in.Dim)
	return b.suggest(ctx, Target{
		Values: b.logEI,
		Gradient: func(x, grad []float64) float64 {
			mean, sd := b.gp.Gradient(x, dmean, dsd)
			v, vm, vs := logEI(mean, sd, b.best)
			for j := range grad {
				grad[j] = vm*dmean[j] + vs*dsd[j]
			}
			return v
		},
	}, func(v float64) float64 { return b.scale.SD * math.Exp(v) })
}
