package optimizers

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Operation is how the terms of an acquisition function are combined.
type Operation string

// The ways to combine terms; a term without terms has none.
const (
	OperationSum     Operation = "sum"
	OperationProduct Operation = "product"
	OperationMin     Operation = "least" // the smallest term, which binds
)

// Term is a term of an acquisition function at one point, or the acquisition function itself: its name, its value in
// the units in which the acquisition function is shown, and its own terms, if any are known.
type Term struct {
	Name      string
	Objective int // its objective, from 1; 0 if it belongs to none
	Value     float64
	Operation Operation
	Terms     []Term
}

// NewTerm combines terms.
func NewTerm(name string, operation Operation, terms ...Term) Term {
	p := Term{Name: name, Operation: operation, Terms: terms}
	switch operation {
	case OperationSum:
		for _, term := range terms {
			p.Value += term.Value
		}
	case OperationProduct:
		p.Value = 1
		for _, term := range terms {
			p.Value *= term.Value
		}
	case OperationMin:
		p.Value = math.Inf(1)
		for _, term := range terms {
			p.Value = min(p.Value, term.Value)
		}
	}
	return p
}

// Decomposer is a belief that can split its acquisition function into terms.
type Decomposer interface {
	// Decompose returns the acquisition function at each row of X, with its terms. The values equal those of
	// Acquisition up to rounding; the error is ErrUnsupported if no terms are known.
	Decompose(ctx context.Context, X *mat.Dense) ([]Term, error)
}

// LeaveOutRefitter is a belief that can be updated to all observations but one.
type LeaveOutRefitter interface {
	// LeaveOut returns the belief without observation i, with the hyperparameters, the scale and the step of all
	// observations; the error is ErrUnsupported if that takes a new fit.
	LeaveOut(ctx context.Context, i int) (Belief, error)
}

// Without is the data without observation i.
func (d Data) Without(i int) Data {
	var blocks []int
	if d.Blocks != nil {
		blocks = slices.Delete(slices.Clone(d.Blocks), i, i+1)
	}
	var imports [][2]int
	for _, r := range d.Imports {
		for k := range r {
			if r[k] > i {
				r[k]--
			}
		}
		if r[0] < r[1] {
			imports = append(imports, r)
		}
	}
	return Data{X: dropRow(d.X, i), Y: dropRow(d.Y, i), SE: dropRow(d.SE, i), Limits: dropRow(d.Limits, i),
		LimitSE: dropRow(d.LimitSE, i), Failed: d.Failed, Blocks: blocks, BlockNames: d.BlockNames, Imports: imports}
}

// dropRow is a matrix without a row; nil if no row is left.
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
