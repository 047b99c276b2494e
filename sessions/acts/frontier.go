package acts

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
	X     Input             `json:"x"`
	Value map[string]Number `json:"value"`
	SD    map[string]Number `json:"sd,omitempty"` // standard deviations
	// standard deviations of the decimal logarithm, for objectives on a log scale
	Log10 map[string]Number `json:"log10_sd,omitempty"`

	input  []float64
	values []float64 // in the order of the objectives, minimized and on their scale
}

// Input is the point in the order of the variables.
func (e FrontPoint) Input() []float64 { return e.input }

// frontFor are the results that no other result dominates.
func frontFor(st sessions.State) []BestPoint {
	front := report.Front(st, len(st.Iterations))
	positions := map[float64][]int{} // the places on the front, by the first objective
	for i, row := range front {
		positions[row[0]] = append(positions[row[0]], i)
	}
	results := make([][]BestPoint, len(front)) // at each place
	for _, it := range st.Iterations {
		for i, pt := range it.Points {
			if !st.Feasible(it, i) {
				continue
			}
			for _, k := range positions[pt.Y[0]] {
				if slices.Equal(pt.Y[:len(front[k])], front[k]) {
					results[k] = append(results[k], BestPoint{X: encoding.EncodeMap(st.Problem.Domain, pt.X), input: pt.X,
						Value: byObjective(st, pt.Y), Step: it.Step})
				}
			}
		}
	}
	return slices.Concat(results...)
}

// Cluster is some results or points of a front, by a representative.
type Cluster struct {
	Index int `json:"index"` // of the representative on the front, from 0
	Count int `json:"count"` // of points that are nearest to it, with itself
}

// maxClusters bounds how many representatives a front has.
const maxClusters = 8

// similarWithin is the distance, as a share of the extent of the front in each objective, up to which points are of one
// cluster however few there are.
const similarWithin = 0.01

// clusters are at most maxClusters representatives of points in the order of the first value: the point with the least
// first value, and then repeatedly the point farthest from all of them (Gonzalez 1985), with each value scaled to its
// extent.
func clusters(values [][]float64) (list []Cluster) {
	if len(values) == 0 {
		return nil
	}
	width := extents(values)
	distance := func(a, b []float64) (d float64) {
		for j := range a {
			if width[j] > 0 {
				d = math.Hypot(d, (a[j]-b[j])/width[j])
			}
		}
		return d
	}
	first := 0
	for i, v := range values {
		if v[0] < values[first][0] {
			first = i
		}
	}
	nearest, labels := make([]float64, len(values)), make([]int, len(values))
	for i := range nearest {
		nearest[i] = math.Inf(1)
	}
	for index := first; ; {
		for i, v := range values {
			if d := distance(v, values[index]); d < nearest[i] {
				nearest[i], labels[i] = d, len(list)
			}
		}
		list = append(list, Cluster{Index: index})
		for i, d := range nearest {
			if d > nearest[index] {
				index = i
			}
		}
		if len(list) == maxClusters || nearest[index] <= similarWithin {
			break
		}
	}
	for _, c := range labels {
		list[c].Count++
	}
	slices.SortStableFunc(list, func(a, b Cluster) int { return cmp.Compare(values[a.Index][0], values[b.Index][0]) })
	return list
}

// extents are the widths of each value over some points.
func extents(values [][]float64) []float64 {
	width := make([]float64, len(values[0]))
	for j := range width {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range values {
			lo, hi = min(lo, v[j]), max(hi, v[j])
		}
		width[j] = hi - lo
	}
	return width
}

// frontClusters are the clusters of results.
func frontClusters(st sessions.State, front []BestPoint) []Cluster {
	values := make([][]float64, len(front))
	for i, b := range front {
		for k, name := range objectiveNames(st) {
			o := st.Problem.Objectives[k]
			values[i] = append(values[i], o.Direction.Sign()*counted(st, k, b, name))
		}
	}
	return clusters(values)
}

// modelClusters are the clusters of the front that the model expects.
func modelClusters(front []FrontPoint) []Cluster {
	values := make([][]float64, len(front))
	for i, e := range front {
		values[i] = e.values
	}
	return clusters(values)
}

func objectiveNames(st sessions.State) (names []string) {
	for _, o := range st.Problem.Objectives {
		names = append(names, o.Name)
	}
	return names
}

// counted is a result's value of objective k on the scale of the objective.
func counted(st sessions.State, k int, b BestPoint, name string) float64 {
	return st.Problem.Objectives[k].Transform().Apply(float64(b.Value[name]))
}

// expectedFront is the front that the model expects, in increasing order of the first objective.
func expectedFront(st sessions.State, a *diagnostics.Summary) []FrontPoint {
	var list []FrontPoint
	for _, p := range a.MeanFront {
		e := FrontPoint{X: encoding.EncodeMap(st.Problem.Domain, p.X), Value: map[string]Number{},
			SD: map[string]Number{}, Log10: map[string]Number{}, input: p.X}
		for k, o := range st.Problem.Objectives {
			g, sd := o.Transform(), e.SD
			if g.IsLog() {
				sd = e.Log10
			}
			e.values = append(e.values, g.Sign*g.Apply(p.Normals[k].Mean))
			e.Value[o.Name], sd[o.Name] = Number(p.Normals[k].Mean), Number(p.Normals[k].SD)
		}
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b FrontPoint) int { return cmp.Compare(a.values[0], b.values[0]) })
	return list
}
