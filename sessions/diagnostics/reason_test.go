package diagnostics

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/sample"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
)

// reasonFor is the reason for the next point of a session.
func reasonFor(t *testing.T, s *sessions.Session) Reason {
	t.Helper()
	onRecord, err := NextOnRecord(s)
	require.NoError(t, err)
	r, err := ExplainNext(t.Context(), s, ExplainOptions{OnRecord: onRecord}, nil)
	require.NoError(t, err)
	checkAnswer(t, r.Reason.Text)
	return r.Reason
}

// small are parameters that make methods fast.
var small = map[string]any{"restarts": 1, "width": 16, "ensemble": 2, "trees": 10, "initial": 3,
	"hyperparameters": "fitted"}

// begin is a session of a method with small parameters, as far as it has them.
func begin(t *testing.T, problem, method string) *sessions.Session {
	t.Helper()
	spec, err := registry.Find(method)
	require.NoError(t, err)
	params := map[string]any{}
	for _, d := range spec.Params {
		if v, ok := small[d.Key]; ok {
			if _, err := d.Check(v); err == nil {
				params[d.Key] = v
			}
		}
	}
	s, err := sessions.New(t.Context(), sessions.Config{Problem: problem, Optimizer: method, Seed: 3, Params: params})
	require.NoError(t, err)
	return s
}

// Each method has a reason of its kind; in its initial design that is the reason.
func TestReasonOfEachMethod(t *testing.T) {
	balanced := []ReasonKind{ReasonExploit, ReasonExplore, ReasonBoth, ReasonRefine, ReasonNothing}
	sampled, learns := []ReasonKind{ReasonSample}, []ReasonKind{ReasonLearn}
	weighted, front := []ReasonKind{ReasonWeights}, []ReasonKind{ReasonFront}
	want := map[string][]ReasonKind{"random": {ReasonRandom}, "uncertainty": learns, "mes": learns, "cost-mes": learns,
		"mf-mes": learns, "pesmo": learns, "mobo-rs-ucb": weighted, "mobo-rs-ts": weighted, "parego": weighted,
		"smsego": front, "ehvi": front, "moead-ego": front}
	for _, m := range []string{"neural-greedy", "posterior-greedy", "sto-bnts", "sto-bnts-linear", "deep-ensemble",
		"neural-bo", "neural-ts", "neural-lin-ts", "gp-ts", "turbo", "ntk-ts"} {
		want[m] = sampled
	}
	for _, spec := range sample.Of(registry.All(), 2, 3) {
		kinds, problem := want[spec.Name], "forrester"
		if kinds == nil {
			kinds = balanced
		}
		if spec.Family == "several objectives" {
			problem = "schaffer"
		}
		s := begin(t, problem, spec.Name)
		for step := range 4 {
			if step == 1 {
				if _, err := s.Step(t.Context(), nil); err != nil {
					t.Fatal(err)
				}
				continue
			}
			r := reasonFor(t, s)
			if step < 3 && !spec.NoBand && (r.Kind != ReasonDesign ||
				!strings.Contains(r.Text, fmt.Sprintf("It is point %d of 3 of the initial design", step+1))) {
				t.Errorf("%s, step %d: %+v", spec.Name, step+1, r)
			}
			if (step == 3 || spec.NoBand) && !slices.Contains(kinds, r.Kind) {
				t.Errorf("%s: %+v, want %v", spec.Name, r, kinds)
			}
			if _, err := s.Step(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
		s.Close()
	}
}

// Where a prediction is better than the best result by more than its uncertainty, the method exploits; where it is
// worse, it explores; near the best result it refines that; and where neither is left, nothing better is expected.
func TestBalance(t *testing.T) {
	for _, c := range []struct {
		name     string
		mean, sd float64 // at the chosen point, of the minimized objective; −20 at the best result
		x        float64 // of the chosen point, along dose; the best result lies at 15, both with a heat of 0.5
		kind     ReasonKind
		want     string
	}{
		{"better and certain", -21, 0.5, 17, ReasonExploit, "To exploit: the model predicts yield = 21 ± 0.5 here, better than the 20 at the best result."},
		{"better and uncertain", -21, 2, 17, ReasonBoth, "To exploit and explore: the model predicts yield = 21 ± 2 here, better than the 20"},
		{"hardly better", -20.01, 2, 17, ReasonExplore, "hardly better than the 20 at the best result, but is uncertain."},
		{"worse and uncertain", -18, 2.5, 17, ReasonExplore, "To explore: the model predicts yield = 18 ± 2.5 here, not better than the 20"},
		{"near", -20.1, 0.5, 15.2, ReasonRefine, "To refine the best result, which is near: the model predicts yield = 20.1 ± 0.5 here"},
		{"certain and not better", -20, 1e-6, 17, ReasonNothing, "Nothing better is expected: the model predicts yield = 20"},
	} {
		st := brewed(t, "", six...).State()
		x := st.Problem.Domain.ToUnit([]float64{c.x, 0.5})
		mean := func(u []float64) float64 {
			if math.Abs(u[0]-x[0]) < 1e-9 && math.Abs(u[1]-x[1]) < 1e-9 {
				return c.mean
			}
			for _, r := range six {
				if position := st.Problem.Domain.ToUnit(r[0]); math.Hypot(position[0]-u[0], position[1]-u[1]) < 1e-9 {
					return -r[1][0]
				}
			}
			return 0
		}
		b := stubBelief{stubSource: stubSource{state: st, mean: mean, sd: c.sd}}
		e := explainer{ctx: t.Context(), state: st, in: st.Input(), belief: b, x: x, r: &Explanation{}}
		e.unit.Mean, e.unit.SD = []float64{c.mean}, []float64{c.sd}
		kind, lead, rest, err := e.motive()
		require.NoError(t, err)
		text := e.sentence(lead, rest)
		if checkAnswer(t, text); kind != c.kind || !strings.Contains(text, c.want) {
			t.Errorf("%s: %s: %s\nwant %s: %s", c.name, kind, text, c.kind, c.want)
		}
	}
}

// A point that a person chose is compared with the best one of the method; one that waits for its result, or is one of
// several, says so; what comes from a file was not chosen.
func TestReasonOfOthers(t *testing.T) {
	s := begin(t, "forrester", "gp-ei")
	for range 5 {
		if _, err := s.Step(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.AskPoint([]float64{0.4}); err != nil {
		t.Fatal(err)
	}
	if r := reasonFor(t, s); r.Kind != ReasonPerson ||
		!strings.HasPrefix(r.Text, "Its result is pending; a person chose it; GP-EI prefers x = ") {
		t.Errorf("%+v", r)
	}
	if _, err := s.Tell(s.State().Pending[0].ID, functions.Outcome{Values: []float64{1}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Ask(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if r := reasonFor(t, s); !strings.HasPrefix(r.Text, "Its result is pending; to ") {
		t.Errorf("%+v", r)
	}
	s.Seek(5)
	if r := reasonFor(t, s); r.Kind != ReasonPerson || !strings.HasPrefix(r.Text, "A person chose it; GP-EI prefers x = ") {
		t.Errorf("on record: %+v", r)
	}
	s = begin(t, "forrester", "neural-greedy")
	e := explainer{state: s.State(), points: 4, r: &Explanation{}}
	assert.Equal(t, "The first of 4 points; a sample decides: so it is.", e.sentence("A sample decides", ": so it is"))
	e = explainer{state: s.State(), onRecord: &sessions.Iteration{By: sessions.ByImport, Step: 9}, r: &Explanation{}}
	if r, err := e.reason(); err != nil || r.Kind != ReasonImport {
		t.Errorf("%+v (%v)", r, err)
	}
}

// Limits and costs are part of the reason: while no result meets all limits the method looks for one; the probability
// of the chosen point is stated where it is not nearly 1; a method that weighs costs states the cost.
func TestReasonWithLimitsAndCosts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.toml")
	if err := os.WriteFile(path, []byte("name = \"p\"\n[[variable]]\nname = \"x\"\nlow = 0\nhigh = 1\n[[objective]]\n"+
		"name = \"y\"\ndirection = \"minimize\"\n[[limit]]\nname = \"heat\"\nat_most = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := sessions.Config{Optimizer: "gp-ei", Seed: 7, Params: map[string]any{"restarts": 1, "initial": 2,
		"hyperparameters": "fitted"}}.WithExperiment(path)
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	for i, heat := range []float64{9, 7, 5, 2.9} {
		if r := reasonFor(t, s); i >= 2 && (r.Kind != ReasonFeasibility || !strings.Contains(r.Text,
			"no result meets all limits yet, and it does so with a probability of ")) {
			t.Errorf("before any result is feasible: %+v", r)
		}
		x := []float64{0.9 - 0.2*float64(i)}
		_, err = s.Record(sessions.ByPerson, [][]float64{x}, functions.Outcome{Values: []float64{-x[0], heat}})
		require.NoError(t, err)
	}
	if r := reasonFor(t, s); r.Kind == ReasonFeasibility || !strings.Contains(r.Text, "; it is feasible with a probability of ") {
		t.Errorf("with a feasible result: %+v", r)
	}
	s = begin(t, "forrester-cost", "ei-per-cost")
	for range 4 {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	if r := reasonFor(t, s); !strings.Contains(r.Text, ", at a cost of ") {
		t.Errorf("%+v", r)
	}
}
