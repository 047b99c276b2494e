package diagnostics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers/inspection"
	"bandscope/sessions"
)

// recalibrationSession is a session of eight steps on Gramacy and Lee's function, whose band is too narrow.
func recalibrationSession(t *testing.T) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "gramacy-lee", Optimizer: "neural-greedy", Seed: 3,
		Budget: 10, Params: map[string]any{"width": 32, "band": "nngp"}})
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	for range 8 {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	return s
}

// The band is displayed as it is, or with the factor if the session's parameters say so: at the results, over the
// domain, and in the check, which then gives the factor and no warning. The next point is the same.
func TestDisplayedBelief(t *testing.T) {
	s := recalibrationSession(t)
	belief, err := s.Belief(t.Context(), nil)
	require.NoError(t, err)
	if d, err := DisplayedBelief(t.Context(), s.State(), belief, nil); err != nil || d != belief {
		t.Errorf("without recalibration: %T (%v)", d, err)
	}
	next, err := s.Next(t.Context(), nil)
	require.NoError(t, err)
	was, err := CheckModel(t.Context(), s, CheckOptions{}, nil)
	require.NoError(t, err)
	if text, cure := CoverageAlarm(t.Context(), s); text == "" || cure == nil {
		t.Error("there is no alarm to silence")
	}
	require.NoError(t, s.Edit("recalibration", "loo"))
	if belief, err = s.Belief(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	d, err := DisplayedBelief(t.Context(), s.State(), belief, nil)
	require.NoError(t, err)
	factor := d.(inspection.Recalibrated).Factors[0].Drawn()
	if again, err := DisplayedBelief(t.Context(), s.State(), belief, nil); err != nil ||
		&again.(inspection.Recalibrated).Factors[0] != &d.(inspection.Recalibrated).Factors[0] {
		t.Errorf("the factors are computed again (%v)", err)
	}
	x := mat.NewDense(1, 1, []float64{0.37})
	raw, _ := belief.Predict(t.Context(), x)
	bands, err := d.Predict(t.Context(), x)
	if err != nil || factor <= 1 || math.Abs(bands[0].SD[0]/raw[0].SD[0]-factor) > 1e-9 {
		t.Errorf("%v, was %v, factor %g (%v)", bands, raw, factor, err)
	}
	then, err := s.Next(t.Context(), nil)
	if err != nil || !mat.Equal(then.X, next.X) {
		t.Errorf("the next point moves from %v to %v (%v)", next.X, then.X, err)
	}
	now, err := CheckModel(t.Context(), s, CheckOptions{}, nil)
	require.NoError(t, err)
	a, b := was.Objectives[0], now.Objectives[0]
	last := len(inspection.Levels) - 1
	if a.BandFactor != 0 || b.BandFactor != factor || b.DomainCoverage[last].Inside <= a.DomainCoverage[last].Inside ||
		a.Coverage[last] != b.Coverage[last] || was.Meaning == "" || now.Meaning == was.Meaning {
		t.Errorf("checked %+v, recalibrated %+v; %q, %q", a.DomainCoverage, b.DomainCoverage, was.Meaning, now.Meaning)
	}
	if alarm, _ := CoverageAlarm(t.Context(), s); alarm != "" {
		t.Errorf("a recalibrated band has the alarm %q", alarm)
	}
	summary, err := Summarize(t.Context(), s, nil)
	require.NoError(t, err)
	predicted, err := d.Predict(t.Context(), mat.NewDense(1, 1, s.State().Problem.Domain.ToUnit(summary.Objectives[0].ModelBest.X)))
	if err != nil || math.Abs(summary.Objectives[0].ModelBest.Normals[0].SD-predicted[0].SD[0]) > 1e-9 {
		t.Errorf("summarized as %+v, displayed as %v (%v)", summary.Objectives[0].ModelBest, predicted, err)
	}
}
