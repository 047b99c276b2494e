package library

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/recorder"
)

func TestListAndNames(t *testing.T) {
	dir := t.TempDir()
	if l, err := List(t.Context(), filepath.Join(dir, "none")); err != nil || len(l) != 0 {
		t.Errorf("a folder that is not there: %v, %v", l, err)
	}
	cfg := sessions.Config{Problem: "ackley:3", Optimizer: "random", Seed: 2}
	s := start(t, cfg)
	path := FreePath(NameFor(dir, cfg, time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)))
	if want := "20260506-070809-ackley-3-random-2.jsonl"; filepath.Base(path) != want {
		t.Errorf("the name is %s, want %s", filepath.Base(path), want)
	}
	require.NoError(t, s.SaveAs(path))
	steps(t, s, 3)
	s.Close()
	if again := FreePath(NameFor(dir, cfg, time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC))); again == path {
		t.Error("the name is taken")
	}
	os.WriteFile(filepath.Join(dir, "junk.jsonl"), []byte("junk\n"), 0o644)
	l, err := List(t.Context(), dir)
	if err != nil || len(l) != 2 {
		t.Fatalf("got %v, %v", l, err)
	}
	for _, e := range l {
		if e.Name == "junk" != (e.Unreadable != "") || e.Name != "junk" && e.Steps != 3 {
			t.Errorf("got %+v", e)
		}
	}
}

// start begins a session.
func start(t testing.TB, cfg sessions.Config) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	return s
}

func steps(t testing.TB, s *sessions.Session, n int) {
	t.Helper()
	for range n {
		if _, err := s.Step(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
}

// A list is given up when its context ends, and says of a file that cannot be read why.
func TestListHeeds(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.jsonl"), []byte("\xff\xfe{\x00"), 0o600))
	if l, err := List(t.Context(), dir); err != nil || len(l) != 1 || !strings.Contains(l[0].Unreadable, "UTF-16") {
		t.Errorf("%+v, %v", l, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if l, err := List(ended, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", l, err)
	}
}

// A session is kept once: what has a file stays there, what is closed is written nowhere.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	s := start(t, sessions.Config{Problem: "forrester", Optimizer: "random"})
	if err := Save(s, ""); err != nil || s.Path() != "" {
		t.Errorf("kept nowhere: %v, %s", err, s.Path())
	}
	for range 2 {
		require.NoError(t, Save(s, dir))
	}
	s.Close()
	assert.NoError(t, Save(s, dir))
	closed := start(t, sessions.Config{Problem: "forrester", Optimizer: "random"})
	closed.Close()
	if err := Save(closed, dir); !errors.Is(err, recorder.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("there are %d files", len(files))
	}
}
