package diagnostics

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/optimizers"
)

// Predictions is what was said of n values of one objective before they were known, held against them.
type Predictions struct {
	Y        []float64 // the values
	Mean, SD []float64 // of what was said, with the noise of an observation where one is meant
	// (y − mean)/SD as a quantile of the standard normal law: what was said is right where they are standard normal
	Z          []float64
	LogDensity []float64 // of the values, by what was said
}

// infiniteFreedom is the number of degrees of freedom of what is known exactly, rather than by a few draws.
const infiniteFreedom = 0

// newPredictions holds values against normal laws, or where they were estimated from a few draws Student's with degrees
// of freedom.
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
		if freedom == nil || freedom[i] == infiniteFreedom || math.IsInf(z, 0) {
			h.Z[i], h.LogDensity[i] = z, -z*z/2-math.Log(sd[i])-math.Log(2*math.Pi)/2
			continue
		}
		t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom[i]}
		tail := max(t.CDF(-math.Abs(z)), math.SmallestNonzeroFloat64)
		h.Z[i], h.LogDensity[i] = math.Copysign(distuv.UnitNormal.Quantile(tail), z), t.LogProb(z)-math.Log(sd[i])
	}
	return h
}

// FromResiduals are the residuals of a closed form beside the values that they are of, one column an objective.
func FromResiduals(residuals []optimizers.Residuals, data optimizers.Data) []Predictions {
	all := make([]Predictions, len(residuals))
	for k, r := range residuals {
		all[k] = newPredictions(data.Column(k), r.Mean, r.SD, nil)
	}
	return all
}

// Transform is what was said of other values, of which those held are a function with slopes there whose logarithms are
// given: their densities are as many times greater.
func (h Predictions) Transform(logSlopes []float64) Predictions {
	density := make([]float64, len(h.LogDensity))
	for i, v := range h.LogDensity {
		density[i] = v + logSlopes[i]
	}
	h.LogDensity = density
	return h
}

// PIT is the probability integral transform of the values, the probability of less by what was said: uniform in [0, 1]
// where that is right (Dawid 1984).
func (h Predictions) PIT() []float64 {
	p := make([]float64, len(h.Z))
	for i, z := range h.Z {
		p[i] = distuv.UnitNormal.CDF(z)
	}
	return p
}

// Histogram counts the probability integral transform in bins of equal width. A value of which nothing was said, a NaN,
// is in none.
func (h Predictions) Histogram(bins int) []int {
	counts := make([]int, bins)
	for _, p := range h.PIT() {
		if !math.IsNaN(p) {
			counts[min(int(p*float64(bins)), bins-1)]++
		}
	}
	return counts
}

// LogScore is the logarithmic score, the sum of the log predictive densities; more is better.
func (h Predictions) LogScore() float64 {
	sum := 0.0
	for _, v := range h.LogDensity {
		sum += v
	}
	return sum
}

// RMSZ is the root of the mean square of the standardized residuals; 1 is promised.
func (h Predictions) RMSZ() float64 {
	sum := 0.0
	for _, z := range h.Z {
		sum += z * z
	}
	return math.Sqrt(sum / float64(len(h.Z)))
}

// Levels are the probabilities that bands promise, those of which coverage is told.
var Levels = []float64{0.5, 0.8, 0.95}

// Coverage is how many of the values lie inside of a central band.
type Coverage struct {
	Nominal       float64 // the probability of one to do so
	Inside, Total int
	// the interval of the probability that is consistent with it, at 95 % (Clopper & Pearson 1934); NaN where values
	// are no sample
	Low, High float64
}

// Share is the part inside.
func (c Coverage) Share() float64 { return float64(c.Inside) / float64(c.Total) }

// CoverageShares is Coverage of values that are no sample: without intervals.
func (h Predictions) CoverageShares() []Coverage {
	all := h.Coverage()
	for l := range all {
		all[l].Low, all[l].High = math.NaN(), math.NaN()
	}
	return all
}

// Coverage is that of the bands of the levels. Values of which each has been left out in its turn are not independent,
// and an interval that takes them as such is an approximation.
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

// ClopperPearson is the exact interval, at 95 %, of a probability by which k of n things happened.
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

// Alarm is what is wrong with a band.
type Alarm struct {
	Wide    bool    // it is too wide; otherwise too narrow
	Nominal float64 // by the band of this probability
	Count   int     // of the values are outside of it, or where it is too wide inside
	Total   int
}

// String tells it in one clause.
func (a Alarm) String() string {
	if a.Wide {
		return fmt.Sprintf("the band is too wide: %d of %d results inside %.0f %%", a.Count, a.Total, 100*a.Nominal)
	}
	return fmt.Sprintf("the band is too narrow: %d of %d results outside %.0f %%", a.Count, a.Total, 100*a.Nominal)
}

// What raises an alarm: of so many values and more, a count that comes as far off with a probability below this where
// the band is right and the residuals are independent. They are not quite, so that it is below what is to be kept, one
// false alarm in a hundred of models whose hyper-parameters were fitted; TestAlarmIsSilent measures that.
const (
	minAlarmData    = 8
	maxNarrowChance = 0.0025
	maxWideChance   = 0.0005
)

// Alarm is what is wrong with the band by these values, if anything is: more of them lie outside of the band of 95 %
// than chance explains, or more inside of that of 50 %.
func (h Predictions) Alarm() (Alarm, bool) {
	c := h.Coverage()
	narrow, wide := c[len(c)-1], c[0]
	if narrow.Total < minAlarmData {
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

// tailProbability is the probability of k or more of n.
func tailProbability(k, n int, p float64) float64 {
	if k <= 0 {
		return 1
	}
	return 1 - distuv.Binomial{N: float64(n), P: p}.CDF(float64(k-1))
}
