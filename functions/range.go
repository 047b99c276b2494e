package functions

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Range is what a problem declares its objectives to range over, in their own units and directions: what outcomes are
// measured by.
type Range struct {
	Ideal []float64 `json:"best"`  // of each objective alone on the front: the utopia point
	Nadir []float64 `json:"worst"` // of each objective alone on the front: the nadir point
}

// uniformRange is the same range of every objective.
func uniformRange(k int, best, worst float64) *Range {
	r := &Range{}
	for range k {
		r.Ideal, r.Nadir = append(r.Ideal, best), append(r.Nadir, worst)
	}
	return r
}

// The inputs of the fronts that have no closed form, one a line, in the domain's units. TestMakeFronts finds them, with
// the build tag study; kept, they are the same on every machine, and at hand at once.
//
//go:embed fronts/*.csv
var frontFiles embed.FS

// withStoredFront is a problem whose front was searched for.
func withStoredFront(name string, p Problem, r Range) Problem {
	front := storedFront(name, p.Truth.Value)
	p.Truth.Front, p.Range = &Front{Points: func(int) [][]float64 { return front() }, Computed: true}, &r
	return p
}

// storedFront evaluates the inputs of a front when it is first asked for.
func storedFront(name string, f func(x []float64) []float64) func() [][]float64 {
	return sync.OnceValue(func() [][]float64 {
		inputs, err := storedInputs(name)
		if err != nil {
			panic(fmt.Sprintf("functions: the front of %s: %v", name, err)) // part of the program, and tested
		}
		front := make([][]float64, len(inputs))
		for i, x := range inputs {
			front[i] = f(x)
		}
		return front
	})
}

// storedInputs reads the inputs of a front.
func storedInputs(name string) ([][]float64, error) {
	text, err := frontFiles.ReadFile("fronts/" + name + ".csv")
	if err != nil {
		return nil, err
	}
	var inputs [][]float64
	for line := range strings.Lines(string(text)) {
		var x []float64
		for _, cell := range strings.Split(strings.TrimSpace(line), ",") {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				return nil, err
			}
			x = append(x, v)
		}
		inputs = append(inputs, x)
	}
	return inputs, nil
}
