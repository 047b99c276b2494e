package gaussian

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"bandscope/functions/numfmt"
	"bandscope/functions/rng"
	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
)

// Theory returns the spectrum of the fitted kernel; with inducing points, at the sample of the results to which
// hyperparameters are fitted. σ² is the variance of the fitted noise plus the jitter on the
// diagonal. With one variable, the theory includes the evidence as a function of the lengthscale, except for sums and
// products of kernels, which have several.
func (b *Process) Theory(ctx context.Context) (optimizers.Theory, error) {
	if b.In.Data.Len() == 0 {
		return optimizers.Theory{}, acquisition.ErrNoData
	}
	noise2 := b.GP.Noise()*b.GP.Noise() + b.GP.Jitter()
	y := b.In.Data.Column(b.Objective)
	f := newPrefix(b.In, b.Objective, gpOptions(b.In), len(y))
	name := "fitted kernel"
	if f.all != nil {
		name += fmt.Sprintf(" at %d of %s", len(f.y), numfmt.Count(len(y), "result"))
	}
	t, err := acquisition.NewTheory(name, b.GP.Mixture.Gram(f.x), noise2,
		"σ = "+b.In.Deviation(b.Objective, math.Sqrt(noise2)*b.Scale.SD, numfmt.Format))
	_, ofForm := b.GP.Mode().Kernel().(kernel.Stationary)
	if err != nil || !ofForm || len(b.In.Domain.Columns(b.In.Dim)) > 1 || b.In.Data.Len() < 2 {
		return t, err
	}
	t.Evidence, err = b.evidence(ctx, f)
	return t, err
}

// fittedLabel is the parameter value of hyperparameters that are fitted.
const fittedLabel = "fitted"

// integratedLabel is the parameter value of hyperparameters that are integrated over.
const integratedLabel = "integrated"

// fixedLengthscale parses the lengthscale parameter; it returns 0 if the lengthscales are fitted.
func fixedLengthscale(text string) float64 {
	v, _ := strconv.ParseFloat(text, 64) // validLength accepts the text
	return v
}

// validLength returns an error for an invalid value of the lengthscale parameter.
func validLength(text string) error {
	if v, err := strconv.ParseFloat(text, 64); text == fittedLabel || err == nil && v >= 0.01 && v <= 10 {
		return nil
	}
	return fmt.Errorf("must be %s or a number in [0.01, 10], got %q", fittedLabel, text)
}

// evidencePoints is the number of lengthscales at which the evidence is computed, from 0.01 to 10 times the range of
// the variable.
const evidencePoints = 49

// evidence returns the log marginal likelihood as a function of the lengthscale of the only variable, in the unit of
// the variable. The other hyperparameters are fitted for each lengthscale (Rasmussen & Williams 2006, §5.4.1, fig.
// 5.3).
func (b *Process) evidence(ctx context.Context, f prefix) (*optimizers.Evidence, error) {
	lengths, _, err := b.GP.Describe()
	if err != nil {
		return nil, err
	}
	unit := 1.0
	if b.In.Widths != nil {
		unit = b.In.Widths[0]
	}
	e := &optimizers.Evidence{Name: "ℓ", At: make([]float64, evidencePoints), Log: make([]float64, evidencePoints),
		Current: lengths[0] * unit}
	opt := f.opt
	opt.Starts, opt.WarmStarts = 1, []*gp.GP{b.GP.Mode()}
	err = parallel.Try(evidencePoints, func(i int) error {
		held := opt
		held.Length = math.Pow(10, -2+3*float64(i)/(evidencePoints-1))
		g, err := gp.Fit(ctx, f.x, f.y, 1, held, rng.New(b.In.Seed, f.n, "evidence", uint64(i)))
		if err != nil {
			return err
		}
		e.At[i], e.Log[i] = held.Length*unit, g.LogMarginalLikelihood()
		return nil
	})
	e.Best = e.At[slices.Index(e.Log, slices.Max(e.Log))]
	return e, err
}
