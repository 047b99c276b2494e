package hierarchy

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"bandscope/functions/trainer"
)

// small is a network of each kind with inputs of random numbers, small enough for differences.
func small(tvar, bd bool) map[string]Network {
	const days = 40
	s := Shape{Rank: 2, Hidden: 3, Basis: 2, History: 14, Horizon: 3, Features: 2, TVAR: tvar, BD: bd}
	source := trainer.NewSource(4, 40)
	in := Inputs{Series: source.Normals(days * s.Rank), Features: source.Normals(days * s.Features)}
	return map[string]Network{"MLP": NewMLP(s, in), "LSTM": NewLSTM(s, in)}
}

// The gradients by every weight are those of differences, for any gradients by a and b, and only by those that are
// wanted.
func TestGradientsAreThoseOfDifferences(t *testing.T) {
	starts := []int{3, 20, 11}
	for _, parts := range [][2]bool{{true, true}, {true, false}, {false, true}} {
		for name, net := range small(parts[0], parts[1]) {
			source := trainer.NewSource(9, 41)
			w := source.Normals(net.Size())
			floats.Scale(0.5, w)
			toA, toB := source.Normals(3*3*14), source.Normals(3*3*2)
			value := func(w []float64) float64 {
				a, b := net.Forward(w, starts)
				sum := 0.0
				if parts[0] {
					sum += floats.Dot(toA, a)
				}
				if parts[1] {
					sum += floats.Dot(toB, b)
				}
				return sum
			}
			want := fd.Gradient(nil, value, w, &fd.Settings{Formula: fd.Central, Step: 1e-5})
			value(w)
			got := make([]float64, len(w))
			net.Backward(w, got, toA, toB)
			for i, g := range got {
				if math.Abs(g-want[i]) > 1e-7*max(1, math.Abs(want[i])) {
					t.Errorf("%s: the gradient by weight %d of %d is %v, by differences %v", name, i, len(w), g,
						want[i])
				}
			}
		}
	}
}

// What comes out is of the shape and finite, and other numbers of windows before leave nothing behind.
func TestForwardAfterOtherWindowsIsThatOfNewMemory(t *testing.T) {
	for name, net := range small(true, true) {
		w := make([]float64, net.Size())
		net.Init(w, trainer.NewSource(1, 30))
		fresh := small(true, true)[name]
		wantA, wantB := fresh.Forward(w, []int{7, 9})
		net.Forward(w, []int{1, 2, 3})
		net.Forward(w, []int{4})
		a, b := net.Forward(w, []int{7, 9})
		if !floats.Equal(a, wantA) || !floats.Equal(b, wantB) || len(a) != 2*3*14 || len(b) != 2*3*2 ||
			floats.HasNaN(a) {
			t.Errorf("%s: a and b are %v and %v, want %v and %v", name, a, b, wantA, wantB)
		}
	}
}
