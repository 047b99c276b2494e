package acts

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A few points of a front are its ends and then the one that is farthest from those, in parts of what each objective
// varies: its unit and where it begins do not count, nor an objective that is constant.
func TestClustersOfAFront(t *testing.T) {
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
			few, got := front[:0:0], []float64{}
			for i := range most { // so many points apart from each other, each of them twice
				index := slices.IndexFunc(front, func(p FrontPoint) bool { return p.input[0] == want[i] })
				few = append(few, front[index], front[index])
			}
			for _, c := range modelClusters(few) {
				if got = append(got, few[c.Index].input[0]); c.Count != 2 {
					t.Errorf("%s: a representative has %d points", name, c.Count)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %d of five are %v, want %v", name, most, got, want)
			}
		}
	}
}

// A front of many points has its ends and points far from each other, and each point counts once.
func TestClustersOfManyPoints(t *testing.T) {
	var front []FrontPoint
	for i := range 101 {
		u := float64(i) / 100
		front = append(front, FrontPoint{values: []float64{u, 1 - u}})
	}
	list, sum := modelClusters(front), 0
	for i, c := range list {
		if sum += c.Count; i > 0 && c.Index-list[i-1].Index < 7 {
			t.Errorf("representatives %d and %d are close", list[i-1].Index, c.Index)
		}
	}
	if len(list) != maxClusters || list[0].Index != 0 || list[len(list)-1].Index != 100 || sum != 101 {
		t.Errorf("the clusters of 101 points are %v", list)
	}
	assert.Nil(t, modelClusters(nil), "an empty front has clusters")
}
