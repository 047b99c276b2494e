package functions

import (
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	"bandscope/functions/pareto"
)

// Table has all inputs of a problem that is a table of candidates, one row each, with the measured values. Its methods
// may be called from several goroutines.
type Table struct {
	X      [][]float64 // in the domain's units, snapped; no two are equal
	Y      [][]float64 // of Problem.Outputs; NaN where nothing is measured
	Labels []string    // that name the rows; nil without any

	index map[string]int
}

// NewTable returns the table of some inputs, which all differ, and of the values at each.
func NewTable(x, y [][]float64) *Table {
	t := &Table{X: x, Y: y, index: make(map[string]int, len(x))}
	for i, row := range x {
		t.index[rowKey(row)] = i
	}
	return t
}

// rowKey is a key of an input that only equal inputs have; −0 is 0.
func rowKey(x []float64) string {
	key := make([]byte, 0, 8*len(x))
	for _, v := range x {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v+0))
	}
	return string(key)
}

// Row is the index of the row with an input; −1 if there is none.
func (t *Table) Row(x []float64) int {
	if i, ok := t.index[rowKey(x)]; ok {
		return i
	}
	return -1
}

// Nearest is the index of the row whose input is nearest in the unit cube of the domain; two different choices are 1
// apart.
func (t *Table) Nearest(d Domain, x []float64) int {
	best, least := 0, math.Inf(1)
	for i, row := range t.X {
		sum := 0.0
		for j, v := range d {
			switch difference := v.ToUnit(row[j]) - v.ToUnit(x[j]); {
			case v.Kind != Choice:
				sum += difference * difference
			case difference != 0:
				sum++
			}
		}
		if sum < least {
			best, least = i, sum
		}
	}
	return best
}

// check returns an error if an input is not in the table, which names the nearest row that is.
func (t *Table) check(d Domain, x []float64) error {
	if t.Row(x) >= 0 {
		return nil
	}
	return fmt.Errorf("the table has no row with %s; the nearest has %s", d.Text(x), d.Text(t.X[t.Nearest(d, x)]))
}

// truth is what the table says about a problem: values at its rows, NaN elsewhere, the best row that fulfils all limits
// and constraints as the optimum, or the non-dominated ones as the front.
func (t *Table) truth(p *Problem) *Truth {
	truth := &Truth{Value: func(x []float64) []float64 {
		if i := t.Row(x); i >= 0 {
			return t.Y[i]
		}
		y := make([]float64, len(p.Outputs()))
		for k := range y {
			y[k] = math.NaN()
		}
		return y
	}}
	var outcomes, minimized [][]float64
	var inputs [][]float64
	for i, y := range t.Y {
		if !Finite(y) || !p.Feasible(y) || p.CheckConstraints(t.X[i]) != nil {
			continue
		}
		row := make([]float64, len(p.Objectives))
		for k, o := range p.Objectives {
			row[k] = o.Transform().Apply(y[k])
		}
		inputs = append(inputs, t.X[i])
		outcomes = append(outcomes, y[:len(row):len(row)])
		minimized = append(minimized, row)
	}
	if inputs == nil {
		return truth
	}
	if len(p.Objectives) > 1 {
		front := sync.OnceValue(func() (front [][]float64) {
			for _, i := range pareto.Front(minimized) {
				front = append(front, outcomes[i])
			}
			return front
		})
		truth.Front = &Front{Points: func(int) [][]float64 { return front() }}
		return truth
	}
	best := 0
	for i, row := range minimized {
		if row[0] < minimized[best][0] {
			best = i
		}
	}
	truth.Optimum = &Optimum{Value: outcomes[best][0]}
	for i, row := range minimized {
		if row[0] == minimized[best][0] {
			truth.Optimum.X = append(truth.Optimum.X, inputs[i])
		}
	}
	return truth
}

// SetTable makes a problem, complete but for its truth, one over the rows of a table.
func (p *Problem) SetTable(t *Table) {
	p.Table = t
	p.Truth = t.truth(p)
}
