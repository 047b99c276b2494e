package report

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

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
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// extended is a session with an iteration more on record, whoever is said to have suggested it.
func extended(t testing.TB, s *sessions.Session, author string, x ...float64) *sessions.Session {
	t.Helper()
	path := s.Path()
	if path == "" {
		path = filepath.Join(t.TempDir(), "s.jsonl")
		if err := s.SaveAs(path); err != nil {
			t.Fatal(err)
		}
	}
	y := [][]float64{s.State().Problem.Truth.Value(x)}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	found, err := eventlog.Read(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	file, err := eventlog.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, found.Tree, file, "suggested", map[string]any{"x": [][]float64{x}, "source": author, "seconds": 0})
	write(t, found.Tree, file, "observed", map[string]any{"y": y, "truth": y})
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return reopen(t, path)
}

// write appends an event to a file.
func write(t testing.TB, tree *eventlog.Tree, file *eventlog.File, kind string, data any) {
	t.Helper()
	e, err := tree.Next(tree.LastPosition(), kind, data, eventlog.Author{}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Begin(tree); err != nil {
		t.Fatal(err)
	}
	tree.Add(e)
	if err := errors.Join(file.Append([]*eventlog.Event{e}), file.End()); err != nil {
		t.Fatal(err)
	}
}
