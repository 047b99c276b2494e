package sessions

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
)

// The history of a branch tells when each outcome was complete, what was decided besides points, and what notes said
// before they were changed; read again from its lines it is the same.
func TestHistory(t *testing.T) {
	cfg, err := Config{Optimizer: "random", Seed: 4}.WithExperiment(espresso)
	require.NoError(t, err)
	begun := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	now := begun
	s, err := New(t.Context(), cfg, WithClock(func() time.Time { return now }))
	require.NoError(t, err)
	after := func(hours int, act func() error) {
		t.Helper()
		now = begun.Add(time.Duration(hours) * time.Hour)
		require.NoError(t, act())
	}
	var iteration, two Iteration
	ask := func(it *Iteration) func() error {
		return func() (err error) { *it, err = s.Ask(context.Background(), nil); return err }
	}
	tell := func(it *Iteration, o functions.Outcome) func() error {
		return func() error { _, err := s.Tell(it.ID, o); return err }
	}
	after(1, ask(&iteration))
	after(2, ask(&two))
	after(3, tell(&two, functions.Outcome{Values: []float64{20, 5}}))
	after(4, func() error { return s.Note("first") })
	note := s.State().LastNote().ID
	after(4, tell(&iteration, functions.Outcome{Values: []float64{2, math.NaN()}, Partial: true}))
	after(4, func() error {
		_, err := s.Amend(iteration.ID, 0, functions.Outcome{Values: []float64{20, math.NaN()}, Partial: true},
			"a zero was forgotten")
		return err
	})
	after(5, tell(&iteration, functions.Outcome{Values: []float64{math.NaN(), 6}, Partial: true}))
	after(6, func() error { return s.Bound(t.Context(), "dose", 15, 19, "") })
	after(7, func() error { return s.Revise(note, "second") })
	after(8, func() error { return s.Revise(note, "second, and more") })
	after(9, func() error { return s.Revise(note, "") })
	read, err := s.Detach(t.Context())
	require.NoError(t, err)
	for _, s := range []*Session{s, read} {
		h, err := s.History()
		require.NoError(t, err)
		if want := map[string]time.Time{
			two.ID: begun.Add(3 * time.Hour), iteration.ID: begun.Add(5 * time.Hour)}; !reflect.DeepEqual(h.CompletedAt,
			want) {
			t.Errorf("told %v, want %v", h.CompletedAt, want)
		}
		if want := map[string][]string{note: {"first", "second, and more"}}; !reflect.DeepEqual(h.OldTexts, want) {
			t.Errorf("notes said %q, want %q", h.OldTexts, want)
		}
		if len(h.Acts) == 0 || h.Acts[0].Step != 1 ||
			h.Acts[0].Text != "the result of point 1 is replaced; it was extraction = 2, because a zero was forgotten" {
			t.Fatalf("acts are %+v", h.Acts)
		}
		if h.Acts = h.Acts[1:]; len(h.Acts) != 1 || h.Acts[0].Step != 2 ||
			!h.Acts[0].At.Equal(begun.Add(6*time.Hour)) ||
			!strings.Contains(h.Acts[0].Text, "dose is kept within [15, 19]") {
			t.Errorf("decided %+v", h.Acts)
		}
	}
}

// A suggestion is seen from where it was made: with the results before it, and nothing out but its own points.
func TestChosen(t *testing.T) {
	s := onExperiment(t, espresso, Config{Optimizer: "random", Seed: 4})
	s.SetEvaluator(barista)
	steps(t, s, 2)
	for range 2 {
		if _, err := s.Ask(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Suggestions()
	require.NoError(t, err)
	for i, done := range []int{0, 1, 2, 2} {
		st := s.SnapshotBefore(list[i]).State()
		if len(st.Iterations) != done || len(st.Pending) != 1 || st.Pending[0].ID != list[i].Iteration.ID {
			t.Errorf("suggestion %d was made after %d results, with %d out", i+1, len(st.Iterations), len(st.Pending))
		}
		next, err := s.SnapshotBefore(list[i]).Next(context.Background(), nil)
		if err != nil || !reflect.DeepEqual(st.Problem.Domain.FromUnit(next.X.RawRowView(0)),
			list[i].Iteration.Points[0].X) {
			t.Errorf("it leads to %v (%v)", next.X, err)
		}
	}
}
