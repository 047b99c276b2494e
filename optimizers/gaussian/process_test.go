package gaussian

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// GP-UCB's acquisition is mean − √β sd of its own band, with the thesis's β.
func TestUCBIsTheBound(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 7)
	in := testbed.InputFor(t, UCB, 2, data)
	b := testbed.Fit(t, UCB, in)
	x := testbed.Probes(6, 2)
	bands, _ := b.Predict(context.Background(), x)
	acq, _ := b.Acquisition(context.Background(), x)
	root := math.Sqrt(0.125 * math.Log(2*8+1)) // t = 8
	for i := range acq {
		if want := bands[0].Mean[i] - root*bands[0].SD[i]; math.Abs(acq[i]-want) > 1e-9*(1+math.Abs(want)) {
			t.Errorf("the bound is %g, want %g", acq[i], want)
		}
	}
}

// EI's acquisition is the expectation of the improvement over its own band, by Monte-Carlo.
func TestEIIsTheExpectedImprovement(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 5)
	b := testbed.Fit(t, EI, testbed.InputFor(t, EI, 1, data, "noise=fixed", "kernel=se",
		"hyperparameters=fitted"))
	x := testbed.Probes(6, 1)
	bands, _ := b.Predict(context.Background(), x)
	acq, _ := b.Acquisition(context.Background(), x)
	best := mat.Min(data.Y)
	rng := rand.New(rand.NewPCG(9, 9))
	const n = 40_000
	for i := range acq {
		gain := make([]float64, n)
		for k := range gain {
			gain[k] = max(best-bands[0].Mean[i]-bands[0].SD[i]*rng.NormFloat64(), 0)
		}
		mean, sd := stat.MeanStdDev(gain, nil)
		if se := sd / math.Sqrt(n); math.Abs(acq[i]-mean) > 5*se+1e-12 {
			t.Errorf("the expected improvement is %g, by Monte-Carlo %g ± %g", acq[i], mean, se)
		}
	}
}

// Of more than four values, the first three are shown.
func TestFirstFew(t *testing.T) {
	for _, c := range []struct {
		v    []string
		want string
	}{{[]string{"1", "2", "3", "4"}, "1 2 3 4"}, {[]string{"1", "2", "3", "4", "5"}, "1 2 3 …"},
		{[]string{"0.5"}, "0.5"}} {
		assert.Equal(t, c.want, optimizers.JoinFirst(c.v), "%v is written", c.v)
	}
}
