package constraints

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/classifier"
	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/normdist"
	"bandscope/optimizers/search"
)

// MinFailures is the number of failures from which on they are modeled: fewer may be accidents, and say little about
// the region.
const MinFailures = 3

// failureModel models where an evaluation succeeds, by a classifier with a latent process.
type failureModel struct {
	in     optimizers.Input
	of     gaussian.EncodedGP
	mean   float64
	failed int
}

// fitFailures fits the failures of an input; nil if there are too few, or if they are not to be modeled.
func fitFailures(ctx context.Context, in optimizers.Input) (*failureModel, error) {
	if !in.LearnFailures || in.Data.Failed == nil {
		return nil, nil
	}
	failed, _ := in.Data.Failed.Dims()
	if failed < MinFailures {
		return nil, nil
	}
	succeeded := make([]bool, in.Data.Len()+failed)
	for i := range in.Data.Len() {
		succeeded[i] = true
	}
	l, err := classifier.Fit(ctx, in.Domain.Encode(search.Stack(in.Data.X, in.Data.Failed)), succeeded)
	if err != nil {
		return nil, fmt.Errorf("modeling the failures: %w", err)
	}
	return &failureModel{in, gaussian.NewEncodedGP(l.GP, in.Domain), l.Mean, failed}, nil
}

func (f *failureModel) probability(ctx context.Context, X *mat.Dense) ([]float64, error) {
	mean, sd, err := f.of.Predict(ctx, X)
	for i := range mean {
		mean[i] = normdist.LogCDF((f.mean + mean[i]) / math.Sqrt(1+sd[i]*sd[i]))
	}
	return mean, err
}

func (f *failureModel) approximate(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return f.probability(ctx, X)
}

func (f *failureModel) slope(x, grad []float64) float64 {
	dsd := make([]float64, len(grad))
	mean, sd := f.of.Gradient(x, grad, dsd)
	root := math.Sqrt(1 + sd*sd)
	t := (f.mean + mean) / root
	v := normdist.LogCDF(t)
	hazard := math.Exp(-t*t/2 - normdist.LogSqrt2Pi - v)
	for j := range grad {
		grad[j] = hazard * (grad[j]/root - t*sd*dsd[j]/(root*root))
	}
	return v
}

func (f *failureModel) approximateSlope(x, grad []float64) float64 { return f.slope(x, grad) }

// sampleExcess is a sample of the latent process, which fails where it is below 0.
func (f *failureModel) sampleExcess(numbers []uint64) (optimizers.Excess, error) {
	path, err := f.of.Path(gaussian.PathFeatures, f.in.Stream("failures", numbers...))
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, X *mat.Dense) ([]float64, error) {
		v, err := gaussian.PathValues(ctx, path, X)
		for i := range v {
			v[i] = -f.mean - v[i]
		}
		return v, err
	}, nil
}

// optimisticExcess requires that success is as likely as failure, however many deviations are allowed for measured
// quantities. An outcome carries one bit, and a latent process stays so uncertain that a search with the bounds of its
// band would return to a place until everything had failed.
func (f *failureModel) optimisticExcess(ctx context.Context, X *mat.Dense, _ float64) ([]float64, error) {
	mean, _, err := f.of.Predict(ctx, X)
	for i := range mean {
		mean[i] = -f.mean - mean[i]
	}
	return mean, err
}

// feasibleData are all data, because failed evaluations are not part of them.
func (f *failureModel) feasibleData(context.Context) ([]bool, error) { return nil, nil }

// fact gives the number of failures.
func (f *failureModel) fact() optimizers.Fact {
	return optimizers.Fact{Name: "failures",
		Value: fmt.Sprintf("%d of %d, modeled", f.failed, f.failed+f.in.Data.Len())}
}
