package report

import (
	"encoding/binary"
	"math"
	"slices"

	"bandscope/sessions"
)

// Replicates are two or more results at one point, averaged.
type Replicates struct {
	X     []float64
	Count int
	// of each objective, weighted by 1/SE² if all errors are known, and otherwise evenly; its standard error, NaN if
	// not known. On a log scale it is the geometric mean, with the error of its decimal logarithm
	Mean, SE []float64
}

// ReplicatesFor are the points with several results, in the order of their first ones. Failed and incomplete points do
// not count.
func ReplicatesFor(st sessions.State) []Replicates {
	type result struct{ y, se []float64 }
	var places [][]float64
	var results [][]result
	seen := map[string]int{}
	for _, it := range st.Iterations {
		for i, pt := range it.Points {
			if pt.Failed || it.IncompleteAt(i) {
				continue
			}
			r := result{pt.Y, pt.SE}
			var key []byte
			for _, v := range pt.X {
				key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
			}
			index, known := seen[string(key)]
			if !known {
				index = len(places)
				seen[string(key)] = index
				places = append(places, pt.X)
				results = append(results, nil)
			}
			results[index] = append(results[index], r)
		}
	}
	var all []Replicates
	for p, list := range results {
		if len(list) < 2 {
			continue
		}
		r := Replicates{X: places[p], Count: len(list)}
		for k, o := range st.Problem.Objectives {
			g := o.Transform()
			known := !slices.ContainsFunc(list, func(r result) bool { return r.se == nil || !(r.se[k] > 0) })
			sum, weights := 0.0, 0.0
			for _, single := range list {
				w := 1.0
				if known {
					se := g.ApplySE(single.y[k], single.se[k])
					w = 1 / (se * se)
				}
				sum, weights = sum+w*g.ToScale(single.y[k]), weights+w
			}
			se := math.NaN()
			if known {
				se = 1 / math.Sqrt(weights)
			}
			r.Mean, r.SE = append(r.Mean, g.FromScale(sum/weights)), append(r.SE, se)
		}
		all = append(all, r)
	}
	return all
}
