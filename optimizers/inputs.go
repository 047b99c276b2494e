package optimizers

import (
	"gonum.org/v1/gonum/mat"

	"bandscope/model"
)

// Columns is how many columns a model sees: one an input, of a choice one for each that there is, or for each of their descriptors.
func (in Input) Columns() int { return len(in.Domain.Columns(in.Dim)) }

// Centered is what networks and their laws see of points of the unit cube (n×d): the columns of the domain, mapped to [−1, 1], n×Columns().
func (in Input) Centered(X *mat.Dense) *mat.Dense { return model.Centered(in.Domain.Encode(X)) }

// CenteredRow is Centered of one point.
func (in Input) CenteredRow(x []float64) []float64 {
	return in.Centered(mat.NewDense(1, len(x), x)).RawRowView(0)
}

// CenteredSlope brings a gradient by what Centered gives back to one by the inputs, written to grad of length d.
func (in Input) CenteredSlope(columns, grad []float64) {
	in.Domain.Slope(columns, grad)
	for j := range grad {
		grad[j] *= 2
	}
}
