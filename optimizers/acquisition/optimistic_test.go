package acquisition

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"bandscope/model"
)

// The optimistic improvement is y* minus the bound where that is less than y*, nearly 0 elsewhere, and increases all
// along, so that its maximum is that of the bound. Its derivatives are those of its differences, and its terms add up to
// it.
func TestOptimisticImprovement(t *testing.T) {
	b := Posterior{Scale: model.Standardizer{SD: 2}}
	const best, root = 0.5, 1.5
	s := b.OptimisticImprovement(best, root)
	last := math.Inf(-1)
	for _, mean := range []float64{40, 3, 1.2, 0.81, 0.8, 0.799, 0.7, 0, -5} {
		const sd = 0.2
		v, byMean, bySD := s.Value(mean, sd)
		gain := best - (mean - root*sd)
		if got := s.Display(v); math.Abs(got-2*max(gain, 0)) > 2*softness || got < 0 {
			t.Errorf("at the mean %g the improvement is %g, want %g", mean, got, 2*max(gain, 0))
		}
		if !(v > last) {
			t.Errorf("at the mean %g the score %g is not greater than at a higher mean", mean, v)
		}
		last = v
		settings := &fd.Settings{Formula: fd.Central, Step: 1e-7}
		apply := func(mean, sd float64) float64 { v, _, _ := s.Value(mean, sd); return v }
		for name, d := range map[string][2]float64{
			"mean": {byMean, fd.Derivative(func(m float64) float64 { return apply(m, sd) }, mean, settings)},
			"sd":   {bySD, fd.Derivative(func(sd float64) float64 { return apply(mean, sd) }, sd, settings)}} {
			if math.Abs(d[0]-d[1]) > 1e-3*(1+math.Abs(d[1])) {
				t.Errorf("at the mean %g the derivative by the %s is %g, by differences %g", mean, name, d[0], d[1])
			}
		}
		if term := s.Terms(nil)(mean, sd); math.Abs(term.Value-s.Display(v)) > 1e-9 {
			t.Errorf("at the mean %g the terms add up to %g, want %g", mean, term.Value, s.Display(v))
		}
	}
}
