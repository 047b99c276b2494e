package library

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions"
	"bandscope/sessions"
)

// The comparison that starts from a session has its method in place of one of the same family or beside the others, every
// method once, methods that fit, and the points of its initial design: a race starts from these, with every method, and goes on with a point of that method's own.
func TestCompareWith(t *testing.T) {
	for _, c := range []struct {
		cfg   sessions.Config
		steps int
		want  []string
	}{
		{sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 6,
			[]string{"gp-ei", "ntk-ucb", "random"}},
		{sessions.Config{Problem: "forrester", Optimizer: "gp-ts", Seed: 3}, 1, []string{"gp-ts", "ntk-ucb"}},
		{sessions.Config{Problem: "forrester", Optimizer: "ntk-ts", Seed: 3}, 1, []string{"gp-ei", "ntk-ts"}},
		{sessions.Config{Problem: "schaffer", Optimizer: "random", Seed: 3}, 6, []string{"random", "ehvi", "parego"}},
		{sessions.Config{Problem: "schaffer", Optimizer: "parego", Seed: 3}, 2, []string{"parego", "ehvi"}},
	} {
		s := start(t, c.cfg)
		steps(t, s, c.steps)
		comparison := CompareWith(s)
		var methods []string
		for _, p := range comparison.Panes {
			methods = append(methods, p.Optimizer)
		}
		if !slices.Equal(methods, c.want) {
			t.Errorf("%s on %s is compared with %v, want %v", c.cfg.Optimizer, c.cfg.Problem, methods, c.want)
		}
		want := min(c.steps, s.State().Params.Int("initial"))
		if want == 0 { // of one variable
			want = min(c.steps, 5)
		}
		require.Equal(t, want, len(comparison.Points), "%d points", len(comparison.Points))
		for _, p := range comparison.Panes {
			racer, err := comparison.NewRacer(p)
			require.NoError(t, err)
			st := racer.State()
			if st.Spec.Name != p.Optimizer || len(st.Iterations) != want {
				t.Errorf("the racer of %s has %s and %d steps", p.Optimizer, st.Spec.Name, len(st.Iterations))
			}
			for i, it := range st.Iterations {
				if !slices.Equal(it.Points[0].X, s.State().Iterations[i].Points[0].X) {
					t.Errorf("%s starts at %v", p.Optimizer, it.Points[0].X)
				}
			}
		}
	}
}

// alternatives are the methods of the panes of a built-in comparison, on its data.
func alternatives(t *testing.T, name string) (list []*sessions.Alternative) {
	t.Helper()
	c, err := FindComparison(name)
	require.NoError(t, err)
	s, err := c.Start()
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	for _, p := range c.Panes {
		alt, err := s.WithMethod(p.Optimizer, p.Params)
		require.NoError(t, err)
		list = append(list, alt)
	}
	return list
}

// The methods of "costs" suggest different points on its data, and EI, which ignores costs, the most expensive one.
func TestCostsDiffer(t *testing.T) {
	next, methods := map[string]float64{}, alternatives(t, "costs")
	for _, alt := range methods {
		suggested, err := alt.Next(t.Context(), nil)
		require.NoError(t, err)
		x := suggested.X.At(0, 0)
		for other, at := range next {
			assert.Greater(t, math.Abs(x-at), 0.03, "%s and %s suggest %g and %g", alt.Spec().Name, other, x, at)
		}
		next[alt.Spec().Name] = x
	}
	cost := methods[0].State().Problem.Cost.Func
	for method, x := range next {
		if method != "gp-ei" {
			assert.Less(t, 2*cost([]float64{x}), cost([]float64{next["gp-ei"]}), "the cost of the point of %s", method)
		}
	}
}

// Without a margin the probability of improvement stays beside the best result, at 0.65; with one it explores, as EI does.
func TestMarginExplores(t *testing.T) {
	var next []float64
	for _, alt := range alternatives(t, "improvement") {
		suggested, err := alt.Next(t.Context(), nil)
		require.NoError(t, err)
		next = append(next, suggested.X.At(0, 0))
	}
	assert.InDelta(t, 0.65, next[0], 0.02)
	assert.Greater(t, math.Abs(next[1]-0.65), 0.08)
	assert.InDelta(t, next[2], next[1], 0.03, "EI")
}

// Gradients of the last layer alone give NeuralBO the narrowest band, those of all layers a wider one, and an infinite
// width the widest.
func TestBandsOfGradients(t *testing.T) {
	narrower := 0.0
	X := mat.NewDense(101, 1, floats.Span(make([]float64, 101), 0, 1))
	for _, alt := range alternatives(t, "gradients") {
		b, err := alt.Belief(t.Context(), nil)
		require.NoError(t, err)
		bands, err := b.Predict(t.Context(), X)
		require.NoError(t, err)
		width := stat.Mean(bands[0].SD, nil)
		assert.Greater(t, width, 1.5*narrower, "%g is the standard deviation of %s", width, alt.Spec().Title)
		narrower = width
	}
}

// What is compared with a session of several objectives, and what goes on from a fork of it, optimizes as many.
func TestComparedMethodsFit(t *testing.T) {
	for _, cfg := range []sessions.Config{
		{Problem: "schaffer"}, {Problem: "schaffer", Optimizer: "ehvi"}, {Problem: "forrester"}} {
		s, err := sessions.New(t.Context(), cfg)
		require.NoError(t, err)
		c := CompareWith(s)
		if len(c.Panes) < 2 {
			t.Errorf("%s is compared with nothing", cfg.Problem)
		}
		for _, p := range c.Panes {
			_, err = c.NewRacer(p)
			assert.NoError(t, err)
		}
		err = s.Fork("", "gp-ei")
		if several := len(s.State().Problem.Objectives) > 1; several != (err != nil) || several &&
			!strings.Contains(err.Error(), "smsego") {
			t.Errorf("going on with gp-ei on %s: %v", cfg.Problem, err)
		}
	}
}

// A race on a problem of which every evaluation is a training begins with what came of the session's first points:
// stubModel is trained again.
func TestRacersOfTrainingsShareOutcomes(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "hierarchy-forecast", Seed: 3})
	require.NoError(t, err)
	results := []functions.Outcome{{Values: []float64{5, 12, 1}, Note: "by hand"}, {Reason: "it diverged"}}
	for _, o := range results {
		it, err := s.Ask(t.Context(), nil)
		if err == nil {
			_, err = s.Tell(it.ID, o)
		}
		require.NoError(t, err)
	}
	c := CompareWith(s)
	racer, err := c.NewRacer(c.Panes[0])
	require.NoError(t, err)
	for i, it := range racer.State().Iterations {
		was := s.State().Iterations[i]
		if !slices.Equal(it.Points[0].X, was.Points[0].X) || i == 0 && !slices.Equal(it.Points[0].Y, results[0].Values) ||
			it.Points[0].Failed != was.Points[0].Failed {
			t.Errorf("step %d: %+v, was %+v", i+1, it, was)
		}
	}
	if n := len(racer.State().Iterations); n != len(results) {
		t.Errorf("%d iterations", n)
	}
}
