package paired

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func near(t *testing.T, subject string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
		t.Errorf("%s is %.12g, want %.12g", subject, got, want)
	}
}

// The quantile 2.2621571628 of Student's t with nine degrees of freedom is that of tables.
func TestIntervals(t *testing.T) {
	values := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, math.NaN()}
	i := NewInterval(values)
	near(t, "the mean", i.Mean, 5.5)
	near(t, "half of the interval", i.Half, 2.262157162798205*math.Sqrt(55.0/6)/math.Sqrt(10))
	if i.N != 10 || i.String() != "+5.5 ± 2.2" {
		t.Errorf("it is told as %s, of %d", i, i.N)
	}
	twice := make([]float64, len(values))
	for k, v := range values {
		twice[k] = 2 * v
	}
	near(t, "the mean difference", Difference(twice, values).Mean, 5.5)
	mean, low, high, n := Ratio(twice, values)
	assert.Equal(t, 10, n, "there are %d ratios, want 10", n)
	for _, r := range []float64{mean, low, high} {
		near(t, "the ratio", r, 2)
	}
	if few := NewInterval(values[:1]); few.N != 1 || !math.IsNaN(few.Mean) {
		t.Errorf("one value has the interval %v", few)
	}
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		i            Interval
		above, below Verdict
	}{
		{Interval{2, 1, 10}, Holds, Contradicted},
		{Interval{-2, 1, 10}, Contradicted, Holds},
		{Interval{1, 2, 10}, Inconclusive, Inconclusive},
		{Interval{-1, 2, 10}, Inconclusive, Inconclusive},
		{Interval{2, 1, 7}, TooFew, TooFew},
		{Interval{math.NaN(), math.NaN(), 10}, Inconclusive, Inconclusive},
	} {
		if a, b := c.i.Above(), c.i.Below(); a != c.above || b != c.below {
			t.Errorf("%v: %s and %s, want %s and %s", c.i, a, b, c.above, c.below)
		}
	}
}

func TestAlongComesFirst(t *testing.T) {
	x, y := []float64{3, 2, 0, 1, 1, 2.5}, []float64{10, 20, 30, 40, 50, 60}
	for _, c := range []struct{ at, want float64 }{{3, 10}, {2.5, 15}, {1, 25}, {0, 30}} {
		near(t, "the value", InterpolateCurve(x, y, c.at), c.want)
	}
	if got := InterpolateCurve(x, y, 3.5); !math.IsNaN(got) {
		t.Errorf("beyond the curve it is %v", got)
	}
	if got := InterpolateCurve(x, []float64{1, math.NaN(), 2, 3, 4, 5}, 2.5); !math.IsNaN(got) {
		t.Errorf("where a point has no value it is %v", got)
	}
}
