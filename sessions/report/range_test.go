package report

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// The hypervolume after each point, in the declared range, as pymoo has it for the same points; the fixture names its
// version.
func TestHypervolumeByPymoo(t *testing.T) {
	raw, err := os.ReadFile("testdata/pymoo-hypervolume.json")
	require.NoError(t, err)
	var fixture struct {
		Runs []struct {
			Problem     string
			X           [][]float64
			Hypervolume []float64
		}
	}
	if err := json.Unmarshal(raw, &fixture); err != nil || len(fixture.Runs) == 0 {
		t.Fatal(err)
	}
	for _, run := range fixture.Runs {
		s := start(t, sessions.Config{Problem: run.Problem, Optimizer: "random", Seed: 1})
		for i, x := range run.X {
			_, err = s.Query(context.Background(), x)
			require.NoError(t, err)
			got := ObjectiveTracesFor(s.State()).Hypervolume
			for j, v := range got {
				if math.Abs(v-run.Hypervolume[j]) > 1e-12 {
					t.Errorf("%s: after %d points, %.15g at the %d., by pymoo %.15g", run.Problem, i+1, v, j+1,
						run.Hypervolume[j])
				}
			}
		}
	}
}

// Over random sessions, the hypervolume of an iteration is the same whenever it is asked for, and never less than that
// of the one before. An observation that is withdrawn is taken out of the whole trace; the range stays.
func TestHypervolumeNeverFalls(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 12))
	for _, problem := range []string{
		"thesis-xy", "schaffer", "zdt3:4", "dtlz2-k3", "dtlz2-k4", "vehicle-safety", "gp-draws"} {
		for seed := range uint64(3) {
			s := start(t, sessions.Config{Problem: problem, Optimizer: "random", Seed: seed, Noise: 0.05, Budget: 40})
			known := map[int]float64{}
			var measure *sessions.Range
			check := func() {
				st := s.State()
				if measure == nil {
					measure = st.Range
				} else if !reflect.DeepEqual(measure, st.Range) {
					t.Fatalf("%s: the range was %+v, it is %+v", problem, measure, st.Range)
				}
				before := 0.0
				for i, v := range ObjectiveTracesFor(st).Hypervolume {
					if math.IsNaN(v) && st.Range == nil {
						continue
					}
					if was, ok := known[i]; ok && was != v || !(v >= before) {
						t.Fatalf("%s: iteration %d has %g, had %g; the one before has %g", problem, i+1, v, was, before)
					}
					known[i], before = v, v
				}
			}
			for range 25 {
				if rng.Float64() < 0.2 {
					s.Back()
				}
				steps(t, s, 1)
				check()
			}
			s.Last()
			require.NoError(t, s.Correct(1+rng.IntN(20), 0, nil, ""))
			known = map[int]float64{}
			check()
		}
	}
}

// Where no front is known the range is that of the initial design: recorded with the observation that completes it, in
// the same breath, and kept whatever is corrected later. It survives a restart, and a verification.
func TestRangeIsRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, sessions.Config{Problem: "gp-draws", Optimizer: "random", Seed: 4,
		Params: map[string]any{"initial": 5}})
	require.NoError(t, s.SaveAs(path))
	steps(t, s, 4)
	if st := s.State(); st.Range != nil || OutcomeRangeFor(st) != nil || DescribeOutcomeRange(st) != "" ||
		!math.IsNaN(ObjectiveTracesFor(st).Hypervolume[3]) {
		t.Errorf("before the design is complete: %+v", st.Range)
	}
	steps(t, s, 1)
	st := s.State()
	if st.Range == nil || st.Range.From != sessions.FromPoints || st.Range.Points != 5 {
		t.Fatalf("after the design: %+v", st.Range)
	}
	for k := range st.Problem.Objectives {
		best, worst := math.Inf(1), math.Inf(-1)
		for _, it := range st.Iterations {
			best, worst = math.Min(best, it.Points[0].Y[k]), math.Max(worst, it.Points[0].Y[k])
		}
		if st.Range.Best[k] != best || st.Range.Worst[k] != worst {
			t.Errorf("objective %d: %g to %g, want %g to %g", k, st.Range.Best[k], st.Range.Worst[k], best, worst)
		}
	}
	require.NoError(t, s.Correct(2, 0, []float64{9, -9, 9, -9, 9, -9}, "a typo"))
	steps(t, s, 2)
	require.NoError(t, s.Close())
	raw, _ := os.ReadFile(path)
	if n := bytes.Count(raw, []byte(`"kind":"ranged"`)); n != 1 {
		t.Errorf("%d ranges are on record", n)
	}
	again := reopen(t, path)
	if got := again.State(); !reflect.DeepEqual(got.Range, st.Range) ||
		!strings.Contains(DescribeOutcomeRange(got), "range of the first 5 points") {
		t.Errorf("opened again: %+v, %s", got.Range, DescribeOutcomeRange(got))
	}
	if v, err := Verify(context.Background(), again, nil); err != nil || v.FirstDivergence != nil || v.Checked != 7 {
		t.Errorf("verification gives %+v, %v", v, err)
	}
	for range 3 {
		again.Back()
	}
	if again.State().Range != nil && len(again.State().Iterations) < 5 {
		t.Error("before the design was complete there is a range")
	}
}
