package report

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/sessions"
)

// What a test function gave is found again with the session's noise, in batches and by several at once, and what was
// not its own is passed over.
func TestOutcomesAreFoundAgain(t *testing.T) {
	imported := func(s *sessions.Session) error {
		_, err := s.Record(sessions.ByImport, [][]float64{{0.5}}, functions.Outcome{Values: []float64{77}})
		return err
	}
	for name, c := range map[string]struct {
		cfg     sessions.Config
		do      func(s *sessions.Session) error
		checked int
		passed  int
	}{
		"alone": {sessions.Config{Problem: "forrester", Optimizer: "random", Noise: 0.5},
			func(s *sessions.Session) error { return nil }, 4, 0},
		"a batch": {sessions.Config{Problem: "branin", Optimizer: "sto-bnts", Noise: 0.5,
			Params: map[string]any{"batch": 2, "width": 32}}, func(*sessions.Session) error { return nil }, 5, 0},
		"at once": {sessions.Config{Problem: "branin", Optimizer: "random", Noise: 2}, func(s *sessions.Session) error {
			return s.Run(t.Context(), 6, 3, nil, func(sessions.Iteration) error { return nil })
		}, 10, 0},
		"by hand": {sessions.Config{Problem: "forrester", Optimizer: "random", Noise: 0.5},
			func(s *sessions.Session) error { _, err := s.Query(t.Context(), []float64{0.25}); return err }, 5, 0},
		"imported": {sessions.Config{Problem: "forrester", Optimizer: "random"}, imported, 4, 1},
		"corrected": {sessions.Config{Problem: "forrester", Optimizer: "random"}, func(s *sessions.Session) error {
			return s.Correct(2, 0, []float64{9}, "a typo")
		}, 3, 1},
		"with limits": {sessions.Config{Problem: "forrester-hot", Optimizer: "random", Noise: 0.5},
			func(*sessions.Session) error { return nil }, 4, 0},
	} {
		c.cfg.Seed = 3
		s := start(t, c.cfg)
		steps(t, s, 4)
		require.NoError(t, c.do(s), name)
		v, err := VerifyOutcomes(t.Context(), s, nil)
		if err != nil || v.FirstDivergence != nil || v.Checked != c.checked || v.Skipped != c.passed || v.Largest != 0 {
			t.Errorf("%s: %v, %v; want %d found again and %d passed over", name, v, err, c.checked, c.passed)
		}
	}
}

// An outcome that is another on record than the problem gives is named, with both.
func TestOutcomesThatWereChangedAreNamed(t *testing.T) {
	s := start(t, sessions.Config{Problem: "binh-korn", Optimizer: "random", Seed: 3})
	steps(t, s, 2)
	it, err := s.Ask(t.Context(), nil)
	require.NoError(t, err)
	y, err := s.State().Problem.TrueValues(it.Points[0].X)
	require.NoError(t, err)
	y[1] += 1e-3
	_, err = s.Tell(it.ID, functions.Outcome{Values: y})
	require.NoError(t, err)
	steps(t, s, 1)
	name := s.State().Problem.Objectives[1].Name
	v, err := VerifyOutcomes(t.Context(), s, nil)
	if err != nil || v.FirstDivergence == nil || v.FirstDivergence.Step != 3 || v.FirstDivergence.What != name ||
		v.FirstDivergence.Recorded != y[1] || v.Checked != 3 || !strings.Contains(v.String(), "step 3: "+name+" = ") {
		t.Errorf("%v, %v", v, err)
	}
	s = start(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	steps(t, s, 1)
	if it, err = s.Ask(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err = s.Tell(it.ID, functions.Outcome{Reason: "it leaked"}); err != nil {
		t.Fatal(err)
	}
	if v, err := VerifyOutcomes(t.Context(), s, nil); err != nil || v.FirstDivergence == nil ||
		!strings.Contains(v.String(), "step 2: the record has a failure") {
		t.Errorf("a failure that is none: %v, %v", v, err)
	}
}

// Of an experiment nothing can be evaluated anew, and whoever stops it has no verdict.
func TestOutcomesThatCannotBeFoundAgain(t *testing.T) {
	d := &experiment.Declaration{Name: "own", Variables: functions.Box(1, 0, 1),
		Objectives: []functions.Objective{{Name: "y", Direction: functions.Minimize}}}
	s := start(t, sessions.Config{Experiment: d, Optimizer: "random"})
	if v, err := VerifyOutcomes(t.Context(), s, nil); err != nil || v.Checked != 0 ||
		!strings.Contains(v.String(), "outcomes cannot be recomputed: own has reported results only") {
		t.Errorf("%v, %v", v, err)
	}
	s = start(t, sessions.Config{Problem: "forrester", Optimizer: "random"})
	steps(t, s, 3)
	ctx, cancel := context.WithCancel(t.Context())
	v, err := VerifyOutcomes(ctx, s, func(_ string, done, _ int) {
		if done == 2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || v.Checked != 1 {
		t.Errorf("stopped at the second: %v, %v", v, err)
	}
}
