package multiobjective

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/param"
)

// drawScaleKey is the parameter by which the deviations of draws from the posterior mean are multiplied.
const drawScaleKey = "draw_scale"

// narrowScale is the scale of draws over levels.
const narrowScale = 0.25

func drawScaleParam() param.Decl {
	return param.Decl{Key: drawScaleKey, Label: "scale of the samples", Kind: param.Number,
		Default: 0.0, Min: 0, Max: 1,
		Help:   "How far the posterior samples of several objectives deviate from the posterior mean: 1 is Thompson sampling as published, 0 is 0.25 if a variable has levels, and 1 otherwise. Among many levels, some place without results is best in almost every sample, so that a search with few evaluations is hardly better than random.",
		Source: "posterior reshaping, Chapelle & Li 2011; 1 as Paria 2022 (thesis), Alg. 2.1"}
}

// drawScale returns the factor of the deviations; 1 for one objective, where the method is Thompson sampling.
func drawScale(in optimizers.Input) float64 {
	scale := in.Params.Number(drawScaleKey)
	switch {
	case in.Objectives == 1:
		return 1
	case scale > 0:
		return scale
	case in.Domain.HasLevels():
		return narrowScale
	}
	return 1
}

// draw is a function drawn from a posterior, of which the deviation from the mean is multiplied by scale.
type draw struct {
	path  gaussian.Path
	mean  gaussian.EncodedGP
	scale float64
}

// values returns the function at the rows of X.
func (d draw) values(ctx context.Context, X *mat.Dense) ([]float64, error) {
	values, err := gaussian.PathValues(ctx, d.path, X)
	if err != nil || d.scale == 1 {
		return values, err
	}
	for i, mean := range d.mean.Means(X) {
		values[i] = mean + d.scale*(values[i]-mean)
	}
	return values, nil
}

// gradient returns the function at x, and writes its gradient to grad.
func (d draw) gradient(x, grad []float64) float64 {
	v := d.path.Gradient(x, grad)
	if d.scale == 1 {
		return v
	}
	slope, bySD := make([]float64, len(x)), make([]float64, len(x))
	mean, _ := d.mean.Gradient(x, slope, bySD)
	for j := range grad {
		grad[j] = slope[j] + d.scale*(grad[j]-slope[j])
	}
	return mean + d.scale*(v-mean)
}
