package optimizers

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/model"
	"bandscope/optimizers/param"
)

// The key of the parameter that says how inputs are encoded for networks, and its choices.
const (
	InputsKey     = "inputs"
	InputsCube    = "cube"    // as numbers in [−1, 1]
	InputsCircles = "circles" // each as a point of half a circle
)

// InputsParam declares how inputs are encoded for a network.
//
// The analyses of networks with gradient features assume contexts of one norm (Zhou et al. 2020, Assumption 4.2: ‖x‖ =
// 1; Phan-Trong et al. 2023: 0 < a ≤ ‖x‖ ≤ b; Dai et al. 2022, footnote 3: the unit sphere). Over the cube [−1, 1]^d
// norms grow from 0 at the center to √d in the corners, and with them a network's prior variance, its bonus and its
// samples: searches end in corners, for Hartmann-6 with 40 to 55 % of all coordinates on the boundary. Contexts of
// finite arms are divided by their norms; for points of a cube, that would make all points on a ray equal. A half
// circle for each input keeps them apart: the scalar product of two points is Σ cos(π(x_j − x'_j)/2)·2, which depends
// only on the difference, and so does the distribution of networks.
func InputsParam() param.Decl {
	return param.Decl{Key: InputsKey, Role: RoleAssumption, Label: "inputs", Kind: param.Choice,
		Default: InputsCircles, Choices: []string{InputsCircles, InputsCube},
		Help:   "How inputs are encoded for the network: each as a point on a half circle, so that all points have the same norm, or as a number in [−1, 1], which attracts the search to the corners.",
		Source: "the analyses assume a unit norm: Zhou et al. 2020, Assumption 4.2; Dai et al. 2022, footnote 3"}
}

// circles reports whether each column is encoded as a point of a half circle.
func (in Input) circles() bool {
	return in.Params.Has(InputsKey) && in.Params.Choice(InputsKey) == InputsCircles
}

// Columns is the number of columns of a network's input: one for each input, for a choice one for each of its values or
// of their descriptors, and two for each of those if they are circles.
func (in Input) Columns() int {
	n := len(in.Domain.Columns(in.Dim))
	if in.circles() {
		return 2 * n
	}
	return n
}

// Centered is the network input for points of the unit cube (n×d): the columns of the domain, mapped to [−1, 1],
// n×Columns(). As circles a column c in [−1, 1] becomes √2·cos(πc/2) and √2·sin(πc/2), with all sines after all
// cosines, so that a row's norm is √Columns(), the same as for columns of order one.
func (in Input) Centered(X *mat.Dense) *mat.Dense {
	c := model.Center(in.Domain.Encode(X))
	if !in.circles() {
		return c
	}
	n, d := c.Dims()
	z := mat.NewDense(n, 2*d, nil)
	for i := range n {
		row := z.RawRowView(i)
		for j, v := range c.RawRowView(i) {
			sin, cos := math.Sincos(math.Pi / 2 * v)
			row[j], row[d+j] = math.Sqrt2*cos, math.Sqrt2*sin
		}
	}
	return z
}

// CenteredRow is Centered of one point.
func (in Input) CenteredRow(x []float64) []float64 {
	return in.Centered(mat.NewDense(1, len(x), x)).RawRowView(0)
}

// CenteredGradient converts a gradient with respect to the columns of Centered into one with respect to the inputs,
// written to grad of length d; at is CenteredRow of the point, or begins with it.
func (in Input) CenteredGradient(point, columns, grad []float64) {
	if in.circles() {
		n := in.Columns() / 2
		slopes := make([]float64, n)
		for j := range slopes { // of √2·cos and √2·sin by c
			slopes[j] = math.Pi / 2 * (point[j]*columns[n+j] - point[n+j]*columns[j])
		}
		columns = slopes
	}
	in.Domain.Slope(columns, grad)
	for j := range grad {
		grad[j] *= 2
	}
}
