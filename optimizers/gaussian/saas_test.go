package gaussian

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/rng"
	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// twoOfMany is a function of the variables 4 and 18 of any number, with its minimum −2 at 0.3 and 0.8.
func twoOfMany(x []float64) float64 {
	return 4*(x[3]-0.3)*(x[3]-0.3) + 6*(x[17]-0.8)*(x[17]-0.8) - 2
}

// evaluated are the values of twoOfMany at n random points.
func evaluated(n, d int) optimizers.Data {
	r := rng.New(3, 0, "points")
	data := optimizers.Data{X: mat.NewDense(n, d, nil), Y: mat.NewDense(n, 1, nil)}
	data.X.Apply(func(int, int, float64) float64 { return r.Float64() }, data.X)
	for i := range n {
		data.Y.Set(i, 0, twoOfMany(data.X.RawRowView(i)))
	}
	return data
}

// Of 30 variables two matter. After 25 results the legend names them, and ten steps come as close to the minimum as
// nobody would by chance: of random points, one in about 10^4 has a value below -1.99.
func TestSAASFindsTheVariables(t *testing.T) {
	data := evaluated(25, 30)
	for range 10 {
		in := testbed.InputFor(t, SAAS, 30, data)
		b := testbed.Fit(t, SAAS, in)
		s, err := b.Suggest(t.Context())
		require.NoError(t, err)
		shortest := strings.Split(b.Legend().Facts[0].Value, ", ")
		for _, name := range []string{"no. 4 ", "no. 18 "} {
			if !slices.ContainsFunc(shortest[:2], func(v string) bool { return strings.HasPrefix(v, name) }) {
				t.Errorf("after %d results the shortest lengthscales are %q", data.Len(), shortest)
			}
		}
		x := mat.NewDense(data.Len()+1, 30, append(append([]float64(nil), data.X.RawMatrix().Data...), s.X.RawRowView(0)...))
		y := append(data.Column(0), twoOfMany(s.X.RawRowView(0)))
		data = optimizers.Data{X: x, Y: mat.NewDense(len(y), 1, y)}
	}
	if best := mat.Min(data.Y); best > -1.999 {
		t.Errorf("the best value is %g, the minimum -2", best)
	}
}

// The draws of a second fit to the same data come from the cache, and give the same acquisition to the last digit.
func TestCachedDrawsAreTheSame(t *testing.T) {
	data := evaluated(12, 20)
	X := testbed.Probes(20, 20)
	values := func() []float64 {
		v, err := testbed.Fit(t, SAAS, testbed.InputFor(t, SAAS, 20, data)).Acquisition(t.Context(), X)
		require.NoError(t, err)
		return v
	}
	first := values()
	for i, v := range values() {
		if v != first[i] || math.IsNaN(v) {
			t.Errorf("the acquisition is %g, and %g with cached draws", first[i], v)
		}
	}
}
