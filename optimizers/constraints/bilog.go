package constraints

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/optimizers"
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
	at := b.anchor(v)
	if math.IsInf(b.width, 1) || math.IsNaN(at) {
		return v
	}
	return at + math.Copysign(b.width*math.Log1p(math.Abs(v-at)/b.width), v-at)
}

// slope returns the derivative of apply.
func (b bilog) slope(v float64) float64 {
	at := b.anchor(v)
	if math.IsInf(b.width, 1) || math.IsNaN(at) {
		return 1
	}
	return 1 / (1 + math.Abs(v-at)/b.width)
}

// minBilogGain is the gain of the log likelihood, in nats, from which on values are transformed.
const minBilogGain = 3

// fitBilog chooses the width by maximum likelihood: the power of ten for which the transformed values are closest to a
// normal sample, by the profile likelihood of Box & Cox 1964, eq. 8.
func fitBilog(l optimizers.Limit, values []float64) bilog {
	best := bilog{l.Min, l.Max, math.Inf(1)}
	least, most := math.Inf(1), 0.0
	for _, v := range values {
		if at := best.anchor(v); !math.IsNaN(at) && v != at {
			least, most = min(least, math.Abs(v-at)), max(most, math.Abs(v-at))
		}
	}
	if len(values) < 3 || most == 0 {
		return best
	}
	top := best.logLikelihood(values) + minBilogGain
	for k := math.Floor(math.Log10(least)); k <= math.Ceil(math.Log10(most)); k++ {
		b := bilog{l.Min, l.Max, math.Pow(10, k)}
		if v := b.logLikelihood(values); v > top {
			best, top = b, v
		}
	}
	return best
}

// logLikelihood returns the profile log likelihood of values whose images are a normal sample, up to a constant.
func (b bilog) logLikelihood(values []float64) float64 {
	images, sum := make([]float64, len(values)), 0.0
	for i, v := range values {
		images[i] = b.apply(v)
		sum += math.Log(b.slope(v))
	}
	sd := stat.PopStdDev(images, nil)
	if !(sd > 0) {
		return math.Inf(-1)
	}
	return sum - float64(len(values))*math.Log(sd)
}

// onBilog returns a limit on the only output of data, and the data, on the scale of a bilog that fits them. The standard
// errors follow by the delta method, also those that the limit declares for all observations.
func onBilog(l optimizers.Limit, data optimizers.Data) (optimizers.Limit, optimizers.Data) {
	values := data.Column(0)
	b := fitBilog(l, values)
	if math.IsInf(b.width, 1) {
		return l, data
	}
	n := len(values)
	y, se := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i, v := range values {
		y.Set(i, 0, b.apply(v))
		sd := math.NaN()
		if l.Noise > 0 {
			sd = l.Noise
		}
		if data.SE != nil && !math.IsNaN(data.SE.At(i, 0)) {
			sd = data.SE.At(i, 0)
		}
		se.Set(i, 0, sd*b.slope(v))
	}
	if data.SE != nil || l.Noise > 0 {
		data.SE = se
	}
	data.Y = y
	return l, data
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
		Choices: []string{scaleBilog, scaleLinear}, LegacyDefault: scaleLinear,
		Help: "How limited quantities are modeled: on a scale that is logarithmic on both sides of the limit, if " +
			"that makes the results more normal, or as they are.",
		Source: "Eriksson & Poloczek 2021, §3 (bilog); the width by Box & Cox 1964"}
}

// usesBilog reports whether limited quantities are modeled on a bilog scale.
func usesBilog(p param.Set) bool { return p.Has(ScaleKey) && p.Choice(ScaleKey) == scaleBilog }
