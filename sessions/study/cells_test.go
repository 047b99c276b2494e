package study_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/study"
)

// The key of a cell can be found again by other programs: printf 'branin\ngp-ei\n1\n25' | sha256sum.
func TestID(t *testing.T) {
	const want = "79df8289e5c97c8df53e79f3d3ed0b66"
	assert.Equal(t, want, (study.Cell{Problem: "branin", Method: "gp-ei", Seed: 1, Budget: 25}).ID(), "the key")
	ids := map[string]string{}
	for _, c := range []study.Declaration{
		{Problems: []string{"branin"}}, {Problems: []string{"branin noise=0.1"}},
		{Problems: []string{"branin"}, Methods: []string{"gp-ucb"}}, {Problems: []string{"branin"}, Seeds: 2},
		{Problems: []string{"branin"}, First: 2}, {Problems: []string{"branin"}, Budget: "7"},
		{Problems: []string{"branin"}, Keep: study.KeepSessions}, {Problems: []string{"branin", "forrester"}},
	} {
		c.Name = "a"
		if c.Methods == nil {
			c.Methods = []string{"gp-ei"}
		}
		c.Seeds = max(c.Seeds, 1)
		id, err := c.ID()
		require.NoError(t, err)
		if other, twice := ids[id]; twice {
			t.Errorf("%+v has the key of %s", c, other)
		}
		ids[id] = fmt.Sprintf("%+v", c)
	}
	a, b := study.Declaration{Name: "a", Problems: []string{"branin noise=0.10"}, Methods: []string{"gp-ei kernel=matern52"},
		Seeds: 2},
		study.Declaration{Name: "b", Problems: []string{"branin  noise=1e-1"}, Methods: []string{"gp-ei"}, Seeds: 2,
			First: 1, Keep: study.KeepTraces}
	if x, _ := a.ID(); x == "" {
		t.Error("no key")
	} else if y, _ := b.ID(); x != y {
		t.Error("the same runs have two keys")
	}
}

func TestTraces(t *testing.T) {
	for _, c := range []struct {
		problem, method string
		measure         study.Measure
		up              bool
		lacking         []study.Measure
	}{
		{"forrester", "random initial=2", study.SimpleRegret, false,
			[]study.Measure{study.Hypervolume, study.BayesRegret, study.DefaultMeasure}},
		{"branin-currin", "random initial=2", study.Hypervolume, true,
			[]study.Measure{study.BestValue, study.SimpleRegret, study.CumulativeRegret, study.WeightedRegret}},
		{"rover:20", "random initial=2", study.BestValue, true, []study.Measure{study.SimpleRegret, study.Hypervolume}},
	} {
		d := &study.Declaration{Name: "a", Problems: []string{c.problem}, Methods: []string{c.method}, Seeds: 1,
			Budget: "4"}
		require.NoError(t, d.Check(t.Context()))
		cells, err := d.Cells()
		require.NoError(t, err)
		if got := study.MeasureFor(d, cells[0].Problem); got != c.measure ||
			got.GreaterIsBetter(d, cells[0].Problem) != c.up {
			t.Errorf("%s is compared by %s, up %v", c.problem, got, got.GreaterIsBetter(d, cells[0].Problem))
		}
		s, err := cells[0].Session(t.Context())
		require.NoError(t, err)
		for s.State().StopReason() == "" {
			_, err = s.Step(context.Background(), nil)
			require.NoError(t, err)
		}
		trace := study.TraceFor(s.State())
		if n := len(trace.Values(c.measure)); n != 4 || len(trace.Evaluations) != n || trace.Evaluations[3] != 4 ||
			trace.Spent[3] != 4 || len(trace.Seconds) != n {
			t.Errorf("%s: the trace is %+v", c.problem, trace)
		}
		for _, m := range c.lacking {
			assert.Nil(t, trace.Values(m), "%s has a %s", c.problem, m)
		}
		text, err := json.Marshal(trace)
		require.NoError(t, err)
		var back study.Trace
		require.NoError(t, json.Unmarshal(text, &back))
		if again, err := json.Marshal(back); err != nil || string(again) != string(text) {
			t.Errorf("%s becomes %s: %v", text, again, err)
		}
	}
}

func TestTraceAsJSON(t *testing.T) {
	text, err := json.Marshal(study.Trace{Evaluations: []int{1, 2}, SimpleRegret: []float64{math.NaN(), 0.1},
		BayesRegret: []float64{math.Inf(1), -1}})
	require.NoError(t, err)
	if want := `{"evaluations":[1,2],"simple_regret":[null,0.1],"bayes_regret":[null,-1]}`; string(text) != want {
		t.Errorf("the trace is %s, want %s", text, want)
	}
	var back study.Trace
	if err := json.Unmarshal(text, &back); err != nil || !math.IsNaN(back.SimpleRegret[0]) ||
		back.SimpleRegret[1] != 0.1 ||
		back.Best != nil {
		t.Errorf("%+v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`{"simple_regret":["x"]}`), &back); err == nil ||
		!strings.Contains(err.Error(), "string") {
		t.Errorf("a text is taken for a number: %v", err)
	}
}
