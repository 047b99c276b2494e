package several

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers/testbed"
)

// Fronts of the processes are fronts, are the same when asked again, and near data those of the draws lie about that of the means.
func TestBelievedFronts(t *testing.T) {
	ctx := context.Background()
	in := testbed.InputFor(t, MOBOTS, 2, testbed.ObserveAll(t, "thesis-xy", 25))
	in.Objectives = 2
	b := testbed.Fit(t, MOBOTS, in).(*belief)
	front, err := b.ExpectedFront(ctx)
	if err != nil || len(front) < 20 {
		t.Fatalf("%d points (%v)", len(front), err)
	}
	for _, p := range front {
		bands, err := b.Predict(ctx, mat.NewDense(1, 2, p.X))
		if err != nil {
			t.Fatal(err)
		}
		for k, band := range bands {
			if math.Abs(band.Mean[0]-p.Y[k]) > 1e-9 {
				t.Fatalf("the front has %v where the means are %g", p.Y, band.Mean[0])
			}
		}
		if r := math.Hypot(p.Y[0], p.Y[1]); math.Abs(r-1) > 0.05 { // the true front is a quarter of a circle
			t.Errorf("the expected front passes through %v", p.Y)
		}
	}
	drawn, err := b.DrawnFronts(ctx, 3)
	if err != nil {
		t.Fatal(err)
	}
	more, err := b.DrawnFronts(ctx, 5)
	if err != nil || len(more) != 5 || &more[0][0] != &drawn[0][0] {
		t.Errorf("%d fronts after %d (%v)", len(more), len(drawn), err)
	}
	for _, f := range more {
		for _, p := range f {
			if r := math.Hypot(p.Y[0], p.Y[1]); math.Abs(r-1) > 0.15 {
				t.Errorf("a drawn front passes through %v", p.Y)
			}
		}
	}
}
