package sessions

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

func newPlayground(t *testing.T) *Session {
	t.Helper()
	s, err := New(t.Context(), PlaygroundConfig(BeliefConfig{"gp-ei", map[string]any{"kernel": "1*se(length=0.2)",
		"noise": "fixed", "noise_sd": 0.1}}, 3))
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// Results are added, moved and removed, each by one act that is stepped back on its own; the file repeats all of it.
func TestPlaygroundIsASession(t *testing.T) {
	s := newPlayground(t)
	path := filepath.Join(t.TempDir(), "play.jsonl")
	do := func(err error) {
		t.Helper()
		require.NoError(t, err)
	}
	do(s.SaveAs(path))
	do(s.AddResult(0.2, 1))
	do(s.AddResult(0.7, -0.5))
	do(s.MoveResult(s.State().Results()[0], 0.3, 1.5))
	second := BeliefConfig{"ntk-ucb", map[string]any{"gamma": 3.0, "auto_gamma": false}}
	do(s.SetBeliefs(BeliefConfig{"gp-ei", map[string]any{"kernel": "rq"}}, &second))
	do(s.MoveResult(s.State().Results()[1], 0.7, 0.25))
	do(s.RemoveResult(s.State().Results()[0]))
	do(s.Edit("kernel", "se + linear"))
	check := func(s *Session) {
		t.Helper()
		for _, want := range []struct {
			results []PlaygroundResult
			kernel  string
			second  bool
		}{
			{[]PlaygroundResult{{2, 0, 0.7, 0.25}}, "se + linear", true},
			{[]PlaygroundResult{{2, 0, 0.7, 0.25}}, "rq", true},
			{[]PlaygroundResult{{1, 0, 0.3, 1.5}, {2, 0, 0.7, 0.25}}, "rq", true},
			{[]PlaygroundResult{{1, 0, 0.3, 1.5}, {2, 0, 0.7, -0.5}}, "rq", true},
			{[]PlaygroundResult{{1, 0, 0.3, 1.5}, {2, 0, 0.7, -0.5}}, "1*se(length=0.2)", false},
			{[]PlaygroundResult{{1, 0, 0.2, 1}, {2, 0, 0.7, -0.5}}, "1*se(length=0.2)", false},
			{[]PlaygroundResult{{1, 0, 0.2, 1}}, "1*se(length=0.2)", false},
			{nil, "1*se(length=0.2)", false},
		} {
			st := s.State()
			if !slices.Equal(st.Results(), want.results) || st.Params.Choice("kernel") != want.kernel ||
				(st.Second != nil) != want.second {
				t.Errorf("%+v with %v and the second %+v, want %+v", st.Results(), st.Params.Choice("kernel"), st.Second,
					want)
			}
			if want.second && (st.Second.Optimizer != "ntk-ucb" || st.Second.Params["gamma"] != 3.0) {
				t.Errorf("the second belief is %+v", st.Second)
			}
			s.Back()
		}
		assert.False(t, s.Back(), "there is a place before the first")
		for range 7 {
			s.Forward()
		}
		assert.Equal(t, "se + linear", s.State().Params.Choice("kernel"), "forward again the kernel")
	}
	check(s)
	do(s.Close())
	again := reopen(t, path)
	if !again.State().Config.Playground || len(again.Notices()) > 0 {
		t.Errorf("the file is no playground any more: %v", again.Notices())
	}
	check(again)
	repeats(t, again, 0)
}

// The scale of a playground does not depend on its results, so that the prior and its hyperparameters stay the same.
func TestPlaygroundHasAFixedScale(t *testing.T) {
	s := newPlayground(t)
	for i := range 3 {
		if sc := s.State().Input().Scale(0, i); sc.Mean != 0 || sc.SD != 1 {
			t.Errorf("with %d results the scale is %+v", i, sc)
		}
		require.NoError(t, s.AddResult(0.2*float64(i+1), 1.5))
	}
	b, err := s.Belief(t.Context(), nil)
	require.NoError(t, err)
	list := optimizers.HandlesOf(b)
	if len(list) != 3 || list[0].Value != 1 || list[1].Value != 0.2 || list[2].Value != 0.1 {
		t.Errorf("the hyperparameters are %+v", list)
	}
}

// A preview has other results and another belief, and records nothing; the belief is that of the recorded state if the
// results are the same.
func TestPlaygroundPreview(t *testing.T) {
	s := newPlayground(t)
	for _, x := range []float64{0.1, 0.5, 0.8} {
		require.NoError(t, s.AddResult(x, math.Sin(9*x)))
	}
	st := s.State()
	results := st.Results()
	p, err := st.Preview(st.Belief(), results)
	require.NoError(t, err)
	grid := mat.NewDense(20, 1, nil)
	grid.Apply(func(i, _ int, _ float64) float64 { return float64(i) / 19 }, grid)
	mean := func(b optimizers.Belief, err error) []float64 {
		t.Helper()
		require.NoError(t, err)
		bands, err := b.Predict(t.Context(), grid)
		require.NoError(t, err)
		return bands[0].Mean
	}
	same := mean(p.Belief(t.Context(), nil))
	if !slices.Equal(same, mean(s.Belief(t.Context(), nil))) {
		t.Error("the preview of the recorded results has another belief")
	}
	results[1].Y += 1
	moved, err := st.Preview(st.Belief(), results)
	require.NoError(t, err)
	if slices.Equal(same, mean(moved.Belief(t.Context(), nil))) || s.State().Head != st.Head ||
		s.State().Results()[1].Y == results[1].Y {
		t.Error("the preview moves nothing, or moves the record")
	}
}

func TestSearchOfAPlayground(t *testing.T) {
	s := newPlayground(t)
	for _, x := range []float64{0.1, 0.5, 0.8} {
		require.NoError(t, s.AddResult(x, x))
	}
	require.NoError(t, s.RemoveResult(s.State().Results()[0]))
	search, err := s.State().NewSearch(t.Context())
	require.NoError(t, err)
	defer search.Close()
	st := search.State()
	if st.Config.Playground || len(st.Iterations) != 2 || st.Iterations[0].By != ByImport ||
		st.Iterations[0].Points[0].X[0] != 0.5 || st.Params.Choice("kernel") != "1*se(length=0.2)" {
		t.Errorf("the search is %+v of %+v", st.Iterations, st.Config)
	}
	_, err = search.Next(t.Context(), nil)
	assert.NoError(t, err)
}

func TestPlaygroundErrors(t *testing.T) {
	s := newPlayground(t)
	require.NoError(t, s.AddResult(0.5, 0))
	r := s.State().Results()[0]
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"outside":         {s.AddResult(1.5, 0), "x"},
		"not finite":      {s.AddResult(0.5, math.NaN()), "finite"},
		"moved outside":   {s.MoveResult(r, -1, 0), "x"},
		"moved to NaN":    {s.MoveResult(r, 0.5, math.Inf(1)), "finite"},
		"no such result":  {s.RemoveResult(PlaygroundResult{Step: 7}), "step 7"},
		"unknown method":  {s.SetBeliefs(BeliefConfig{Optimizer: "gp"}, nil), "gp"},
		"wrong parameter": {s.SetBeliefs(BeliefConfig{"gp-ei", map[string]any{"kernel": "rbf"}}, nil), "rbf"},
		"wrong second":    {s.SetBeliefs(s.State().Belief(), &BeliefConfig{Optimizer: "gp-eii"}), "gp-eii"},
	} {
		assert.ErrorContains(t, c.err, c.want, "%s: %v, want %q", name, c.err, c.want)
	}
	if got := s.State(); len(got.Results()) != 1 || got.Second != nil {
		t.Errorf("an error changes the record: %+v", got.Results())
	}
	other := start(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 1})
	cfg := other.State().Config
	cfg.Playground = true
	if _, err := New(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "one real variable") {
		t.Errorf("a test function is a playground: %v", err)
	}
	if err := other.SetBeliefs(BeliefConfig{Optimizer: "random"}, nil); err == nil {
		t.Error("a session that is no playground has beliefs of its own")
	}
}
