package hierarchy

import (
	"math"
	"slices"
	"testing"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*max(1, math.Abs(want))) {
		t.Errorf("%s is %.17g, want %.17g", what, got, want)
	}
}

// The first updates are those of another implementation, in numpy, of the same text.
func TestFirstUpdates(t *testing.T) {
	s := Defaults()
	s.Alpha, s.Steps = 4, 21
	tr, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	want := map[int][3]float64{0: {0.7346270491915924, 30.71597614150531, 1e-8}, 1: {0.6196494903588018, 25.774580391670092, 1e-6}, 2: {0.7816906745078142, 21.52518545547439, 1e-5},
		5: {0.7829066695362441, 13.344124418651367, 1e-3}, 20: {0.5152937097886618, 7.9227896764823695, 3e-2}}
	for at := range 21 {
		if err := tr.Step(); err != nil {
			t.Fatal(err)
		}
		if at == 0 && (!slices.Equal(tr.work.starts, []int{83, 146, 1, 35, 109, 99, 108, 12}) || !slices.Equal(tr.work.nodes[:6], []int{5, 0, 72, 62, 18, 1})) {
			t.Errorf("the first minibatch is of %v and %v", tr.work.starts, tr.work.nodes[:6])
		}
		if w, ok := want[at]; ok {
			t.Logf("%d: %.16g %.16g", at, tr.Last().MAE-w[0], tr.Last().Reg-w[1])
			near(t, "the error", tr.Last().MAE, w[0], w[2])
			near(t, "E_reg", tr.Last().Reg, w[1], w[2])
		}
	}
}
