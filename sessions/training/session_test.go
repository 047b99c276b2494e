package training

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// counted is a lab that counts its updates.
type counted struct {
	*Spec
	stepped *int
}

// drifting is the tests' lab.
func drifting() counted {
	l, stepped := driftSpec()
	return counted{l, stepped}
}

func init() {
	find = func(name string) (*Spec, error) {
		if name == "drift" {
			return drifting().Spec, nil
		}
		return FindBuiltin(name)
	}
}

// begin starts a session of the lab.
func start(t testing.TB, l *Spec, set map[string]any) *Session {
	t.Helper()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s, err := New(l, set, WithClock(func() time.Time { now = now.Add(time.Second); return now }))
	require.NoError(t, err)
	return s
}

// step trains so many updates.
func step(t testing.TB, s *Session, n int) State {
	t.Helper()
	st, err := s.Step(t.Context(), n, nil)
	require.NoError(t, err)
	return st
}

// do fails a test at an error.
func do(t testing.TB, err error) {
	t.Helper()
	require.NoError(t, err)
}

// sameTrace reports whether two traces are the same bit by bit.
func sameTrace(a, b [][]float64) bool {
	return slices.EqualFunc(a, b, func(a, b []float64) bool {
		return slices.EqualFunc(a, b, func(x, y float64) bool {
			return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
		})
	})
}

// However it was stepped, the record is that of a training in one go, and so is what is read from the file.
func TestRecordIsTheTraining(t *testing.T) {
	l := drifting()
	whole := step(t, start(t, l.Spec, nil), 100)
	if whole.Step != 100 || whole.Total != 100 || len(whole.Runs) != 1 || whole.Ended() == "" {
		t.Fatalf("%+v", whole)
	}
	s := start(t, l.Spec, nil)
	path := filepath.Join(t.TempDir(), "l.jsonl")
	do(t, s.SaveAs(path))
	for _, n := range []int{1, 2, 17, 50, 300} {
		step(t, s, n)
	}
	if st := s.State(); !sameTrace(st.Runs[0].Trace, whole.Runs[0].Trace) {
		t.Error("the trace of a training in parts is another")
	}
	if _, err := s.Step(t.Context(), 1, nil); err == nil ||
		!strings.Contains(err.Error(), "all 100 updates are done") {
		t.Errorf("a step behind the end: %v", err)
	}
	do(t, s.Close())
	if _, err := s.Step(t.Context(), 1, nil); err == nil {
		t.Error("a closed session is stepped")
	}
	again, err := Open(t.Context(), path)
	do(t, err)
	defer again.Close()
	if st := again.State(); !sameTrace(st.Runs[0].Trace, whole.Runs[0].Trace) || st.Path != path || !st.Saved {
		t.Error("what is read is another trace")
	}
	if _, err := sessions.Open(t.Context(), path); !errors.Is(err, sessions.ErrTraining) ||
		!strings.Contains(err.Error(), "drift") {
		t.Errorf("opened as a session of an optimizer: %v", err)
	}
}

// A live parameter takes effect where it was edited, another one restarts the training, and invalid edits are refused
// before anything is recorded.
func TestEdit(t *testing.T) {
	l := drifting()
	s := start(t, l.Spec, nil)
	if text, err := s.Edit(0, map[string]any{"start": 2.0}); err != nil || text != "start=2" {
		t.Errorf("before the first update: %q, %v", text, err)
	}
	first := step(t, s, 20).Runs[0].Trace
	assert.Equal(t, 4.0, first[0][0], "it begins with a loss of")
	if text, err := s.Edit(0, map[string]any{"speed": 0.5}); err != nil || text != "speed=0.5 from here on" {
		t.Errorf("%q, %v", text, err)
	}
	if st := step(t, s, 20); !sameTrace(st.Runs[0].Trace[:20], first) || st.Step != 40 {
		t.Error("a live parameter changes what was")
	}
	if text, err := s.Edit(0, map[string]any{"start": 3.0, "speed": 0.2}); err != nil ||
		!strings.Contains(text, "restarts") {
		t.Errorf("%q, %v", text, err)
	}
	if st := s.State(); st.Step != 0 || len(st.Runs[0].Trace) != 0 || st.Runs[0].Params.Number("speed") != 0.2 {
		t.Errorf("after that %+v", st)
	}
	straight := step(t, start(t, l.Spec, map[string]any{"start": 3.0, "speed": 0.2}), 30).Runs[0].Trace
	if st := step(t, s, 30); !sameTrace(st.Runs[0].Trace, straight) {
		t.Error("the restarted training differs")
	}
	events := len(s.rec.Tree.Events())
	for _, set := range []map[string]any{{"speed": 11.0}, {"start": 7.0}, {"none": 1.0}} {
		if _, err := s.Edit(0, set); err == nil {
			t.Errorf("%v is taken", set)
		}
	}
	if _, err := s.Edit(1, map[string]any{"speed": 1.0}); err == nil {
		t.Error("a run that is not there is edited")
	}
	if text, err := s.Edit(0, map[string]any{"speed": 0.2}); err != nil || text != "nothing has changed" ||
		len(s.rec.Tree.Events()) != events {
		t.Errorf("%q, %v, %d events more", text, err, len(s.rec.Tree.Events())-events)
	}
}

// A second run is trained as far as the first, and then with it; each is what it is alone.
func TestLay(t *testing.T) {
	l := drifting()
	s := start(t, l.Spec, nil)
	step(t, s, 30)
	st, err := s.AddRun(t.Context(), map[string]any{"speed": 0.5}, nil)
	if err != nil || len(st.Runs) != 2 || len(st.Runs[1].Trace) != 30 || st.Step != 30 {
		t.Fatalf("%+v, %v", st, err)
	}
	_, err = s.AddRun(t.Context(), map[string]any{"speed": 0.6}, nil)
	assert.Error(t, err, "a third run is laid")
	st = step(t, s, 20)
	alone := step(t, start(t, l.Spec, map[string]any{"speed": 0.5}), 50).Runs[0].Trace
	first := step(t, start(t, l.Spec, nil), 50).Runs[0].Trace
	if !sameTrace(st.Runs[0].Trace, first) || !sameTrace(st.Runs[1].Trace, alone) {
		t.Error("two runs are not what each is alone")
	}
	if !strings.Contains(st.Title(), "second run speed=0.5") {
		t.Errorf("the title is %q", st.Title())
	}
	look, err := s.StateWithModels(t.Context(), nil)
	do(t, err)
	if a, b := look.Runs[0].Model.(*driftModel),
		look.Runs[1].Model.(*driftModel); a.W != first[49][1] || b.W != alone[49][1] {
		t.Error("the models are not those of the runs")
	}
	_, err = s.Edit(1, map[string]any{keySteps: 60})
	require.NoError(t, err)
	if st := s.State(); st.Step != 0 || len(st.Runs[0].Trace)+len(st.Runs[1].Trace) != 0 {
		t.Errorf("restarted: %+v", st)
	}
	if st = step(t, s, 200); len(st.Runs[0].Trace) != 100 || len(st.Runs[1].Trace) != 60 || st.Step != 100 {
		t.Errorf("the runs end at updates %d and %d", len(st.Runs[0].Trace), len(st.Runs[1].Trace))
	}
	do(t, s.RemoveRun())
	if st := s.State(); len(st.Runs) != 1 || st.Step != 100 || s.RemoveRun() == nil {
		t.Error("the second run is not taken away")
	}
}

// Laying a run that is cancelled on the way is made up for by the next step; one that diverges stays behind while the
// other goes on.
func TestLayBehind(t *testing.T) {
	l := drifting()
	s := start(t, l.Spec, nil)
	step(t, s, 30)
	if _, err := s.AddRun(t.Context(), nil, nil); err == nil || !strings.Contains(err.Error(), "same training") {
		t.Errorf("the same run twice: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	st, err := s.AddRun(ctx, map[string]any{"speed": 0.5}, func(_ string, done, _ int) {
		if done == 9 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || len(st.Runs) != 2 || len(st.Runs[1].Trace) != 10 {
		t.Fatalf("%d updates, %v", len(st.Runs[1].Trace), err)
	}
	if st = step(t, s, 5); len(st.Runs[0].Trace) != 35 || len(st.Runs[1].Trace) != 35 {
		t.Errorf("the runs are at %d and %d", len(st.Runs[0].Trace), len(st.Runs[1].Trace))
	}
	s = start(t, l.Spec, nil)
	if st, err = s.AddRun(t.Context(), map[string]any{"speed": 3.0}, nil); err != nil || st.Step != 0 {
		t.Fatal(err)
	}
	if st = step(t, s, 100); st.Runs[1].Failed == "" || st.Runs[0].Failed != "" || st.Step != 100 ||
		len(st.Runs[1].Trace) > 20 {
		t.Errorf("%d and %d updates, failed %q", len(st.Runs[0].Trace), len(st.Runs[1].Trace), st.Runs[1].Failed)
	}
	assert.NotEqual(t, "", st.Ended(), "it can be stepped behind the end")
	s.Back()
	step(t, s, 1) // on to what is on record
	_, err = s.Edit(0, map[string]any{keySteps: 50})
	do(t, err)
	step(t, s, 20) // in which the second run diverges again
	before := *l.stepped
	if step(t, s, 10); *l.stepped-before != 10 {
		t.Errorf("for 10 updates beside a run that diverged %d were done", *l.stepped-before)
	}
}

// Two runs are trained in lockstep: cancelled, they are as far as each other, but for one update.
func TestLockstep(t *testing.T) {
	s := start(t, drifting().Spec, nil)
	_, err := s.AddRun(t.Context(), map[string]any{"speed": 0.5}, nil)
	do(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	st, err := s.Step(ctx, 40, func(_ string, done, _ int) {
		if done == 30 {
			cancel()
		}
	})
	if a, b := len(st.Runs[0].Trace), len(st.Runs[1].Trace); !errors.Is(err, context.Canceled) || a-b > 1 || b-a > 1 ||
		a+b != 31 {
		t.Errorf("they are at updates %d and %d, %v", a, b, err)
	}
}

// A training of each lab is the same when it is stepped, left, looked at and stepped on.
func TestLabsRepeatThemselves(t *testing.T) {
	for _, l := range Specs() {
		set := map[string]any{keySteps: 8}
		if l.Name == "flops" {
			set["dim"], set["hidden"], set["batch"] = 8, 8, 8
		}
		whole := step(t, start(t, l, set), 8)
		s := start(t, l, set)
		for range 4 {
			step(t, s, 2)
			s.trainer = NewTrainer(l) // as after it was opened again
		}
		st, err := s.StateWithModels(t.Context(), nil)
		if err != nil || !sameTrace(st.Runs[0].Trace, whole.Runs[0].Trace) {
			t.Errorf("%s: another trace, %v", l.Name, err)
		}
		assert.Equal(t, st.Runs[0].Trace[7], st.Runs[0].Model.Row(), "%s: the model's row is another", l.Name)
	}
}
