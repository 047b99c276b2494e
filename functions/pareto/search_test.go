package pareto

import (
	"math"
	"math/rand/v2"
	"testing"
)

// On DTLZ2 with two objectives the search reaches the quarter circle, all along it, and is the same for the same stream.
func TestSearch(t *testing.T) {
	circle := func(x []float64) []float64 {
		radius := 1.0
		for _, v := range x[1:] {
			radius += (v - 0.5) * (v - 0.5)
		}
		return []float64{radius * math.Cos(x[0]*math.Pi/2), radius * math.Sin(x[0]*math.Pi/2)}
	}
	run := func() []Individual {
		return Search(4, 100, 200, nil, circle, func() bool { return false }, rand.New(rand.NewPCG(1, 2)))
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
		if p.Y[0] != front[i].Y[0] {
			t.Fatal("the same stream finds another front")
		}
	}
	calls := 0
	Search(4, 10, 1000, nil, circle, func() bool { calls++; return calls > 2 }, rand.New(rand.NewPCG(1, 2)))
	if calls != 3 {
		t.Errorf("it was asked %d times whether to stop", calls)
	}
}
