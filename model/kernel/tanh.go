package kernel

import "math"

// normalMean returns the means of two functions of tanh(s·z), z standard normal.
func normalMean(s float64, f func(t float64) (float64, float64)) (first, second float64) {
	for _, n := range trapezoid(s) {
		x, y := f(tanh(s * n.z))
		first += n.w * x
		second += n.w * y
	}
	return first, second
}

// tanh is math.Tanh within a few 1e-16, with one exponential.
func tanh(x float64) float64 { return 1 - 2/(math.Exp(2*x)+1) }

// node is a point of a quadrature with its weight.
type node struct{ z, w float64 }

// trapezoid returns the trapezoidal rule for the standard normal distribution, which converges geometrically for
// functions that are analytic in a strip around the real line. s stretches functions that have the poles of tanh.
func trapezoid(s float64) []node {
	const reach = 8.5
	h := trapezoidStep(s)
	n := int(math.Ceil(reach / h))
	nodes := make([]node, 0, 2*n+1)
	sum := 0.0
	for i := -n; i <= n; i++ {
		z := float64(i) * h
		w := math.Exp(-z * z / 2)
		nodes = append(nodes, node{z, w})
		sum += w
	}
	for i := range nodes {
		nodes[i].w /= sum
	}
	return nodes
}

// trapezoidStep returns the step for a function of s·z, z standard normal, that has the poles of tanh. Shifting the
// path of integration by d gives an error of exp(−2πd/h + d²/2), for d up to the poles and, without poles, up to 2π/h.
func trapezoidStep(s float64) float64 {
	const order = 37 // −log of the error
	d := math.Sqrt(2 * order)
	if s > 0 {
		d = min(d, math.Pi/(2*s))
	}
	return 2 * math.Pi * d / (order + d*d/2)
}
