package training

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Looking at a place gives the model that a training to there has, with the parameters of there; nothing that was
// looked at is changed by what follows.
func TestLookIsTheTrainingToThere(t *testing.T) {
	l := drifting()
	s := start(t, l.Spec, nil)
	for range 5 {
		step(t, s, 15)
	}
	if _, err := s.Edit(0, map[string]any{"speed": 0.7}); err != nil {
		t.Fatal(err)
	}
	step(t, s, 25)
	want := map[int]float64{}
	m, err := l.Begin(l.Defaults())
	do(t, err)
	for m.At() < 100 {
		want[m.At()] = m.(*driftModel).W
		if m.At() == 75 {
			p, err := l.Defaults().With("speed", 0.7)
			do(t, errors.Join(err, m.Change(p)))
		}
		do(t, m.Step())
	}
	want[100] = m.(*driftModel).W
	places := len(s.Timeline().Stops)
	require.Equal(t, 8, places, "there are %d places, want the beginning, five steps, an edit and a step", places)
	for _, values := range []int{7, 0, 3, 6, 2, 5, 1, 4, 7} {
		s.GoTo(values)
		st, err := s.StateWithModels(t.Context(), nil)
		do(t, err)
		d := st.Runs[0].Model.(*driftModel)
		if d.At() != st.Step || d.W != want[st.Step] || len(st.Runs[0].Trace) != st.Step {
			t.Errorf("place %d: the model is at update %d with %g, want %d with %g", values, d.At(), d.W, st.Step,
				want[st.Step])
		}
		if speed := st.Runs[0].Params.Number("speed"); d.Rate != speed || (speed == 0.7) != (values >= 6) {
			t.Errorf("place %d: the rate is %g, and of the state %g", values, d.Rate, speed)
		}
		if again, err := s.StateWithModels(t.Context(), nil); err != nil || again.Runs[0].Model != st.Runs[0].Model {
			t.Errorf("place %d: a second look trains again (%v)", values, err)
		}
	}
}

// Where a training was changed on the way, what was trained without that is not gone on with.
func TestAnotherWay(t *testing.T) {
	l := drifting()
	s := start(t, l.Spec, nil)
	for range 4 {
		step(t, s, 10)
	}
	s.GoTo(2)
	_, err := s.Edit(0, map[string]any{"speed": 0.5})
	do(t, err)
	st := step(t, s, 30)
	other := start(t, l.Spec, nil)
	step(t, other, 20)
	_, err = other.Edit(0, map[string]any{"speed": 0.5})
	do(t, err)
	if straight := step(t, other, 30); !sameTrace(st.Runs[0].Trace, straight.Runs[0].Trace) {
		t.Error("the trace is another")
	}
	look, err := s.StateWithModels(t.Context(), nil)
	if err != nil || look.Runs[0].Model.(*driftModel).W != st.Runs[0].Trace[49][1] {
		t.Errorf("the model is another: %v", err)
	}
	s.trainer = NewTrainer(l.Spec)
	list, err := s.Branches()
	do(t, err)
	do(t, s.Switch(list[0].ID)) // snapshots without the change, and then a way with it
	_, err = s.StateWithModels(t.Context(), nil)
	do(t, err)
	do(t, s.Switch(list[1].ID))
	if look, err = s.StateWithModels(t.Context(), nil); err != nil ||
		look.Runs[0].Model.(*driftModel).W != st.Runs[0].Trace[49][1] {
		t.Errorf("the model is another: %v", err)
	}
}

// What is cancelled is recorded as far as it came, and goes on from there.
func TestCancel(t *testing.T) {
	l := drifting()
	s := start(t, l.Spec, nil)
	ctx, cancel := context.WithCancel(t.Context())
	st, err := s.Step(ctx, 80, func(_ string, done, total int) {
		if done == 37 && total == 80 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || st.Step != 38 {
		t.Fatalf("cancelled at update %d: %v", st.Step, err)
	}
	before := *l.stepped
	if step(t, s, 100); *l.stepped-before != 62 {
		t.Errorf("%d updates were done after it", *l.stepped-before)
	}
	if whole := step(t, start(t, l.Spec, nil), 100); !sameTrace(whole.Runs[0].Trace, s.State().Runs[0].Trace) {
		t.Error("the trace is another")
	}
	if _, err := s.StateWithModels(ctx, nil); err == nil && s.State().Step != 100 {
		t.Error("a look with a context that ended goes on")
	}
}

// A training that diverges is on record with its reason, cannot go on, and can be gone back from.
func TestDiverged(t *testing.T) {
	s := start(t, drifting().Spec, map[string]any{"speed": 3.0})
	st := step(t, s, 3)
	last := st.Step
	st, err := s.Step(t.Context(), 50, nil)
	if err != nil || !strings.Contains(st.Runs[0].Failed, "diverged") || st.Step <= last || st.Step >= 50 {
		t.Fatalf("at update %d: %q, %v", st.Step, st.Runs[0].Failed, err)
	}
	_, err = s.Step(t.Context(), 1, nil)
	assert.ErrorContains(t, err, "diverged", "it goes on")
	_, err = s.Edit(0, map[string]any{"speed": 0.1})
	assert.ErrorContains(t, err, "go back", "it is changed")
	if look, err := s.StateWithModels(t.Context(), nil); err != nil || look.Runs[0].Model.At() != st.Step {
		t.Errorf("the model before: %v", err)
	}
	if !s.Back() || s.State().Runs[0].Failed != "" {
		t.Error("it cannot be gone back from")
	}
	_, err = s.Edit(0, map[string]any{"speed": 0.1})
	assert.NoError(t, err)
	if st := step(t, s, 200); st.Step != 100 || st.Runs[0].Failed != "" {
		t.Errorf("with a lower rate it comes to update %d: %s", st.Step, st.Runs[0].Failed)
	}
	if list, err := s.Branches(); err != nil || len(list) != 2 || list[0].State.Runs[0].Failed == "" ||
		list[1].From != last {
		t.Errorf("the branches are %+v, %v", list, err)
	}
}

// What was prepared of the next place is not trained again when it is looked at, and the session stays where it is.
func TestPrepare(t *testing.T) {
	l := drifting()
	s := start(t, l.Spec, nil)
	step(t, s, 7)
	step(t, s, 30)
	s.trainer = NewTrainer(l.Spec)
	s.First()
	do(t, s.PrefetchNext(t.Context()))
	if *l.stepped != 37+7 || s.State().Step != 0 {
		t.Errorf("%d updates were trained, and it stands at update %d", *l.stepped-37, s.State().Step)
	}
	s.Forward()
	_, err := s.StateWithModels(t.Context(), nil)
	do(t, err)
	if *l.stepped != 37+7 {
		t.Errorf("looking there trains %d updates", *l.stepped-37-7)
	}
	s.Last()
	do(t, s.PrefetchNext(t.Context()))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.First()
	err = s.PrefetchNext(ctx)
	assert.ErrorIs(t, err, context.Canceled, "cancelled it says %v", err)
}
