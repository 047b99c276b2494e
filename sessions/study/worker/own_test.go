package worker

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/pareto"
	"bandscope/sessions/study"
)

func ownStudy(t *testing.T) *study.Declaration {
	t.Helper()
	files := map[string]string{
		"gbm.toml": "name = \"gbm\"\n[[variable]]\nname = \"x\"\nlow = 0\nhigh = 1\n[[objective]]\nname = \"loss\"\n" +
			"direction = \"minimize\"\n",
		"screen.csv": "x,y:max\n1,2\n2,5\n3,4\n4,3\n",
	}
	d, err := study.ParseWithFiles(t.Context(), "own.toml", []byte("name = \"own\"\nproblems = [\"gbm.toml\", \"screen.csv\"]\n"+
		"methods = [\"gp-ei initial=3\"]\nseeds = 2\nbudget = 9\n"), func(path string, _ int) ([]byte, error) {
		text, ok := files[path]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	})
	require.NoError(t, err)
	return d
}

// parabola is an evaluator as a program is one: it fails at some points.
type parabola struct{ calls *atomic.Int64 }

func (p parabola) Evaluate(_ context.Context, x []float64) (functions.Outcome, error) {
	p.calls.Add(1)
	if x[0] > 0.9 {
		return functions.Outcome{Reason: "x is too large"}, nil
	}
	return functions.Outcome{Values: []float64{(x[0] - 0.3) * (x[0] - 0.3)}}, nil
}

// A worker without a program leaves the cells that need one and runs the others; a worker with it continues them. A
// failure of the program is a failed evaluation. Slices, and workers that end, change nothing.
func TestOwnProblemsOfAWorker(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		st := submitted(t, name, ownStudy(t))
		ctx, end := context.WithCancelCause(t.Context())
		var mu sync.Mutex
		waiting := map[string]bool{}
		err := Work(ctx, st, Options{Workers: 2, waits: 10 * time.Millisecond, Report: func(text string) {
			mu.Lock()
			defer mu.Unlock()
			if waiting[text] = true; len(waiting) == 2 {
				end(errTest)
			}
		}})
		for text := range waiting {
			assert.Contains(t, text, "waits for a worker with a program: --exec 'gbm.toml=COMMAND'", text)
		}
		if !errors.Is(err, errTest) || len(waiting) != 2 {
			t.Fatal(err, waiting)
		}
		var calls atomic.Int64
		steps := 0
		with := Options{Workers: 1, UntilDone: true, noCache: true, sliceOver: every(2), Evaluators: func(p study.OwnFile) (functions.Evaluator, error) {
			assert.Equal(t, "gbm.toml", p.File, "a program evaluates")
			return parabola{&calls}, nil
		}}
		for _, r := range tableFor(t, st, "own").Rows {
			if steps += r.Steps; r.Problem == "gbm" && r.Steps > 0 {
				t.Errorf("without a program: %+v", r)
			}
		}
		require.NoError(t, Work(t.Context(), st, with))
		failed := 0
		for _, r := range tableFor(t, st, "own").Rows {
			want := map[string]int{"gbm": 9, "screen": 4}[r.Problem]
			if r.Status != study.Done || r.Steps != want || r.Attempts != 0 || r.Error != "" {
				t.Errorf("%+v", r)
			}
			if r.Problem == "screen" && r.Trace.SimpleRegret[3] != 0 || r.Problem == "gbm" && r.Trace.SimpleRegret != nil {
				t.Errorf("%s: %v", r.Cell, r.Trace.SimpleRegret)
			}
			failed++
		}
		if calls.Load() != 18 || failed != 4 {
			t.Errorf("the program was asked %d times", calls.Load())
		}
	})
}

// limitedPair is an evaluator of two objectives, the second of which has a limit, and of a limited quantity.
type limitedPair struct{ seen *[][]float64 }

func (p limitedPair) Evaluate(_ context.Context, x []float64) (functions.Outcome, error) {
	y := []float64{x[0], (1 - x[0]) * (2 - x[1]) / 2, x[1]}
	*p.seen = append(*p.seen, y)
	return functions.Outcome{Values: y}, nil
}

// The hypervolume of your own problem with limits, which a program evaluates, counts the results within all limits alone,
// after every step, and says so.
func TestHypervolumeWithinLimits(t *testing.T) {
	const text = `name = "pair"
[[variable]]
name = "x"
low  = 0
high = 1
[[variable]]
name = "heat"
low  = 0
high = 1
[[objective]]
name      = "effort"
direction = "minimize"
range     = [0, 1]
[[objective]]
name      = "waste"
direction = "minimize"
range     = [0, 1]
at_most   = 0.4
[[limit]]
name    = "temperature"
at_most = 0.7
`
	d, err := study.ParseWithFiles(t.Context(), "limits.toml", []byte("name = \"limits\"\nproblems = [\"pair.toml\"]\n"+
		"methods = [\"random\"]\nseeds = 1\nbudget = 40\n"), func(string, int) ([]byte, error) { return []byte(text), nil })
	require.NoError(t, err)
	st := submitted(t, filepath.Join(t.TempDir(), "limits.db"), d)
	var seen [][]float64
	if err := Work(t.Context(), st, Options{Workers: 1, UntilDone: true, noCache: true,
		Evaluators: func(study.OwnFile) (functions.Evaluator, error) { return limitedPair{&seen}, nil }}); err != nil {
		t.Fatal(err)
	}
	curve := tableFor(t, st, "limits").Rows[0].Trace.Hypervolume
	if len(curve) != 40 || len(seen) != 40 {
		t.Fatalf("%d values of %d results", len(curve), len(seen))
	}
	var inside, all [][]float64
	for i, y := range seen {
		if all = append(all, y[:2]); y[1] <= 0.4 && y[2] <= 0.7 {
			inside = append(inside, y[:2])
		}
		// the reference point is a tenth of the range beyond it, but not beyond a limit
		if want := pareto.Hypervolume(inside, []float64{1.1, 0.4}); math.Abs(curve[i]-want) > 1e-12 {
			t.Errorf("after %d results the hypervolume is %g, want %g", i+1, curve[i], want)
		}
	}
	if everything := pareto.Hypervolume(all, []float64{1.1, 0.4}); !(curve[9] < curve[19]) || !(curve[39] < everything-0.01) {
		t.Errorf("the values %g, %g and %g tell nothing; without limits %g", curve[9], curve[19], curve[39], everything)
	}
	if got, want := study.Hypervolume.Quantity(d, "pair"), "hypervolume within limits"; got != want {
		t.Errorf("it is called %q, want %q", got, want)
	}
	assert.Equal(t, "hypervolume", study.Hypervolume.Quantity(ownStudy(t), "gbm"), "without limits it is called")
}

// A program that reports a part of its objectives does not make a run endless.
func TestOwnProblemWithMissingObjectives(t *testing.T) {
	d := ownStudy(t)
	d.Own[0].Experiment.Objectives = append(d.Own[0].Experiment.Objectives, functions.Objective{Name: "size",
		Direction: functions.Minimize})
	d.Problems, d.Methods, d.Own = d.Problems[:1], []string{"random"}, d.Own[:1]
	st := submitted(t, filepath.Join(t.TempDir(), "study.db"), d)
	if err := Work(t.Context(), st, Options{UntilDone: true, Evaluators: func(study.OwnFile) (functions.Evaluator, error) {
		return partial{}, nil
	}}); err != nil {
		t.Fatal(err)
	}
	for _, r := range tableFor(t, st, "own").Rows {
		if r.Status != study.Failed || !strings.Contains(r.Error, "only a part of the objectives") {
			t.Errorf("%+v", r)
		}
	}
}

type partial struct{}

func (partial) Evaluate(context.Context, []float64) (functions.Outcome, error) {
	return functions.Outcome{Values: []float64{1, math.NaN()}, Partial: true}, nil
}

// The run of another program is a row of the study, whichever database it has; the study goes on beside it.
func TestImportedRuns(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		d := &study.Declaration{Name: "imported", Problems: []string{"forrester"}, Methods: []string{"random"}, Seeds: 2,
			Budget: "4"}
		st := submitted(t, name, d)
		trace := inOneGo(t, study.Cell{Problem: "forrester", Method: "random", Seed: 9, Budget: 3})
		c := study.Cell{Problem: "forrester", Method: "Optuna:tpe", Seed: 1, Budget: 3}
		require.NoError(t, st.Import(t.Context(), "imported", "Optuna 4.1", c, 1, trace))
		if err := st.Import(t.Context(), "imported", "Optuna 4.1", c, 1, trace); err == nil ||
			!strings.Contains(err.Error(), "already has a run") {
			t.Errorf("twice: %v", err)
		}
		if err := st.Import(t.Context(), "other", "Optuna 4.1", c, 1, trace); err == nil {
			t.Error("a study that is not there has the run")
		}
		require.NoError(t, Submit(t.Context(), st, d))
		if n, err := st.Restart(t.Context(), "imported"); err != nil || n != 0 {
			t.Errorf("%d cells start again, %v", n, err)
		}
		require.NoError(t, Work(t.Context(), st, Options{Workers: 2, Study: "imported", UntilDone: true}))
		table := tableFor(t, st, "imported")
		if len(table.Rows) != 3 || len(table.Declaration.Imported) != 1 {
			t.Fatalf("got %+v", table)
		}
		for i, r := range table.Rows {
			want := inOneGo(t, table.Rows[min(i, 1)].Cell)
			if i == 2 {
				want = trace
			}
			if r.Status != study.Done || bits(r.Trace) != bits(want) || (r.Program == "Optuna 4.1") != (r.Cell == c) {
				t.Errorf("%v: %+v", r.Cell, r)
			}
		}
		rows, _, err := st.Changes(t.Context(), "imported", -1)
		if err != nil || len(rows) != 3 || rows[2].Cell != c {
			t.Errorf("the screen gets %v, %v", rows, err)
		}
	})
}
