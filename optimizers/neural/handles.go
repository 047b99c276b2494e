package neural

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/numfmt"
	"bandscope/model/widenet"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
)

// The keys of the parameters that handles set.
const (
	gammaKey     = "gamma"
	autoGammaKey = "auto_gamma"
	sigma2Key    = "sigma2"
)

// Handles are the handles of γ, whose value in use is given, and of the noise of targets that are standardized by sd; of
// methods that declare them.
func Handles(p param.Set, gamma, sd float64) (list []optimizers.Handle) {
	if d, err := p.Decl(gammaKey); err == nil {
		list = append(list, gammaHandle(p, d, gamma))
	}
	if d, err := p.Decl(sigma2Key); err == nil {
		list = append(list, optimizers.Handle{Name: "noise sd", Symbol: "σ", Kind: optimizers.HandleNoise,
			Value: math.Sqrt(p.Number(d.Key)) * sd, Min: 1e-6 * sd, Max: math.Sqrt(d.Max) * sd,
			Set: func(_ param.Set, v float64) []optimizers.Setting {
				return []optimizers.Setting{{Key: d.Key, Text: d.Format(numfmt.Round(v / sd * v / sd))}}
			}})
	}
	return list
}

// gammaHandle is the handle of the scale of initial weights.
func gammaHandle(p param.Set, d param.Decl, value float64) optimizers.Handle {
	fix := func(_ param.Set, v float64) []optimizers.Setting {
		return []optimizers.Setting{{Key: d.Key, Text: d.Format(numfmt.Round(v))}}
	}
	h := optimizers.Handle{Name: "γ", Symbol: "γ", Value: value, Min: d.Min, Max: d.Max, Set: fix}
	switch {
	case p.Has(autoGammaKey):
		auto := func(text string) optimizers.Setting { return optimizers.Setting{Key: autoGammaKey, Text: text} }
		h.Fitted = p.Switch(autoGammaKey)
		h.Set = func(p param.Set, v float64) []optimizers.Setting { return append(fix(p, v), auto("off")) }
		h.Fit = func(param.Set) []optimizers.Setting { return []optimizers.Setting{auto("on")} }
	case d.Zero:
		h.Fitted = p.Number(d.Key) == 0
		h.Fit = func(p param.Set) []optimizers.Setting { return fix(p, 0) }
	}
	return h
}

// LawCovariances are the covariances of a distribution before and after its data, of the value at x with those at the
// rows of X, both encoded for networks; sd is that of the targets.
func LawCovariances(ctx context.Context, l *widenet.Model, x []float64, X *mat.Dense, sd float64) (prior,
	posterior []float64, err error) {
	prior, err = l.Prior().CovariancesAt(ctx, x, X)
	if err != nil {
		return nil, nil, err
	}
	posterior, err = l.CovariancesAt(ctx, x, X)
	if err != nil {
		return nil, nil, err
	}
	for i := range prior {
		prior[i], posterior[i] = sd*sd*prior[i], sd*sd*posterior[i]
	}
	return prior, posterior, nil
}

// Handles are γ and the noise.
func (b *trainedBelief) Handles() []optimizers.Handle {
	return Handles(b.in.Params, b.arch.SigmaW, b.scale.SD)
}

// Covariances are those of the distribution of the band at infinite width; an ensemble has none.
func (b *trainedBelief) Covariances(ctx context.Context, x []float64, X *mat.Dense) (prior, posterior []float64,
	err error) {
	l, err := b.law(ctx)
	if err == nil && l == nil {
		err = fmt.Errorf("the covariance of an ensemble: %w", optimizers.ErrUnsupported)
	}
	if err != nil {
		return nil, nil, err
	}
	return LawCovariances(ctx, l, b.in.CenteredRow(x), b.in.Centered(X), b.scale.SD)
}
