package multiobjective

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions/pareto"
)

// randomFront returns n random outcomes in [0, 1]^K, not all of them on a front. With grid, they are on a coarse grid,
// so that many share a value.
func randomFront(rng *rand.Rand, n, k int, grid bool) [][]float64 {
	front := make([][]float64, n)
	for i := range front {
		front[i] = make([]float64, k)
		for j := range front[i] {
			front[i][j] = rng.Float64()
			if grid {
				front[i][j] = math.Floor(4*front[i][j]) / 4
			}
		}
	}
	return front
}

// The columns divide the space without overlap, and their thresholds agree with the points of the front. There are 2n+1
// for three objectives and n+1 for two, if no two points share a value (Dächert et al. 2017).
func TestColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for k := 1; k <= 6; k++ {
		for _, grid := range []bool{false, true} {
			front := randomFront(rng, 12, k, grid)
			all := columns(front, k)
			for range 1000 {
				z := make([]float64, k)
				for j := range z {
					z[j] = 1.4*rng.Float64() - 0.2
				}
				want := math.Inf(1)
				for _, p := range front {
					ok := true
					for j := 1; j < k; j++ {
						ok = ok && p[j] <= z[j]
					}
					if ok {
						want = min(want, p[0])
					}
				}
				in := 0
				for _, c := range all {
					ok := true
					for j := 1; j < k; j++ {
						ok = ok && z[j] >= c.lo[j-1] && z[j] < c.hi[j-1]
					}
					if ok {
						in++
						require.Equal(t, want, c.threshold, "K=%d: at %v the threshold", k, z)
					}
				}
				require.Equal(t, 1, in, "K=%d: %v lies in %d columns", k, z, in)
			}
			if n := len(pareto.Front(front)); !grid && (k == 2 && len(all) != n+1 || k == 3 && len(all) != 2*n+1) {
				t.Errorf("K=%d: %d columns of %d points", k, len(all), n)
			}
		}
	}
}

// The region that a front allows consists of the points that some point of it weakly dominates, each in one cell only.
// The rest below the reference improves on the front.
func TestRegions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for k := 1; k <= 5; k++ {
		front := randomFront(rng, 9, k, k%2 == 0)
		reference := slices.Repeat([]float64{0.9}, k)
		cells, better := undominatedCells(front, k), improvementCells(front, reference)
		for range 2000 {
			z := make([]float64, k)
			for j := range z {
				z[j] = 1.2 * rng.Float64()
			}
			under := 0
			for _, f := range front {
				if nowhereWorse(f, z) {
					under = 1
				}
			}
			if n := holding(cells, z); n != under {
				t.Fatalf("K=%d: %v lies in %d cells, want %d", k, z, n, under)
			}
			if n := holding(better, z); (n == 1) != (under == 0 && nowhereWorse(z, reference)) || n > 1 {
				t.Fatalf("K=%d: %v lies in %d boxes that improve", k, z, n)
			}
		}
	}
}

func nowhereWorse(a, b []float64) bool {
	for k, v := range a {
		if v > b[k] {
			return false
		}
	}
	return true
}

// holding returns the number of cells that contain a point.
func holding(cells []cell, z []float64) int {
	n := 0
	for _, c := range cells {
		in := true
		for j, v := range z {
			in = in && v >= c.lo[j] && v < c.hi[j]
		}
		if in {
			n++
		}
	}
	return n
}
