package optimizers

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions"
	"bandscope/model/preference"
)

// observeAll is observe for problems of several objectives.
func observeAll(t testing.TB, name string, n int) Data {
	t.Helper()
	p, err := functions.Find(name, 1)
	if err != nil {
		t.Fatal(err)
	}
	x := latinHypercube(n, p.Dim(), rand.New(rand.NewPCG(5, 6)))
	y := mat.NewDense(n, len(p.Objectives), nil)
	for i := range n {
		v, err := p.TrueValues(p.Domain.FromUnit(x.RawRowView(i)))
		if err != nil {
			t.Fatal(err)
		}
		for k, o := range p.Objectives {
			y.Set(i, k, v[k]*o.Direction.Sign())
		}
	}
	return Data{X: x, Y: y}
}

// With one objective the methods are GP-UCB and GP-TS, exactly.
func TestOneObjectiveReduces(t *testing.T) {
	_, data := observe(t, "branin", 9)
	for _, c := range [][2]Spec{{moboUCB, gpUCB}, {moboTS, gpTS}} {
		a, errA := fit(t, c[0], input(t, c[0], 2, data)).Suggest(context.Background())
		b, errB := fit(t, c[1], input(t, c[1], 2, data)).Suggest(context.Background())
		if errA != nil || errB != nil || !mat.Equal(a.X, b.X) {
			t.Errorf("%s suggests %v (%v), %s %v (%v)", c[0].Name, mat.Formatted(a.X), errA, c[1].Name, mat.Formatted(b.X), errB)
		}
	}
}

// The slope of the scalarization is that of differences, in every form.
func TestScalarizationSlopes(t *testing.T) {
	data := observeAll(t, "branin-currin", 8)
	for _, spec := range []Spec{moboUCB, moboTS} {
		for _, kind := range []string{Linear, Tchebyshev, Augmented} {
			in := input(t, spec, 2, data, "scalarization="+kind)
			in.Objectives = 2
			b := fit(t, spec, in).(*moboBelief)
			for _, x := range [][]float64{{0.3, 0.6}, {0.8, 0.2}} {
				grad := make([]float64, 2)
				v := b.value(x, grad)
				at := func(x []float64) float64 {
					v, err := b.values(context.Background(), mat.NewDense(1, 2, append([]float64(nil), x...)))
					if err != nil {
						t.Fatal(err)
					}
					return v[0]
				}
				if math.Abs(v-at(x)) > 1e-9 {
					t.Errorf("%s %s: %g with the slope, %g without", spec.Name, kind, v, at(x))
				}
				for j, want := range fd.Gradient(nil, at, x, &fd.Settings{Formula: fd.Central}) {
					if math.Abs(grad[j]-want) > 1e-4*(1+math.Abs(want)) {
						t.Errorf("%s %s: slope %g, by differences %g", spec.Name, kind, grad[j], want)
					}
				}
			}
		}
	}
}

// More of any outcome is never worse, and no outcome counts more than its weight.
func TestScalarizationsAreMonotone(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 500 {
		w, u := make([]float64, 3), make([]float64, 3)
		for k := range w {
			w[k], u[k] = rng.Float64(), rng.Float64()
		}
		for _, kind := range []string{Linear, Tchebyshev, Augmented} {
			before, _ := Scalarize(Scalarization{Kind: kind, Weights: w}, u)
			k := rng.IntN(3)
			more := append([]float64(nil), u...)
			more[k] += 0.1
			after, _ := Scalarize(Scalarization{Kind: kind, Weights: w}, more)
			if after < before-1e-12 || after-before > 0.1*w[k]*(1+augmentation)+1e-12 {
				t.Errorf("%s: from %g to %g", kind, before, after)
			}
		}
	}
}

// Weights sum to 1; the flat law has the Dirichlet's moments, a concentrated one less spread, and boxes aim where they are: λ_1 is u_1/(u_1+u_2),
// and for Tchebyshev its reciprocal's share.
func TestWeightPriors(t *testing.T) {
	const draws = 4000
	draw := func(k int, set ...string) *mat.Dense {
		in := input(t, moboUCB, 2, Data{}, set...)
		in.Objectives = k
		out := mat.NewDense(draws, k, nil)
		for i, s := range DrawScalarizations(in, draws, rand.New(rand.NewPCG(8, 8))) {
			sum := 0.0
			for _, v := range s.Weights {
				sum += v
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Fatalf("%v sums to %g", s.Weights, sum)
			}
			out.SetRow(i, s.Weights)
		}
		return out
	}
	for k := 2; k <= 4; k++ {
		for _, c := range []struct {
			alpha float64
			set   []string
		}{{1, nil}, {5, []string{"prior=dirichlet(5)"}}} {
			m, v := stat.MeanVariance(mat.Col(nil, 0, draw(k, c.set...)), nil)
			n := float64(k)
			want := (1 / n) * (1 - 1/n) / (n*c.alpha + 1)
			if math.Abs(m-1/n) > 5*math.Sqrt(want/draws) || math.Abs(v-want) > 0.1*want {
				t.Errorf("K=%d α=%g: mean %g, variance %g; want %g, %g", k, c.alpha, m, v, 1/n, want)
			}
		}
	}
	box := "prior=box(20%..30%, 80%..90%)"
	for i, share := range mat.Col(nil, 0, draw(2, box, "scalarization=linear")) {
		if share < 0.2/1.1-1e-9 || share > 0.3/1.1+1e-9 {
			t.Fatalf("draw %d has λ_1 = %g", i, share)
		}
	}
	for i, share := range mat.Col(nil, 0, draw(2, box)) {
		if share < 0.8/1.1-1e-9 || share > 0.9/1.1+1e-9 {
			t.Fatalf("Tchebyshev draw %d has λ_1 = %g", i, share)
		}
	}
}

// Bounds in the objectives' own units are outcomes over the range of the first points, whichever way the objective is better.
func TestOutcomesOfBounds(t *testing.T) {
	data := observeAll(t, "branin-currin", 8)
	in := input(t, moboUCB, 2, data, "initial=8")
	in.Objectives, in.Signs = 2, []float64{1, -1}
	lo, hi := Frozen(in)
	at := OutcomesOf(in)
	for _, c := range []struct {
		k     int
		b     preference.Bound
		wants float64
	}{{0, preference.Bound{Value: lo[0]}, 1}, {0, preference.Bound{Value: hi[0]}, 0}, {1, preference.Bound{Value: -lo[1]}, 1}, {1, preference.Bound{Value: -hi[1]}, 0},
		{1, preference.Bound{Value: 30, Percent: true}, 0.3}} {
		if u := at(c.k, c.b); math.Abs(u-c.wants) > 1e-12 {
			t.Errorf("%v of objective %d is the outcome %g, want %g", c.b, c.k, u, c.wants)
		}
	}
	in = input(t, moboUCB, 2, data, "reference=-20%")
	in.Objectives = 2
	if r := Reference(in); r[0] != -0.2 || r[1] != -0.2 {
		t.Errorf("the reference point is %v", r)
	}
}

// What a prior or a reference point asks of another number of objectives is refused.
func TestCheckWeights(t *testing.T) {
	for _, c := range []struct {
		set  string
		fits bool
	}{{"prior=flat", true}, {"prior=box(1..2, any)", true}, {"prior=box(1..2)", false}, {"prior=dirichlet(1, 2, 3)", false}, {"prior=nowhere", false},
		{"reference=0%, 0%", true}, {"reference=1, 2, 3", false}} {
		in := input(t, moboUCB, 2, Data{}, c.set)
		in.Objectives = 2
		if err := checkWeights(in); (err == nil) != c.fits {
			t.Errorf("%s: %v", c.set, err)
		}
	}
}

// What 0 and 1 of an outcome are is frozen by the initial design.
func TestFrozenRange(t *testing.T) {
	data := observeAll(t, "schaffer", 9)
	in := input(t, moboUCB, 1, data, "initial=4")
	in.Objectives = 2
	lo, hi := Frozen(in)
	in.Data = Data{X: data.X.Slice(0, 4, 0, 1).(*mat.Dense), Y: data.Y.Slice(0, 4, 0, 2).(*mat.Dense)}
	lo4, hi4 := Frozen(in)
	for k := range 2 {
		if lo[k] != lo4[k] || hi[k] != hi4[k] {
			t.Errorf("the range is %v to %v, was %v to %v", lo, hi, lo4, hi4)
		}
	}
}

// Every method for several objectives has the band of each, and beats random search's hypervolume on a small problem.
func TestSeveralObjectivesMethods(t *testing.T) {
	ctx := context.Background()
	for _, spec := range All() {
		if !spec.Multi || spec.Name == randomSearch.Name {
			continue
		}
		for _, name := range []string{"branin-currin", "dtlz2-k3"} {
			p, err := functions.Find(name, 1)
			if err != nil {
				t.Fatal(err)
			}
			in := input(t, spec, p.Dim(), observeAll(t, name, 8))
			in.Objectives = len(p.Objectives)
			b := fit(t, spec, in)
			x := probes(4, p.Dim())
			bands, err := b.Predict(ctx, x)
			samples, errS := b.Samples(ctx, x, 2, 1)
			acq, errA := b.Acquisition(ctx, x)
			if err != nil || errS != nil || errA != nil || len(bands) != in.Objectives || len(samples) != in.Objectives || len(acq) != 4 {
				t.Errorf("%s on %s: %d bands, %d samples, %d values (%v, %v, %v)", spec.Name, name, len(bands), len(samples), len(acq), err, errS, errA)
			}
			s, err := b.Suggest(ctx)
			if err != nil || !functions.Finite(s.X.RawRowView(0)) {
				t.Errorf("%s on %s: %v (%v)", spec.Name, name, s.X, err)
			}
		}
	}
}
