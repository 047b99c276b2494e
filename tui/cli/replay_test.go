package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
)

// stopping ends a context when a line of text was written.
type stopping struct {
	bytes.Buffer
	cancel context.CancelFunc
	line   string
}

func (s *stopping) Write(p []byte) (int, error) {
	if strings.Contains(string(p), s.line) {
		s.cancel()
	}
	return s.Buffer.Write(p)
}

// A replay ends between two lines, and says where.
func TestReplayHeedsItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := runSession(t.Context(), io.Discard, io.Discard,
		runOptions{settings: settings{Function: "forrester", Optimizer: "random", Seed: 1}, Steps: 6,
			Save: path}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out := &stopping{cancel: cancel, line: "step   3"}
	err := replay(ctx, out, io.Discard, path, replayOptions{})
	if err == nil || err.Error() != "interrupted after step 3 of 6" || strings.Contains(out.String(), "step   4") {
		t.Errorf("%v after %s", err, out.String())
	}
	if status := Status(ctx, io.Discard, err); status != 1 {
		t.Errorf("status %d without a signal", status)
	}
	_, err = sessions.Open(t.Context(), path)
	assert.NoError(t, err)
}

// fixedPlace is a belief that suggests a place, and whose acquisition falls off from it by a slope.
type fixedPlace struct {
	optimizers.Unsupported
	at, slope float64
}

func (fixedPlace) Legend() optimizers.Legend { return optimizers.Legend{Acquisition: "height"} }

func (p fixedPlace) Suggest(context.Context) (optimizers.Suggestion, error) {
	return optimizers.Suggestion{X: mat.NewDense(1, 1, []float64{p.at})}, nil
}

func (p fixedPlace) Acquisition(_ context.Context, X *mat.Dense) ([]float64, error) {
	v := mat.Col(nil, 0, X)
	for i, x := range v {
		v[i] = -p.slope * math.Abs(x-0.5)
	}
	return v, nil
}

// What repeats itself, what was changed and what cannot be decided have statuses of their own, in words, as JSON and
// for shells.
func TestVerifyHasThreeStatuses(t *testing.T) {
	spec, err := registry.Find("forest-ei")
	require.NoError(t, err)
	fit := spec.Fit
	t.Cleanup(func() { spec.Fit = fit })
	moved := func(x, slope float64) { // by the last bits of the data
		spec.Fit = func(_ context.Context, in optimizers.Input) (optimizers.Belief, error) {
			bits := uint64(0)
			for _, y := range in.Data.Column(0) {
				bits += math.Float64bits(y)
			}
			return fixedPlace{at: x + 0.001*float64(bits%3), slope: slope}, nil
		}
	}
	moved(0.9, 0)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := runSession(t.Context(), io.Discard, io.Discard,
		runOptions{settings: settings{Function: "forrester", Optimizer: "forest-ei", Seed: 1,
			Set: []string{"initial=3"}}, Steps: 5, Save: path}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at, slope    float64
		status, said string
		exit         int
	}{{0.9, 0, "repeats", "verified: 5 suggestions", 0}, {0.5, 1, "changed", "the session does not repeat", 1},
		{0.5, 0, "undecided", "this build cannot decide", 3}} {
		moved(c.at, c.slope)
		for _, o := range []replayOptions{{Verify: true}, {Verify: true, JSON: true}, {Outcomes: true, JSON: true}} {
			var out, errs bytes.Buffer
			err := replay(t.Context(), &out, &errs, path, o)
			if exit := Status(t.Context(), &errs, err); exit != c.exit || !o.JSON &&
				!strings.Contains(out.String()+errs.String(), c.said) {
				t.Errorf("%s, %+v: exit status %d: %s%s", c.status, o, exit, out.String(), errs.String())
			}
			if !o.JSON {
				continue
			}
			var found struct {
				Status      string
				Suggestions struct {
					Status    string
					Checked   int
					Undecided []struct{ Step int }
					Changed   *struct{ Step int }
				}
				Outcomes *struct{ Status string }
			}
			if err := json.Unmarshal(out.Bytes(), &found); err != nil || found.Status != c.status ||
				found.Suggestions.Status != c.status || found.Suggestions.Checked == 0 ||
				(found.Suggestions.Changed != nil) != (c.exit == 1) ||
				(found.Suggestions.Undecided != nil) != (c.exit == 3) ||
				(found.Outcomes != nil) != (o.Outcomes && c.exit != 1) {
				t.Errorf("%s, %+v: %s (%v)", c.status, o, out.String(), err)
			}
		}
	}
	err = replay(t.Context(), io.Discard, io.Discard, path, replayOptions{JSON: true})
	if exit := Status(t.Context(), io.Discard, err); exit != 2 {
		t.Errorf("--json without --verify ends with status %d: %v", exit, err)
	}
}
