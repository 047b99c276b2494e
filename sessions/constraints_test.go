package sessions

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
)

// blend is an experiment with a sum, a product and a condition.
func blend(t *testing.T) Config {
	t.Helper()
	text, err := os.ReadFile("../functions/experiment/testdata/blend.toml")
	require.NoError(t, err)
	d, err := experiment.Parse("blend.toml", text)
	require.NoError(t, err)
	return Config{Experiment: d, Optimizer: "random", Seed: 5}
}

// In the unit cube constraints hold where they do in the units of the variables, and sums are linear there.
func TestConstraintsInTheUnitCube(t *testing.T) {
	p := blend(t).Experiment.Problem()
	d := domainFor(p)
	if len(d.Linear) != 1 || len(d.Nonlinear) != 2 || !d.Linear[0].Equal || d.Linear[0].Text != p.Constraints[0].Text {
		t.Fatalf("the constraints are %+v, %+v", d.Linear, d.Nonlinear)
	}
	held := 0
	for i := range 4000 {
		u := []float64{0, float64(i%20) / 19, float64(i/20%10) / 9, float64(i/200%7) / 6, float64(i%3) / 2}
		u[0] = 1 - 0.8*u[1] - (0.1 + 0.4*u[2]) // so that the sum holds
		if i%5 == 0 {
			u[0] += 1e-6
		}
		if want := p.CheckConstraints(p.Domain.FromUnit(u)) == nil; d.Feasible(u) != want && u[0] >= 0 {
			t.Fatalf("at %v the point is feasible: %v", u, !want)
		} else if want {
			held++
		}
	}
	if held < 500 {
		t.Errorf("only %d points are feasible", held)
	}
}

// Every suggestion fulfils the constraints, over the end of the program and on a fork; a person's point that breaks one
// is refused with the numbers, and a result that was measured there is taken.
func TestConstraintsHoldInASession(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s, err := New(t.Context(), blend(t))
	if err == nil {
		err = s.SaveAs(path)
	}
	require.NoError(t, err)
	check := func(it Iteration) {
		t.Helper()
		x := it.Points[0].X
		if err := s.State().Problem.CheckConstraints(x); err != nil || math.Abs(x[0]+x[1]+x[2]-1) > 1e-9 {
			t.Errorf("%v is suggested: %v", x, err)
		}
	}
	var first Iteration
	for n := range 6 {
		it, err := s.Ask(context.Background(), nil)
		require.NoError(t, err)
		if check(it); n == 0 {
			first = it
		}
		if n == 3 {
			s.Close()
			if s, err = Open(t.Context(), path); err != nil {
				t.Fatal(err)
			}
		}
	}
	bad := []float64{0.2, 0.5, 0.3, 100, 1}
	if _, err := s.AskPoint(bad); err == nil ||
		err.Error() != "temperature * ethanol <= 40: the left side is 50 at ethanol = 0.5, temperature = 100" {
		t.Errorf("a point that breaks a constraint: %v", err)
	}
	_, err = s.AskPoint([]float64{0.2, 0.5, 0.3, 60, 0})
	assert.NoError(t, err, "one that breaks none")
	it, err := s.Tell(first.ID, functions.Outcome{Values: []float64{40}, At: bad})
	if err != nil || it.Points[0].X[3] != 100 {
		t.Errorf("a result that was measured at such a point: %v, %v", err, it.Inputs())
	}
	for _, c := range []struct {
		bounds []Bounds
		want   string
	}{
		{[]Bounds{{"water", 0.5, 0.5, nil}, {"ethanol", 0.6, 0.8, nil}},
			"with water at 0.5, ethanol within [0.6, 0.8]: no point within the bounds fulfils 'water + ethanol + glycol == 1'"},
		{[]Bounds{{"water", 0.2, 0.2, nil}, {"ethanol", 0.5, 0.6, nil}}, ""},
	} {
		if err := s.Narrow(t.Context(), "", c.bounds...); err == nil != (c.want == "") || err != nil &&
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("narrowed to %v: %v", c.bounds, err)
		}
	}
	if it, err := s.Ask(context.Background(), nil); err != nil || it.Points[0].X[0] != 0.2 || it.Points[0].X[1] < 0.5 {
		t.Errorf("within the bounds %v is suggested: %v", it.Inputs(), err)
	} else {
		check(it)
	}
	s.Close()
}

// What cannot be read begins no session, nor does what nothing fulfils; on record it keeps the rest from being
// evaluated, and not from being read.
func TestConstraintsThatCannotBeKept(t *testing.T) {
	cfg := blend(t)
	declared := *cfg.Experiment
	for text, want := range map[string]string{
		"water <= wtaer": "did you mean water?", "water + ethanol <= 0.2": "no point within the bounds fulfils"} {
		x := declared
		x.Constraints = append([]string{text}, declared.Constraints...)
		if _, err := New(t.Context(), Config{Experiment: &x, Optimizer: "random"}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	set, err := find(Config{Experiment: &experiment.Declaration{Name: "p", Variables: declared.Variables,
		Objectives: declared.Objectives, Constraints: []string{"water ≤ 1"}}, Optimizer: "random"}, true)
	if err != nil || set.readErr == nil || !strings.Contains(set.readErr.Error(),
		"no more points can be evaluated: the constraint") {
		t.Errorf("one on record that cannot be read: %v, %v", err, set.readErr)
	}
}

// Suggestions keep strict comparisons strictly, a person's own point must, and a step that one needs cannot be removed.
func TestStrictComparisonsInASession(t *testing.T) {
	d, err := experiment.Parse("strict.toml", []byte(`name = "strict"
constraints = ["start < end", "3 * inner + 2 * outer > 12"]
[[variable]]
name = "start"
low = 0
high = 3
step = 0.25
[[variable]]
name = "end"
low = 0
high = 3
step = 0.25
[[variable]]
name = "inner"
kind = "integer"
low = 1
high = 4
[[variable]]
name = "outer"
kind = "integer"
low = 1
high = 4
[[variable]]
name = "flow"
low = 0
high = 1
[[objective]]
name = "y"
direction = "minimize"
`))
	require.NoError(t, err)
	s, err := New(t.Context(), Config{Experiment: d, Optimizer: "gp-ei", Seed: 4, Budget: 12})
	require.NoError(t, err)
	for range 10 {
		it, err := s.Ask(t.Context(), nil)
		require.NoError(t, err)
		x := it.Points[0].X
		if !(x[0] < x[1]) || !(3*x[2]+2*x[3] > 12) || math.Abs(x[4]-0.5) < 0.5 && math.Abs(x[4]-0.5) > 0.5-1e-9 {
			t.Errorf("step %d suggests %v", it.Step, x)
		}
		y := (x[1]-x[0])*(x[1]-x[0]) + 3*x[2] + 2*x[3] + x[4] // as near to the bounds as can be
		_, err = s.Tell(it.ID, functions.Outcome{Values: []float64{y}})
		require.NoError(t, err)
	}
	for text, x := range map[string][]float64{"start < end: the left side is 1.25 and the right side is 1.25": {1.25, 1.25, 3, 3, 1},
		"the left side is 12": {0.5, 1.25, 2, 3, 1}} {
		_, err = s.AskPoint(x)
		assert.ErrorContains(t, err, text, "%v: %v, want %q", x, err, text)
	}
	none := 0.0
	if err := s.Narrow(t.Context(), "", Bounds{Variable: "end", High: 3, Step: &none}); err == nil || !strings.Contains(err.Error(),
		"but end can be any real number; write a gap, such as start + 0.01 <= end") {
		t.Errorf("the step is removed: %v", err)
	}
}
