package nn

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// EmpiricalNTK is Θ̂(x, x') = ∇f(x)·∇f(x') for the rows of A (n×d) and B (m×d), n×m.
func (n *Net) EmpiricalNTK(A, B *mat.Dense) *mat.Dense {
	a := n.run(A)
	if A == B {
		return kernel(a, a)
	}
	return kernel(a, n.run(B))
}

// VJP is Jᵀv, J being ∂f/∂θ at the rows of X (n×d) and v of length n.
func (n *Net) VJP(X *mat.Dense, v []float64) Tangent {
	t := Tangent{n.zeros()}
	n.run(X).back(v, 0, t.layers)
	return t
}

// Gradient of the objective at a trained network, as its Euclidean norm: Jᵀ(f − target) + σ²(θ−θ₀), which is zero at a
// minimum.
func (t *training) firstOrder(net *Net) float64 {
	state := net.run(t.x)
	position := trialPoint{net: net, moved: net.minus(t.start)}
	_, position.residual = t.objective(state.f, position.moved)
	return math.Sqrt(squared(t.gradient(state, position)))
}
