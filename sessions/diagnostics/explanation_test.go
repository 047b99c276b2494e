package diagnostics

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
)

// stepped is a session after so many steps.
func stepped(t *testing.T, cfg sessions.Config, steps int) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	for range steps {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	return s
}

// The next point is told with its acquisition, in the problem's units; each result with what would be chosen without
// it; long after, what came next is told as it is on record.
func TestExplanation(t *testing.T) {
	s := stepped(t, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3,
		Params: map[string]any{"initial": 4, "restarts": 1, "kernel": "se", "hyperparameters": "fitted"}}, 6)
	next, err := s.Next(t.Context(), nil)
	require.NoError(t, err)
	r, err := ExplainNext(t.Context(), s, ExplainOptions{Influence: true}, nil)
	require.NoError(t, err)
	domain := s.State().Problem.Domain
	if x := domain.FromUnit(next.X.RawRowView(0)); !slices.Equal(r.Chosen.X, x) ||
		math.Abs(r.Chosen.Acquisition.Value-next.Acquisition[0]) > 1e-9*next.Acquisition[0] {
		t.Errorf("the point is %v of %g, the next one %v of %v", r.Chosen.X, r.Chosen.Acquisition.Value, x,
			next.Acquisition)
	}
	if math.Abs(r.Chosen.Predictions[0].Mean-next.Mean[0]) > 1e-9 || r.DescribeOrigin("x = 1") != "GP-EI suggests x = 1" || r.Origin != "GP-EI suggests it" ||
		len(r.Influence) != 6 || r.InfluenceUnavailable != "" {
		t.Errorf("%+v", r)
	}
	for i, influence := range r.Influence {
		if influence.Step != i+1 || !slices.Equal(influence.XWithout, domain.FromUnit(influence.Influence.X)) {
			t.Errorf("number %d: %+v", i, influence)
		}
	}
	held := SortInfluences(r.Influence)
	if !slices.IsSortedFunc(held, func(a, b Influence) int {
		if a.Same && !b.Same || a.Same == b.Same && a.Distance < b.Distance {
			return 1
		}
		return -1
	}) || held[0].Same {
		t.Errorf("the results that hold the choice are not first: %+v", held)
	}
	s.Seek(5)
	taken, err := NextOnRecord(s)
	if err != nil || taken == nil || taken.Step != 6 {
		t.Fatalf("after 5 steps there came %+v (%v)", taken, err)
	}
	if r, err = ExplainNext(t.Context(), s, ExplainOptions{OnRecord: taken}, nil); err != nil ||
		!near(r.Chosen.X, taken.Points[0].X) || math.Abs(r.Chosen.Acquisition.Value-taken.Points[0].Acquisition) > 1e-6*
		taken.Points[0].Acquisition || r.Origin != "gp-ei suggested it" {
		t.Errorf("%+v, %+v (%v)", r, taken, err)
	}
	s.Seek(2)
	if taken, err = NextOnRecord(s); err != nil || taken == nil {
		t.Fatal(err)
	}
	if r, err = ExplainNext(t.Context(), s, ExplainOptions{OnRecord: taken, Influence: true, Counterfactuals: true},
		nil); err != nil || r.Origin != fmt.Sprintf(designOrigin, "it") || r.NoInfluence == "" || r.Influence != nil || r.Searched {
		t.Errorf("%+v (%v)", r, err)
	}
	s.Last()
	if taken, err = NextOnRecord(s); err != nil || taken != nil {
		t.Errorf("at the end there came %+v (%v)", taken, err)
	}
}

// near reports whether two points are the same but for rounding.
func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(a, b float64) bool { return math.Abs(a-b) < 1e-9*(1+math.Abs(a)) })
}

// A point that a person chose is told beside where the method would have gone, which lacks nothing; what chooses by
// nothing says so.
func TestReportOfOthers(t *testing.T) {
	s := stepped(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 1,
		Params: map[string]any{"initial": 3, "restarts": 1, "kernel": "se", "hyperparameters": "fitted"}}, 4)
	if _, err := s.Record(sessions.ByPerson, [][]float64{{0.5}}, functions.Outcome{Values: []float64{1}}); err != nil {
		t.Fatal(err)
	}
	s.Seek(4)
	taken, err := NextOnRecord(s)
	require.NoError(t, err)
	r, err := ExplainNext(t.Context(), s, ExplainOptions{OnRecord: taken}, nil)
	if err != nil || r.Origin != "a person chose it" || math.Abs(r.Chosen.X[0]-0.5) > 1e-12 || len(r.RunnersUp) == 0 ||
		!strings.HasPrefix(r.RunnersUp[0].Deficit, "the same") {
		t.Errorf("%+v (%v)", r, err)
	}
	s = stepped(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 1}, 3)
	if r, err = ExplainNext(t.Context(), s, ExplainOptions{Influence: true, Counterfactuals: true}, nil); err != nil ||
		r.Unavailable == "" || r.RunnersUp != nil {
		t.Errorf("%+v (%v)", r, err)
	}
}

// Of parts each line says how it is joined, and of the least of several which binds; parts of an objective have its
// name.
func TestLines(t *testing.T) {
	s := stepped(t, sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ucb", Seed: 1,
		Params: map[string]any{"initial": 2, "restarts": 1}}, 3)
	r, err := ExplainNext(t.Context(), s, ExplainOptions{}, nil)
	require.NoError(t, err)
	binds, names := 0, ""
	for _, l := range TermLines(r.Chosen.Acquisition) {
		names += strings.Repeat(">", l.Depth) + l.Sign + TermName(s.State(), l.Term) + "\n"
		if l.Binds {
			binds++
		}
	}
	if binds == 0 || !strings.Contains(names, "\n>f1: λ·u\n>>λ\n>>×bound u") ||
		!strings.Contains(names, "\n>f2: λ·u\n") {
		t.Errorf("%d bind in\n%s", binds, names)
	}
}
