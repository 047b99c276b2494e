package widenet

import (
	"context"
	"math"
	"testing"
)

// The maxima of functions of log γ are found to the tolerance, also where one of two is narrow, at an end, or beyond
// where nothing can be found; by few looks.
func TestPeaks(t *testing.T) {
	low, high := math.Log(minGamma), math.Log(maxGamma)
	bump := func(x, center, wide float64) float64 {
		return math.Exp(-(x - center) * (x - center) / (2 * wide * wide))
	}
	for _, c := range []struct {
		name string
		f    func(x float64) float64
		want float64
		most int
	}{ // 9 looks are the first
		{"a parabola", func(x float64) float64 { return -400 * (x - 0.731) * (x - 0.731) }, 0.731, 16},
		{"steep on one side, as the evidence is", func(x float64) float64 {
			return -5*x - math.Exp(-6*(x-0.9))
		}, 0.9 + math.Log(6.0/5)/6, 24},
		{"two bumps", func(x float64) float64 { return bump(x, -0.8, 0.5) + 1.1*bump(x, 1.53, 0.3) }, 1.53, 30},
		{"rising", func(x float64) float64 { return x }, high, 30},
		{"falling", func(x float64) float64 { return -x * x * x }, low, 30},
		{"nothing below", func(x float64) float64 {
			if x < 0.2 {
				return math.Inf(-1)
			}
			return -math.Abs(x - 0.44)
		}, 0.44, 34},
	} {
		points, err := peaks(context.Background(), func(x float64) (float64, error) { return c.f(x), nil })
		if e := evidenceFor(points); err != nil || math.Abs(math.Log(e.Best)-c.want) > 2*gammaTolerance ||
			len(points) > c.most {
			t.Errorf("%s: found %g by %d looks (%v), want %g", c.name, math.Log(e.Best), len(points), err, c.want)
		}
	}
}
