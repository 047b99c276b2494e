package pareto

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Hypervolumes of two, three and four objectives as pymoo has them, at once and point by point; the fixture names its
// version.
func TestHypervolumeByPymoo(t *testing.T) {
	raw, err := os.ReadFile("testdata/pymoo-hypervolume.json")
	require.NoError(t, err)
	var fixture struct {
		Cases []struct {
			Points      [][]float64
			Reference   []float64
			Hypervolume []float64
		}
	}
	if err := json.Unmarshal(raw, &fixture); err != nil || len(fixture.Cases) == 0 {
		t.Fatal(err)
	}
	for _, c := range fixture.Cases {
		a := Archive{Reference: c.Reference}
		for i, p := range c.Points {
			a.Add(p)
			if got, want := a.Volume, c.Hypervolume[i]; math.Abs(got-want) > 1e-12 {
				t.Errorf("K=%d: after %d points %.15g, by pymoo %.15g", len(p), i+1, got, want)
			}
			if got, want := Hypervolume(c.Points[:i+1], c.Reference), c.Hypervolume[i]; math.Abs(got-want) > 1e-12 {
				t.Errorf("K=%d: of %d points %.15g, by pymoo %.15g", len(p), i+1, got, want)
			}
		}
	}
}

// What is kept is the front, in the order in which it came, whatever the order; of equal points the first. What others
// dominate, or equal, costs no hypervolume.
func TestArchive(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for k := 2; k <= 4; k++ {
		points := random(80, k, uint64(k))
		for range 20 {
			points = append(points, slices.Clone(points[rng.IntN(len(points))]))
		}
		points = append(points, slices.Repeat([]float64{math.NaN()}, k))
		rng.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
		a := Archive{Reference: slices.Repeat([]float64{2}, k)}
		before, entered := 0.0, 0
		for i, p := range points {
			if a.Add(p) {
				entered++
			}
			if a.Volume < before {
				t.Fatalf("K=%d: the hypervolume falls from %g to %g", k, before, a.Volume)
			}
			before = a.Volume
			if want := pick(points, Front(points[:i+1])); !slices.EqualFunc(a.Points, want, func(p, q []float64) bool {
				return &p[0] == &q[0]
			}) {
				t.Fatalf("K=%d: after %d points %v, want %v", k, i+1, a.Points, want)
			}
		}
		if a.Updates != entered {
			t.Errorf("K=%d: the hypervolume was computed %d times, %d points came onto the front", k, a.Updates,
				entered)
		}
	}
}

// Of equal points the first is on the front, whichever it is, and one that only ties in some objectives is not.
func TestFrontOfEqualPoints(t *testing.T) {
	for _, c := range []struct {
		points [][]float64
		want   []int
	}{
		{[][]float64{{1, 2}, {1, 2}, {1, 2}}, []int{0}},
		{[][]float64{{1, 2}, {2, 1}, {1, 2}, {2, 1}}, []int{0, 1}},
		{[][]float64{{1, 3}, {1, 2}, {1, 2}}, []int{1}},
		{[][]float64{{0, 0, 1}, {0, 0, 1}, {0, 0, 2}}, []int{0}},
		{[][]float64{{5}, {3}, {3}}, []int{1}},
	} {
		if got := Front(c.points); !slices.Equal(got, c.want) {
			t.Errorf("of %v: %v, want %v", c.points, got, c.want)
		}
	}
}
