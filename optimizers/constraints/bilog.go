package constraints

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/param"
)

// bilog maps the values of a limited quantity to a scale on which they are closer to normal, as Eriksson & Poloczek
// 2021, §3: the logarithm of the distance to the bound, on both sides of it. Here distances that are small against
// width stay as they are: bound + sign(d) width log(1 + |d|/width) with d = value − bound. With two bounds, values
// between them stay as they are, and d is the distance to the nearer one. The slope at a bound is 1, and the map is
// increasing, so that the bounds and their probabilities stay the same.
type bilog struct {
	low, high float64 // the bounds; −∞ and +∞ where there is none
	width     float64 // +∞ for the identity
}

// anchor returns the bound from which the distance of a value counts; NaN between two bounds.
func (b bilog) anchor(v float64) float64 {
	switch {
	case math.IsInf(b.low, -1):
		return b.high
	case math.IsInf(b.high, 1):
		return b.low
	case v > b.high:
		return b.high
	case v < b.low:
		return b.low
	}
	return math.NaN()
}

// apply returns the value on the scale.
func (b bilog) apply(v float64) float64 {
	position := b.anchor(v)
	if math.IsInf(b.width, 1) || math.IsNaN(position) {
		return v
	}
	return position + math.Copysign(b.width*math.Log1p(math.Abs(v-position)/b.width), v-position)
}

// slope returns the derivative of apply.
func (b bilog) slope(v float64) float64 {
	position := b.anchor(v)
	if math.IsInf(b.width, 1) || math.IsNaN(position) {
		return 1
	}
	return 1 / (1 + math.Abs(v-position)/b.width)
}

// minBilogGain is the gain of the log evidence, in nats, from which on values are transformed.
const minBilogGain = 3

// maxBilogLoss is the loss of the log evidence, in nats, at which the search for the width ends.
const maxBilogLoss = 10

// withBilog returns the limit and the input of its process on the scale of the bilog of the greatest evidence, as in a
// warped Gaussian process (Snelson, Rasmussen & Ghahramani 2004, eq. 5): the log evidence of the images and the logarithm
// of the slopes. Widths are powers of ten, so that the scale rarely changes from one result to the next.
func withBilog(ctx context.Context, l optimizers.Limit, in optimizers.Input) optimizers.Input {
	values := in.Data.Column(0)
	b := bilog{l.Min, l.Max, math.Inf(1)}
	least, most := math.Inf(1), 0.0
	for _, v := range values {
		if position := b.anchor(v); !math.IsNaN(position) && v != position {
			least, most = min(least, math.Abs(v-position)), max(most, math.Abs(v-position))
		}
	}
	if len(values) < 3 || most == 0 {
		return in
	}
	best, top := in, gaussian.CoarseEvidence(ctx, in)+minBilogGain
	for k := math.Ceil(math.Log10(most)); k >= math.Floor(math.Log10(least)); k-- {
		b.width = math.Pow(10, k)
		images := in
		images.Data = b.images(l.Noise, in.Data)
		v := gaussian.CoarseEvidence(ctx, images)
		for _, y := range values {
			v += math.Log(b.slope(y))
		}
		if v > top {
			best, top = images, v
		}
		if v < top-maxBilogLoss {
			break // narrower scales are worse still
		}
	}
	return best
}

// images returns data with the only output on the scale. The standard errors follow by the delta method, also those
// that the limit declares for all observations; 0 if it declares none.
func (b bilog) images(noise float64, data optimizers.Data) optimizers.Data {
	values := data.Column(0)
	n := len(values)
	y, se := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i, v := range values {
		y.Set(i, 0, b.apply(v))
		sd := math.NaN()
		if noise > 0 {
			sd = noise
		}
		if data.SE != nil && !math.IsNaN(data.SE.At(i, 0)) {
			sd = data.SE.At(i, 0)
		}
		se.Set(i, 0, sd*b.slope(v))
	}
	if data.SE != nil || noise > 0 {
		data.SE = se
	}
	data.Y = y
	return data
}

// ScaleKey is the key of the parameter that says on which scale limited quantities are modeled.
const ScaleKey = "limit_scale"

const (
	scaleBilog  = "bilog"
	scaleLinear = "linear"
)

// scaleParam declares the scale of limited quantities.
func scaleParam() param.Decl {
	return param.Decl{Key: ScaleKey, Label: "scale of limits", Kind: param.Choice, Default: scaleBilog,
		Choices: []string{scaleBilog, scaleLinear},
		Help:    "How limited quantities are modeled: on a scale that is logarithmic on both sides of the limit, if the results are more probable on it, or as they are.",
		Source:  "Eriksson & Poloczek 2021, §3 (bilog); the width by evidence: Snelson et al. 2004"}
}

// usesBilog reports whether limited quantities are modeled on a bilog scale.
func usesBilog(p param.Set) bool { return p.Has(ScaleKey) && p.Choice(ScaleKey) == scaleBilog }
