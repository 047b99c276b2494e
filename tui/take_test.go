package tui

import (
	"errors"
	"testing"

	"bandscope/sessions"
)

// Where another session is explored, the one before is closed: nothing can be recorded in it any more.
func TestTheSessionBeforeIsClosed(t *testing.T) {
	cfg := sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 1}
	before, err := sessions.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	w := openWindow(t, Options{Session: before}, 80, 24)
	w.run(w.a.start(cfg))
	if w.a.explore.Session() == before {
		t.Fatal("the session is the one before")
	}
	if err := before.Note("after"); !errors.Is(err, sessions.ErrClosed) {
		t.Errorf("an act on the session before gives %v", err)
	}
}
