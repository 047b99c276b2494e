package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/study"
)

// Every method's parameters are offered, and every value that is offered for one is taken.
func TestCompletedParameters(t *testing.T) {
	for _, s := range registry.All() {
		function := "forrester"
		if !s.Supports(1, false) {
			function = "thesis-xy"
		}
		setting := settings{Function: function, Optimizer: s.Name, Seed: 1}
		got := setting.SetWords(t.Context(), nil, "")
		for _, d := range s.Params {
			if !slices.ContainsFunc(got, func(w string) bool { return strings.HasPrefix(w, d.Key+"=\t") }) {
				t.Errorf("%s: %s is not among %q", s.Name, d.Key, got)
			}
			for _, w := range setting.SetWords(t.Context(), nil, d.Key+"=") {
				value, _, _ := strings.Cut(w, "\t")
				_, text, _ := strings.Cut(value, "=")
				if _, err := d.Parse(text); err != nil {
					t.Errorf("%s: %v", s.Name, err)
				}
			}
		}
	}
}

// The explorer evaluates one point at a time, and says what does more at once; nothing is attached then.
func TestOneAtATimeInTheExplorer(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 1})
	require.NoError(t, err)
	defer s.Close()
	_, err = (execOptions{Command: "./no.sh", Jobs: 2}).AttachOne(t.Context(), s)
	assert.ErrorContains(t, err, "--jobs is for bandscope run only", "two at once in the explorer")
	_, err = s.Step(t.Context(), nil)
	assert.NoError(t, err, "the function no longer evaluates itself")
}

// An evaluation ends with its context, and nothing is printed of it.
func TestEvaluationsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	if err := evaluate(ctx, &out, io.Discard, "sparse-retrieval", "12,0.8,128,0.2,0.2,relu", 0); !errors.Is(err,
		context.Canceled) || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
}

// A cell is started with what run starts a session with by the same flags.
func TestConfigIsThatOfRun(t *testing.T) {
	for _, c := range []struct {
		problem, method string
		setting         settings
	}{
		{"branin", "gp-ei", settings{Function: "branin", Optimizer: "gp-ei"}},
		{"ackley:5 noise=0.1", "gp-ei kernel=se initial=12",
			settings{Function: "ackley:5", Optimizer: "gp-ei", Noise: 0.1,
				Set: []string{"kernel=se", "initial=12"}}},
		{"forrester cost='1 + exp(x)' cost_budget=60", "neural-greedy",
			settings{Function: "forrester", Optimizer: "neural-greedy", Cost: "1 + exp(x)", CostBudget: 60}},
		{"branin-currin prior='dirichlet(2, 1)' scalarization=linear", "mobo-rs-ucb beta_scale=0.5",
			settings{Function: "branin-currin", Optimizer: "mobo-rs-ucb", Prior: "dirichlet(2, 1)",
				Scalarization: "linear", Set: []string{"beta_scale=0.5"}}},
		{"branin-currin prior='dirichlet(2, 1)'", "random",
			settings{Function: "branin-currin", Optimizer: "random", Prior: "dirichlet(2, 1)"}},
	} {
		d := study.Declaration{Name: "a", Problems: []string{c.problem}, Methods: []string{c.method}, Seeds: 1,
			First: 3, Budget: "4*d"}
		cells, err := d.Cells()
		require.NoError(t, err)
		assert.NoError(t, d.Check(t.Context()))
		got, err := cells[0].Config()
		require.NoError(t, err)
		c.setting.Seed, c.setting.Budget = 3, cells[0].Budget
		want, err := c.setting.Config()
		require.NoError(t, err)
		if got, want := resolved(t, got), resolved(t, want); !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %+v, want %+v", cells[0], got, want)
		}
	}
}

// resolved is a configuration as a session completes it.
func resolved(t *testing.T, cfg sessions.Config) sessions.Config {
	t.Helper()
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	return s.State().Config
}
