package space

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// SampleSteps samples functions at the rows of X (n×d, points of the unit cube): draw gets one row of each step, and
// its result, one row for each function and one column for each of its rows, is used for all rows of that step. A joint
// sample at rows that a model cannot distinguish would differ by the jitter that keeps its covariance from being
// singular.
func (d *Domain) SampleSteps(X *mat.Dense, draw func(X *mat.Dense) (*mat.Dense, error)) (*mat.Dense, error) {
	if !d.Encoded() {
		return draw(X)
	}
	n, dim := X.Dims()
	var rows []float64
	indices, rowIndex := make([]int, n), map[string]int{}
	for i := range n {
		key := fmt.Sprint(d.EncodeRow(X.RawRowView(i)))
		row, known := rowIndex[key]
		if !known {
			row = len(rowIndex)
			rowIndex[key], rows = row, append(rows, X.RawRowView(i)...)
		}
		indices[i] = row
	}
	if len(rowIndex) == n {
		return draw(X)
	}
	drawn, err := draw(mat.NewDense(len(rowIndex), dim, rows))
	if err != nil {
		return nil, err
	}
	count, _ := drawn.Dims()
	all := mat.NewDense(count, n, nil)
	all.Apply(func(i, j int, _ float64) float64 { return drawn.At(i, indices[j]) }, all)
	return all, nil
}
