// Package space describes the inputs of a method and where in the unit cube a point may lie: which inputs are real,
// which take discrete levels, which are choices without an order, and the known constraints (Domain); and the feasible
// set within bounds (Region): the feasible point nearest to a given one, points spread uniformly over the set, and why
// the set is empty where it is. Encode gives the columns that a model sees in place of the inputs. A nil *Domain is the
// whole cube of real numbers. Searching the space is package search's job.
package space

import (
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Input describes one input.
type Input struct {
	Levels []float64 // its levels, increasing in [0, 1]; nil: it is a real number
	// the levels are the grid of a real number: points are searched on it, and models see the number itself
	Grid   bool
	Choice bool // the levels have no order: their positions mean nothing
	// the same properties for each level of a choice, in [0, 1], which distinguish all levels; nil: none are known
	Descriptors [][]float64
}

// Domain describes the inputs, one Input each, and the known constraints.
type Domain struct {
	Inputs    []Input
	Linear    []Linear // constraints that are linear in the unit cube
	Nonlinear []Constraint
	Mixtures  []*Mixture // of different inputs
	Pool      *Pool      // the only points; nil: all points of the cube
}

// Constraint is a nonlinear constraint on snapped points: it holds where Func is ≤ 0. Text is its source text.
type Constraint struct {
	Text string
	Func func(u []float64) float64
}

// Linear is the constraint A·u ≤ B on points of the unit cube, or A·u = B. Text is its source text.
type Linear struct {
	Text  string
	A     []float64
	B     float64
	Equal bool
}

// Tolerance is the violation up to which a constraint counts as satisfied: suggested points satisfy sums to this
// precision.
const Tolerance = 1e-9

// Mixed reports whether some input is not a real number, on a grid or not.
func (d *Domain) Mixed() bool { return d != nil && slices.ContainsFunc(d.Inputs, Input.stepwise) }

// HasLevels reports whether some input takes levels, those of a grid included.
func (d *Domain) HasLevels() bool {
	return d != nil && slices.ContainsFunc(d.Inputs, func(in Input) bool { return in.Levels != nil })
}

// HasGrids reports whether some input lies on the grid of a real number.
func (d *Domain) HasGrids() bool {
	return d != nil && slices.ContainsFunc(d.Inputs, func(in Input) bool { return in.Grid })
}

// Relaxed is the domain without the grids of real numbers.
func (d *Domain) Relaxed() *Domain {
	if !d.HasGrids() {
		return d
	}
	r := *d
	r.Inputs = slices.Clone(d.Inputs)
	for j, in := range r.Inputs {
		if in.Grid {
			r.Inputs[j] = Input{}
		}
	}
	return &r
}

// Encoded reports whether models see other columns than the inputs.
func (d *Domain) Encoded() bool { return d.Mixed() || d != nil && len(d.Mixtures) > 0 }

// Constrained reports whether there is a constraint or a pool.
func (d *Domain) Constrained() bool {
	return d != nil && (len(d.Linear)+len(d.Nonlinear) > 0 || d.Pool != nil)
}

// Discrete reports whether input j takes levels, those of a grid included.
func (d *Domain) Discrete(j int) bool { return d != nil && d.Inputs[j].Levels != nil }

// Stepwise reports whether input j takes levels between which a model sees no values.
func (d *Domain) Stepwise(j int) bool { return d != nil && d.Inputs[j].stepwise() }

func (in Input) stepwise() bool { return in.Levels != nil && !in.Grid }

// Choice reports whether input j takes levels that have no order.
func (d *Domain) Choice(j int) bool { return d != nil && d.Inputs[j].Choice }

// LevelGap returns the mean distance between neighbouring levels of input j as a model sees it: 1 for a choice, all of
// whose levels are equally far from each other, and 0 for a real input, for a choice with descriptors, and for an input
// with one level.
func (d *Domain) LevelGap(j int) float64 {
	if !d.Stepwise(j) || len(d.Inputs[j].Levels) < 2 || d.Inputs[j].Descriptors != nil {
		return 0
	}
	in := d.Inputs[j]
	if in.Choice {
		return 1
	}
	last := len(in.Levels) - 1
	return (in.Levels[last] - in.Levels[0]) / float64(last)
}

// Nearest is the level of the input nearest to u, the lower one of two equally near ones.
func (in Input) Nearest(u float64) int {
	above, _ := slices.BinarySearch(in.Levels, u)
	above = min(above, len(in.Levels)-1)
	if above > 0 && !(in.Levels[above]-u < u-in.Levels[above-1]) {
		above--
	}
	return above
}

// IsFinite reports whether the domain has finitely many points: it is a pool, or all inputs take levels.
func (d *Domain) IsFinite() bool {
	return d != nil && (d.Pool != nil || !slices.ContainsFunc(d.Inputs, func(in Input) bool { return in.Levels == nil }))
}

// CountUpTo is the number of points of a finite domain, or most if there are more. Without a pool, the points that
// violate a constraint count too.
func (d *Domain) CountUpTo(most int) int {
	if d.Pool != nil {
		return min(len(d.Pool.Rows), most)
	}
	n := 1
	for _, in := range d.Inputs {
		n = min(n*len(in.Levels), most)
	}
	return n
}

// Distance2 is the squared distance of two points, in which two different choices are 1 apart.
func (d *Domain) Distance2(u, v []float64) (sum float64) {
	for j := range u {
		difference := u[j] - v[j]
		switch {
		case !d.Choice(j):
			sum += difference * difference
		case difference != 0:
			sum++
		}
	}
	return sum
}

// Equal reports whether two domains are the same; nonlinear constraints are compared by their text.
func (d *Domain) Equal(other *Domain) bool {
	if d == nil || other == nil {
		return d == other
	}
	return reflect.DeepEqual(d.Inputs, other.Inputs) && reflect.DeepEqual(d.Linear, other.Linear) &&
		reflect.DeepEqual(d.Mixtures, other.Mixtures) && d.Pool.equal(other.Pool) &&
		slices.EqualFunc(d.Nonlinear, other.Nonlinear, func(a, b Constraint) bool { return a.Text == b.Text })
}

// Snap moves every input with levels to the nearest level, in place.
func (d *Domain) Snap(u []float64) []float64 {
	if d != nil {
		for j, in := range d.Inputs {
			if in.Levels != nil {
				u[j] = in.Levels[in.Nearest(u[j])]
			}
		}
	}
	return u
}

// Feasible reports whether a snapped point is in the pool, if there is one, and satisfies all constraints, to Tolerance.
func (d *Domain) Feasible(u []float64) bool {
	if d == nil {
		return true
	}
	if d.Pool != nil && !d.Pool.has(u) {
		return false
	}
	for _, l := range d.Linear {
		if v := l.At(u); v > Tolerance || l.Equal && v < -Tolerance {
			return false
		}
	}
	for _, g := range d.Nonlinear {
		if !(g.Func(u) <= Tolerance) { // NaN is not feasible
			return false
		}
	}
	return true
}

// At is A·u − B.
func (l Linear) At(u []float64) float64 {
	v := -l.B
	for j, a := range l.A {
		v += a * u[j]
	}
	return v
}

// The values of a column of a choice: on for its own choice, off otherwise. Two choices are as far apart as the ends of
// a real input, 1, in whatever column they differ; networks, whose inputs are 2u − 1, get 0 and √2, so that the length
// of an input does not depend on the number of choices.
var (
	choiceOff = 0.5
	choiceOn  = 0.5 + math.Sqrt2/2
)

// columns is the number of columns of a model for input j.
func (d *Domain) columns(j int) int {
	if d == nil {
		return 1
	}
	switch in := d.Inputs[j]; {
	case in.Descriptors != nil:
		return len(in.Descriptors[0])
	case in.Choice:
		return len(in.Levels)
	}
	if m, c := d.component(j); m != nil && c == len(m.Of)-1 {
		return 0 // it follows from the others
	}
	return 1
}

// Columns lists for every column of a model the input that it comes from: 0 to dim − 1 in order if none is a choice or
// in a mixture. The columns of a mixture, which come from all of its components, have the places of all but the last
// one.
func (d *Domain) Columns(dim int) []int {
	var indices []int
	for j := range dim {
		indices = append(indices, slices.Repeat([]int{j}, d.columns(j))...)
	}
	return indices
}

// SharedLengthscales lists for every column the number of its lengthscale: columns of one choice without descriptors
// share one, so that any two of its values have the same correlation, and so do the columns of one mixture, so that no
// order of its components is preferred; all other columns have their own. They are numbered from 0 as they occur.
func (d *Domain) SharedLengthscales(dim int) []int {
	var tied []int
	next, ofMixture := 0, map[*Mixture]int{}
	for j := range dim {
		n, shared := d.columns(j), d.Choice(j) && d.Inputs[j].Descriptors == nil
		if m, _ := d.component(j); m != nil {
			if _, known := ofMixture[m]; !known {
				ofMixture[m] = next
				next++
			}
			tied = append(tied, slices.Repeat([]int{ofMixture[m]}, n)...)
			continue
		}
		for c := range n {
			tied = append(tied, next)
			if !shared || c == n-1 {
				next++
			}
		}
	}
	return tied
}

// Encode returns the model inputs for the rows of X (n×d, points of the unit cube): levels rounded (Garrido-Merchán &
// Hernández-Lobato 2020, eq. 7), choices one-hot, or by their descriptors, and mixtures by coordinates within their
// simplex. For real inputs without mixtures it is X itself; nil stays nil.
func (d *Domain) Encode(X *mat.Dense) *mat.Dense {
	if X == nil || !d.Encoded() {
		return X
	}
	n, dim := X.Dims()
	e := mat.NewDense(n, len(d.Columns(dim)), nil)
	for i := range n {
		d.encode(X.RawRowView(i), e.RawRowView(i))
	}
	return e
}

// EncodeRow is Encode of one point.
func (d *Domain) EncodeRow(u []float64) []float64 {
	if !d.Encoded() {
		return u
	}
	e := make([]float64, len(d.Columns(len(u))))
	d.encode(u, e)
	return e
}

// encode writes the columns of one point.
func (d *Domain) encode(u, e []float64) {
	column := 0
	for j, in := range d.Inputs {
		n := d.columns(j)
		switch m, c := d.component(j); {
		case m != nil:
			if n > 0 {
				e[column] = m.coordinate(c, u)
			}
		case !in.stepwise():
			e[column] = u[j]
		case in.Descriptors != nil:
			copy(e[column:], in.Descriptors[in.Nearest(u[j])])
		case in.Choice:
			for c := range n {
				e[column+c] = choiceOff
			}
			e[column+in.Nearest(u[j])] = choiceOn
		default:
			e[column] = in.Levels[in.Nearest(u[j])]
		}
		column += n
	}
}

// Slope converts a gradient with respect to columns into one with respect to inputs, written to grad of length d: a
// function of rounded values has no slope along inputs with levels.
func (d *Domain) Slope(columns, grad []float64) {
	if !d.Encoded() {
		copy(grad, columns)
		return
	}
	column := 0
	clear(grad[:len(d.Inputs)])
	for j, in := range d.Inputs {
		n := d.columns(j)
		switch m, c := d.component(j); {
		case m != nil && n > 0:
			m.addSlope(c, columns[column], grad)
		case m == nil && !in.stepwise():
			grad[j] = columns[column]
		}
		column += n
	}
}
