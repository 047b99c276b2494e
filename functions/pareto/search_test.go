package pareto

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// On DTLZ2 with two objectives the search reaches the quarter circle, all along it, and is the same for the same
// stream.
func TestSearch(t *testing.T) {
	circle := func(x []float64) []float64 {
		radius := 1.0
		for _, v := range x[1:] {
			radius += (v - 0.5) * (v - 0.5)
		}
		return []float64{radius * math.Cos(x[0]*math.Pi/2), radius * math.Sin(x[0]*math.Pi/2)}
	}
	run := func() []Individual {
		return Search(4, 100, 200, nil, Each(circle), func() bool { return false }, rand.New(rand.NewPCG(1, 2)))
	}
	front := run()
	points := make([][]float64, len(front))
	for i, p := range front {
		points[i] = p.Y
		if r := math.Hypot(p.Y[0], p.Y[1]); r > 1.01 {
			t.Errorf("a point at %v has radius %g", p.Y, r)
		}
	}
	if v, want := Hypervolume(points, []float64{1.1, 1.1}), 1.21-math.Pi/4; v < want-0.02 || v > want {
		t.Errorf("%d points have a hypervolume of %g, the front %g", len(front), v, want)
	}
	for i, p := range run() {
		require.Equal(t, front[i].Y[0], p.Y[0], "the same stream finds another front")
	}
	calls := 0
	Search(4, 10, 1000, nil, Each(circle), func() bool { calls++; return calls > 2 }, rand.New(rand.NewPCG(1, 2)))
	assert.Equal(t, 3, calls, "it was asked %d times whether to stop", calls)
}

// Ranks are by peeling: those that nothing dominates, those that then nothing dominates, and so on.
func TestRanksArePeeled(t *testing.T) {
	for k := 1; k <= 3; k++ {
		points := append(random(40, k, uint64(k)), random(3, k, uint64(k))...) // three twice
		people := make([]Individual, len(points))
		for i, y := range points {
			people[i].Y = y
		}
		rank, _ := nondominatedSort(people)
		left := make([]int, len(points))
		for i := range left {
			left[i] = i
		}
		for level := 0; len(left) > 0; level++ {
			dominated := func(i int) bool {
				return slices.ContainsFunc(left, func(j int) bool { return Dominates(points[j], points[i]) })
			}
			var rest []int
			for _, i := range left {
				if beaten := dominated(i); beaten != (rank[i] > level) {
					t.Fatalf("K=%d: point %d has rank %d, at level %d it is dominated: %v", k, i, rank[i], level,
						beaten)
				} else if beaten {
					rest = append(rest, i)
				}
			}
			left = rest
		}
	}
}

// Crowding distances by hand (Deb et al. 2002, §III-B): of five points of one rank the ends count as alone, the others
// by the sides of the box that their neighbours span, in parts of the range of each objective.
func TestCrowding(t *testing.T) {
	var people []Individual
	for _, y := range [][]float64{{0, 10}, {1, 8}, {2, 4}, {6, 3}, {10, 0}, {11, 11}} {
		// the last one is of another rank
		people = append(people, Individual{Y: y})
	}
	rank, crowding := nondominatedSort(people)
	if !slices.Equal(rank, []int{0, 0, 0, 0, 0, 1}) {
		t.Fatalf("the ranks are %v", rank)
	}
	inf := math.Inf(1)
	for i, want := range []float64{inf, 0.2 + 0.6, 0.5 + 0.5, 0.8 + 0.4, inf, inf} {
		if got := crowding[i]; got != want && math.Abs(got-want) > 1e-12 {
			t.Errorf("the crowding distance of point %d is %g, want %g", i, got, want)
		}
	}
	survivors, ranks, alone := selectSurvivors(people, 4)
	for i, want := range []struct {
		at   int
		rank int
	}{{0, 0}, {4, 0}, {3, 0}, {2, 0}} {
		if !slices.Equal(survivors[i].Y, people[want.at].Y) || ranks[i] != want.rank || alone[i] != crowding[want.at] {
			t.Errorf("survivor %d is %v of rank %d and distance %g, want point %d", i, survivors[i].Y, ranks[i], alone[i],
				want.at)
		}
	}
	flat := []Individual{{Y: []float64{1, 1}}, {Y: []float64{1, 1}}, {Y: []float64{1, 1}}}
	if _, crowding := nondominatedSort(flat); !slices.Equal(crowding, []float64{inf, 0, inf}) {
		t.Errorf("of equal points the distances are %v", crowding)
	}
}

// deviates checks that numbers follow a distribution (Kolmogorov & Smirnov, at 1e-6).
func deviates(t *testing.T, subject string, values []float64, cdf func(v float64) float64) {
	t.Helper()
	slices.Sort(values)
	worst := 0.0
	for i, v := range values {
		p := cdf(v)
		worst = max(worst, math.Abs(p-float64(i)/float64(len(values))), math.Abs(p-float64(i+1)/float64(len(values))))
	}
	if worst > 2.7/math.Sqrt(float64(len(values))) {
		t.Errorf("%s: %d numbers are off their distribution by %g", subject, len(values), worst)
	}
}

// The children of simulated binary crossover lie about the mean of their parents; the ratio β of their distance to that
// of the parents has the density ½(η+1)β^η below 1 and ½(η+1)β^−(η+2) above (Deb & Agrawal 1995). Nine pairs of ten are
// crossed, and of these every other coordinate.
func TestCrossover(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	a, b := make([]float64, 20), make([]float64, 20)
	for j := range a {
		a[j], b[j] = 0.45, 0.55
	}
	const pairs = 12000
	var ratios []float64
	untouched := 0
	for range pairs {
		c, d := simulatedBinaryCrossover(a, b, rng)
		before := len(ratios)
		for j := range c {
			if math.Abs(c[j]+d[j]-1) > 1e-12 && c[j] > 0 && d[j] < 1 {
				t.Fatalf("the children of 0.45 and 0.55 are %g and %g", c[j], d[j])
			}
			if c[j] != a[j] || d[j] != b[j] {
				ratios = append(ratios, (d[j]-c[j])/0.1)
			}
		}
		if len(ratios) == before {
			untouched++
		}
	}
	if share := float64(untouched) / pairs; math.Abs(share-0.1) > 5*math.Sqrt(0.09/pairs) {
		t.Errorf("%.3f of the pairs are not crossed", share)
	}
	if share := float64(len(ratios)) / float64(20*(pairs-untouched)); math.Abs(share-0.5) > 5*0.5/
		math.Sqrt(20*pairs*0.9) {
		t.Errorf("%.3f of the coordinates are crossed", share)
	}
	deviates(t, "crossover", ratios, func(beta float64) float64 {
		if beta <= 1 {
			return 0.5 * math.Pow(beta, 16)
		}
		return 1 - 0.5*math.Pow(beta, -16)
	})
	if a[0] != 0.45 || b[0] != 0.55 {
		t.Error("the parents are changed")
	}
}

// Polynomial mutation moves one coordinate in the mean, by δ with the density ½(η+1)(1−|δ|)^η (Deb & Goyal 1996), and
// never leaves the cube.
func TestMutation(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const tries = 200000
	var moves []float64
	for range tries {
		x := []float64{0.5, 0.5, 0.5, 0.5, 0.5}
		mutate(x, rng)
		for _, v := range x {
			if v < 0 || v > 1 {
				t.Fatalf("a coordinate moves to %g", v)
			}
			if v != 0.5 {
				moves = append(moves, v-0.5)
			}
		}
	}
	if share := float64(len(moves)) / tries; math.Abs(share-1) > 5*math.Sqrt(0.8/tries) {
		t.Errorf("%.3f coordinates are moved in the mean", share)
	}
	deviates(t, "mutation", moves, func(d float64) float64 {
		if d < 0 {
			return 0.5 * math.Pow(1+d, 21)
		}
		return 1 - 0.5*math.Pow(1-d, 21)
	})
}

// A search begins with its seeds, keeps what nothing dominates of them, and has an even number of individuals.
func TestSearchBegins(t *testing.T) {
	seeds := [][]float64{{0.25, 0.5}, {0.75, 0.5}, {0.75, 0.9}}
	evaluations := 0
	f := func(x []float64) []float64 {
		evaluations++
		d := (x[1] - 0.5) * (x[1] - 0.5)
		return []float64{x[0]*x[0] + d, (x[0]-1)*(x[0]-1) + d}
	}
	got := Search(2, 3, 0, seeds, Each(f), func() bool { return false }, rand.New(rand.NewPCG(1, 2)))
	assert.Equal(t, 4, evaluations, "%d evaluations, want 4", evaluations)
	for i, seed := range seeds {
		index := slices.IndexFunc(got, func(p Individual) bool { return slices.Equal(p.X, seed) })
		assert.Equal(t, i < 2, index >= 0, "seed %d is at %d of the front", i, index)
	}
	evaluations = 0
	Search(2, 10, 7, seeds, Each(f), func() bool { return false }, rand.New(rand.NewPCG(1, 2)))
	assert.Equal(t, 80, evaluations, "%d evaluations in seven generations of ten, want 80", evaluations)
}
