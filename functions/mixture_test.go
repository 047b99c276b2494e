package functions

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The model of the yarn fits the means of the replicates that Cornell publishes, exactly, as it has as many terms; their
// pooled standard deviation is the 0.85 that the description names.
func TestYarnFitsTheData(t *testing.T) {
	p, err := Find("cornell-yarn", 0)
	require.NoError(t, err)
	squares, freedom := 0.0, 0
	for _, c := range []struct {
		x []float64
		y []float64
	}{
		{[]float64{1, 0, 0}, []float64{11.0, 12.4}}, {[]float64{0.5, 0.5, 0}, []float64{15.0, 14.8, 16.1}},
		{[]float64{0, 1, 0}, []float64{8.8, 10.0}}, {[]float64{0, 0.5, 0.5}, []float64{10.0, 9.7, 11.8}},
		{[]float64{0, 0, 1}, []float64{16.8, 16.0}}, {[]float64{0.5, 0, 0.5}, []float64{17.7, 16.4, 16.6}},
	} {
		mean := 0.0
		for _, y := range c.y {
			mean += y / float64(len(c.y))
		}
		for _, y := range c.y {
			squares += (y - mean) * (y - mean)
		}
		freedom += len(c.y) - 1
		if got, err := p.TrueValues(c.x); err != nil || math.Abs(got[0]-mean) > 1e-9 {
			t.Errorf("at %v the model is %v, the mean of the replicates %g (%v)", c.x, got, mean, err)
		}
	}
	if sd := math.Sqrt(squares / float64(freedom)); math.Abs(sd-0.85375) > 5e-6 { // S of the NIST handbook
		t.Errorf("the replicates have a standard deviation of %g", sd)
	}
}

// The stated optimum of the yarn is that of a fine lattice over the simplex, and of the closed form on its edge.
func TestYarnOptimum(t *testing.T) {
	p, _ := Find("cornell-yarn", 0)
	const n = 600
	best := math.Inf(-1)
	for i := range n + 1 {
		for j := range n + 1 - i {
			x := []float64{float64(i) / n, float64(j) / n, float64(n-i-j) / n}
			y, err := p.TrueValues(x)
			require.NoError(t, err)
			best = max(best, y[0])
		}
	}
	o := p.Optimum()
	if math.Abs(o.Value-17.38443) > 1e-5 || best > o.Value+1e-12 || best < o.Value-1e-4 {
		t.Errorf("the optimum is %g, the best of the lattice %g", o.Value, best)
	}
	if y, err := p.TrueValues(o.X[0]); err != nil || math.Abs(y[0]-o.Value) > 1e-12 || p.CheckConstraints(o.X[0]) != nil {
		t.Errorf("at %v it is %v, %v", o.X[0], y, err)
	}
}

// In the direction of Cox the other components of a mixture keep their ratio, and further variables their values.
func TestCoxDirection(t *testing.T) {
	p := Problem{Domain: Domain{{Name: "a", High: 100}, {Name: "t", High: 9}, {Name: "b", High: 100}, {Name: "c", High: 100}}}
	require.NoError(t, p.SetMixtures(Mixture{Components: []string{"a", "b", "c"}, Total: 100}))
	for _, c := range []struct {
		x    []float64
		j    int
		v    float64
		want []float64
	}{
		{[]float64{40, 5, 45, 15}, 0, 60, []float64{60, 5, 30, 10}}, {[]float64{40, 5, 45, 15}, 0, 0, []float64{0, 5, 75, 25}},
		{[]float64{40, 5, 45, 15}, 1, 7, []float64{40, 7, 45, 15}},
		{[]float64{0, 5, 100, 0}, 2, 50, []float64{25, 5, 50, 25}},
		{[]float64{40, 5, 45, 15}, 3, 100, []float64{0, 5, 0, 100}},
	} {
		if got := p.WithValue(c.x, c.j, c.v); !slices.Equal(got, c.want) {
			t.Errorf("%v with variable %d at %g is %v, want %v", c.x, c.j, c.v, got, c.want)
		}
	}
}

// The range of a component follows from its own bounds and those of the others.
func TestReachOfComponents(t *testing.T) {
	m := Mixture{Components: []string{"a", "b", "c"}}
	parts := Domain{{Low: 0.2, High: 1}, {Low: 0.1, High: 0.3}, {Low: 0, High: 0.4}}
	for i, want := range [][2]float64{{0.3, 0.9}, {0.1, 0.3}, {0, 0.4}} {
		if low, high := m.Reach(parts, i); math.Abs(low-want[0]) > 1e-12 || math.Abs(high-want[1]) > 1e-12 {
			t.Errorf("component %d reaches from %g to %g, want %v", i, low, high, want)
		}
	}
	assert.InDelta(t, 0.6, m.Size(parts), 1e-12, "the size")
}
