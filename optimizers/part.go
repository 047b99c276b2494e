package optimizers

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Joining is how the parts of an acquisition make the whole.
type Joining string

// The ways to join parts; a part without any of its own has none.
const (
	AsSum     Joining = "sum"
	AsProduct Joining = "product"
	AsLeast   Joining = "least" // of them, the one that binds
)

// Part is something that an acquisition is made of at one point, or the acquisition itself: with its name, its value in the units in which the acquisition is shown, and the
// parts that it is made of in its turn, if any is known.
type Part struct {
	Name  string
	Of    int // which objective it is of, from 1; 0 where it is of none in particular
	Value float64
	Joins Joining
	Parts []Part
}

// Joined is the whole that parts make.
func Joined(name string, how Joining, parts ...Part) Part {
	p := Part{Name: name, Joins: how, Parts: parts}
	switch how {
	case AsSum:
		for _, of := range parts {
			p.Value += of.Value
		}
	case AsProduct:
		p.Value = 1
		for _, of := range parts {
			p.Value *= of.Value
		}
	case AsLeast:
		p.Value = math.Inf(1)
		for _, of := range parts {
			p.Value = min(p.Value, of.Value)
		}
	}
	return p
}

// Divided is a belief that can tell what its acquisition is made of.
type Divided interface {
	// Parts are the acquisition at each row of X, with its parts. The values are those of Acquisition but for rounding; the error is ErrAbsent where nothing is known of any parts.
	Parts(ctx context.Context, X *mat.Dense) ([]Part, error)
}

// Forgetful is a belief that can forget a datum.
type Forgetful interface {
	// Without is what would be believed without datum i, with the hyper-parameters, the scale and the step of all data; the error is ErrAbsent where that takes a new fit.
	Without(ctx context.Context, i int) (Belief, error)
}

// Without are the data without datum i: what was observed there, and of its limits.
func (d Data) Without(i int) Data {
	return Data{X: dropped(d.X, i), Y: dropped(d.Y, i), SE: dropped(d.SE, i), Limits: dropped(d.Limits, i), LimitSE: dropped(d.LimitSE, i), Failed: d.Failed}
}

// dropped is a matrix without a row; nil where none is left.
func dropped(m *mat.Dense, i int) *mat.Dense {
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
