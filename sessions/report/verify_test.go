package report

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/registry"
	"bandscope/optimizers/search"
	"bandscope/sessions"
)

func TestVerifyFindsTampering(t *testing.T) {
	s := start(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 9})
	steps(t, s, 4)
	s = extended(t, s, "gp-ei", 0.123)
	v, err := Verify(context.Background(), s, nil)
	if err != nil || v.FirstDivergence == nil || v.FirstDivergence.Step != 5 || v.Checked != 5 {
		t.Errorf("got %+v, %v", v, err)
	}
}

// recorded is a session whose suggestions, after the initial design, are moved by so much of the unit cube before they
// are recorded.
func recorded(t *testing.T, moved ...float64) *sessions.Session {
	t.Helper()
	s := start(t, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 9})
	steps(t, s, search.InitialCount(s.State().Input()))
	for _, amount := range moved {
		sug, err := s.Next(context.Background(), nil)
		require.NoError(t, err)
		u := mat.Row(nil, 0, sug.X)
		u[1] += math.Copysign(amount, 0.5-u[1]) // inside
		s = extended(t, s, "gp-ei", s.State().Problem.Domain.FromUnit(u)...)
	}
	return s
}

// The largest difference is that of all suggestions, not of the last, and one beyond the tolerance is named with its
// size.
func TestVerifyMeasures(t *testing.T) {
	s := recorded(t, 2e-7, 8e-7, 4e-7)
	v, err := Verify(context.Background(), s, nil)
	if err != nil || v.FirstDivergence != nil || math.Abs(v.Largest-8e-7) > 1e-9 ||
		v.Checked != len(s.State().Iterations) {
		t.Errorf("got %+v, %v", v, err)
	}
	s = recorded(t, 2e-7, 3e-6, 4e-7)
	n := len(s.State().Iterations)
	v, err = Verify(context.Background(), s, nil)
	if err != nil || v.FirstDivergence == nil || v.FirstDivergence.Step != n-1 ||
		math.Abs(float64(v.FirstDivergence.Size)-3e-6) > 1e-9 ||
		math.Abs(v.Largest-2e-7) > 1e-9 || v.Checked != n-1 {
		t.Errorf("got %+v, %v", v, err)
	}
}

// A suggestion that was recorded differently from what is recomputed says so with what the method says now.
func TestVerifyTellsWhy(t *testing.T) {
	s := start(t, sessions.Config{Problem: "forrester", Optimizer: "neural-greedy", Seed: 1,
		Params: map[string]any{"trainer": "gradient-descent", "rate": 1.0, "epochs": 500, "gamma": 20.0, "width": 100}})
	steps(t, s, 4)
	s = extended(t, s, "neural-greedy", 0.123)
	v, err := Verify(context.Background(), s, nil)
	if err != nil || v.FirstDivergence == nil || !strings.Contains(v.String(), "step 5: recorded [[0.123]]") ||
		!strings.Contains(v.String(), "diverged") {
		t.Errorf("got %v, %v", v, err)
	}
}

// Points that a person chose are passed over, and what comes after them is still checked.
func TestVerifyPassesOverPeople(t *testing.T) {
	s := recorded(t, 0)
	if _, err := s.Query(context.Background(), []float64{1, 2}); err != nil {
		t.Fatal(err)
	}
	steps(t, s, 1)
	n := len(s.State().Iterations)
	count := 0
	v, err := Verify(context.Background(), s, func(string, int, int) { count++ })
	if err != nil || v.FirstDivergence != nil || v.Checked != n-1 || v.Skipped != 1 || v.Failed != 0 || count != n-1 {
		t.Errorf("got %+v, %v, told of %d", v, err, count)
	}
	s = extended(t, s, "gp-ei", 1, 2)
	if v, err := Verify(context.Background(), s, nil); err != nil || v.FirstDivergence == nil ||
		v.FirstDivergence.Step != n+1 {
		t.Errorf("a divergence after a person's point: %+v, %v", v, err)
	}
}

// Where the data of a search lie so close together that their last bits move its suggestion beyond the tolerance, one
// that other last bits lead to verifies, and says so; one that lies farther does not.
func TestVerifyKnowsWhatRoundingMoves(t *testing.T) {
	s := start(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 9,
		Params: map[string]any{"kernel": "se", "hyperparameters": "fitted"}})
	steps(t, s, search.InitialCount(s.State().Input()))
	for k := range 9 {
		if _, err := s.Query(t.Context(), []float64{0.757249 + 3e-6*float64(k-4)}); err != nil {
			t.Fatal(err)
		}
	}
	steps(t, s, 1)
	made, err := s.Suggestions()
	require.NoError(t, err)
	m := made[len(made)-1]
	rounded, distance := m.Iteration.Points[0].X[0], 0.0
	for pattern := uint64(1000); pattern < 1020; pattern++ { // others than Verify tries
		it, err := m.Perturb(pattern).Recompute(t.Context())
		require.NoError(t, err)
		if value := math.Abs(it.Points[0].X[0] - m.Iteration.Points[0].X[0]); value > distance {
			rounded, distance = it.Points[0].X[0], value
		}
	}
	if distance <= Tolerance || distance > maxExplainedDistance/10 {
		t.Fatalf("the last bits move it by %g", distance)
	}
	s.Back()
	s = extended(t, s, "gp-ei", rounded)
	v, err := Verify(t.Context(), s, nil)
	if err != nil || v.FirstDivergence != nil || v.Explained != 1 || math.Abs(v.LargestExplained-distance) > 1e-12 ||
		!strings.Contains(v.String(), "rounding errors explain 1 difference of up to") {
		t.Errorf("%v (%+v), %v", v, v, err)
	}
	s.Back()
	s = extended(t, s, "gp-ei", rounded+0.02)
	v, err = Verify(t.Context(), s, nil)
	if err != nil || v.FirstDivergence == nil || v.FirstDivergence.Step != m.Iteration.Step ||
		!(v.FirstDivergence.Moved > 0) {
		t.Errorf("%v, %v", v, err)
	}
}

// recordedByVectors is a copy of a session that the build with the processor's vectors recorded (the options as in its
// first line, 7 steps): its last step differs by 3e-4 of the domain from what the ordinary build computes, as the kinks
// of ReLU units amplify last bits.
func recordedByVectors(t *testing.T) *sessions.Session {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "vectors", "neural-bo.jsonl"))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.WriteFile(path, b, 0o644))
	s := reopen(t, path)
	s.Last()
	return s
}

// What another build recorded verifies, though last bits are amplified; a point that was moved there does not, nor does
// the record with another parameter.
func TestVerifyAcrossBuilds(t *testing.T) {
	t.Skip("testdata/vectors/neural-bo.jsonl is of searches that no build makes any more: record 7 steps of the options in its first line with GOTOOLCHAIN=go1.27.0 GOEXPERIMENT=simd")
	s := recordedByVectors(t)
	v, err := Verify(t.Context(), s, nil)
	if err != nil || v.Status() != StatusRepeats || v.Checked != 7 {
		t.Errorf("%v (%+v), %v", v, v, err)
	}
	if testing.Short() {
		return
	}
	its := s.State().Iterations
	domain := s.State().Problem.Domain
	u := domain.ToUnit(its[6].Points[0].X)
	u[0] += math.Copysign(0.02, 0.5-u[0])
	s.Back()
	s = extended(t, s, "neural-bo", domain.FromUnit(u)...)
	if v, err := Verify(t.Context(), s, nil); err != nil || v.Status() != StatusChanged ||
		v.FirstDivergence.Step != 7 ||
		!(v.FirstDivergence.Moved > Tolerance) {
		t.Errorf("moved by 0.02: %v, %v", v, err)
	}
	other := start(t, sessions.Config{Problem: "branin", Optimizer: "neural-bo", Seed: 5,
		Params: map[string]any{"nu": 2.9}})
	steps(t, other, 3)
	for _, it := range its[3:5] {
		other = extended(t, other, "neural-bo", it.Points[0].X...)
	}
	if v, err := Verify(t.Context(), other, nil); err != nil || v.Status() != StatusChanged {
		t.Errorf("with another parameter: %v, %v", v, err)
	}
}

// flat is a belief whose suggestion the last bits of the data move by a thousandth, up or down, and whose acquisition
// is the same everywhere, but for a hill.
type flat struct {
	optimizers.Unsupported
	at, hill float64
}

func (flat) Legend() optimizers.Legend { return optimizers.Legend{Acquisition: "flat"} }

func (f flat) Suggest(context.Context) (optimizers.Suggestion, error) {
	return optimizers.Suggestion{X: mat.NewDense(1, 1, []float64{f.at})}, nil
}

func (f flat) Acquisition(_ context.Context, X *mat.Dense) ([]float64, error) {
	v := mat.Col(nil, 0, X)
	for i, x := range v {
		v[i] = -f.hill * math.Abs(x-0.5)
	}
	return v, nil
}

// Where last bits move the choice, though not as far as to the recorded point, it cannot be decided whether that was
// changed if it is as good; if it is worse, or where they do not move the choice, it was.
func TestVerifyLeavesOpen(t *testing.T) {
	spec, err := registry.Find("forest-ei")
	require.NoError(t, err)
	fit := spec.Fit
	t.Cleanup(func() { spec.Fit = fit })
	for _, c := range []struct {
		hill, moved float64
		want        string
	}{{0, 0.001, StatusUndecided}, {1, 0.001, StatusChanged}, {0, 0, StatusChanged}} {
		spec.Fit = func(_ context.Context, in optimizers.Input) (optimizers.Belief, error) {
			bits := uint64(0)
			for _, y := range in.Data.Column(0) {
				bits += math.Float64bits(y)
			}
			return flat{at: 0.5 + c.moved*float64(bits%3), hill: c.hill}, nil
		}
		s := start(t, sessions.Config{Problem: "forrester", Optimizer: "forest-ei", Seed: 9})
		steps(t, s, search.InitialCount(s.State().Input()))
		n := len(s.State().Iterations)
		s = extended(t, s, "forest-ei", 0.9)
		v, err := Verify(t.Context(), s, nil)
		if err != nil || v.Status() != c.want || v.Checked != n+1 {
			t.Errorf("%+v: %v (%+v), %v", c, v, v, err)
		}
		if c.want == StatusUndecided && (len(v.Undecided) != 1 || v.Undecided[0].Step != n+1 ||
			!strings.HasPrefix(v.String(), "this build cannot decide") ||
			!strings.Contains(v.String(), "rounding errors move 1 of 4 suggestions")) {
			t.Errorf("%v (%+v)", v, v)
		}
	}
}
