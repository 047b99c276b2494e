package gaussian

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/transform"
	"bandscope/optimizers"
)

// minBilogGain is the gain of the log evidence, in nats, from which on values are transformed.
const minBilogGain = 3

// maxBilogLoss is the loss of the log evidence, in nats, at which the search for the width ends.
const maxBilogLoss = 10

// FindBilog returns the bilog with given bounds on which the values of the only objective have the greatest log
// evidence, as in a warped Gaussian process (Snelson, Rasmussen & Ghahramani 2004, eq. 5): the log evidence of the images
// and the logarithm of the slopes. Its gain over the evidence of the values is in nats; the identity has the gain 0.
// Widths are powers of ten, so that the scale rarely changes from one result to the next.
func FindBilog(ctx context.Context, low, high float64, in optimizers.Input) (best transform.Bilog, gain float64) {
	values := in.Data.Column(0)
	best = transform.Bilog{Low: low, High: high, Width: math.Inf(1)}
	least, most := math.Inf(1), 0.0
	for _, v := range values {
		if position := best.Anchor(v); !math.IsNaN(position) && v != position {
			least, most = min(least, math.Abs(v-position)), max(most, math.Abs(v-position))
		}
	}
	if len(values) < 3 || most == 0 {
		return best, 0
	}
	plain := CoarseEvidence(ctx, in)
	top := plain + minBilogGain
	for k := math.Ceil(math.Log10(most)); k >= math.Floor(math.Log10(least)); k-- {
		b := transform.Bilog{Low: low, High: high, Width: math.Pow(10, k)}
		v := CoarseEvidence(ctx, OnBilog(b, in))
		for _, y := range values {
			v += math.Log(b.Slope(y))
		}
		if v > top {
			best, top, gain = b, v, v-plain
		}
		if v < top-maxBilogLoss {
			break // narrower scales are worse still
		}
	}
	return best, gain
}

// OnBilog returns an input with the values of the only objective on the scale. The standard errors follow by the delta
// method, also the noise that the objective declares for all observations.
func OnBilog(b transform.Bilog, in optimizers.Input) optimizers.Input {
	if math.IsInf(b.Width, 1) {
		return in
	}
	values, errors := in.Data.Column(0), in.Errors(0)
	n := len(values)
	y, se := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i, v := range values {
		y.Set(i, 0, b.Apply(v))
		if errors != nil {
			se.Set(i, 0, errors[i]*b.Slope(v))
		}
	}
	if errors != nil {
		in.Data.SE = se
	}
	in.Data.Y = y
	return in
}

// maxWarpResults is the number of results from which a scale is found, at most.
const maxWarpResults = 200

// fitWarped is Fit of the only objective, on the scale that findWarp returns.
func fitWarped(ctx context.Context, in optimizers.Input) (*Process, error) {
	if in.Warp = findWarp(ctx, in); in.Warp != nil {
		in = OnBilog(in.Warp.Bilog, in)
	}
	return Fit(ctx, in, 0)
}

// findWarp returns the scale of the results that the parameters ask for, around the best result; nil for the results
// themselves. It changes only where the hyperparameters are searched for, so that later fits can build on earlier ones.
// Blocks and a fixed scale of the prior are those of the results themselves.
func findWarp(ctx context.Context, in optimizers.Input) *optimizers.Warp {
	n := in.Data.Len()
	if !in.Warps() || in.Data.Blocks != nil || in.FixedScale || n < 3 {
		return nil
	}
	if n > refitEveryBelow {
		n = min(maxWarpResults, scheduleFor(in.Data.Imports, n).search(n))
	}
	in.Data = in.Data.Select(firstRows(n))
	b, gain := FindBilog(ctx, mat.Min(in.Data.Y), math.Inf(1), in)
	if gain == 0 {
		return nil
	}
	return &optimizers.Warp{Bilog: b, Gain: gain}
}

// firstRows returns the numbers of the first n rows.
func firstRows(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
