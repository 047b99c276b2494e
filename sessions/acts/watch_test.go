package acts_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/eventlog"
)

// A watch has the events of its own program and of others, also when the file can only be read; it ends with an error if
// the file is taken away.
func TestWatchFollowsOthers(t *testing.T) {
	s := begin(t, "random")
	other, err := sessions.Open(t.Context(), s.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	reader, err := sessions.OpenToFollow(t.Context(), s.Path())
	if err != nil {
		t.Fatal(err)
	}
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
			if err := amounts.Note("look"); err != nil {
				t.Fatal(err)
			}
			s.Refresh()
			if e := <-events; e.About != "note: look" || e.Number != s.EventCount() {
				t.Errorf("%s: %+v after %d events", name, e, s.EventCount())
			}
		}
		if name == "reader" {
			if err := watched.Note("mine"); !errors.Is(err, eventlog.ErrReadOnly) {
				t.Errorf("it records: %v", err)
			}
		}
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.Remove(s.Path()); err != nil {
		t.Fatal(err)
	}
	if _, err := acts.Watch.Do(t.Context(), acts.Turn{Session: reader, Emit: func(any) error { return nil }},
		acts.WatchArgs{}); !errors.As(err, new(*eventlog.LostError)) {
		t.Errorf("a file that is gone: %v", err)
	}
}

// A file that another program does not leave is busy, for opening it and for an act.
func TestBusy(t *testing.T) {
	s := begin(t, "random")
	folder, err := acts.NewFolder(filepath.Dir(s.Path()), sessions.Author{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	opened, err := folder.Session(t.Context(), "s.jsonl")
	if err != nil {
		t.Fatal(err)
	}
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
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if _, err := folder.Session(t.Context(), "s.jsonl"); err != nil {
		t.Errorf("a file that is free again: %v", err)
	}
}
