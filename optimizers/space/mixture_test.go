package space

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// The coordinates of a mixture are one fewer than its components, keep the distances of mixtures whatever the order of
// the components, and do not see what the sum fixes.
func TestMixtureCoordinates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	weights := []float64{1, 0.6, 0.3}
	d := &Domain{Inputs: make([]Input, 5), Mixtures: []*Mixture{NewMixture([]int{0, 2, 3}, weights)}}
	turned := &Domain{Inputs: make([]Input, 5), Mixtures: []*Mixture{NewMixture([]int{0, 2, 3}, []float64{0.3, 1, 0.6})}}
	if got := d.Columns(5); !slices.Equal(got, []int{0, 1, 2, 4}) {
		t.Fatalf("the columns are from %v", got)
	}
	if got := d.SharedLengthscales(5); !slices.Equal(got, []int{0, 1, 0, 2}) {
		t.Fatalf("the lengthscales are %v", got)
	}
	point := func() []float64 { // with Σ w·u = 1/2
		for {
			u := []float64{0, rng.Float64(), rng.Float64(), rng.Float64(), rng.Float64()}
			if u[0] = 0.5 - 0.6*u[2] - 0.3*u[3]; u[0] >= 0 {
				return u
			}
		}
	}
	turn := func(u []float64) []float64 { return []float64{u[3], u[1], u[0], u[2], u[4]} }
	for range 100 {
		a, b := point(), point()
		sum := math.Pow(a[1]-b[1], 2) + math.Pow(a[4]-b[4], 2)
		for i, j := range []int{0, 2, 3} {
			sum += math.Pow(weights[i]*(a[j]-b[j]), 2) / 2
		}
		got := floats.Distance(d.EncodeRow(a), d.EncodeRow(b), 2)
		other := floats.Distance(turned.EncodeRow(turn(a)), turned.EncodeRow(turn(b)), 2)
		if want := math.Sqrt(sum); math.Abs(got-want) > 1e-12 || math.Abs(other-want) > 1e-12 {
			t.Fatalf("%v and %v are %g apart, in another order %g, want %g", a, b, got, other, want)
		}
	}
	if got := d.EncodeRow([]float64{0.5 / 3, 0.9, 0.5 / 1.8, 0.5 / 0.9, 0.1}); floats.Distance(got,
		[]float64{0.5, 0.9, 0.5, 0.1}, 2) > 1e-12 {
		t.Errorf("equal components are at %v", got)
	}
}

// Slopes by the coordinates become slopes by the components: by hand, the differences of a linear function.
func TestMixtureSlopes(t *testing.T) {
	d := &Domain{Inputs: []Input{{}, {Levels: []float64{0, 0.5, 1}, Grid: true}, {}, {Levels: []float64{0, 1}}},
		Mixtures: []*Mixture{NewMixture([]int{0, 1, 2}, []float64{1, 0.5, 0.7})}}
	columns := []float64{1.3, -0.4, 9}
	f := func(u []float64) float64 { return floats.Dot(columns, d.EncodeRow(u)) }
	u, grad := []float64{0.2, 0.5, 0.3, 1}, []float64{7, 7, 7, 7}
	d.Slope(columns, grad)
	for j := range u {
		up := slices.Clone(u)
		up[j] += 1e-3
		if want := (f(up) - f(u)) / 1e-3; math.Abs(grad[j]-want) > 1e-9 {
			t.Errorf("the slope by input %d is %g, want %g", j, grad[j], want)
		}
	}
}
