package report

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
)

// steered is a session on a problem of which every evaluation is a training, begun with so many points, aimed at a
// region by its name, answered, narrowed, forked, and written down; read again it repeats itself, suggestions and
// outcomes. After the answer so many points are suggested.
func steered(t *testing.T, problem, region, variable string, initial, after int) {
	t.Helper()
	s := start(t, sessions.Config{Problem: problem, Optimizer: "mobo-rs-ts", Seed: 3,
		Params: map[string]any{"initial": initial, "restarts": 1,
			"hyperparameters": "fitted"}})
	check := func(err error) {
		t.Helper()
		require.NoError(t, err, problem)
	}
	steps(t, s, initial)
	check(s.Edit("prior", region))
	steps(t, s, 1)
	check(s.Answer([2]int{1, 0}, [2]int{2, 0}, sessions.PreferA))
	x := s.State().Iterations[0].Points[0].X
	j := slices.IndexFunc(s.State().Problem.Domain, func(v functions.Variable) bool { return v.Name == variable })
	check(s.Bound(t.Context(), variable, x[j], x[j], "as in the first"))
	check(s.Fork("the same", ""))
	steps(t, s, after)
	last := slices.Clone(x)
	last[0] = s.State().Problem.Domain[0].Low
	_, err := s.Query(t.Context(), last)
	check(err)
	path := filepath.Join(t.TempDir(), "steered.jsonl")
	check(s.SaveAs(path))
	check(s.Close())
	s = reopen(t, path)
	if n := len(s.State().Iterations); n != initial+after+2 || s.State().Iterations[n-2].Points[0].X[j] != x[j] &&
		after > 0 {
		t.Fatalf("%s: %d iterations, the last one %v", problem, n, s.State().Iterations[n-1].Inputs())
	}
	if v, err := Verify(t.Context(), s, nil); err != nil || v.FirstDivergence != nil || v.Checked != initial+after+1 ||
		v.Skipped != 1 {
		t.Errorf("%s: %v, %v", problem, v, err)
	}
	if v, err := VerifyOutcomes(t.Context(), s, nil); err != nil || v.FirstDivergence != nil ||
		v.Checked != initial+after+2 || v.Largest != 0 {
		t.Errorf("%s: %v, %v", problem, v, err)
	}
	it, err := s.AskPoint(x)
	check(err)
	y := slices.Clone(s.State().Iterations[0].Points[0].Y) // the same point
	y[0] += 0.25
	_, err = s.Tell(it.ID, functions.Outcome{Values: y})
	check(err)
	if v, err := VerifyOutcomes(t.Context(), s, nil); err != nil || v.FirstDivergence == nil ||
		v.FirstDivergence.Step != initial+after+3 {
		t.Errorf("%s: what was told wrongly by hand is not named: %v, %v", problem, v, err)
	}
}

// A steered session on a problem that trains verifies, and what was told of it wrongly is named.
func TestSteeredTrainingsRepeatThemselves(t *testing.T) {
	steered(t, "hierarchy-forecast", "leaves", "basis", 3, 0)
}
