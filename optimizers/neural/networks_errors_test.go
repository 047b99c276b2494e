package neural

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// A datum that is poorly known does not hold the networks, those that are well known do; errors of which none is known
// change nothing, to the last bit, and whatever unit values and errors have is the same. It is so where the method's
// own noise is 0.
func TestErrorsAreInTraining(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 6)
	const odd, off = 2, 60.0
	data.Y.Set(odd, 0, data.Y.At(odd, 0)+off)
	point := data.X.Slice(odd, odd+1, 0, 1).(*mat.Dense)
	for _, spec := range []optimizers.Spec{Greedy, PosteriorGreedy, STOBNTS, STOBNTSLinear} {
		for _, set := range [][]string{
			{"sigma2=0"}, {"sigma2=0.02"}, {"sigma2=0", "trainer=adam", "epochs=200", "rate=0.01"},
			{"sigma2=0", "start=warm"}, {"sigma2=0", "band=trained"}} {
			set = append(set, "width=64", "depth=1", "ensemble=4", "activation=tanh", "initial=3")
			mean := func(data optimizers.Data) float64 {
				v, err := testbed.Fit(t, spec, testbed.InputFor(t, spec, 1, data, set...)).Predict(t.Context(), point)
				require.NoError(t, err)
				return v[0].Mean[0]
			}
			plain, parseError := mean(data), mean(testbed.WithErrors(data, 0.05, odd, 200))
			if gap := math.Abs(parseError - data.Y.At(odd, 0)); gap < off/2 || gap < 3*math.Abs(plain-data.Y.At(odd, 0)) {
				t.Errorf("%s %v: the network is %g at a datum of %g with an error of 200, and %g if all count alike",
					spec.Name, set, parseError, data.Y.At(odd, 0), plain)
			}
			if same := mean(testbed.WithErrors(data, math.NaN(), odd, math.NaN())); same != plain {
				t.Errorf("%s %v: %g with errors of which none is known, %g without", spec.Name, set, same, plain)
			}
		}
	}
}

// Where there is no noise in the method networks meet single data whatever their errors, but of replicates their mean.
func TestErrorsOfReplicates(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 5)
	data.X.Set(1, 0, data.X.At(0, 0))
	data.Y.Set(1, 0, data.Y.At(0, 0)+3)
	data = testbed.WithErrors(data, 0.5, 1, 1)
	for _, c := range []struct {
		spec optimizers.Spec
		set  []string
	}{{DeepEnsemble, []string{"activation=tanh", "depth=1"}},
		{EnsemblesEI, []string{"networks=3", "activation=tanh"}}} {
		in := testbed.InputFor(t, c.spec, 1, data, append(c.set, "width=64", "initial=2", "ensemble=4")...)
		v, err := testbed.Fit(t, c.spec, in).Predict(t.Context(), data.X)
		require.NoError(t, err)
		want := (4*data.Y.At(0, 0) + data.Y.At(1, 0)) / 5
		if got := v[0].Mean[0]; math.Abs(got-want) > 0.05 {
			t.Errorf("%s: %g where replicates have the weighted mean %g", c.spec.Name, got, want)
		}
		if got := v[0].Mean[3]; math.Abs(got-data.Y.At(3, 0)) > 0.05 {
			t.Errorf("%s: %g at a datum of %g", c.spec.Name, got, data.Y.At(3, 0))
		}
		other := in
		other.Data = testbed.WithErrors(data, 1, 1, 0.5)
		if slices.Equal(v[0].Mean, mustPredict(t, c.spec, other, data.X)) {
			t.Errorf("%s: other errors change nothing", c.spec.Name)
		}
	}
}

func mustPredict(t *testing.T, spec optimizers.Spec, in optimizers.Input, X *mat.Dense) []float64 {
	t.Helper()
	v, err := testbed.Fit(t, spec, in).Predict(t.Context(), X)
	require.NoError(t, err)
	return v[0].Mean
}

// The least variance is what training has for σ²; what is not known has the method's own, or the mean of the others.
func TestNoiseOfTraining(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 3)
	data = testbed.WithErrors(data, 2, 1, 4)
	data.SE.Set(2, 0, math.NaN())
	in := testbed.InputFor(t, Greedy, 1, data)
	for _, c := range []struct {
		otherwise float64
		want      []float64
		least     float64
	}{{0.5, []float64{1, 4, 0.5}, 0.5}, {0, []float64{1, 4, minNoise}, minNoise},
		{math.NaN(), []float64{1, 4, 2.5}, 1}} {
		if known, least := Noise(in, 3, 2, c.otherwise); !slices.Equal(known, c.want) || least != c.least {
			t.Errorf("otherwise %g: %v and %g, want %v and %g", c.otherwise, known, least, c.want, c.least)
		}
	}
	data.SE.Set(0, 0, math.NaN())
	if known, _ := Noise(testbed.InputFor(t, Greedy, 1, data), 1, 2, 0.5); known != nil {
		t.Errorf("of a first datum without an error %v is known", known)
	}
}
