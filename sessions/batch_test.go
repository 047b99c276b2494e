package sessions

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/experiment"
	"bandscope/sessions/eventlog"
)

// oven is an experiment with a number, an ordered variable, an integer and a choice.
const oven = `name = "oven"
budget = 40
[[variable]]
name = "temperature"
low = 60
high = 140
unit = "°C"
[[variable]]
name = "time"
kind = "ordered"
values = [1, 2, 5, 10]
[[variable]]
name = "layers"
kind = "integer"
low = 1
high = 6
[[variable]]
name = "solvent"
kind = "choice"
choices = ["water", "toluene", "dmf"]
[[objective]]
name = "yield"
direction = "maximize"
`

// baked is a session on the oven with so many results, and design points.
func baked(t *testing.T, method string, n int, params map[string]any) *Session {
	t.Helper()
	d, err := experiment.Parse("oven.toml", []byte(oven))
	require.NoError(t, err)
	s := start(t, Config{Experiment: d, Optimizer: method, Seed: 4, Params: params})
	for range n {
		it := asks(t, s, 1)[0]
		x := it.Points[0].X
		_, err = s.Tell(it.ID, worth(-math.Abs(x[0]-93)/30-math.Abs(x[1]-5)/4+x[2]/6+0.3*x[3]))
		require.NoError(t, err)
	}
	return s
}

// Points that are asked for at once share what they are to share to the last digit, differ otherwise, keep the distance
// that is asked for, also from what was out before, are recorded with what was asked, and come out the same when they
// are recomputed, also from the file.
func TestAskingForSeveralAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("its searches run in the tests of optimizers too")
	}
	for name, c := range map[string]struct {
		method string
		data   int
		pinned bool // the temperature is, so that few points are left
		ask    Batch
	}{
		"by acquisition": {"gp-ucb", 5, true, Batch{Points: 3, Shared: []string{"solvent"}}},
		"in the design":  {"gp-ei", 0, false, Batch{Points: 4, Shared: []string{"temperature", "solvent"}}},
		"without one":    {"random", 5, false, Batch{Points: 4, Shared: []string{"temperature"}, MinDistance: 0.2}},
		"apart":          {"random", 5, false, Batch{Points: 4, MinDistance: 0.3}},
	} {
		t.Run(name, func(t *testing.T) {
			params := map[string]any{"initial": 5}
			if c.method != "random" {
				params["restarts"] = 1
			}
			s := baked(t, c.method, c.data, params)
			if c.pinned {
				require.NoError(t, s.Bound(t.Context(), "temperature", 90, 90, ""))
			}
			path := filepath.Join(t.TempDir(), "s.jsonl")
			require.NoError(t, s.SaveAs(path))
			named, err := s.AskPoint([]float64{90, 5, 3, 1})
			require.NoError(t, err)
			list, err := s.AskBatch(t.Context(), c.ask, nil)
			require.NoError(t, err)
			s.Close()
			s = reopen(t, path)
			st := s.State()
			if len(list) != c.ask.Points || len(st.Pending) != len(list)+1 {
				t.Fatalf("%d points, %d are out", len(list), len(st.Pending))
			}
			for i, it := range st.Pending[1:] {
				if !slices.Equal(it.Points[0].X, list[i].Points[0].X) || it.Batch == nil || it.Batch.Place != i+1 ||
					!it.Batch.SameRequest(c.ask) {
					t.Errorf("point %d is %+v, of %+v", i+1, it, it.Batch)
				}
				if c.pinned && it.Points[0].X[0] != 90 {
					t.Errorf("point %d is at a temperature of %g, which is narrowed to 90", i+1, it.Points[0].X[0])
				}
				for _, name := range c.ask.Shared {
					if j, _ := st.variable(name); it.Points[0].X[j] != list[0].Points[0].X[j] {
						t.Errorf("%s is %v at point %d, %v at the first", name, it.Points[0].X[j], i+1,
							list[0].Points[0].X[j])
					}
				}
				for _, other := range st.Pending[:i+1] {
					if !differ(st, it.Points[0].X, other.Points[0].X, c.ask.MinDistance) {
						t.Errorf("%v and %v are too near", it.Points[0].X, other.Points[0].X)
					}
				}
			}
			if note := list[0].Note; len(c.ask.Shared) > 0 && !strings.Contains(note, c.ask.Shared[0]+" = ") {
				t.Errorf("it says %q", note)
			}
			made, err := s.Suggestions()
			require.NoError(t, err)
			for _, m := range made[len(made)-len(list):] {
				if again, err := m.Recompute(t.Context()); err != nil || !slices.Equal(again.Points[0].X,
					m.Iteration.Points[0].X) {
					t.Errorf("recorded %v, recomputed %v, %v", m.Iteration.Inputs(), again.Inputs(), err)
				}
			}
			_, err = s.Tell(named.ID, worth(1))
			assert.NoError(t, err)
			for _, i := range []int{1, 0} { // in any order, each by itself
				_, err = s.Tell(list[i].ID, worth(0.5))
				assert.NoError(t, err)
			}
		})
	}
}

// A point that says it is one of a batch follows the others of it directly, otherwise the file is no session.
func TestBatchesInAFile(t *testing.T) {
	s := baked(t, "random", 0, nil)
	if _, err := s.AskBatch(t.Context(), Batch{Points: 3, Shared: []string{"solvent"}}, nil); err != nil {
		t.Fatal(err)
	}
	st := s.State()
	for _, c := range []struct {
		batch batchData
		ok    bool
	}{
		{batchData{Points: 3, Place: 1, Same: []string{"solvent"}}, true},
		{batchData{Points: 3, Place: 2, Same: []string{"solvent"}}, false},
		{batchData{Points: 4, Place: 4, Same: []string{"solvent"}}, false},
		{batchData{Points: 3, Place: 4, Same: []string{"solvent"}}, false},
		{batchData{Points: 3, Place: 0}, false},
		{batchData{Points: 3, Place: 1, Same: []string{"water"}}, false},
		{batchData{Points: 3, Place: 1, Apart: 2}, false},
	} {
		if b, err := st.batch(suggestedData{X: [][]eventlog.Float{{1}}, Batch: &c.batch}); (err == nil) != c.ok ||
			c.ok && b.Place != c.batch.Place {
			t.Errorf("%+v: %v", c.batch, err)
		}
	}
}

// differ reports whether two points differ in a level, or in a number by a share of its range.
func differ(st State, a, b []float64, apart float64) bool {
	u, v := st.Problem.Domain.ToUnit(a), st.Problem.Domain.ToUnit(b)
	for j := range u {
		if d := math.Abs(u[j] - v[j]); d > 1e-9 && (st.Problem.Domain[j].Levels() > 0 || d >= apart-1e-9) {
			return true
		}
	}
	return false
}

// What cannot be asked for is refused with the reason, and nothing is recorded; where there is no room the error says
// for how many points there is.
func TestBatchesWithoutRoom(t *testing.T) {
	s := baked(t, "random", 0, nil)
	require.NoError(t, s.Narrow(t.Context(), "", Bounds{"temperature", 100, 100, nil}, Bounds{"layers", 2, 2, nil}))
	for _, c := range []struct {
		ask Batch
		why string
	}{
		{Batch{Points: 2, Shared: []string{"temprature"}}, `temprature`},
		{Batch{Points: 2, Shared: []string{"time", "time"}}, "twice"},
		{Batch{Points: 0}, "1 point or more"},
		{Batch{Points: 2, MinDistance: 1}, "less than 1, as a fraction"},
		{Batch{Points: 2, Shared: []string{"temperature", "time", "layers", "solvent"}}, "at least one must differ"},
		{Batch{Points: 5, Shared: []string{"solvent"}},
			"cannot find 5 points that differ, with the same values of the shared variables: found only 4"},
		{Batch{Points: 13}, "cannot find 13 points that differ: found only 12"},
	} {
		_, err := s.AskBatch(t.Context(), c.ask, nil)
		assert.ErrorContains(t, err, c.why, "%+v", c.ask)
		if n := len(s.State().Pending); n != 0 {
			t.Fatalf("%d points are out", n)
		}
	}
	if list, err := s.AskBatch(t.Context(), Batch{Points: 12}, nil); err != nil || len(list) != 12 {
		t.Errorf("%d points, %v", len(list), err)
	}
}
