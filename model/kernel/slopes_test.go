package kernel

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// The gradients of both kernels, of an input with itself and with others, equal differences, for every unit and depth.
func TestSlopesOfNetworkKernels(t *testing.T) {
	const d, m = 3, 5
	others := inputs(m, d, 1, 7)
	weight := []float64{0.7, -1.1, 0.4, 2, -0.3}
	for _, n := range networks() {
		if n.SigmaB == 0 {
			others.SetRow(0, []float64{-0.9, 0.1, 0}) // correlations of both signs
		}
		entered := n.Prepare(others)
		x := []float64{0.4, -0.2, 0.6}
		for name, tangent := range map[string]bool{"NNGP": false, "NTK": true} {
			value := func(x []float64) float64 {
				points := mat.NewDense(1, d, append([]float64(nil), x...))
				nngp, ntk := n.Diag(points)
				both := n.whole(points, others)
				if tangent {
					return 1.3*ntk[0] + floats.Dot(weight, both.NTK.RawRowView(0))
				}
				return 1.3*nngp[0] + floats.Dot(weight, both.NNGP.RawRowView(0))
			}
			s := n.NNGPSlopesAt(x, entered)
			if tangent {
				s = n.SlopesAt(x, entered)
			}
			if got, want := 1.3*s.Diag+floats.Dot(weight, s.Value),
				value(x); math.Abs(got-want) > 1e-12*math.Abs(want)+1e-12 {
				t.Errorf("%s of %+v: the values sum to %.15g, want %.15g", name, n, got, want)
			}
			grad := make([]float64, d)
			s.Add(grad, 1.3, weight)
			for j, want := range fd.Gradient(nil, value, x, &fd.Settings{Formula: fd.Central, Step: 1e-5}) {
				if math.Abs(grad[j]-want) > 1e-6*(1+math.Abs(want)) {
					t.Errorf("%s of %+v: slope %d is %.10g, by differences %.10g", name, n, j, grad[j], want)
				}
			}
		}
	}
}
