package acts_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/eventlog"
)

// A watch has the events of its own program and of others, also when the file can only be read; it ends with an error if
// the file is taken away.
func TestWatchFollowsOthers(t *testing.T) {
	s := begin(t, "random")
	other, err := sessions.Open(t.Context(), s.Path())
	require.NoError(t, err)
	defer other.Close()
	reader, err := sessions.OpenToFollow(t.Context(), s.Path())
	require.NoError(t, err)
	defer reader.Close()
	for name, watched := range map[string]*sessions.Session{"own": s, "reader": reader} {
		ctx, cancel := context.WithCancel(t.Context())
		events, began := make(chan acts.Event), make(chan struct{})
		ended := make(chan error)
		go func() {
			_, err := acts.Watch.Do(ctx, acts.Turn{Session: watched, Begun: func() { close(began) },
				Emit: func(e any) error { events <- e.(acts.Event); return nil }}, acts.WatchArgs{})
			ended <- err
		}()
		<-began
		for _, amounts := range []*sessions.Session{s, other, s} {
			require.NoError(t, amounts.Note("look"))
			s.Refresh()
			if e := <-events; e.About != "note: look" || e.Number != s.EventCount() {
				t.Errorf("%s: %+v after %d events", name, e, s.EventCount())
			}
		}
		if name == "reader" {
			err = watched.Note("mine")
			assert.ErrorIs(t, err, eventlog.ErrReadOnly, "it records: %v", err)
		}
		cancel()
		assert.NoError(t, <-ended, name)
	}
	require.NoError(t, os.Remove(s.Path()))
	if _, err := acts.Watch.Do(t.Context(), acts.Turn{Session: reader, Emit: func(any) error { return nil }},
		acts.WatchArgs{}); !errors.As(err, new(*eventlog.LostError)) {
		t.Errorf("a file that is gone: %v", err)
	}
}

// A file that another program does not leave is busy, for opening it and for an act.
func TestBusy(t *testing.T) {
	s := begin(t, "random")
	folder, err := acts.NewFolder(filepath.Dir(s.Path()), sessions.Author{}, nil)
	require.NoError(t, err)
	defer folder.Close()
	opened, err := folder.Session(t.Context(), "s.jsonl")
	require.NoError(t, err)
	lock := eventlog.NewLock(s.Path())
	if ok, err := lock.TryLock(); err != nil || !ok {
		t.Fatal(err)
	}
	began := time.Now()
	_, err = acts.Note.Perform(t.Context(), acts.Turn{Session: opened}, json.RawMessage(`{"text":"look"}`))
	var e *acts.Error
	if !errors.As(err, &e) || e.Code != acts.CodeBusy || e.Hint == "" {
		t.Errorf("an act: %v", err)
	}
	if waited := time.Since(began); waited < eventlog.TurnPatience {
		t.Errorf("it waited for %v only", waited)
	}
	folder.Close()
	if _, err = folder.Session(t.Context(), "s.jsonl"); !errors.As(err, &e) || e.Code != acts.CodeBusy {
		t.Errorf("opening: %v", err)
	}
	require.NoError(t, lock.Unlock())
	_, err = folder.Session(t.Context(), "s.jsonl")
	assert.NoError(t, err, "a file that is free again")
}
