package inspection

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/neural"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

// fitted is a belief with its input and the point that it chooses.
func fitted(t testing.TB, spec optimizers.Spec, problem string, n int, set ...string) (optimizers.Input,
	optimizers.Belief, []float64) {
	t.Helper()
	p, data := testbed.Observe(t, problem, n)
	in := testbed.InputFor(t, spec, p.Dim(), data, set...)
	b := testbed.Fit(t, spec, in)
	s, err := b.Suggest(t.Context())
	require.NoError(t, err)
	return in, b, mat.Row(nil, 0, s.X)
}

// Influences are those of the beliefs without each datum: what these suggest by a search of their own is what is found,
// or no better.
func TestInfluencesAreThoseOfTheOthers(t *testing.T) {
	for _, spec := range []optimizers.Spec{gaussian.EI, gaussian.UCB, gaussian.TS} {
		for problem, n := range map[string]int{"forrester": 6, "branin": 7} {
			if problem == "branin" && spec.Name != gaussian.EI.Name {
				continue
			}
			in, b, x := fitted(t, spec, problem, n, "restarts=1")
			all, err := Influences(t.Context(), in, b, x, nil)
			if err != nil || len(all) != n {
				t.Fatalf("%s: %v (%v)", spec.Name, all, err)
			}
			moved := 0
			for i, got := range all {
				without, err := b.(optimizers.LeaveOutRefitter).LeaveOut(t.Context(), i)
				require.NoError(t, err)
				s, err := without.Suggest(t.Context())
				require.NoError(t, err)
				want, err := without.Acquisition(t.Context(),
					mat.NewDense(2, in.Dim, append(mat.Row(nil, 0, s.X), x...)))
				require.NoError(t, err)
				behind := want[0] - got.AtRefit
				if b.Legend().LowerIsBetter {
					behind = -behind
				}
				if behind > 0.01*math.Abs(want[0]) || got.AtChosen != want[1] {
					t.Errorf("%s on %s without %d: it is %g here and %g at %v; the search finds %g at %v, here it is %g", spec.Name, problem, i, got.AtChosen, got.AtRefit, got.X, want[0], s.X, want[1])
				}
				if got.Same != search.NewSpace(in).Same(x, got.X) {
					t.Errorf("%s: %v and %v are the same: %v", spec.Name, x, got.X, got.Same)
				}
				if !got.Same {
					moved++
				}
			}
			assert.NotEqual(t, 0, moved, "%s on %s: no datum holds the choice", spec.Name, problem)
		}
	}
}

// With hyper-parameters of their own they are the fits to all other data; what cannot forget says so.
func TestInfluencesByNewFits(t *testing.T) {
	in, b, x := fitted(t, gaussian.EI, "forrester", 5, "restarts=1")
	all, err := Influences(t.Context(), in, b, x, gaussian.EI.Fit)
	require.NoError(t, err)
	less := in
	less.Data = in.Data.Without(3)
	s, err := testbed.Fit(t, gaussian.EI, less).Suggest(t.Context())
	if err != nil || !mat.Equal(s.X, mat.NewDense(1, 1, all[3].X)) {
		t.Errorf("without datum 3 it is %v, fitted anew %v (%v)", all[3].X, s.X, err)
	}
	in, b, x = fitted(t, neural.Greedy, "forrester", 4, "width=32", "ensemble=2")
	_, err = Influences(t.Context(), in, b, x, nil)
	assert.ErrorIs(t, err, optimizers.ErrUnsupported, "a network forgets: %v", err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Influences(ctx, in, b, x, neural.Greedy.Fit)
	assert.ErrorIs(t, err, context.Canceled, "it goes on after the context ended: %v", err)
}

// hills is a belief whose acquisition has three hills on the unit square.
type hills struct {
	optimizers.Unsupported
	lower bool
}

var tops = [][3]float64{{0.2, 0.3, 3}, {0.7, 0.8, 2}, {0.8, 0.1, 1}}

func (h hills) Legend() optimizers.Legend {
	return optimizers.Legend{Acquisition: "height", LowerIsBetter: h.lower}
}

func (h hills) Suggest(context.Context) (optimizers.Suggestion, error) {
	return optimizers.Suggestion{X: mat.NewDense(1, 2, []float64{0.2, 0.3})}, nil
}

func (h hills) Acquisition(_ context.Context, X *mat.Dense) ([]float64, error) {
	n, _ := X.Dims()
	v := make([]float64, n)
	for i := range v {
		for _, top := range tops {
			v[i] += top[2] * math.Exp(-(math.Pow(X.At(i, 0)-top[0], 2)+math.Pow(X.At(i, 1)-top[1], 2))/0.02)
		}
		if h.lower {
			v[i] *= -1
		}
	}
	return v, nil
}

// Every hill is found, the highest first, also where lower is better; what counts is what the others lack of it.
func TestOthersAreTheOtherOptima(t *testing.T) {
	in := optimizers.Input{Dim: 2, Objectives: 1, Seed: 1, Params: param.Set{}}
	for _, lower := range []bool{false, true} {
		a, err := Explain(t.Context(), in, hills{lower: lower}, []float64{0.2, 0.3})
		require.NoError(t, err)
		if len(a.RunnersUp) != 2 || math.Abs(math.Abs(a.Chosen.Acquisition.Value)-3) > 1e-3 || a.DrawRank != nil {
			t.Fatalf("lower is better: %v: %+v", lower, a)
		}
		for i, o := range a.RunnersUp {
			top := tops[i+1]
			if math.Abs(o.X[0]-top[0]) > 0.01 || math.Abs(o.X[1]-top[1]) > 0.01 ||
				math.Abs(math.Abs(o.Acquisition.Value)-top[2]) > 1e-3 || !o.Deficit.Worse {
				t.Errorf("lower is better: %v: number %d is %+v, want the hill at %v", lower, i+1, o, top)
			}
		}
	}
}

// What is lacking is the part that counts most in what it is joined to, as deep as parts go; of the least of several
// the one that binds there.
func TestLack(t *testing.T) {
	leaf := func(name string, v float64) optimizers.Term { return optimizers.Term{Name: name, Value: v} }
	sum := func(a, b float64) optimizers.Term {
		return optimizers.NewTerm("s", optimizers.OperationSum, leaf("a", a), leaf("b", b))
	}
	product := func(a, b, p float64) optimizers.Term {
		return optimizers.NewTerm("p", optimizers.OperationProduct, sum(a, b), leaf("chance", p))
	}
	least := func(a, b float64) optimizers.Term {
		x, y := leaf("λu", a), leaf("λu", b)
		x.Objective, y.Objective = 1, 2
		return optimizers.NewTerm("l", optimizers.OperationMin, x, y)
	}
	for _, c := range []struct {
		chosen, other optimizers.Term
		lower         bool
		want          Deficit
	}{
		{sum(3, 1), sum(1, 2), false, Deficit{"a", 0, 3, 1, true}},
		{sum(3, 1), sum(3.5, 4), true, Deficit{"b", 0, 1, 4, true}},
		{product(3, 1, 0.9), product(3, 0.9, 0.1), false, Deficit{"chance", 0, 0.9, 0.1, true}},
		{product(3, 1, 0.9), product(1, 0.5, 0.8), false, Deficit{"a", 0, 3, 1, true}},
		{least(0.5, 0.6), least(0.4, 0.1), false, Deficit{"λu", 2, 0.6, 0.1, true}},
		{leaf("v", 1), leaf("v", 2), false, Deficit{"v", 0, 1, 2, false}},
	} {
		assert.Equal(t, c.want, deficit(c.chosen, c.other, c.lower), "%+v beside %+v", c.other, c.chosen)
	}
}

// line chooses its parameter's place: above 0.5 on a logarithmic scale from 0.01 to 1 it jumps to the other end.
type line struct {
	optimizers.Unsupported
	at float64
}

func (line) Legend() optimizers.Legend { return optimizers.Legend{} }
func (l line) Suggest(context.Context) (optimizers.Suggestion, error) {
	return optimizers.Suggestion{X: mat.NewDense(1, 1, []float64{l.at})}, nil
}

// The smallest changes are found to a part in a hundred of the range, upwards and downwards, and those of choices and
// switches; what the method refuses is none.
func TestChangesAreTheSmallest(t *testing.T) {
	decls := []param.Decl{
		{Key: "a", Label: "a", Kind: param.Number, Default: 0.1, Min: 0.01, Max: 1, Log: true},
		{Key: "n", Label: "n", Kind: param.Integer, Default: 10, Min: 0, Max: 1000},
		{Key: "c", Label: "c", Kind: param.Choice, Default: "x", Choices: []string{"x", "y", "z"}},
		{Key: "s", Label: "s", Kind: param.Switch, Default: false},
		{Key: "idle", Label: "idle", Kind: param.Number, Default: 0.5, Min: 0, Max: 1},
	}
	spec := &optimizers.Spec{Name: "line", Params: decls,
		Fit: func(_ context.Context, in optimizers.Input) (optimizers.Belief, error) {
			p := in.Params
			if p.Number("a") >= 0.2 || p.Int("n") < 4 || p.Choice("c") == "z" || p.Switch("s") {
				return line{at: 0.9}, nil
			}
			return line{at: 0.1}, nil
		}, Check: func(in optimizers.Input) error {
			if in.Params.Switch("s") {
				return errors.New("not that")
			}
			return nil
		}}
	count := 0
	in := optimizers.Input{Dim: 1, Objectives: 1, Params: param.Defaults(decls), Progress: func(string, int, int) {
		count++
	}}
	all, err := Counterfactuals(t.Context(), spec, in, line{at: 0.1}, []float64{0.1})
	if err != nil || len(all) != 3 || count != len(decls) {
		t.Fatalf("%+v (%v), told %d times", all, err, count)
	}
	byKey := map[string]Counterfactual{}
	for _, c := range all {
		byKey[c.Decl.Key] = c
		if c.X[0] != 0.9 || c.Distance != 0.8 {
			t.Errorf("%+v", c)
		}
	}
	if v := byKey["a"].To.(float64); v < 0.2 || v > 0.21 ||
		math.Abs(byKey["a"].Fraction-math.Log(v/0.1)/math.Log(100)) > 0.005 {
		t.Errorf("of a: %+v", byKey["a"])
	}
	if byKey["n"].To != 3 || byKey["c"].To != "z" || !math.IsNaN(byKey["c"].Fraction) {
		t.Errorf("of n: %+v, of c: %+v", byKey["n"], byKey["c"])
	}
}

// Of a text the values that it suggests are tried: each, or where it is a number the nearest number above and below
// that moves the choice, and what is no number.
func TestChangesOfTexts(t *testing.T) {
	valid := func(string) error { return nil }
	for now, want := range map[string][]string{
		"0.3":  {"auto", "0.5", "0.1"},
		"auto": {"0.05", "0.1", "0.5", "1"},
	} {
		decls := []param.Decl{{Key: "t", Label: "t", Kind: param.Text, Default: now,
			Choices: []string{"auto", "0.05", "0.1", "0.2", "0.5", "1"}, Validate: valid},
			{Key: "free", Label: "free", Kind: param.Text, Default: "any", Validate: valid}}
		spec := &optimizers.Spec{Name: "line", Params: decls,
			Fit: func(_ context.Context, in optimizers.Input) (optimizers.Belief, error) {
				if v := in.Params.Text("t"); v == now || v == "0.2" {
					return line{at: 0.1}, nil
				}
				return line{at: 0.9}, nil
			}}
		all, err := Counterfactuals(t.Context(), spec,
			optimizers.Input{Dim: 1, Objectives: 1, Params: param.Defaults(decls)}, line{at: 0.1}, []float64{0.1})
		var got []string
		for _, c := range all {
			got = append(got, c.To.(string))
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("from %s: %v, %v", now, got, err)
		}
	}
}

// A function that was drawn stands among the others of the same law: of many beliefs' draws half lie below it, and
// parts are the mean and what is above it.
func TestDrawnAmongOthers(t *testing.T) {
	in, b, x := fitted(t, gaussian.TS, "forrester", 4, "restarts=1")
	a, err := Explain(t.Context(), in, b, x)
	if err != nil || a.DrawRank == nil || a.DrawRank.Total != defaultDraws || a.DrawRank.Least <= 0 ||
		len(a.Chosen.Acquisition.Terms) != 2 {
		t.Fatalf("%+v (%v)", a, err)
	}
	p := a.Chosen.Acquisition.Terms
	if p[0].Value != a.Chosen.Mean[0] || math.Abs(p[0].Value+p[1].Value-a.Chosen.Acquisition.Value) > 1e-10 {
		t.Errorf("%+v", a.Chosen)
	}
	z := p[1].Value / a.Chosen.SD[0]
	if want := 0.5 * math.Erfc(-z/math.Sqrt2); math.Abs(float64(a.DrawRank.Below)/defaultDraws-want) > 4*
		math.Sqrt(want*(1-want)/defaultDraws)+0.01 {
		t.Errorf("%d of %d draws are below, which lie %g standard deviations above the mean", a.DrawRank.Below,
			a.DrawRank.Total, z)
	}
}

// BenchmarkInfluences is that of 50 data.
func BenchmarkInfluences(b *testing.B) {
	for _, spec := range []optimizers.Spec{gaussian.EI, gaussian.UCB, gaussian.TS} {
		for _, problem := range []string{"forrester", "branin", "ackley:6"} {
			in, belief, x := fitted(b, spec, problem, 50, "restarts=1")
			b.Run(spec.Name+"/"+problem, func(b *testing.B) {
				for b.Loop() {
					if _, err := Influences(b.Context(), in, belief, x, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
