package asktell

import (
	"slices"
	"testing"
)

// A few points of a front are its ends and then the one that is farthest from those, in parts of what each objective
// varies: its unit and where it begins do not count, nor an objective that is constant.
func TestSpreadOfAFront(t *testing.T) {
	for name, unit := range map[string]func(u, v float64) []float64{
		"parts":        func(u, v float64) []float64 { return []float64{u, v} },
		"other units":  func(u, v float64) []float64 { return []float64{5000 + 1000*u, 3 + 0.01*v} },
		"far below 0":  func(u, v float64) []float64 { return []float64{u - 40, 1e6 * (v - 1)} },
		"one constant": func(u, v float64) []float64 { return []float64{u, 7, v} },
	} {
		var front []FrontPoint
		for _, p := range [][2]float64{{0, 1}, {0.1, 0.95}, {0.5, 0.5}, {0.6, 0.1}, {1, 0}} {
			front = append(front, FrontPoint{input: []float64{p[0]}, values: unit(p[0], p[1])})
		}
		for most, want := range map[int][]float64{
			2: {0, 1}, 3: {0, 0.5, 1}, 4: {0, 0.5, 0.6, 1}, 5: {0, 0.1, 0.5, 0.6, 1}} {
			var got []float64
			for _, e := range Spread(front, most) {
				got = append(got, e.input[0])
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %d of five are %v, want %v", name, most, got, want)
			}
		}
	}
}
