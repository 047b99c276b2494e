package sessions_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
)

// Suggestions have the time when they were made, also those that are told, and after the session was opened again.
func TestRecordedAt(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	began := now
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "branin", Optimizer: "random"},
		sessions.WithClock(func() time.Time { return now }))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, s.SaveAs(path))
	var ids []string
	for range 3 {
		now = now.Add(time.Hour)
		it, err := s.Ask(t.Context(), nil)
		require.NoError(t, err)
		ids = append(ids, it.ID)
	}
	now = now.Add(48 * time.Hour)
	_, err = s.Tell(ids[1], functions.Outcome{Values: []float64{1}})
	require.NoError(t, err)
	s.Close()
	again, err := sessions.OpenReadOnly(t.Context(), path)
	require.NoError(t, err)
	for name, session := range map[string]*sessions.Session{"made": s, "read": again} {
		for i, id := range ids {
			if recordedAt, want := session.RecordedAt(id), began.Add(time.Duration(i+1)*time.Hour); !recordedAt.Equal(want) {
				t.Errorf("%s: suggestion %d was made at %v, want %v", name, i+1, recordedAt, want)
			}
		}
		if recordedAt := session.RecordedAt("none"); !recordedAt.IsZero() {
			t.Errorf("%s: an event that does not exist was recorded at %v", name, recordedAt)
		}
	}
}
