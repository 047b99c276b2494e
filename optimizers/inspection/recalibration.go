package inspection

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions/numfmt"
	"bandscope/optimizers"
)

// Constants of the recalibration.
const (
	minRecalibrationData = 5    // with fewer results, bands are not recalibrated
	minRelativeSD        = 1e-3 // of predictions, relative to the standard deviation of the values
	minBandFactor        = 0.1  // so that a band has a width if all predictions are exact
)

// BandFactors are the factors by which the half-widths of one objective's central bands are multiplied, for each of
// Levels.
type BandFactors []float64

// ConformalQuantile is the ⌈(n+1)p⌉-th smallest of n scores, which a further score exceeds with a probability of at
// most 1 − p if all of them are exchangeable (Shafer & Vovk 2008). With fewer than p/(1−p) scores there is no such rank
// and the result is their maximum, which a further score exceeds with a probability of at most 1/(n+1).
func ConformalQuantile(scores []float64, p float64) float64 {
	sorted, n := slices.Sorted(slices.Values(scores)), len(scores)
	rank := math.Ceil(float64(n+1)*p - 1e-9) // a rank that is an integer is not rounded up
	return sorted[min(int(rank), n)-1]
}

// maxConformalLevel is the highest level of which n scores have a conformal quantile, their maximum.
func maxConformalLevel(n int) float64 { return float64(n) / float64(n+1) }

// newBandFactors are the factors for leave-one-out predictions of the values y: at each level the conformal quantile of
// the standardized residuals over that of the normal distribution. Above maxConformalLevel, the factor is that of this
// level: the tails beyond the largest residual are taken as normal.
func newBandFactors(y, mean, sd []float64) BandFactors {
	least := minRelativeSD * stat.StdDev(y, nil)
	scores := make([]float64, len(y))
	for i, v := range y {
		if r := math.Abs(v - mean[i]); r > 0 {
			scores[i] = r / max(sd[i], least)
		}
	}
	f := make(BandFactors, len(Levels))
	for l, level := range Levels {
		level = min(level, maxConformalLevel(len(y)))
		f[l] = max(minBandFactor, ConformalQuantile(scores, level)/distuv.UnitNormal.Quantile((1+level)/2))
	}
	return f
}

// Drawn is the factor of the band that is drawn, the widest one.
func (f BandFactors) Drawn() float64 { return f[len(f)-1] }

// calibrated maps a standardized residual to the quantile of the normal distribution that the recalibrated bands give
// it, linear between the ends of the bands, with the slope there.
func (f BandFactors) calibrated(z float64) (quantile, slope float64) {
	from, start := 0.0, 0.0
	for l, level := range Levels {
		u := distuv.UnitNormal.Quantile((1 + level) / 2)
		if end := u * f[l]; math.Abs(z) <= end {
			slope = (u - start) / (end - from)
			return math.Copysign(start+(math.Abs(z)-from)*slope, z), slope
		}
		from, start = u*f[l], u
	}
	return z / f.Drawn(), 1 / f.Drawn()
}

// recalibrate converts predictions whose standard deviations are those of the widest recalibrated band.
func (f BandFactors) recalibrate(h Predictions) Predictions {
	for i, z := range h.Z {
		if math.IsInf(z, 0) { // a wrong prediction without spread
			continue
		}
		quantile, slope := f.calibrated(z * f.Drawn())
		h.LogDensity[i] += (z*z-quantile*quantile)/2 + math.Log(slope*f.Drawn())
		h.Z[i] = quantile
	}
	return h
}

// Recalibrated is a belief for display: its bands are multiplied by the factors. It suggests the same points. Callers that
// check for further interfaces use the belief that it embeds.
type Recalibrated struct {
	optimizers.Belief
	Factors []BandFactors // of each objective
	Results int           // number of leave-one-out residuals that they come from
}

// Recalibrate computes the factors of each objective from leave-one-out predictions: in closed form, or if there is
// none, by refits. They are nil with too few results, or if the method has no band.
func Recalibrate(ctx context.Context, in optimizers.Input, fit Fit, b optimizers.Belief) ([]BandFactors, error) {
	if in.Data.Len() < minRecalibrationData {
		return nil, nil
	}
	widened := 1.0
	held, err := LeaveOneOut(ctx, in, b)
	if err != nil && optimizers.IgnoreUnsupported(err) == nil {
		if m := b.Legend().Draws; m > 1 { // LeaveOneOutRefit predicts a further draw
			widened = math.Sqrt(1 + 1/float64(m))
		}
		held, err = LeaveOneOutRefit(ctx, in, fit)
	}
	if err != nil {
		return nil, optimizers.IgnoreUnsupported(err)
	}
	all := make([]BandFactors, len(held))
	for k, h := range held {
		sd := slices.Clone(h.SD)
		for i := range sd {
			sd[i] /= widened
		}
		mean := slices.Clone(h.Mean)
		for i := range mean {
			if in.Warps() { // the band is normal on another scale
				mean[i] = h.Y[i] - h.Z[i]*sd[i]*widened
			}
		}
		all[k] = newBandFactors(h.Y, mean, sd)
	}
	return all, nil
}

// Predict returns the recalibrated band of each objective.
func (r Recalibrated) Predict(ctx context.Context, X *mat.Dense) ([]optimizers.Band, error) {
	bands, err := r.Belief.Predict(ctx, X)
	if err != nil {
		return nil, err
	}
	scaled := make([]optimizers.Band, len(bands))
	for k, band := range bands {
		scaled[k] = r.scale(band, k)
	}
	return scaled, nil
}

// PredictObjective returns the recalibrated band of an objective.
func (r Recalibrated) PredictObjective(ctx context.Context, X *mat.Dense, objective int) (optimizers.Band, error) {
	band, err := optimizers.PredictObjective(ctx, r.Belief, X, objective)
	if err != nil {
		return band, err
	}
	return r.scale(band, objective), nil
}

// scale multiplies the standard deviations of a band of an objective by its factor.
func (r Recalibrated) scale(band optimizers.Band, objective int) optimizers.Band {
	moments := optimizers.Band{Mean: band.Mean, SD: band.SD}
	if band.Warped != nil {
		moments = optimizers.Band{Mean: band.Warped.Mean, SD: band.Warped.SD}
	}
	moments.SD = slices.Clone(moments.SD)
	floats.Scale(r.Factors[objective].Drawn(), moments.SD)
	if band.Warped != nil {
		return (&optimizers.WarpedBand{Mean: moments.Mean, SD: moments.SD, Warp: band.Warped.Warp}).Band()
	}
	return moments
}

// Legend names the factors.
func (r Recalibrated) Legend() optimizers.Legend {
	l := r.Belief.Legend()
	factors := make([]string, len(r.Factors))
	for k, f := range r.Factors {
		factors[k] = numfmt.Format(math.Round(f.Drawn()*100) / 100)
	}
	scaling := strings.Join(factors, ", ")
	words := strings.SplitN(l.Band, " ", 3) // ±2, the unit and the rest
	words[min(1, len(words)-1)] += " × " + scaling
	l.Band = strings.Join(words, " ") + ", recalibrated by leave-one-out"
	l.Draws = 0 // the factors include the error of few draws
	l.Meaning = fmt.Sprintf("It is multiplied by %s, from leave-one-out residuals.", scaling)
	level := Levels[len(Levels)-1]
	if reached := maxConformalLevel(r.Results); reached < level {
		l.Meaning += fmt.Sprintf(" %s give a band of %.0f %%, which is extended to %.0f %% as if errors were normal; %.0f results give it directly.",
			numfmt.Count(r.Results, "result"), 100*reached, 100*level, math.Ceil(level/(1-level)-1e-9))
	}
	facts := slices.DeleteFunc(slices.Clone(l.Facts), func(f optimizers.Fact) bool {
		return f.Name == optimizers.FactBand
	})
	l.Facts = slices.Insert(facts, 0, optimizers.Fact{Name: optimizers.FactBand, Value: "× " + scaling + " by LOO"})
	return l
}
