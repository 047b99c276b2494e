package sessions

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/eventlog"
)

// Whoever has something to tell waits a while for the one who writes, and then hears who that is; nothing of the file
// is changed.
func TestOpenToWriteWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	require.NoError(t, s.SaveAs(path))
	out := asks(t, s, 1)
	if _, err := s.rec.File.Begin(s.rec.Tree); err != nil {
		t.Fatal(err)
	}
	var locked *eventlog.LockedError
	if _, err := OpenForWriting(t.Context(), path, time.Millisecond); !errors.As(err, &locked) ||
		!strings.Contains(err.Error(), "close it there and try again") || !strings.Contains(err.Error(), path) {
		t.Fatalf("got %v", err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := OpenForWriting(stopped, path, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	opened := make(chan *Session)
	go func() {
		next, err := OpenForWriting(t.Context(), path, time.Minute)
		assert.NoError(t, err)
		opened <- next
	}()
	require.NoError(t, s.Close())
	next := <-opened
	defer next.Close()
	if _, err := next.Tell(out[0].ID, worth(1)); err != nil {
		t.Error(err)
	}
}

// Several who ask and tell at once take their turns at the file, and nothing of anybody is lost.
func TestSeveralWriteInTurns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	require.NoError(t, s.SaveAs(path))
	s.Close()
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for range 4 {
				s, err := OpenForWriting(t.Context(), path, time.Minute)
				if err != nil {
					t.Error(err)
					return
				}
				it, err := s.Ask(t.Context(), nil)
				if err == nil {
					_, err = s.Tell(it.ID, worth(1))
				}
				if err = errors.Join(err, s.Close()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	s = reopen(t, path)
	settled(t, s)
	if st := s.State(); len(st.Iterations) != 12 || st.Pending != nil || len(s.Notices()) > 0 {
		t.Errorf("%d are told, %d out, %v", len(st.Iterations), len(st.Pending), s.Notices())
	}
}
