package kernel

import (
	"math"
	"testing"
)

// Exponentials are within two units of the last digit of the library's, from the least normal number to 1; what is below is 0, and what is no number stays none.
func TestExponentials(t *testing.T) {
	const n = 200000
	v := make([]float64, 0, n+20)
	for i := range n {
		v = append(v, -708*math.Pow(float64(i)/n, 3))
	}
	for e := range 20 {
		v = append(v, -math.Exp2(-float64(3*e)))
	}
	x := append([]float64(nil), v...)
	exponentials(v)
	worst := 0.0
	for i, got := range v {
		want := math.Exp(x[i])
		ulp := math.Nextafter(want, 2) - want
		if worst = max(worst, math.Abs(got-want)/ulp); math.Abs(got-want) > 2*ulp {
			t.Fatalf("exp(%g) = %g, want %g", x[i], got, want)
		}
	}
	t.Logf("at most %.2f units of the last digit from the library's", worst)
	edges := []float64{0, -709, -1e5, math.Inf(-1), math.Copysign(0, -1), math.NaN()}
	exponentials(edges)
	for i, want := range []float64{1, 0, 0, 0, 1} {
		if edges[i] != want {
			t.Errorf("edge %d is %g, want %g", i, edges[i], want)
		}
	}
	if !math.IsNaN(edges[5]) {
		t.Errorf("what is no number became %g", edges[5])
	}
}

func BenchmarkExponentials(b *testing.B) {
	x, v := make([]float64, 1000), make([]float64, 1000)
	for i := range x {
		x[i] = -float64(i) / 50
	}
	b.Run("here", func(b *testing.B) {
		for b.Loop() {
			copy(v, x)
			exponentials(v)
		}
	})
	b.Run("library", func(b *testing.B) {
		for b.Loop() {
			for i, x := range x {
				v[i] = math.Exp(x)
			}
		}
	})
}
