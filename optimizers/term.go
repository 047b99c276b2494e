package optimizers

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Operation is how the terms of an acquisition make the whole.
type Operation string

// The ways to join terms; a term without any of its own has none.
const (
	OperationSum     Operation = "sum"
	OperationProduct Operation = "product"
	OperationMin     Operation = "least" // of them, the one that binds
)

// Term is something that an acquisition is made of at one point, or the acquisition itself: with its name, its value in
// the units in which the acquisition is shown, and the terms that it is made of in its turn, if any is known.
type Term struct {
	Name      string
	Objective int // which objective it is of, from 1; 0 where it is of none in particular
	Value     float64
	Operation Operation
	Terms     []Term
}

// NewTerm is the whole that terms make.
func NewTerm(name string, how Operation, terms ...Term) Term {
	p := Term{Name: name, Operation: how, Terms: terms}
	switch how {
	case OperationSum:
		for _, of := range terms {
			p.Value += of.Value
		}
	case OperationProduct:
		p.Value = 1
		for _, of := range terms {
			p.Value *= of.Value
		}
	case OperationMin:
		p.Value = math.Inf(1)
		for _, of := range terms {
			p.Value = min(p.Value, of.Value)
		}
	}
	return p
}

// Decomposer is a belief that can take its acquisition apart.
type Decomposer interface {
	// Decompose returns the acquisition at each row of X, with its terms. The values are those of Acquisition but for
	// rounding; the error is ErrUnsupported where no terms are known.
	Decompose(ctx context.Context, X *mat.Dense) ([]Term, error)
}

// LeaveOutRefitter is a belief that can be updated to all data but one.
type LeaveOutRefitter interface {
	// LeaveOut returns what would be believed without datum i, with the hyper-parameters, the scale and the step of all
	// data; the error is ErrUnsupported where that takes a new fit.
	LeaveOut(ctx context.Context, i int) (Belief, error)
}

// Without are the data without datum i: what was observed there, and of its limits.
func (d Data) Without(i int) Data {
	return Data{X: dropRow(d.X, i), Y: dropRow(d.Y, i), SE: dropRow(d.SE, i), Limits: dropRow(d.Limits, i),
		LimitSE: dropRow(d.LimitSE, i), Failed: d.Failed}
}

// dropRow is a matrix without a row; nil where none is left.
func dropRow(m *mat.Dense, i int) *mat.Dense {
	if m == nil {
		return nil
	}
	n, d := m.Dims()
	if n < 2 {
		return nil
	}
	rest := mat.NewDense(n-1, d, nil)
	for j := range n - 1 {
		from := j
		if j >= i {
			from++
		}
		rest.SetRow(j, m.RawRowView(from))
	}
	return rest
}
