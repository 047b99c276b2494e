package pareto

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func random(n, k int, seed uint64) [][]float64 {
	rng := rand.New(rand.NewPCG(seed, 2))
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, k)
		for j := range out[i] {
			out[i][j] = rng.Float64()
		}
	}
	return out
}

// union is the volume of the boxes between points and reference by inclusion and exclusion.
func union(points [][]float64, reference []float64) float64 {
	sum := 0.0
	for set := 1; set < 1<<len(points); set++ {
		corner := slices.Repeat([]float64{math.Inf(-1)}, len(reference))
		sign := -1.0
		for i, p := range points {
			if set&(1<<i) == 0 {
				continue
			}
			sign = -sign
			for k, v := range p {
				corner[k] = max(corner[k], v)
			}
		}
		box := sign
		for k, v := range corner {
			box *= max(reference[k]-v, 0)
		}
		sum += box
	}
	return sum
}

func TestHypervolumeByInclusionAndExclusion(t *testing.T) {
	for k := 1; k <= 6; k++ {
		for seed := range uint64(5) {
			points := random(10, k, seed)
			reference := slices.Repeat([]float64{0.9}, k)
			want := union(points, reference)
			assert.InDelta(t, want, Hypervolume(points, reference), 1e-12, "K=%d", k)
			all := append(slices.Clone(points), slices.Clone(points[0]), slices.Repeat([]float64{0.85}, k))
			slices.Reverse(all)
			if got := Hypervolume(all, reference); got < want-1e-12 {
				t.Errorf("K=%d: more points give %g, before %g", k, got, want)
			}
			if got := HypervolumeImprovement(points[0], points[1:],
				reference); math.Abs(got-(want-union(points[1:], reference))) >
				1e-12 {
				t.Errorf("K=%d: a point adds %g, want %g", k, got, want-union(points[1:], reference))
			}
			front := pick(points, Front(points))
			assert.InDelta(t, want, Hypervolume(front, reference), 1e-12, "K=%d: the front alone", k)
		}
	}
}

func TestFront(t *testing.T) {
	for k := 1; k <= 4; k++ {
		points := append(random(60, k, 7), random(1, k, 7)...)
		front := Front(points)
		for i, p := range points {
			beaten := false
			for j, q := range points {
				beaten = beaten || Dominates(q, p) || j < i && slices.Equal(p, q)
			}
			assert.NotEqual(t, beaten, slices.Contains(front, i), "K=%d: point %d is wrong", k, i)
		}
	}
	if f := Front([][]float64{{math.NaN(), 0}, {1, 1}}); !slices.Equal(f, []int{1}) {
		t.Errorf("with what is no number: %v", f)
	}
}

func TestRange(t *testing.T) {
	lo, hi := Range([][]float64{{1, 5}, {3, 5}, {math.Inf(1), math.NaN()}}, 2)
	if !slices.Equal(lo, []float64{1, 5}) || !slices.Equal(hi, []float64{3, 6}) {
		t.Errorf("%v to %v", lo, hi)
	}
	if lo, hi := Range([][]float64{{math.NaN()}}, 1); lo[0] != 0 || hi[0] != 1 {
		t.Errorf("of no number %v to %v", lo, hi)
	}
}

// The hypervolume of 150 random points of six objectives, and what one more adds.
func BenchmarkHypervolumeSix(b *testing.B) {
	points, reference := random(150, 6, 1), slices.Repeat([]float64{1.1}, 6)
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			Hypervolume(points, reference)
		}
	})
	b.Run("added", func(b *testing.B) {
		for b.Loop() {
			HypervolumeImprovement(points[0], points[1:], reference)
		}
	})
}
