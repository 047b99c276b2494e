//go:build study

package functions

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/optimize"

	"bandscope/functions/pareto"
	"bandscope/functions/rng"
)

// TestMakeFronts searches for the fronts that have no closed form and writes their inputs to fronts/: NSGA-II from the
// ends, which are found by minimizing each objective alone and then the others with the simplex of Nelder and Mead;
// every point is then moved to where nothing dominates it any more, by an achievement function that starts from it
// (Wierzbicki 1980). TestFronts checks what is written, by other means.
func TestMakeFronts(t *testing.T) {
	for _, c := range []struct {
		name string
		keep int
	}{{"branin-currin", 200}, {"branin4-currin4", 200}, {"four-bar-truss", 200}, {"vehicle-safety", 400}} {
		p := find(t, c.name, 0)
		m := maker{dim: p.Dim(), k: len(p.Objectives), rng: rng.New(0, 0, "front "+c.name),
			f: func(u []float64) []float64 {
				y := p.Truth.Value(p.Domain.FromUnit(u))
				for k, o := range p.Objectives {
					y[k] *= o.Direction.Sign()
				}
				return y
			}}
		var b strings.Builder
		for _, u := range m.front(c.keep) {
			for j, v := range p.Domain.FromUnit(u) {
				if j > 0 {
					b.WriteByte(',')
				}
				b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
			}
			b.WriteByte('\n')
		}
		require.NoError(t, os.WriteFile("fronts/"+c.name+".csv", []byte(b.String()), 0o644))
		t.Log(c.name)
	}
}

type maker struct {
	dim, k int
	f      func(u []float64) []float64
	rng    *rand.Rand
}

// descend minimizes a function over the cube from a point, by the simplex of Nelder and Mead begun anew until it helps
// no more.
func (m *maker) descend(f func(u []float64) float64, from []float64) []float64 {
	point, best := from, f(from)
	for _, size := range []float64{0.1, 0.02, 0.1, 0.004, 0.02, 1e-3, 1e-4, 1e-5} {
		inside := func(x []float64) []float64 {
			u := make([]float64, len(x))
			for j, v := range x {
				u[j] = min(max(v, 0), 1)
			}
			return u
		}
		result, err := optimize.Minimize(optimize.Problem{Func: func(x []float64) float64 { return f(inside(x)) }}, point,
			&optimize.Settings{FuncEvaluations: 800 * m.dim,
				Converger: &optimize.FunctionConverge{Relative: 0, Absolute: 1e-13, Iterations: 60}},
			&optimize.NelderMead{SimplexSize: size})
		if result != nil && err == nil && result.F < best {
			point, best = inside(result.X), result.F
		}
	}
	return point
}

func (m *maker) random() []float64 {
	u := make([]float64, m.dim)
	for j := range u {
		u[j] = m.rng.Float64()
	}
	return u
}

// end minimizes one objective, and then the others among its minimizers.
func (m *maker) end(k int) []float64 {
	var found [][]float64
	best := math.Inf(1)
	for range 60 {
		u := m.descend(func(u []float64) float64 { return m.f(u)[k] }, m.random())
		found, best = append(found, u), min(best, m.f(u)[k])
	}
	var end []float64
	least := math.Inf(1)
	others := func(u []float64) float64 {
		sum := 0.0
		for j, v := range m.f(u) {
			if j != k {
				sum += v
			}
		}
		return sum
	}
	slack := 1e-10 * (1 + math.Abs(best))
	for _, u := range found {
		if m.f(u)[k] > best+1e-6*(1+math.Abs(best)) {
			continue
		}
		u = m.descend(func(u []float64) float64 { return others(u) + 1e7*math.Max(m.f(u)[k]-best-slack, 0) }, u)
		if v := others(u); m.f(u)[k] <= best+2*slack && v < least {
			end, least = u, v
		}
	}
	return end
}

// front is the inputs of about so many points of the front.
func (m *maker) front(keep int) [][]float64 {
	var people [][]float64
	for k := range m.k {
		people = append(people, m.end(k))
	}
	ends := len(people)
	var values [][]float64
	found := pareto.Search(m.dim, 2*keep, 400, people, pareto.Each(m.f), func() bool { return false }, m.rng)
	for _, point := range found {
		values = append(values, point.Y)
	}
	lo, hi := pareto.Range(values, m.k)
	for _, point := range found {
		people = append(people, m.polish(point.X, lo, hi))
	}
	values = values[:0]
	for _, u := range people {
		values = append(values, m.f(u))
	}
	var points, rest [][]float64
	for _, i := range pareto.Front(values) {
		if i < ends {
			points = append(points, people[i])
		} else {
			rest = append(rest, people[i])
		}
	}
	for len(points) < keep && len(rest) > 0 { // the one that is farthest from those that are kept
		distance, index := -1.0, 0
		for i, u := range rest {
			near := math.Inf(1)
			for _, v := range points {
				d, a, b := 0.0, m.f(u), m.f(v)
				for k := range a {
					d += math.Pow((a[k]-b[k])/(hi[k]-lo[k]), 2)
				}
				near = min(near, d)
			}
			if near > distance {
				distance, index = near, i
			}
		}
		points, rest = append(points, rest[index]), append(rest[:index:index], rest[index+1:]...)
	}
	return points
}

// polish moves a point to where its objectives cannot be bettered together, as far as the search finds: by the simplex
// and by random directions in turns, each from what the other found.
func (m *maker) polish(u, lo, hi []float64) []float64 {
	for round := range 8 {
		y := m.f(u)
		gain := func(u []float64) float64 {
			worst, sum := math.Inf(-1), 0.0
			for k, v := range m.f(u) {
				d := (v - y[k]) / (hi[k] - lo[k])
				worst, sum = math.Max(worst, d), sum+d
			}
			return worst + 1e-6*sum
		}
		next := m.descend(gain, u)
		if round%2 == 1 {
			next, _ = probe{rng: m.rng}.descend(gain, u, 6000)
		}
		if better := gain(next); better < 0 {
			u = next
			if better < -1e-8 {
				continue
			}
		}
		if round > 1 {
			break
		}
	}
	return u
}
