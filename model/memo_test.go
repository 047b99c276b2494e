package model

import "testing"

// The function and its gradient at one point are one evaluation, whichever is asked for first; at another point, also
// in the same memory, they are its own.
func TestMemo(t *testing.T) {
	calls := 0
	m := NewMemo(2, func(x, grad []float64) float64 {
		calls++
		grad[0], grad[1] = 2*x[0], 3
		return x[0]*x[0] + 3*x[1]
	})
	x, grad := []float64{0, 0}, make([]float64, 2)
	check := func(subject string, want float64, slope float64, evaluations int) {
		t.Helper()
		m.Grad(grad, x)
		if f := m.Func(x); f != want || grad[0] != slope || grad[1] != 3 || calls != evaluations {
			t.Errorf("%s: %g and %v after %d evaluations, want %g and [%g 3] after %d", subject, f, grad, calls, want,
				slope, evaluations)
		}
	}
	check("at the origin", 0, 0, 1)
	x[0] = 2
	check("elsewhere", 4, 4, 2)
	grad[0] = 9 // the caller's own
	check("once more", 4, 4, 2)
	x[1] = -1
	for range 2 { // the second time from memory
		if v := m.Func(x); v != 1 || calls != 3 {
			t.Errorf("%g after %d evaluations", v, calls)
		}
	}
	x[0], x[1] = 0, 0
	check("back", 0, 0, 4)
}
