package optimizers

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions"
	"bandscope/optimizers/param"
)

// observe evaluates a problem at n points of the initial design, in the unit cube and minimized.
func observe(t testing.TB, name string, n int) (*functions.Problem, Data) {
	t.Helper()
	p, err := functions.Find(name, 1)
	if err != nil {
		t.Fatal(err)
	}
	x := latinHypercube(n, p.Dim(), rand.New(rand.NewPCG(5, 6)))
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		v, err := p.TrueValues(p.Domain.FromUnit(x.RawRowView(i)))
		if err != nil {
			t.Fatal(err)
		}
		y.Set(i, 0, v[0]*p.Objectives[0].Direction.Sign())
	}
	return p, Data{X: x, Y: y}
}

// input is what a method sees, with some parameters changed.
func input(t testing.TB, spec Spec, dim int, data Data, set ...string) Input {
	t.Helper()
	params := param.Defaults(spec.Params)
	for _, s := range set {
		key, value, _ := strings.Cut(s, "=")
		if _, err := params.Decl(key); err != nil {
			continue // not every method has it
		}
		var err error
		if params, err = params.WithText(key, value); err != nil {
			t.Fatal(err)
		}
	}
	return Input{Dim: dim, Objectives: 1, Data: data, Step: data.Len(), Budget: 50, Seed: 3, Params: params}
}

func fit(t testing.TB, spec Spec, in Input) Belief {
	t.Helper()
	b, err := spec.Fit(context.Background(), in)
	if err != nil {
		t.Fatalf("%s: %v", spec.Name, err)
	}
	return b
}

// probes are random points of the cube.
func probes(n, d int) *mat.Dense { return uniform(n, d, rand.New(rand.NewPCG(7, 8))) }

// Every parameter's default is a value of it, and every one has a source and a sentence of help.
func TestDeclarations(t *testing.T) {
	for _, s := range All() {
		if s.Title == "" || s.Summary == "" || s.Source == "" || s.Family == "" {
			t.Errorf("%s is not described", s.Name)
		}
		seen := map[string]bool{}
		for _, d := range s.Params {
			if v, err := d.Check(d.Default); err != nil || v != d.Default {
				t.Errorf("%s: the default of %s is not valid: %v", s.Name, d.Key, err)
			}
			if v, err := d.Parse(d.Format(d.Default)); err != nil || v != d.Default {
				t.Errorf("%s: the default of %s does not survive being written: %v, %v", s.Name, d.Key, v, err)
			}
			if d.Label == "" || d.Source == "" || !strings.HasSuffix(d.Help, ".") || seen[d.Key] {
				t.Errorf("%s: the parameter %s is not well declared", s.Name, d.Key)
			}
			seen[d.Key] = true
		}
	}
}

// With data and without, every method suggests a point of the cube, the same one however often and in whatever order it is asked.
func TestMethodsArePureFunctions(t *testing.T) {
	for _, spec := range All() {
		for _, n := range []int{0, 1, 2, 9} {
			data := Data{}
			if n > 0 {
				_, data = observe(t, "branin", n)
			}
			in := input(t, spec, 2, data, "width=64", "ensemble=3")
			a, b := fit(t, spec, in), fit(t, spec, in)
			x := probes(5, 2)
			a.Samples(context.Background(), x, 2, 4)
			a.Predict(context.Background(), x)
			sa, errA := a.Suggest(context.Background())
			sb, errB := b.Suggest(context.Background())
			if errA != nil || errB != nil {
				t.Fatalf("%s, n=%d: %v, %v", spec.Name, n, errA, errB)
			}
			b.Samples(context.Background(), x, 3, 1)
			again, _ := b.Suggest(context.Background())
			if !mat.Equal(sa.X, sb.X) || !mat.Equal(sb.X, again.X) {
				t.Errorf("%s, n=%d: it suggests %v, %v and %v", spec.Name, n, mat.Formatted(sa.X), mat.Formatted(sb.X), mat.Formatted(again.X))
			}
			for _, v := range sa.X.RawMatrix().Data {
				if !(v >= 0 && v <= 1) {
					t.Errorf("%s, n=%d: it suggests %v, outside of the cube", spec.Name, n, mat.Formatted(sa.X))
				}
			}
		}
	}
}

// What a legend names a belief has, finite and of the right shape; what it does not name is absent.
func TestBeliefsKeepTheirLegend(t *testing.T) {
	_, data := observe(t, "branin", 8)
	x := probes(11, 2)
	for _, spec := range All() {
		b := fit(t, spec, input(t, spec, 2, data, "width=64", "ensemble=3"))
		l := b.Legend()
		check := func(what, name string, err error, values ...[]float64) {
			if name == "" {
				if !errors.Is(err, ErrAbsent) {
					t.Errorf("%s has %s that its legend does not name (%v)", spec.Name, what, err)
				}
				return
			}
			if err != nil {
				t.Errorf("%s: %s: %v", spec.Name, what, err)
			}
			for _, v := range values {
				if len(v) != 11 || !functions.Finite(v) {
					t.Errorf("%s: %s is %v", spec.Name, what, v)
				}
			}
		}
		bands, err := b.Predict(context.Background(), x)
		if err == nil {
			check("the band", l.Band, err, bands[0].Mean, bands[0].SD)
		} else {
			check("a band", l.Band, err)
		}
		samples, err := b.Samples(context.Background(), x, 2, 0)
		if err == nil {
			check("samples", l.Samples, err, samples[0].RawRowView(0), samples[0].RawRowView(1))
		} else {
			check("samples", l.Samples, err)
		}
		used, err := b.Used(context.Background(), x)
		if err == nil {
			check("a used function", l.Used, err, used[0])
		} else {
			check("a used function", l.Used, err)
		}
		acq, err := b.Acquisition(context.Background(), x)
		if err == nil {
			check("the acquisition", l.Acquisition, err, acq)
		} else {
			check("an acquisition", l.Acquisition, err)
		}
	}
}

// On every function of one and two variables the search for the minimum is not worse than the best of 10,000 random points.
func TestMaximizeBeatsRandomPoints(t *testing.T) {
	for _, f := range functions.Families() {
		for d := 1; d <= 2; d++ {
			name := f.Name
			if f.MinDim != f.MaxDim {
				name += []string{"", ":1", ":2"}[d]
			} else if f.MinDim != d {
				continue
			}
			p, err := functions.Find(name, 2)
			if err != nil {
				continue
			}
			sign := -p.Objectives[0].Direction.Sign()
			value := func(u []float64) float64 { return sign * p.Truth.Value(p.Domain.FromUnit(u))[0] }
			target := Target{
				Values: func(_ context.Context, X *mat.Dense) ([]float64, error) {
					n, _ := X.Dims()
					v := make([]float64, n)
					for i := range v {
						v[i] = value(X.RawRowView(i))
					}
					return v, nil
				},
				Gradient: func(x, grad []float64) float64 {
					fd.Gradient(grad, value, x, &fd.Settings{Formula: fd.Central, Step: 1e-7})
					return value(x)
				},
			}
			x, v, err := Maximize(context.Background(), Space{Dim: d}, target, rand.New(rand.NewPCG(1, 1)), nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if v != value(x) {
				t.Errorf("%s: the value %g is not that of the point, %g", name, v, value(x))
			}
			rng := rand.New(rand.NewPCG(2, 2))
			best := math.Inf(-1)
			for range 10_000 {
				u := make([]float64, d)
				for j := range u {
					u[j] = rng.Float64()
				}
				best = max(best, value(u))
			}
			if v < best {
				t.Errorf("%s: found %g, the best of 10,000 random points is %g", name, v, best)
			}
		}
	}
}

func TestMaximizeAtTheEdge(t *testing.T) {
	linear := Target{
		Values: func(_ context.Context, X *mat.Dense) ([]float64, error) {
			n, _ := X.Dims()
			v := make([]float64, n)
			for i := range v {
				v[i] = X.At(i, 0) - 2*X.At(i, 1)
			}
			return v, nil
		},
		Gradient: func(x, grad []float64) float64 { grad[0], grad[1] = 1, -2; return x[0] - 2*x[1] },
	}
	x, v, err := Maximize(context.Background(), Space{Dim: 2}, linear, rand.New(rand.NewPCG(1, 1)), nil)
	if err != nil || math.Abs(v-1) > 1e-9 {
		t.Errorf("with a gradient: %v, %g, %v", x, v, err)
	}
	linear.Gradient = nil
	if x, v, err = Maximize(context.Background(), Space{Dim: 2}, linear, rand.New(rand.NewPCG(1, 1)), nil); err != nil || math.Abs(v-1) > 1e-3 {
		t.Errorf("without: %v, %g, %v", x, v, err)
	}
}

func TestMaximizeErrors(t *testing.T) {
	nan := Target{Values: func(_ context.Context, X *mat.Dense) ([]float64, error) {
		n, _ := X.Dims()
		v := make([]float64, n)
		for i := range v {
			v[i] = math.NaN()
		}
		return v, nil
	}}
	if _, _, err := Maximize(context.Background(), Space{Dim: 1}, nan, rand.New(rand.NewPCG(1, 1)), nil); err == nil {
		t.Error("a target without values is maximized")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Maximize(ctx, Space{Dim: 1}, nan, rand.New(rand.NewPCG(1, 1)), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestInitialDesign(t *testing.T) {
	spec := randomSearch
	for _, c := range []struct{ dim, budget, want int }{{1, 50, 3}, {2, 50, 3}, {6, 200, 15}, {1, 20, 2}, {2, 1000, 25}, {20, 200, 15}} {
		in := Input{Dim: c.dim, Budget: c.budget, Params: param.Defaults(spec.Params)}
		if got := InitialCount(in); got != c.want {
			t.Errorf("d = %d, T = %d: %d initial points, want %d", c.dim, c.budget, got, c.want)
		}
	}
	// A Latin hypercube has one point in each slice of each axis.
	x := latinHypercube(7, 3, rand.New(rand.NewPCG(1, 1)))
	for j := range 3 {
		seen := map[int]bool{}
		for _, v := range mat.Col(nil, j, x) {
			seen[int(v*7)] = true
		}
		if len(seen) != 7 {
			t.Errorf("axis %d: %d of 7 slices hold a point", j, len(seen))
		}
	}
	// All methods start alike.
	var first []float64
	for _, s := range All() {
		in := input(t, s, 2, Data{})
		in.Step = 1
		x, ok := initial(t, in)
		if !ok {
			t.Errorf("%s has no initial design", s.Name)
		}
		if first == nil {
			first = x
		}
		if !reflect.DeepEqual(x, first) {
			t.Errorf("%s starts at %v, others at %v", s.Name, x, first)
		}
	}
}

// The band of neural-greedy is the mean and the sample deviation of its own samples of draw 0.
func TestGreedyBandIsItsEnsemble(t *testing.T) {
	_, data := observe(t, "forrester", 5)
	b := fit(t, neuralGreedy, input(t, neuralGreedy, 1, data, "width=100", "ensemble=6"))
	x := probes(4, 1)
	bands, err := b.Predict(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	samples, _ := b.Samples(context.Background(), x, 6, 0)
	for j := range 4 {
		mean, sd := stat.MeanStdDev(mat.Col(nil, j, samples[0]), nil)
		if bands[0].Mean[j] != mean || bands[0].SD[j] != sd {
			t.Errorf("the band at %d is %g ± %g, the samples have %g ± %g", j, bands[0].Mean[j], bands[0].SD[j], mean, sd)
		}
	}
	if other, _ := b.Samples(context.Background(), x, 6, 1); mat.Equal(other[0], samples[0]) {
		t.Error("another draw gives the same networks")
	}
}

// The band at infinite width is what many wide networks spread over, and choosing it changes nothing of what is suggested.
func TestGreedyBandAtInfiniteWidth(t *testing.T) {
	_, data := observe(t, "forrester", 5)
	x := probes(4, 1)
	const m = 60
	plain := fit(t, neuralGreedy, input(t, neuralGreedy, 1, data, "width=3000", "activation=erf"))
	infinite := fit(t, neuralGreedy, input(t, neuralGreedy, 1, data, "width=3000", "activation=erf", "band=trained"))
	bands, err := infinite.Predict(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	samples, err := plain.Samples(context.Background(), x, m, 0)
	if err != nil {
		t.Fatal(err)
	}
	for j := range 4 {
		mean, sd := stat.MeanStdDev(mat.Col(nil, j, samples[0]), nil)
		want := bands[0]
		if math.Abs(mean-want.Mean[j]) > 5*want.SD[j]/math.Sqrt(m)+0.05 || math.Abs(sd-want.SD[j]) > 5*want.SD[j]/math.Sqrt(2*m)+0.05 {
			t.Errorf("at %d networks have %g ± %g, the law %g ± %g", j, mean, sd, want.Mean[j], want.SD[j])
		}
	}
	for _, band := range bandChoices() { // and every band has what the legend says
		b := fit(t, neuralGreedy, input(t, neuralGreedy, 1, data, "width=64", "ensemble=2", "activation=relu", "band="+band))
		s, err := b.Samples(context.Background(), x, 3, 0)
		if err != nil || !functions.Finite(s[0].RawMatrix().Data) {
			t.Errorf("%s: samples %v, %v", band, s, err)
		}
		if got, err := b.Predict(context.Background(), x); err != nil || !functions.Finite(got[0].SD) || b.Legend().Band == "" {
			t.Errorf("%s: band %v, %v", band, got, err)
		}
	}
	a, _ := plain.Suggest(context.Background())
	b, _ := infinite.Suggest(context.Background())
	if !mat.Equal(a.X, b.X) {
		t.Error("what is shown changes what is suggested")
	}
}

// The suggestion of neural-greedy is where its network is least, and its networks meet noiseless data.
func TestGreedyMinimizesItsNetwork(t *testing.T) {
	_, data := observe(t, "forrester", 6)
	b := fit(t, neuralGreedy, input(t, neuralGreedy, 1, data, "width=500"))
	s, err := b.Suggest(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	acq, _ := b.Acquisition(context.Background(), probes(3000, 1))
	for _, v := range acq {
		if v < s.Acquisition[0]-1e-9 {
			t.Fatalf("the network falls to %g, the suggestion has %g", v, s.Acquisition[0])
		}
	}
	used, _ := b.Used(context.Background(), data.X)
	for i, v := range used[0] {
		if math.Abs(v-data.Y.At(i, 0)) > 1e-2 {
			t.Errorf("at datum %d the network is %g, the value %g", i, v, data.Y.At(i, 0))
		}
	}
}

// GP-UCB's acquisition is mean − √β sd of its own band, with the thesis's β.
func TestUCBIsTheBound(t *testing.T) {
	_, data := observe(t, "branin", 7)
	in := input(t, gpUCB, 2, data)
	b := fit(t, gpUCB, in)
	x := probes(6, 2)
	bands, _ := b.Predict(context.Background(), x)
	acq, _ := b.Acquisition(context.Background(), x)
	root := math.Sqrt(0.125 * math.Log(2*8+1)) // t = 8
	for i := range acq {
		if want := bands[0].Mean[i] - root*bands[0].SD[i]; math.Abs(acq[i]-want) > 1e-9*(1+math.Abs(want)) {
			t.Errorf("the bound is %g, want %g", acq[i], want)
		}
	}
}

// EI's acquisition is the expectation of the improvement over its own band, by Monte-Carlo.
func TestEIIsTheExpectedImprovement(t *testing.T) {
	_, data := observe(t, "forrester", 5)
	b := fit(t, gpEI, input(t, gpEI, 1, data, "noise=fixed"))
	x := probes(6, 1)
	bands, _ := b.Predict(context.Background(), x)
	acq, _ := b.Acquisition(context.Background(), x)
	best := mat.Min(data.Y)
	rng := rand.New(rand.NewPCG(9, 9))
	const n = 40_000
	for i := range acq {
		gain := make([]float64, n)
		for k := range gain {
			gain[k] = max(best-bands[0].Mean[i]-bands[0].SD[i]*rng.NormFloat64(), 0)
		}
		mean, sd := stat.MeanStdDev(gain, nil)
		if se := sd / math.Sqrt(n); math.Abs(acq[i]-mean) > 5*se+1e-12 {
			t.Errorf("the expected improvement is %g, by Monte-Carlo %g ± %g", acq[i], mean, se)
		}
	}
}

func TestRepeatedSuggestionIsNoted(t *testing.T) {
	_, data := observe(t, "branin", 3)
	if repeatNote(data, data.X.RawRowView(1)) == "" {
		t.Error("a repeated point is not noticed")
	}
	if note := repeatNote(data, []float64{0.111, 0.222}); note != "" {
		t.Errorf("a new point is called a repetition: %s", note)
	}
}

func TestUnknownMethod(t *testing.T) {
	if _, err := Find("gp-ie"); err == nil || !strings.Contains(err.Error(), "gp-ei") {
		t.Errorf("got %v", err)
	}
}

// What a trained network's parameters do to its ensemble: a warm start leaves no spread, the γ of the evidence is the one that is used,
// and a batch has one point for each network.
func TestNetworkParameters(t *testing.T) {
	ctx := context.Background()
	_, data := observe(t, "forrester", 6)
	x := probes(9, 1)
	spread := func(set ...string) float64 {
		in := input(t, neuralGreedy, 1, data, append(set, "width=300", "ensemble=6", "initial=3")...)
		band, err := fit(t, neuralGreedy, in).Predict(ctx, x)
		if err != nil {
			t.Fatal(err)
		}
		return mat.Max(mat.NewVecDense(9, band[0].SD))
	}
	if fresh, warm := spread(), spread("start=warm"); fresh < 0.1 || warm > 1e-9 {
		t.Errorf("networks trained afresh spread by %g, warm by %g", fresh, warm)
	}
	if kept, bare := spread("sigma2=0.3"), spread("sigma2=0.3", "perturb=off"); bare > 0.9*kept {
		t.Errorf("with perturbed targets the spread is %g, without %g", kept, bare)
	}
	in := input(t, neuralGreedy, 1, data, "width=300", "auto_gamma=on", "gamma=9")
	b := fit(t, neuralGreedy, in).(*netBelief)
	theory, err := b.Theory(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if theory.Evidence.Current != theory.Evidence.Best || b.arch.SigmaW != theory.Evidence.Best || b.arch.SigmaB == 9 {
		t.Errorf("γ is %g, the evidence's %g", b.arch.SigmaW, theory.Evidence.Best)
	}
	for _, spec := range []Spec{stoBNTS, stoBNTSLinear, deepEnsemble} {
		s, err := fit(t, spec, input(t, spec, 1, data, "width=64", "batch=4")).Suggest(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := s.X.Dims(); n != 4 || len(s.Mean) != 4 {
			t.Errorf("%s: a batch of 4 has %d points", spec.Name, n)
		}
		if s.X.At(0, 0) == s.X.At(1, 0) && s.X.At(1, 0) == s.X.At(2, 0) {
			t.Errorf("%s: the batch is one point: %v", spec.Name, mat.Formatted(s.X))
		}
	}
}

// Each band that is a law is that law: of neural-greedy's networks, Prop. 2 is also what posterior-greedy's ensemble tends to.
func TestBandsOfLaws(t *testing.T) {
	ctx := context.Background()
	_, data := observe(t, "forrester", 5)
	x := probes(7, 1)
	band := func(spec Spec, set ...string) Band {
		bands, err := fit(t, spec, input(t, spec, 1, data, set...)).Predict(ctx, x)
		if err != nil {
			t.Fatal(err)
		}
		return bands[0]
	}
	for _, c := range []struct {
		spec Spec
		law  string
		set  []string
	}{{neuralGreedy, "trained", nil}, {posteriorGreedy, "posterior", nil}, {neuralGreedy, "trained", []string{"linear=on"}}, {posteriorGreedy, "posterior", []string{"linear=on"}}} {
		const m = 100
		law := band(c.spec, "band="+c.law, "width=100", "activation=erf")
		nets := band(c.spec, append(c.set, "ensemble=100", "width=2000", "activation=erf")...)
		for i := range law.Mean {
			allowed := 5*law.SD[i]/math.Sqrt(m) + 0.05
			if math.Abs(nets.Mean[i]-law.Mean[i]) > allowed || math.Abs(nets.SD[i]-law.SD[i]) > allowed {
				t.Errorf("%s %v: %g ± %g, the law %g ± %g", c.spec.Name, c.set, nets.Mean[i], nets.SD[i], law.Mean[i], law.SD[i])
			}
		}
	}
}
