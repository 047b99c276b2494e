package inspection

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/optimizers"
)

// Predictions compares n predicted values of one objective with the observed ones.
type Predictions struct {
	Y        []float64 // the values
	Mean, SD []float64 // of the predictions, including the noise of an observation if one is predicted
	// (y − mean)/SD as a quantile of the standard normal distribution: standard normal if the predictions are
	// calibrated
	Z          []float64
	LogDensity []float64 // log predictive density of each value
}

// infiniteFreedom is the number of degrees of freedom of a prediction that is known exactly, and not estimated from a
// few samples.
const infiniteFreedom = 0

// newPredictions compares values with normal distributions, or with Student's t distributions if the predictions were
// estimated from a few samples.
func newPredictions(y, mean, sd, freedom []float64) Predictions {
	h := Predictions{Y: y, Mean: mean, SD: sd, Z: make([]float64, len(y)), LogDensity: make([]float64, len(y))}
	for i, v := range y {
		z := (v - mean[i]) / sd[i]
		switch {
		case sd[i] == 0 && v == mean[i]:
			z = 0
		case sd[i] == 0:
			z = math.Copysign(math.Inf(1), v-mean[i])
		}
		if math.IsInf(z, 0) {
			h.Z[i], h.LogDensity[i] = z, math.Inf(-1)
			continue
		}
		if freedom == nil || freedom[i] == infiniteFreedom {
			h.Z[i], h.LogDensity[i] = z, -z*z/2-math.Log(sd[i])-math.Log(2*math.Pi)/2
			continue
		}
		t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom[i]}
		tail := max(t.CDF(-math.Abs(z)), math.SmallestNonzeroFloat64)
		h.Z[i], h.LogDensity[i] = math.Copysign(distuv.UnitNormal.Quantile(tail), z), t.LogProb(z)-math.Log(sd[i])
	}
	return h
}

// FromResiduals are the predictions of exact leave-one-out residuals, one for each objective.
func FromResiduals(residuals []optimizers.Residuals, data optimizers.Data) []Predictions {
	all := make([]Predictions, len(residuals))
	for k, r := range residuals {
		all[k] = compare(data.Column(k), optimizers.Band{Mean: r.Mean, SD: r.SD, Warped: r.Warped}, nil)
	}
	return all
}

// compare is newPredictions for a band, on the scale on which it is normal.
func compare(y []float64, band optimizers.Band, freedom []float64) Predictions {
	w := band.Warped
	if w == nil {
		return newPredictions(y, band.Mean, band.SD, freedom)
	}
	images, logSlopes := make([]float64, len(y)), make([]float64, len(y))
	for i, v := range y {
		images[i], logSlopes[i] = w.Warp.Apply(v), math.Log(w.Warp.Slope(v))
	}
	h := newPredictions(images, w.Mean, w.SD, freedom).Transform(logSlopes)
	h.Y, h.Mean, h.SD = y, band.Mean, band.SD
	return h
}

// Transform converts the predictions to other values, of which the current ones are a function. logSlopes are the
// logarithms of its slopes, by which the log densities increase.
func (h Predictions) Transform(logSlopes []float64) Predictions {
	density := make([]float64, len(h.LogDensity))
	for i, v := range h.LogDensity {
		density[i] = v + logSlopes[i]
	}
	h.LogDensity = density
	return h
}

// PIT is the probability integral transform of the values, the predicted probability of a smaller value: uniform in [0,
// 1] if the predictions are calibrated (Dawid 1984).
func (h Predictions) PIT() []float64 {
	p := make([]float64, len(h.Z))
	for i, z := range h.Z {
		p[i] = distuv.UnitNormal.CDF(z)
	}
	return p
}

// Histogram counts the probability integral transform in bins of equal width. A NaN is in no bin.
func (h Predictions) Histogram(bins int) []int {
	counts := make([]int, bins)
	for _, p := range h.PIT() {
		if !math.IsNaN(p) {
			counts[min(int(p*float64(bins)), bins-1)]++
		}
	}
	return counts
}

// LogScore is the logarithmic score, the sum of the log predictive densities; higher is better.
func (h Predictions) LogScore() float64 {
	sum := 0.0
	for _, v := range h.LogDensity {
		sum += v
	}
	return sum
}

// RMSZ is the root mean square of the standardized residuals; 1 is expected.
func (h Predictions) RMSZ() float64 {
	sum := 0.0
	for _, z := range h.Z {
		sum += z * z
	}
	return math.Sqrt(sum / float64(len(h.Z)))
}

// Levels are the nominal probabilities of the bands whose coverage is reported.
var Levels = []float64{0.5, 0.8, 0.95}

// Coverage is the number of values inside a central band.
type Coverage struct {
	Nominal       float64 // nominal probability of a value to be inside
	Inside, Total int
	// interval of the probability that is consistent with the count, at 95 % (Clopper & Pearson 1934); NaN if the
	// values are not a sample
	Low, High float64
}

// Share is the share inside.
func (c Coverage) Share() float64 { return float64(c.Inside) / float64(c.Total) }

// CoverageShares is Coverage of values that are not a sample: without intervals.
func (h Predictions) CoverageShares() []Coverage {
	all := h.Coverage()
	for l := range all {
		all[l].Low, all[l].High = math.NaN(), math.NaN()
	}
	return all
}

// Coverage is the coverage of the bands of Levels. Leave-one-out values are not independent, so an interval that takes
// them as independent is an approximation.
func (h Predictions) Coverage() []Coverage {
	all := make([]Coverage, len(Levels))
	for l, level := range Levels {
		wide := distuv.UnitNormal.Quantile((1 + level) / 2)
		c := Coverage{Nominal: level, Total: len(h.Z)}
		for _, z := range h.Z {
			if math.Abs(z) <= wide {
				c.Inside++
			}
		}
		c.Low, c.High = ClopperPearson(c.Inside, c.Total)
		all[l] = c
	}
	return all
}

// ClopperPearson is the exact 95 % interval of the probability of an event that happened in k of n trials.
func ClopperPearson(k, n int) (low, high float64) {
	const half = 0.025
	low, high = 0, 1
	if k > 0 {
		low = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(half)
	}
	if k < n {
		high = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(1 - half)
	}
	return low, high
}

// Alarm describes a band that is not calibrated.
type Alarm struct {
	Wide    bool    // it is too wide; otherwise too narrow
	Nominal float64 // nominal probability of the band
	Count   int     // number of values outside, or inside if the band is too wide
	Total   int
}

// String describes the alarm in one clause.
func (a Alarm) String() string {
	if a.Wide {
		return fmt.Sprintf("the band is too wide: %d of %d results inside %.0f %%", a.Count, a.Total, 100*a.Nominal)
	}
	return fmt.Sprintf("the band is too narrow: %d of %d results outside %.0f %%", a.Count, a.Total, 100*a.Nominal)
}

// MinAlarmData is the number of values that an alarm needs at least.
const MinAlarmData = 8

// Conditions of an alarm: at least MinAlarmData values, and a count that is so extreme with a probability below the
// given one if the band is right and the residuals are independent. They are not quite independent, so the probability
// is below the target of one false alarm in a hundred models with fitted hyperparameters; TestAlarmIsSilent measures
// that.
const (
	maxNarrowChance = 0.0025
	maxWideChance   = 0.0005
)

// Alarm reports whether the band is too narrow or too wide for these values: more of them lie outside the 95 % band
// than chance explains, or more inside the 50 % band.
func (h Predictions) Alarm() (Alarm, bool) {
	c := h.Coverage()
	narrow, wide := c[len(c)-1], c[0]
	if narrow.Total < MinAlarmData {
		return Alarm{}, false
	}
	if out := narrow.Total - narrow.Inside; tailProbability(out, narrow.Total, 1-narrow.Nominal) < maxNarrowChance {
		return Alarm{Nominal: narrow.Nominal, Count: out, Total: narrow.Total}, true
	}
	if tailProbability(wide.Inside, wide.Total, wide.Nominal) < maxWideChance {
		return Alarm{Wide: true, Nominal: wide.Nominal, Count: wide.Inside, Total: wide.Total}, true
	}
	return Alarm{}, false
}

// tailProbability is the probability of k or more successes in n trials.
func tailProbability(k, n int, p float64) float64 {
	if k <= 0 {
		return 1
	}
	return 1 - distuv.Binomial{N: float64(n), P: p}.CDF(float64(k-1))
}
