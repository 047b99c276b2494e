package functions

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/stat"
)

// checks are values computed apart from this package, in another language, from the definitions of Surjanovic &
// Bingham's library.
var checks = []struct {
	name string
	x    []float64
	want float64
}{
	{"forrester", []float64{0.3}, -0.0155767336923},
	{"forrester", []float64{0.757249}, -6.02074005574},
	{"gramacy-lee", []float64{0.9}, 0.000100000000001},
	{"gramacy-lee", []float64{0.548563}, -0.869011134901},
	{"branin", []float64{1, 2}, 21.6276353921},
	{"branin", []float64{-3.3, 11.7}, 1.43765941618},
	{"branin", []float64{3.14159265, 2.275}, 0.39788735773},
	{"six-hump", []float64{0.5, -0.3}, 0.396358333333},
	{"six-hump", []float64{0.0898, -0.7126}, -1.03162842293},
	{"goldstein-price", []float64{0.5, 0.25}, 994.528213501},
	{"goldstein-price", []float64{0, -1}, 3},
	{"schwefel:2", []float64{100, -200}, 1092.36541686},
	{"schwefel:2", []float64{420.968746, 420.968746}, 3.41060513165e-13},
	{"styblinski-tang:2", []float64{1, 2}, -24},
	{"styblinski-tang:2", []float64{-2.903534, -2.903534}, -78.3323314075},
	{"levy:2", []float64{2.5, -3.1}, 3.01882582209},
	{"levy:2", []float64{1, 1}, 1.49975978266e-32},
	{"levy:3", []float64{2.5, -3.1, 0.4}, 9.69539066051},
	{"ackley:2", []float64{1.5, -2.25}, 8.4676700484},
	{"ackley:1", []float64{1.5}, 7.53403797365},
	{"rosenbrock:2", []float64{0.5, -0.7}, 90.5},
	{"rosenbrock:3", []float64{0.5, -0.7, 1.3}, 159},
	{"rastrigin:2", []float64{1.2, -0.35}, 24.3501825792},
	{"michalewicz:2", []float64{2, 1.5}, -1.19324628934},
	{"michalewicz:2", []float64{2.202906, 1.570796}, -1.80130341009},
	{"griewank:2", []float64{3, -4}, 0.0644076416131},
	{"himmelblau", []float64{1, 2}, 68},
	{"himmelblau", []float64{3, 2}, 0},
	{"eggholder", []float64{100, -200}, -81.6862674837},
	{"eggholder", []float64{512, 404.2319}, -959.640662711},
	{"holder-table", []float64{3, 4}, -0.166661878779},
	{"holder-table", []float64{8.05502, 9.66459}, -19.2085025678},
	{"cross-in-tray", []float64{0.5, 0.8}, -1.9210950704},
	{"cross-in-tray", []float64{1.34941, 1.34941}, -2.06261187082},
	{"bukin6", []float64{-7, 2}, 122.912057274},
	{"bukin6", []float64{-10, 1}, 0},
	{"easom", []float64{3, 3.5}, -0.799143916781},
	{"easom", []float64{3.14159265, 3.14159265}, -1},
	{"beale", []float64{1, 2}, 126.453125},
	{"beale", []float64{3, 0.5}, 0},
	{"mccormick", []float64{1, -1}, 1},
	{"mccormick", []float64{-0.54719, -1.54719}, -1.91322295488},
	{"drop-wave", []float64{0.5, -0.4}, -0.530345370203},
	{"drop-wave", []float64{0, 0}, -1},
	{"shubert", []float64{1, 2}, 1.46757295491},
	{"shubert", []float64{-7.0835, 4.858}, -186.7309012},
	{"hartmann:3", []float64{0.2, 0.5, 0.8}, -3.5353876354},
	{"hartmann:3", []float64{0.114614, 0.555649, 0.852547}, -3.86277978695},
	{"hartmann:6", []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, -1.40691057614},
	{"hartmann:6", []float64{0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573}, -3.32236801139},
	{"currin", []float64{0.3, 0.6}, 7.55537633422},
}

func find(t testing.TB, name string, seed uint64) *Problem {
	t.Helper()
	p, err := Find(name, seed)
	require.NoError(t, err)
	return p
}

func TestCheckValues(t *testing.T) {
	for _, c := range checks {
		y, err := find(t, c.name, 0).TrueValues(c.x)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !scalar.EqualWithinAbsOrRel(y[0], c.want, 1e-10, 2e-11) {
			t.Errorf("%s%v = %.13g, want %.13g", c.name, c.x, y[0], c.want)
		}
	}
}

// instances are the names of all families in all the dimensions that are tested, but for those of bbob, which has tests
// of its own.
func instances() []string {
	var names []string
	for _, f := range Families() {
		if f.Instances > 0 {
			continue
		}
		if f.MinDim == f.MaxDim {
			names = append(names, f.Name)
			continue
		}
		for _, d := range []string{"1", "2", "3", "6"} {
			if _, err := Find(f.Name+":"+d, 0); err == nil {
				names = append(names, f.Name+":"+d)
			}
		}
	}
	return names
}

// Nothing lies below the optimum that is stated: not 10,000 random points, and not the points close to it.
func TestOptima(t *testing.T) {
	for _, name := range instances() {
		p := find(t, name, 3)
		if len(p.Objectives) > 1 {
			continue // it has a front
		}
		if p.Optimum() == nil {
			if base, _, _ := strings.Cut(name, ":"); base != "rover" { // nobody knows that one
				t.Errorf("%s: no optimum is stated", name)
			}
			continue
		}
		sign := p.Objectives[0].Direction.Sign()
		for _, x := range p.Optimum().X {
			y, err := p.TrueValues(x)
			if err != nil || !scalar.EqualWithinAbsOrRel(y[0], p.Optimum().Value, 1e-9, 1e-9) {
				t.Errorf("%s: at the optimum's place %v it is %v (%v), not %g", name, x, y, err, p.Optimum().Value)
			}
			assert.NoError(t, p.CheckConstraints(x), "%s: the optimum's place %v is not allowed", name, x)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range 10_000 {
			u := make([]float64, p.Dim())
			near := p.Domain.ToUnit(p.Optimum().X[i%len(p.Optimum().X)])
			for j := range u {
				u[j] = rng.Float64()
				if i%2 == 1 {
					u[j] = min(max(near[j]+math.Pow(10, -1-float64(i%7))*rng.NormFloat64(), 0), 1)
				}
			}
			x := p.Domain.FromUnit(u)
			if y, _ := p.TrueValues(x); p.Feasible(y) && (p.Constraints == nil || p.CheckConstraints(x) == nil) &&
				sign*(y[0]-p.Optimum().Value) < -1e-9*(1+math.Abs(p.Optimum().Value)) {
				t.Errorf("%s: %v gives %.12g, better than the optimum %.12g", name, x, y[0], p.Optimum().Value)
				break
			}
		}
	}
}

// The terms of the Michalewicz function are independent: no valley of a term is deeper than the one that is taken, at
// any index.
func TestMichalewiczTerms(t *testing.T) {
	for _, i := range []int{0, 1, 2, 3, 14, 15, 16, 50, 99, 400, 999} {
		least := michalewiczTerm(i, michalewiczOptimum(i))
		for k := range 200_001 {
			v := math.Pi * float64(k) / 200_000
			if f := michalewiczTerm(i, v); f < least-1e-12 {
				t.Errorf("term %d at %g is %.12g, below its minimum %.12g", i, v, f, least)
				break
			}
		}
	}
}

// No point of a dense grid lies below the optimum of a draw on the square.
func TestSquareDrawOptima(t *testing.T) {
	for seed := range uint64(4) {
		p := find(t, "gp-draw:2", seed)
		for k := range 121 * 121 {
			x := []float64{float64(k/121) / 120, float64(k%121) / 120}
			if y := p.Truth.Value(x)[0]; y < p.Optimum().Value-1e-9 {
				t.Errorf("seed %d: %v gives %g, below the optimum %g", seed, x, y, p.Optimum().Value)
				break
			}
		}
	}
}

func TestCatalog(t *testing.T) {
	entries := Catalog()
	if len(entries) != len(Families()) {
		t.Fatalf("%d entries for %d families", len(entries), len(Families()))
	}
	if _, err := json.Marshal(entries); err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		switch {
		case e.Title == "" || e.About == "" || e.Source == "" || strings.HasSuffix(e.About, "."):
			t.Errorf("%s: title %q, about %q, source %q", e.Name, e.Title, e.About, e.Source)
		case len(e.Domain) != e.DefaultDim || len(e.Objectives) < 1:
			t.Errorf("%s: %d variables and %d objectives in dimension %d", e.Name, len(e.Domain), len(e.Objectives),
				e.DefaultDim)
		case len(e.Objectives) == 1 && e.Name != "rover" && e.Seeded != (e.Optimum == nil):
			t.Errorf("%s: seeded %v, optimum %v", e.Name, e.Seeded, e.Optimum)
		}
	}
}

func TestFindErrors(t *testing.T) {
	for name, want := range map[string]string{
		"forester":   "forrester",
		"brannin":    "branin",
		"ackley:0":   "in [1, 1000]",
		"ackley:x":   "in [1, 1000]",
		"hartmann:4": "3 or 6",
		"branin:3":   "must be 2",
		"":           "there are",
	} {
		if _, err := Find(name, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Find(%q): got %v, want a mention of %q", name, err, want)
		}
	}
}

func TestTrueValuesCheckTheirInput(t *testing.T) {
	p := find(t, "branin", 0)
	for _, c := range []struct {
		x    []float64
		want string
	}{
		{[]float64{1}, "2 values"}, {[]float64{11, 2}, "x1 must be in [-5, 10], got 11"},
		{[]float64{1, math.NaN()}, "x2 must be in [0, 15], got NaN"}, {[]float64{math.Inf(1), 0}, "x1"},
	} {
		if _, err := p.TrueValues(c.x); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("TrueValues(%v): got %v, want a mention of %q", c.x, err, c.want)
		}
	}
}

func TestUnitCube(t *testing.T) {
	for _, name := range instances() {
		d := find(t, name, 0).Domain
		rng := rand.New(rand.NewPCG(3, 4))
		u := make([]float64, len(d))
		for j := range u {
			u[j] = rng.Float64()
		}
		x := d.FromUnit(u)
		assert.NoError(t, d.Check(x), name)
		for j, v := range d.ToUnit(x) {
			if d[j].Kind != Real {
				u[j] = d[j].ToUnit(d[j].Snap(x[j])) // the level's own place
			}
			assert.InDelta(t, u[j], v, 1e-12, "%s: variable %d comes back as %g, was %g", name, j, v, u[j])
		}
	}
}

func TestSeededFunctions(t *testing.T) {
	for _, name := range []string{"gp-draw:1", "gp-draw:2"} {
		x := slices.Repeat([]float64{0.4321}, find(t, name, 0).Dim())
		value := func(seed uint64) float64 { y, _ := find(t, name, seed).TrueValues(x); return y[0] }
		assert.Equal(t, value(5), value(5), "%s: the same seed gives another function", name)
		assert.NotEqual(t, value(6), value(5), "%s: another seed gives the same function", name)
	}
}

// Over many seeds the covariance of two places is exp(−r²/(2·0.1²)), within four standard errors.
func TestDrawCovariance(t *testing.T) {
	const seeds = 400
	a := make([]float64, seeds)
	for _, lag := range []float64{0, 0.05, 0.1, 0.2} {
		b := make([]float64, seeds)
		for s := range seeds {
			p := find(t, "gp-draw", uint64(s))
			a[s], b[s] = p.Truth.Value([]float64{0.4})[0], p.Truth.Value([]float64{0.4 + lag})[0]
		}
		want := math.Exp(-lag * lag / 0.02)
		if got, se := stat.Covariance(a, b, nil), math.Sqrt((1+want*want)/seeds); math.Abs(got-want) > 4*se {
			t.Errorf("at lag %g the covariance is %g, want %g ± %g", lag, got, want, se)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"forrester", "ackley:20", "ackley:", ":", "hartmann:5", "x\x1b[2J", "gp-draw:2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if p, err := Find(name, 0); err == nil {
			mid := slices.Repeat([]float64{0.5}, p.Dim())
			_, err = p.TrueValues(p.Domain.FromUnit(mid))
			assert.NoError(t, err, "%q", name)
		}
	})
}

// An experiment has no truth: it says so, and knows neither optimum nor front.
func TestWithoutTruth(t *testing.T) {
	p := Problem{Name: "espresso", Domain: Box(1, 14, 20),
		Objectives: []Objective{{Name: "extraction", Direction: Maximize}}}
	if y, err := p.TrueValues([]float64{15}); y != nil || !errors.Is(err, ErrNoTruth) ||
		!strings.HasPrefix(err.Error(), "espresso: ") {
		t.Errorf("its true values are %v, %v", y, err)
	}
	if p.Optimum() != nil || p.Front() != nil {
		t.Error("an optimum or a front is known of it")
	}
}

// A logarithmic variable counts factors: the middle is the geometric mean, the ends are met exactly, and a linear one
// is as it was.
func TestScales(t *testing.T) {
	d := Domain{{Name: "k", Low: 1e-5, High: 0.1, Scale: Log}, {Name: "x", Low: -5, High: 10}}
	for _, c := range []struct{ u, x []float64 }{
		{[]float64{0, 0}, []float64{1e-5, -5}}, {[]float64{1, 1}, []float64{0.1, 10}},
		{[]float64{0.5, 0.5}, []float64{1e-3, 2.5}}, {[]float64{0.25, 0.1}, []float64{1e-4, -3.5}}} {
		x, u := d.FromUnit(c.u), d.ToUnit(c.x)
		for j := range x {
			if math.Abs(x[j]-c.x[j]) > 1e-12*math.Abs(c.x[j]) || math.Abs(u[j]-c.u[j]) > 1e-12 {
				t.Errorf("%v is %v, want %v; back it is %v", c.u, x, c.x, u)
			}
		}
	}
	for _, u := range []float64{0, 1e-17, 1 - 1e-16, 1} {
		assert.NoError(t, d.Check(d.FromUnit([]float64{u, u})), "at %g", u)
	}
	if ends := d.FromUnit([]float64{1, 1}); ends[0] != 0.1 || d.FromUnit([]float64{0, 0})[0] != 1e-5 {
		t.Errorf("the ends are %v", ends)
	}
	if w := d[0].Width(); math.Abs(w-math.Log(1e4)) > 1e-12 || d[1].Width() != 15 {
		t.Errorf("the widths are %g and %g", w, d[1].Width())
	}
}

// TestInstances: functions with instances are named with theirs, but for the first, and differ.
func TestInstances(t *testing.T) {
	zero := []float64{0, 0, 0}
	values := map[string]float64{}
	for _, c := range []struct{ typed, name string }{
		{"bbob-f8:3", "bbob-f8:3"}, {"bbob-f8:3:i1", "bbob-f8:3"}, {"bbob-f8:3:i2", "bbob-f8:3:i2"},
		{"bbob-f9:3:i2", "bbob-f9:3:i2"}} {
		p, err := Find(c.typed, 7)
		require.NoError(t, err)
		y, err := p.TrueValues(zero)
		require.NoError(t, err)
		if before, ok := values[p.Name]; p.Name != c.name || ok && before != y[0] {
			t.Errorf("%s is named %s, with %g at 0", c.typed, p.Name, y[0])
		}
		values[p.Name] = y[0]
	}
	assert.NotEqual(t, values["bbob-f8:3:i2"], values["bbob-f8:3"], "two instances are one function")
	for _, name := range []string{
		"bbob-f8:3:2", "bbob-f8:3:i0", "bbob-f8:3:i1001", "bbob-f8:3:i2:i2", "bbob-f25", "bbob-f8:1", "ackley:3:i2",
		"ackley:3:"} {
		if _, err := Find(name, 0); err == nil {
			t.Errorf("%s is found", name)
		}
	}
}
