package hierarchy

import (
	"math"
)

// regularizer is E_reg, the sum over all nodes p and the leaves i under them of ‖θ_p-θ_i‖² (equation 6.4), of
// embeddings of k numbers each, and adds scale times its gradient to g.
func regularizer(tree Tree, theta []float64, k int, scale float64, g []float64) float64 {
	sum := 0.0
	for p := range tree.Size() {
		if len(tree.Children[p]) == 0 {
			continue
		}
		for _, i := range tree.Leaves(p) {
			for j := range k {
				d := theta[p*k+j] - theta[i*k+j]
				sum += d * d
				g[p*k+j] += 2 * scale * d
				g[i*k+j] -= 2 * scale * d
			}
		}
	}
	return sum
}

// norm is the Euclidean one.
func norm(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}
