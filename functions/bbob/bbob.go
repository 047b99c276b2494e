// Package bbob has the 24 noiseless functions of the black-box optimization benchmark in every instance, as COCO's
// suite bbob evaluates them. It takes the number of a function, a dimension and an instance, and returns a function of
// the cube [−5, 5]^d to be minimized, with the place and the value of its optimum. Definitions: Hansen, Finck, Ros &
// Auger 2009, INRIA RR-6829; where the report is silent, COCO's sources decide (github.com/numbbo/coco).
package bbob

import (
	"fmt"
	"math"
)

// The dimensions in which the functions exist: those of the suite and those between.
const (
	MinDim = 2
	MaxDim = 40
)

// Instances is the greatest instance.
const Instances = 1000

// Function is one function in one dimension and instance.
type Function struct {
	Value   func(x []float64) float64 // at a point of length d, also outside of [−5, 5]^d; safe for concurrent use
	Best    float64                   // the least value
	Optimum []float64                 // where it is reached
}

// Count is the number of functions.
const Count = 24

// Title is the name of function f, from 1 to 24.
func Title(f int) string { return definitions[f-1].title }

// About describes the difficulty of function f in a phrase.
func About(f int) string { return definitions[f-1].about }

// New makes function f, from 1 to 24, in d dimensions and an instance from 1.
func New(f, d, instance int) (*Function, error) {
	switch {
	case f < 1 || f > Count:
		return nil, fmt.Errorf("the function must be in [1, %d], got %d", Count, f)
	case d < MinDim || d > MaxDim:
		return nil, fmt.Errorf("the dimension must be in [%d, %d], got %d", MinDim, MaxDim, d)
	case instance < 1 || instance > Instances:
		return nil, fmt.Errorf("the instance must be in [1, %d], got %d", Instances, instance)
	}
	like := f // two functions are those before them but for what surrounds them, and share their numbers
	if f == 4 || f == 18 {
		like--
	}
	m := &builder{d: d, seed: int64(like + 10000*instance)}
	raw := definitions[f-1].make(m)
	best := m.offset()
	return &Function{Value: func(x []float64) float64 { return raw(x) + best }, Best: best, Optimum: m.optimum}, nil
}

// builder has what a function is made of.
type builder struct {
	d       int
	seed    int64
	optimum []float64
}

// secondSeed is how far the seeds of the second stream of numbers lie from those of the first.
const secondSeed = 1_000_000

// drawOptimum draws the place of the optimum, with four decimals, in [−4, 4]^d.
func (m *builder) drawOptimum(seed int64) []float64 {
	x := uniform(m.d, seed)
	for i, u := range x {
		x[i] = 8*math.Floor(1e4*u)/1e4 - 4
		if x[i] == 0 {
			x[i] = -1e-5
		}
	}
	m.optimum = x
	return x
}

// offset is the value of the optimum, a ratio of two normal numbers with two decimals.
func (m *builder) offset() float64 {
	ratio := normal(1, m.seed)[0] / normal(1, m.seed+1)[0]
	return min(1000, max(-1000, math.Floor(100*100*ratio+0.5)/100))
}

// share is i/(d−1), the exponent of the i-th direction from the shortest to the longest.
func (m *builder) share(i int) float64 { return float64(i) / float64(m.d-1) }

// lengths are base^share, the diagonal of Λ whose condition is base².
func (m *builder) lengths(base float64) []float64 {
	l := make([]float64, m.d)
	for i := range l {
		l[i] = math.Pow(base, m.share(i))
	}
	return l
}
