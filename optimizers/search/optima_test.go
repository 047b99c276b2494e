package search

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Along a ridge that a climb follows slowly there is one optimum, at its end; of hills on it each is one, the highest
// first, and not more than are asked for.
func TestOptimaAreTops(t *testing.T) {
	ridge := Target{Values: func(_ context.Context, X *mat.Dense) ([]float64, error) {
		n, _ := X.Dims()
		v := make([]float64, n)
		for i := range v {
			x, y := X.At(i, 0), X.At(i, 1)
			v[i] = 0.3*x - 40*math.Pow(y-0.2-0.6*x*x, 2)
		}
		return v, nil
	}}
	found, err := Optima(t.Context(), Space{Dim: 2}, ridge, rand.New(rand.NewPCG(1, 2)), nil, 5)
	if err != nil || len(found) != 1 || math.Abs(found[0].X[0]-1) > 1e-3 || math.Abs(found[0].X[1]-0.8) > 1e-2 {
		t.Errorf("%v (%v), want the end of the ridge at 1, 0.8", found, err)
	}
	waves := Target{Values: func(_ context.Context, X *mat.Dense) ([]float64, error) {
		n, _ := X.Dims()
		v := make([]float64, n)
		for i := range v {
			v[i] = math.Sin(8*math.Pi*X.At(i, 0)) + X.At(i, 0)
		}
		return v, nil
	}}
	found, err = Optima(t.Context(), Space{Dim: 1}, waves, rand.New(rand.NewPCG(1, 2)), nil, 3)
	if err != nil || len(found) != 3 {
		t.Fatalf("%v (%v)", found, err)
	}
	shift := math.Acos(-1/(8*math.Pi)) / (8 * math.Pi) // where the slope is 0
	for i, o := range found {
		if want := 0.75 - 0.25*float64(i) + shift; math.Abs(o.X[0]-want) > 1e-4 {
			t.Errorf("number %d is at %v, want %g", i+1, o.X, want)
		}
	}
}

// Climbs start from the points from which the nearest better one is farthest away, of equals from the better: as
// sorting all of them by that has it, on samples with many ties.
func TestPeaks(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n, d := 1+rng.IntN(200), 1+rng.IntN(4)
		pool, values, order := mat.NewDense(n, d, nil), make([]float64, n), make([]int, n)
		for i := range n {
			order[i], values[i] = i, float64(rng.IntN(30))
			for j := range d {
				pool.Set(i, j, float64(rng.IntN(16))/16) // whose squared distances are exact
			}
			if rng.IntN(10) == 0 {
				values[i] = math.Inf(-1)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
		entries := map[int]float64{}
		var all []int
		for rank, i := range order {
			if math.IsInf(values[i], -1) {
				break
			}
			entries[i] = math.Inf(1)
			for _, better := range order[:rank] {
				apart := floats.SubTo(make([]float64, d), pool.RawRowView(i), pool.RawRowView(better))
				entries[i] = min(entries[i], floats.Dot(apart, apart))
			}
			all = append(all, i)
		}
		slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(entries[b], entries[a]) })
		starts := peaks(pool, values, order)
		if want := min(len(all), maxClimbs); len(starts) != want {
			t.Fatalf("seed %d: %d starts, want %d", seed, len(starts), want)
		}
		for k, x := range starts {
			if !slices.Equal(x, pool.RawRowView(all[k])) {
				t.Errorf("seed %d: start %d is %v, want %v", seed, k, x, pool.RawRowView(all[k]))
			}
		}
	}
}
