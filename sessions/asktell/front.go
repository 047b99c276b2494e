package asktell

import (
	"cmp"
	"math"
	"slices"

	"bandscope/functions/encoding"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/report"
)

// FrontPoint is a point of the front that the model expects, with its prediction.
type FrontPoint struct {
	X     map[string]encoding.Value `json:"x"`
	Value map[string]report.Number  `json:"value"`
	SD    map[string]report.Number  `json:"sd,omitempty"` // standard deviations
	// standard deviations of the decimal logarithm, for objectives on a log scale
	Log10 map[string]report.Number `json:"log10_sd,omitempty"`

	input  []float64
	values []float64 // in the order of the objectives, minimized and on their scale
}

// Input is the point in the order of the variables.
func (e FrontPoint) Input() []float64 { return e.input }

// frontFor are the results that no other result dominates.
func frontFor(st sessions.State) []Best {
	front := report.Front(st, len(st.Iterations))
	at := map[float64][]int{} // the places on the front, by the first objective
	for i, row := range front {
		at[row[0]] = append(at[row[0]], i)
	}
	results := make([][]Best, len(front)) // at each place
	for _, it := range st.Iterations {
		for i, pt := range it.Points {
			if !st.Feasible(it, i) {
				continue
			}
			for _, k := range at[pt.Y[0]] {
				if slices.Equal(pt.Y[:len(front[k])], front[k]) {
					results[k] = append(results[k], Best{X: encoding.EncodeMap(st.Problem.Domain, pt.X), input: pt.X,
						Value: byObjective(st, pt.Y), Step: it.Step})
				}
			}
		}
	}
	return slices.Concat(results...)
}

// similarWithin is how far results may be apart that Similar groups, as a part of the extent of the front in each
// objective.
const similarWithin = 0.01

// Similar are results of a front, in their order, of which no two are nearly the same in all objectives, with the
// number of others that each represents.
func Similar(st sessions.State, front []Best) (few []Best, others []int) {
	names := objectiveNames(st)
	extent := make([]float64, len(names))
	for k, name := range names {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, b := range front {
			v := counted(st, k, b, name)
			lo, hi = min(lo, v), max(hi, v)
		}
		extent[k] = hi - lo
	}
	for _, b := range front {
		i := slices.IndexFunc(few, func(of Best) bool {
			for k, name := range names {
				if !(math.Abs(counted(st, k, b, name)-counted(st, k, of, name)) <= similarWithin*extent[k]) {
					return false
				}
			}
			return true
		})
		if i >= 0 {
			others[i]++
			continue
		}
		few, others = append(few, b), append(others, 0)
	}
	return few, others
}

func objectiveNames(st sessions.State) (names []string) {
	for _, o := range st.Problem.Objectives {
		names = append(names, o.Name)
	}
	return names
}

// counted is a result's value of objective k on the scale of the objective.
func counted(st sessions.State, k int, b Best, name string) float64 {
	return st.Problem.Objectives[k].Transform().Apply(float64(b.Value[name]))
}

// expectedFront is the front that the model expects, in increasing order of the first objective.
func expectedFront(st sessions.State, a *diagnostics.Summary) []FrontPoint {
	var list []FrontPoint
	for _, p := range a.MeanFront {
		e := FrontPoint{X: encoding.EncodeMap(st.Problem.Domain, p.X), Value: map[string]report.Number{},
			SD: map[string]report.Number{}, Log10: map[string]report.Number{}, input: p.X}
		for k, o := range st.Problem.Objectives {
			g, sd := o.Transform(), e.SD
			if g.IsLog() {
				sd = e.Log10
			}
			e.values = append(e.values, g.Sign*g.Apply(p.Normals[k].Mean))
			e.Value[o.Name], sd[o.Name] = report.Number(p.Normals[k].Mean), report.Number(p.Normals[k].SD)
		}
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b FrontPoint) int { return cmp.Compare(a.values[0], b.values[0]) })
	return list
}

// Spread selects at most so many points of a front, in its order: its ends by the first objective, and then repeatedly
// the point farthest from all selected ones, with each objective scaled to its range on the front.
func Spread(front []FrontPoint, most int) []FrontPoint {
	if len(front) <= most {
		return front
	}
	apart := func(a, b FrontPoint) (d float64) {
		for k := range a.values {
			lo, hi := math.Inf(1), math.Inf(-1)
			for _, e := range front {
				lo, hi = min(lo, e.values[k]), max(hi, e.values[k])
			}
			if hi > lo {
				d += math.Pow((a.values[k]-b.values[k])/(hi-lo), 2)
			}
		}
		return d
	}
	taken := []int{0, len(front) - 1}
	for len(taken) < most {
		far, at := math.Inf(-1), 0
		for i, e := range front {
			near := math.Inf(1)
			for _, j := range taken {
				near = min(near, apart(e, front[j]))
			}
			if near > far {
				far, at = near, i
			}
		}
		taken = append(taken, at)
	}
	slices.Sort(taken)
	few := make([]FrontPoint, most)
	for i, j := range taken {
		few[i] = front[j]
	}
	return few
}
