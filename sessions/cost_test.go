package sessions

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Costs are recorded with every evaluation, added up, read back, and end a run; every cost-aware method repeats itself.
func TestCosts(t *testing.T) {
	for _, method := range []string{"cost-ids", "ids", "ei-per-cost", "mes", "cost-mes", "mf-mes", "sto-bnts"} {
		cfg := Config{Problem: "forrester", Optimizer: method, Cost: "1 + 9*x^2", CostBudget: 30}
		if method == "sto-bnts" {
			cfg.Params = map[string]any{"batch": 2, "width": 32}
		}
		s := start(t, cfg)
		n := 0
		for ; s.State().StopReason() == ""; n++ {
			steps(t, s, 1)
		}
		st := s.State()
		want, most := 0.0, 0.0
		for _, it := range st.Iterations {
			for _, pt := range it.Points {
				if c := 1 + 9*pt.X[0]*pt.X[0]; math.Abs(pt.Cost-c) > 1e-12 {
					t.Errorf("%s: step %d costs %g, want %g", method, it.Step, pt.Cost, c)
				}
				want, most = want+pt.Cost, pt.Cost
			}
		}
		if got := st.TotalCost(); math.Abs(got-want) > 1e-9 || got < 30 || got-most*2 > 30 {
			t.Errorf("%s: spent %g, want %g", method, got, want)
		}
		path := filepath.Join(t.TempDir(), "s.jsonl")
		require.NoError(t, s.SaveAs(path))
		require.NoError(t, s.Close())
		again := reopen(t, path)
		assert.Equal(t, st.TotalCost(), again.State().TotalCost(), "%s: read again it has spent", method)
		repeats(t, again, n)
	}
}

func TestCostErrors(t *testing.T) {
	for cost, want := range map[string]string{
		"x - 0.5": "positive and finite everywhere", "1/x": "is +Inf at x = 0", "1 + y": "at character 5"} {
		if _, err := New(t.Context(), Config{Problem: "forrester", Optimizer: "random", Cost: cost}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", cost, err, want)
		}
	}
	if _, err := New(t.Context(), Config{Problem: "forrester", Optimizer: "random", CostBudget: math.NaN()}); err ==
		nil {
		t.Error("a budget that is no number is taken")
	}
}

// rewritten is a log with a text in it replaced, and its ids made anew.
func rewritten(t *testing.T, log []byte, old, new string) []byte {
	t.Helper()
	var out bytes.Buffer
	ids := []string{old, new}
	for line := range bytes.Lines(log) {
		text := string(bytes.TrimSuffix(line, []byte("\n")))
		before := text[len(`{"id":"`):][:16]
		after, made := signedLine(strings.NewReplacer(ids...).Replace("{" + text[len(`{"id":"0123456789abcdef",`):]))
		ids = append(ids, before, after)
		out.Write(append(made, '\n'))
	}
	return out.Bytes()
}

// A session whose cost was written when more was allowed opens with what is on record and says why it does not go on;
// what hides in the cost does not reach the terminal, and nothing of it is computed.
func TestUnreadCost(t *testing.T) {
	for _, method := range []string{"gp-ei", "cost-ids", "ids", "ei-per-cost", "mes", "mf-mes"} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		s := start(t, Config{Problem: "forrester", Optimizer: method, Cost: "1 + 9*x^2", CostBudget: 50})
		require.NoError(t, s.SaveAs(path))
		steps(t, s, 4)
		spent := s.State().TotalCost()
		s.Close()
		log, err := os.ReadFile(path)
		require.NoError(t, err)
		old := rewritten(t, log, `"1 + 9*x^2"`, `"count(1..900, {all(1..900, {# > 0})}) + 1 /* \u001b]52;c;x\u0007 */"`)
		require.NoError(t, os.WriteFile(path, old, 0o600))
		again := reopen(t, path)
		st := again.State()
		if len(st.Iterations) != 4 || st.TotalCost() != spent {
			t.Errorf("%s: %d steps, %g spent, want %g", method, len(st.Iterations), st.TotalCost(), spent)
		}
		if n := again.Notices(); len(n) != 1 || !strings.Contains(n[0], "no more points can be evaluated: the cost") ||
			!strings.Contains(n[0], "is not allowed in an expression") {
			t.Errorf("%s: notices %q", method, n)
		}
		if strings.ContainsAny(st.Title()+again.Notices()[0], "\x1b\a") {
			t.Errorf("%s: %q", method, st.Title())
		}
		_, err = again.Step(t.Context(), nil)
		assert.ErrorContains(t, err, "no more points can be evaluated", "%s: it goes on", method)
		_, err = again.Query(t.Context(), []float64{0.5})
		assert.Error(t, err, "%s: it evaluates", method)
		if copied, err := again.Detach(t.Context()); err != nil || copied.State().Head != st.Head {
			t.Errorf("%s: a copy: %v", method, err)
		}
		if got, _ := os.ReadFile(path); !bytes.Equal(got, old) {
			t.Errorf("%s: something was written", method)
		}
	}
}
