//go:build study

package constraints

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/testbed"
)

// limited is a problem of the literature: minimize the first value, where the others are at most 0.
type limited struct {
	name      string
	low, high []float64
	steps     int // evaluations
	best      float64
	values    func(x []float64) []float64
}

var limitedProblems = []limited{
	{"gramacy-toy", []float64{0, 0}, []float64{1, 1}, 25, 0.5998, func(x []float64) []float64 {
		return []float64{x[0] + x[1], 1.5 - x[0] - 2*x[1] - 0.5*math.Sin(2*math.Pi*(x[0]*x[0]-2*x[1])),
			x[0]*x[0] + x[1]*x[1] - 1.5}
	}},
	// Coello Coello & Mezura Montes 2002
	{"beam", []float64{0.125, 0.1, 0.1, 0.1}, []float64{5, 10, 10, 5}, 40, 1.7249, func(x []float64) []float64 {
		h, l, t, b := x[0], x[1], x[2], x[3]
		const P, L, E, G = 6000.0, 14.0, 30e6, 12e6
		tp := P / (math.Sqrt2 * h * l)
		m, r := P*(L+l/2), math.Sqrt(l*l/4+(h+t)*(h+t)/4)
		j := 2 * math.Sqrt2 * h * l * (l*l/12 + (h+t)*(h+t)/4)
		tpp := m * r / j
		tau := math.Sqrt(tp*tp + 2*tp*tpp*l/(2*r) + tpp*tpp)
		pc := 4.013 * E * math.Sqrt(t*t*math.Pow(b, 6)/36) / (L * L) * (1 - t/(2*L)*math.Sqrt(E/(4*G)))
		return []float64{1.10471*h*h*l + 0.04811*t*b*(14+l), tau - 13600, 6*P*L/(b*t*t) - 30000,
			4*P*L*L*L/(E*t*t*t*b) - 0.25, 6000 - pc, h - b}
	}},
	// the same: a continuous pressure vessel, with the box of BoTorch
	{"vessel", []float64{0, 0, 10, 10}, []float64{6.1875, 6.1875, 200, 200}, 40, 5885.33, func(x []float64) []float64 {
		a, b, r, l := x[0], x[1], x[2], x[3]
		return []float64{0.6224*a*r*l + 1.7781*b*r*r + 3.1661*a*a*l + 19.84*a*a*r, 0.0193*r - a, 0.00954*r - b,
			1296000 - math.Pi*r*r*(l+4.0/3*r)}
	}},
	// a spring: Belegundu 1982, as Coello Coello & Mezura Montes 2002
	{"spring", []float64{0.05, 0.25, 2}, []float64{0.5, 1.3, 15}, 35, 0.012665, func(x []float64) []float64 {
		d, D, n := x[0], x[1], x[2]
		return []float64{(n + 2) * D * d * d, 1 - D*D*D*n/(71785*d*d*d*d),
			(4*D*D-d*D)/(12566*(D*d*d*d-d*d*d*d)) + 1/(5108*d*d) - 1, 1 - 140.45*d/(D*D*n), (d+D)/1.5 - 1}
	}},
	// a speed reducer: Golinski 1970, as Lemonge et al. 2010
	{"reducer", []float64{2.6, 0.7, 17, 7.3, 7.3, 2.9, 5}, []float64{3.6, 0.8, 28, 8.3, 8.3, 3.9, 5.5}, 36, 2994.47,
		func(x []float64) []float64 {
			a, b, c, d, e, f, g := x[0], x[1], x[2], x[3], x[4], x[5], x[6]
			return []float64{0.7854*a*b*b*(3.3333*c*c+14.9334*c-43.0934) - 1.508*a*(f*f+g*g) + 7.4777*(f*f*f+g*g*g) +
				0.7854*(d*f*f+e*g*g),
				27/(a*b*b*c) - 1, 397.5/(a*b*b*c*c) - 1, 1.93*d*d*d/(b*c*f*f*f*f) - 1, 1.93*e*e*e/(b*c*g*g*g*g) - 1,
				math.Sqrt(745*745*d*d/(b*b*c*c)+16.9e6)/(110*f*f*f) - 1,
				math.Sqrt(745*745*e*e/(b*b*c*c)+157.5e6)/(85*g*g*g) - 1, b*c/40 - 1, 5*b/a - 1, a/(12*b) - 1,
				(1.5*f+1.9)/d - 1, (1.1*g+1.9)/e - 1}
		}},
}

// run returns the best value within the limits after every evaluation.
func (p limited) run(t *testing.T, spec optimizers.Spec, seed uint64, set ...string) (trace []float64) {
	d := len(p.low)
	rng := rand.New(rand.NewPCG(seed, 99))
	n := max(2*d, 5)
	var x []float64
	start := mat.NewDense(n, d, nil)
	for j := range d {
		for i, slice := range rng.Perm(n) {
			start.Set(i, j, (float64(slice)+rng.Float64())/float64(n))
		}
	}
	x = append(x, start.RawMatrix().Data...)
	data := func() optimizers.Data {
		n := len(x) / d
		out := optimizers.Data{X: mat.NewDense(n, d, x), Y: mat.NewDense(n, 1, nil)}
		for i := range n {
			list := make([]float64, d)
			for j := range list {
				list[j] = p.low[j] + x[i*d+j]*(p.high[j]-p.low[j])
			}
			v := p.values(list)
			if out.Limits == nil {
				out.Limits = mat.NewDense(n, len(v)-1, nil)
			}
			out.Y.Set(i, 0, v[0])
			out.Limits.SetRow(i, v[1:])
		}
		return out
	}
	input := func() optimizers.Input {
		owner := data()
		in := testbed.InputFor(t, spec, d, owner, set...)
		in.Seed, in.Budget = seed, p.steps
		_, m := owner.Limits.Dims()
		for k := range m {
			in.Limits = append(in.Limits, optimizers.Limit{Name: fmt.Sprint("c", k), Min: math.Inf(-1), Max: 0,
				Objective: -1})
		}
		return in
	}
	for len(x)/d < p.steps {
		s, err := testbed.Fit(t, spec, input()).Suggest(context.Background())
		require.NoError(t, err)
		x = append(x, s.X.RawRowView(0)...)
	}
	in := input()
	best := math.Inf(1)
	for i := range p.steps {
		if in.IsFeasible(i) {
			best = min(best, in.Data.Y.At(i, 0))
		}
		trace = append(trace, best)
	}
	return trace
}

// TestMethodsUnderLimits compares gp-ei and gp-ucb, with the scales of limits and the ways to handle them, on problems of
// the literature. The rules were fixed beforehand: seeds 1 to 5, a Latin hypercube of two designs per variable and at
// least five, the best value within the limits at the given number of evaluations, and the mean rank over problems and
// seeds. BANDSCOPE_LIMITED and BANDSCOPE_WAYS choose problems and ways; BANDSCOPE_SEEDS is the first and the last seed.
func TestMethodsUnderLimits(t *testing.T) {
	ways := map[string]optimizers.Spec{"gp-ei": gaussian.EI, "gp-ei limit_scale=linear": gaussian.EI,
		"gp-ucb": gaussian.UCB, "gp-ucb limits=bounds limit_scale=linear": gaussian.UCB}
	first, last := uint64(1), uint64(5)
	if text := os.Getenv("BANDSCOPE_SEEDS"); text != "" {
		if _, err := fmt.Sscan(text, &first, &last); err != nil {
			t.Fatal(err)
		}
	}
	chosen := func(list, name string) bool { return os.Getenv(list) == "" || strings.Contains(os.Getenv(list), name) }
	ranks := map[string]float64{}
	for seed := first; seed <= last; seed++ {
		for _, p := range limitedProblems {
			if !chosen("BANDSCOPE_LIMITED", p.name) {
				continue
			}
			ends := map[string]float64{}
			for _, mode := range slices.Sorted(maps.Keys(ways)) {
				if os.Getenv("BANDSCOPE_WAYS") != "" && !slices.Contains(strings.Split(os.Getenv("BANDSCOPE_WAYS"), ","), mode) {
					continue
				}
				trace := p.run(t, WithLimits(ways[mode]), seed, strings.Fields(mode)[1:]...)
				ends[mode] = trace[p.steps-1]
				t.Logf("%s, seed %d, %s: %.5g after %d, %.5g after %d (optimum %.5g)", p.name, seed, mode,
					trace[p.steps/2-1], p.steps/2, ends[mode], p.steps, p.best)
			}
			for mode, v := range ends {
				for _, other := range ends {
					if other < v {
						ranks[mode]++
					} else if other == v {
						ranks[mode] += 0.5
					}
				}
			}
		}
	}
	for mode, sum := range ranks {
		t.Logf("%s: ranks add up to %g", mode, sum)
	}
}
