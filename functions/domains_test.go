package functions

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/stat"
)

// The bounds of every family as its source prints them (Surjanovic & Bingham's library unless another is named in the
// family), for all variables or each.
var bounds = map[string][][2]float64{
	"forrester": {{0, 1}}, "gramacy-lee": {{0.5, 2.5}}, "sine-trend": {{0, 1}}, "gp-draw:1": {{0, 1}},
	"gp-draw:2": {{0, 1}},
	"ackley:3":  {{-32.768, 32.768}}, "schwefel:3": {{-500, 500}}, "rastrigin:3": {{-5.12, 5.12}},
	"levy:3": {{-10, 10}}, "michalewicz:3": {{0, math.Pi}},
	"styblinski-tang:3": {{-5, 5}}, "rosenbrock:3": {{-5, 10}}, "griewank:3": {{-600, 600}},
	"branin": {{-5, 10}, {0, 15}}, "six-hump": {{-3, 3}, {-2, 2}}, "goldstein-price": {{-2, 2}},
	"himmelblau": {{-5, 5}}, "eggholder": {{-512, 512}},
	"holder-table": {{-10, 10}}, "cross-in-tray": {{-10, 10}}, "bukin6": {{-15, -5}, {-3, 3}}, "easom": {{-100, 100}},
	"beale":     {{-4.5, 4.5}},
	"mccormick": {{-1.5, 4}, {-3, 4}}, "drop-wave": {{-5.12, 5.12}}, "shubert": {{-10, 10}}, "currin": {{0, 1}},
	"hartmann:3": {{0, 1}}, "rover:20": {{-0.1, 1.1}}, "rover:60": {{-0.1, 1.1}}, "hartmann:6": {{0, 1}},
	"forrester-cost": {{0, 1}}, "branin-cost": {{-5, 10}, {0, 15}}, "branin-fidelity": {{-5, 10}, {0, 15}, {0, 5}},
	"forrester-hot": {{0, 1}}, "branin-disk": {{-5, 10}, {0, 15}}, "gramacy-toy": {{0, 1}},
	"binh-korn": {{0, 5}, {0, 3}},
	"thesis-xy": {{0, 1}}, "schaffer": {{-2, 4}}, "branin-currin": {{0, 1}}, "branin4-currin4": {{0, 1}},
	"zdt1:4": {{0, 1}}, "zdt2:4": {{0, 1}}, "zdt3:4": {{0, 1}},
	"dtlz2-k2": {{0, 1}}, "dtlz2-k3": {{0, 1}}, "dtlz2-k4": {{0, 1}},
	"branin-mixed": {{-5, 10}, {0, 15}, {0, 1}, {0, 1}}, "ackley-mixed:4": {{0, 1}, {-1, 1}, {-1, 1}, {-1, 1}},
	"labs:4":          {{-1, 1}},
	"pressure-vessel": {{1, 99}, {1, 99}, {10, 200}, {10, 200}},
	"welded-beam":     {{0, 1}, {0, 3}, {1, 32}, {0.1, 10}, {32, 320}, {1, 32}},
	"solvents":        {{0, 4}, {20, 60}, {5, 120}}, "solvents-price": {{0, 4}, {20, 60}, {5, 120}},
	"four-bar-truss": {{1, 3}, {math.Sqrt2, 3}, {math.Sqrt2, 3}, {1, 3}}, "vehicle-safety": {{1, 3}},
	"cornell-yarn":        {{0, 1}},
	"gp-draws":            {{0, 1}},
	"sparse-retrieval":    {{0.3, 60}, {0.02, 1}, {32, 160}, {0.03, 0.4}, {0, 0.5}, {0, 1}},
	"sparse-regularizers": {{0.3, 60}, {0.02, 1}, {32, 160}, {0.03, 0.4}, {0, 0.5}, {0, 1}, {0, 1}},
	"hierarchy-forecast":  {{1e-6, 1}, {1, 32}, {2, 12}, {1e-3, 5e-2}, {1, 8}},
	"hierarchy-levels":    {{1e-6, 1}, {1, 32}, {2, 12}, {1e-3, 5e-2}, {1, 8}},
	"hierarchy-cells":     {{1e-6, 1}, {1, 32}, {2, 12}, {1e-3, 5e-2}, {1, 8}, {0, 1}},
}

func TestDomains(t *testing.T) {
	seen := map[string]bool{}
	for name, want := range bounds {
		p := find(t, name, 0)
		base, _, _ := strings.Cut(name, ":")
		seen[base] = true
		for j, v := range p.Domain {
			if b := want[min(j, len(want)-1)]; v.Low != b[0] || v.High != b[1] {
				t.Errorf("%s: %s is in [%g, %g], want [%g, %g]", name, v.Name, v.Low, v.High, b[0], b[1])
			}
		}
		if len(want) > 1 && len(want) != p.Dim() {
			t.Errorf("%s has %d variables, want %d", name, p.Dim(), len(want))
		}
	}
	for n := 1; n <= 24; n++ {
		name := fmt.Sprintf("bbob-f%d", n)
		seen[name] = true
		for _, v := range find(t, name+":40:i7", 0).Domain {
			if v.Low != -5 || v.High != 5 {
				t.Errorf("%s: %s is in [%g, %g]", name, v.Name, v.Low, v.High)
			}
		}
	}
	for _, name := range FamilyNames() {
		assert.True(t, seen[name], "the bounds of %s are not tested", name)
	}
}

// Which dimensions there are, and which is taken.
func TestDimensions(t *testing.T) {
	for name, want := range map[string]int{
		"forrester": 1, "gp-draw": 1, "ackley": 2, "rosenbrock": 2, "hartmann": 6, "zdt1": 6, "dtlz2-k2": 6,
		"dtlz2-k3": 7, "dtlz2-k4": 8,
		"gp-draws": 6, "ackley:1000": 1000, "ackley:1": 1, "rosenbrock:2": 2, "zdt2:2": 2, "hartmann:3": 3,
		"vehicle-safety": 5, "ackley-mixed": 13, "labs": 10} {
		if p := find(t, name, 0); p.Dim() != want {
			t.Errorf("%s has %d variables, want %d", name, p.Dim(), want)
		}
	}
	for _, name := range []string{
		"ackley:1001", "rosenbrock:1", "zdt1:1", "gp-draw:3", "hartmann:5", "hartmann:7", "forrester:2", "forrester:0",
		"ackley-mixed:3", "labs:17", "labs:2"} {
		if _, err := Find(name, 0); err == nil {
			t.Errorf("there is a %s", name)
		}
	}
	if _, err := find(t, "ackley:1", 0).TrueValues(nil); err == nil ||
		!strings.Contains(err.Error(), "ackley:1: input must have 1 value (x), got 0") {
		t.Error(err)
	}
	if _, err := find(t, "ackley:4", 0).TrueValues(nil); err == nil ||
		!strings.Contains(err.Error(), "4 values (x1…x4), got 0") {
		t.Error(err)
	}
	assert.Equal(t, "", (Domain{}).names(), "the variables of nothing")
	wrong := Problem{Name: "wrong", Objectives: make([]Objective, 2),
		Truth: &Truth{Value: func([]float64) []float64 { return []float64{1} }}}
	if _, err := wrong.TrueValues(nil); err == nil ||
		!strings.Contains(err.Error(), "returned 1 value, but the problem has 2 objectives") {
		t.Errorf("too few values: %v", err)
	}
}

// The directions of the objectives.
func TestDirections(t *testing.T) {
	maximized := []string{"rover", "currin", "thesis-xy", "branin4-currin4", "cornell-yarn"}
	for _, name := range FamilyNames() {
		for _, o := range find(t, name, 0).Objectives {
			want := Minimize
			if slices.Contains(maximized, name) || o.Name == "yield" || o.Name == "recall1" {
				want = Maximize
			}
			assert.Equal(t, want, o.Direction, "%s is %sd in %s", name, o.Direction, o.Name)
		}
	}
	if Minimize.Sign() != 1 || Maximize.Sign() != -1 {
		t.Error("the signs of the directions are wrong")
	}
}

func TestFinite(t *testing.T) {
	for _, c := range []struct {
		y    []float64
		want bool
	}{{nil, true}, {[]float64{1, -2}, true}, {[]float64{1, math.NaN()}, false}, {[]float64{math.Inf(1), 1}, false},
		{[]float64{math.Inf(-1)}, false}} {
		assert.Equal(t, c.want, Finite(c.y), "%v is finite: %v", c.y, !c.want)
	}
}

// moments checks over many seeds that the values of draws at two places have mean 0, variance 1 and the covariance
// exp(−r²/(2ℓ²)), within five standard errors.
func moments(t *testing.T, subject string, a, b []float64, r, lengthscale float64) {
	t.Helper()
	n := float64(len(a))
	want := math.Exp(-r * r / (2 * lengthscale * lengthscale))
	if m := stat.Mean(a, nil); math.Abs(m) > 5/math.Sqrt(n) {
		t.Errorf("%s: the mean is %g", subject, m)
	}
	assert.InDelta(t, 1, stat.Variance(a, nil), 5*math.Sqrt(2/n), "%s: the variance", subject)
	if got, se := stat.Covariance(a, b, nil), math.Sqrt((1+want*want)/n); math.Abs(got-want) > 5*se {
		t.Errorf("%s: at a distance of %g the covariance is %g, want %g ± %g", subject, r, got, want, se)
	}
}

// The six draws of the thesis, ch. 2, are from processes of lengthscale 0.5 in every variable, independent of each
// other and of other seeds'.
func TestSixDraws(t *testing.T) {
	const seeds, dim = 1000, 6
	values := []float64{0.2, 0.4, 0.6, 0.8, 0.5, 0.3}
	// of objective j: at a place, with variable j moved, and of the next objective at the place
	var here, there, other [dim][]float64
	for s := range uint64(seeds) {
		f := sixDraws(s).Truth.Value
		y := f(values)
		for j := range dim {
			next := slices.Clone(values)
			next[j] += 0.4 * float64(1-2*(j/3)) // to one side or the other
			here[j], there[j], other[j] = append(here[j], y[j]), append(there[j], f(next)[j]),
				append(other[j], y[(j+1)%dim])
		}
	}
	for j := range dim {
		moments(t, fmt.Sprintf("variable %d", j+1), here[j], there[j], 0.4, 0.5)
		if got := stat.Correlation(here[j], other[j], nil); math.Abs(got) > 5/math.Sqrt(seeds) {
			t.Errorf("objective %d and the next have a correlation of %g", j+1, got)
		}
	}
	if find(t, "gp-draws", 1).Truth.Value(values)[0] == find(t, "gp-draws", 2).Truth.Value(values)[0] {
		t.Error("another seed is the same function")
	}
}

// The draws on the square are from a process of lengthscale 0.1.
func TestSquareDrawCovariance(t *testing.T) {
	const seeds = 1000
	for j := range 2 {
		a, b := make([]float64, seeds), make([]float64, seeds)
		values := []float64{0.3, 0.6}
		next := slices.Clone(values)
		next[j] += 0.08
		for s := range seeds {
			f := waves(squareWaves(uint64(s)))
			a[s], b[s] = f(values), f(next)
		}
		moments(t, fmt.Sprintf("variable %d", j+1), a, b, 0.08, 0.1)
	}
}

// What factors count of has a floor, and its range is counted from a better end to a worse one.
func TestFloors(t *testing.T) {
	for _, name := range instances() {
		p := find(t, name, 3)
		for k, o := range p.Objectives {
			if g := o.Transform(); g.IsLog() != (o.Scale == Log) || g.IsLog() &&
				(o.Range == nil || !(g.Floor > 0) || g.Floor != o.Range[0]) {
				t.Errorf("%s: %s is expected in %v and counted with the floor %g", name, o.Name, o.Range, g.Floor)
			} else if r := p.Range; r != nil && !(g.Apply(r.Ideal[k]) < g.Apply(r.Nadir[k])) {
				t.Errorf("%s: %s is measured from %g to %g", name, o.Name, r.Ideal[k], r.Nadir[k])
			}
		}
	}
}
