package inspection

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/parallel"
	"bandscope/optimizers"
)

// Fit is how a method makes its belief; see optimizers.Spec.
type Fit func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error)

// errTooFew is the error if no observation is left to predict from.
var errTooFew = fmt.Errorf("leave-one-out predictions need 2 results: %w", optimizers.ErrUnsupported)

// LeaveOneOut returns the exact leave-one-out predictions of a belief, with the hyperparameters of all observations and
// without a new fit; the error wraps ErrUnsupported if the belief has none.
func LeaveOneOut(ctx context.Context, in optimizers.Input, b optimizers.Belief) ([]Predictions, error) {
	source, ok := b.(optimizers.LeaveOneOuter)
	if !ok {
		return nil, fmt.Errorf("leave-one-out predictions: %w", optimizers.ErrUnsupported)
	}
	if in.Data.Len() < 2 {
		return nil, errTooFew
	}
	residuals, err := source.LeaveOneOut(ctx)
	if err != nil {
		return nil, err
	}
	return FromResiduals(residuals, in.Data), nil
}

// LeaveOneOutRefit returns the leave-one-out predictions of a method that is refitted without each observation:
// hyperparameters, networks and all, with the random numbers of the whole. The predictions include the noise of an
// observation: its standard error if known, or the noise of the belief. If a band is estimated from M samples, the
// predictions are Student's t with M−1 degrees of freedom, or more if part of the noise is known. in.Progress reports
// how many are done.
func LeaveOneOutRefit(ctx context.Context, in optimizers.Input, fit Fit) ([]Predictions, error) {
	n := in.Data.Len()
	if n < 2 {
		return nil, errTooFew
	}
	report := progressReport(&in, "training without each result", n)
	bands := make([]pointPrediction, n)
	err := parallel.TryCounting(n, report, func(i int) (err error) {
		if err := ctx.Err(); err != nil {
			return err
		}
		bands[i], err = predict(ctx, leaveOut(in, i), fit, in.Data.X.RawRowView(i))
		if err != nil && !errors.Is(err, optimizers.ErrUnsupported) {
			return fmt.Errorf("without result %d: %w", i+1, err)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	all := make([]Predictions, in.Objectives)
	for k := range all {
		known := in.Errors(k)
		mean := make([]float64, n)
		sd := make([]float64, n)
		freedom := make([]float64, n)
		for i, p := range bands {
			noise := p.noise[k]
			if known != nil && !math.IsNaN(known[i]) {
				noise = known[i]
			}
			mean[i], sd[i], freedom[i] = p.observation(k, noise)
		}
		all[k] = newPredictions(in.Data.Column(k), mean, sd, freedom)
	}
	return all, nil
}

// pointPrediction is the prediction at one point.
type pointPrediction struct {
	bands []optimizers.Band
	noise []float64
	draws int
}

// predict fits a method and returns its band at a point of the unit cube.
func predict(ctx context.Context, in optimizers.Input, fit Fit, x []float64) (pointPrediction, error) {
	b, err := fit(ctx, in)
	if err != nil {
		return pointPrediction{}, err
	}
	p := pointPrediction{noise: make([]float64, in.Objectives), draws: b.Legend().Draws}
	if report, ok := b.(optimizers.FitReport); ok {
		p.noise = report.NoiseSD()
	}
	p.bands, err = b.Predict(ctx, mat.NewDense(1, in.Dim, x))
	return p, err
}

// observation is the distribution of an observation with noise: its mean, its scale and its degrees of freedom. A
// normal distribution whose moments come from M samples becomes Student's t with the scale s √(1 + 1/M); with known
// noise added, the degrees of freedom are those of Welch and Satterthwaite.
func (p pointPrediction) observation(objective int, noise float64) (mean, sd, freedom float64) {
	mean, sd = p.bands[objective].Mean[0], p.bands[objective].SD[0]
	if p.draws < 2 {
		return mean, math.Hypot(sd, noise), infiniteFreedom
	}
	m := float64(p.draws)
	spread := sd * math.Sqrt(1+1/m)
	sd = math.Hypot(spread, noise)
	if spread == 0 {
		return mean, sd, infiniteFreedom
	}
	return mean, sd, (m - 1) * math.Pow(sd/spread, 4)
}

// leaveOut is an input without one of its observations, and without pending points and limits, which only matter for
// the choice of the next point.
func leaveOut(in optimizers.Input, i int) optimizers.Input {
	in.Data, in.Fits = in.Data.Without(i), nil
	in.Data.Limits, in.Data.LimitSE = nil, nil
	in.Pending = nil
	in.Limits = nil
	in.Feasible = nil
	in.LearnFailures = false
	return in
}
