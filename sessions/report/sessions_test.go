package report

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/eventlog"
)

// start begins a session whose clock ticks a second an event.
func start(t testing.TB, cfg sessions.Config) *sessions.Session {
	t.Helper()
	params := map[string]any{"design_size": "budget"}
	maps.Copy(params, cfg.Params)
	cfg.Params = params
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s, err := sessions.New(t.Context(), cfg,
		sessions.WithClock(func() time.Time { now = now.Add(time.Second); return now }))
	require.NoError(t, err)
	return s
}

func steps(t testing.TB, s *sessions.Session, n int) {
	t.Helper()
	for range n {
		if _, err := s.Step(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
	}
}

func reopen(t testing.TB, path string) *sessions.Session {
	t.Helper()
	s, err := sessions.Open(t.Context(), path)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// extended is a session with an iteration more on record, whoever is said to have suggested it.
func extended(t testing.TB, s *sessions.Session, author string, x ...float64) *sessions.Session {
	t.Helper()
	path := s.Path()
	if path == "" {
		path = filepath.Join(t.TempDir(), "s.jsonl")
		require.NoError(t, s.SaveAs(path))
	}
	y := [][]float64{s.State().Problem.Truth.Value(x)}
	require.NoError(t, s.Close())
	in, err := os.Open(path)
	require.NoError(t, err)
	defer in.Close()
	found, err := eventlog.Read(t.Context(), in)
	require.NoError(t, err)
	file, err := eventlog.OpenFile(path)
	require.NoError(t, err)
	write(t, found.Tree, file, "suggested", map[string]any{"x": [][]float64{x}, "source": author, "seconds": 0})
	write(t, found.Tree, file, "observed", map[string]any{"y": y, "truth": y})
	require.NoError(t, file.Close())
	return reopen(t, path)
}

// write appends an event to a file.
func write(t testing.TB, tree *eventlog.Tree, file *eventlog.File, kind string, data any) {
	t.Helper()
	e, err := tree.Next(tree.LastPosition(), kind, data, eventlog.Author{}, time.Second)
	require.NoError(t, err)
	_, err = file.Begin(tree)
	require.NoError(t, err)
	tree.Add(e)
	require.NoError(t, errors.Join(file.Append([]*eventlog.Event{e}), file.End()))
}
