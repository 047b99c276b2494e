package optimizers

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/gp"
)

// gpTS is Thompson sampling: it minimizes one function drawn from the posterior.
var gpTS = Spec{
	Name: "gp-ts", Title: "GP-TS", Family: "Gaussian process",
	Summary: "Gaussian process with Thompson sampling: the minimum of one posterior draw",
	Source:  "Thompson 1933; paths after Wilson et al. 2020",
	Params:  gpParams(),
	Fit: func(ctx context.Context, in Input) (Belief, error) {
		g, scale, err := fitGP(ctx, in, 0)
		if err != nil {
			return nil, err
		}
		path, err := g.Path(pathFeatures, in.Stream("thompson"))
		if err != nil {
			return nil, err
		}
		return &tsBelief{gpBelief: gpBelief{in: in, gp: g, scale: scale}, path: path}, nil
	},
}

type tsBelief struct {
	gpBelief
	path *gp.Path
}

func (b *tsBelief) Legend() Legend {
	l := b.legend()
	l.Used = "the draw that chooses"
	l.Acquisition, l.Lower = "the posterior draw, lower is better", true
	return l
}

// Used is the draw that the suggestion minimizes.
func (b *tsBelief) Used(ctx context.Context, X *mat.Dense) ([][]float64, error) {
	v, err := b.Acquisition(ctx, X)
	return [][]float64{v}, err
}

// Acquisition is the draw, in the objective's units.
func (b *tsBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	v, err := b.values(ctx, X)
	for i := range v {
		v[i] = b.scale.Value(-v[i])
	}
	return v, err
}

// values is the negated draw, standardized.
func (b *tsBelief) values(ctx context.Context, X *mat.Dense) ([]float64, error) {
	n, _ := X.Dims()
	v := make([]float64, n)
	for i := range v {
		if i%batchRows == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v[i] = -b.path.At(X.RawRowView(i))
	}
	return v, nil
}

func (b *tsBelief) Suggest(ctx context.Context) (Suggestion, error) {
	return b.suggest(ctx, Target{
		Values: b.values,
		Gradient: func(x, grad []float64) float64 {
			v := b.path.Gradient(x, grad)
			for j := range grad {
				grad[j] = -grad[j]
			}
			return -v
		},
	}, func(v float64) float64 { return b.scale.Value(-v) })
}
