package widget

import (
	"context"
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// In a process that serves several people, computations wait for their places and acts do not; a stopped computation
// waits no more; and no path can be typed.
func TestServe(t *testing.T) {
	Serve(1)
	defer places.Store(nil)
	leave, err := enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var computing, acting Jobs
	begun := make(chan struct{})
	compute := first(computing.Start("", func(context.Context, func(string, int, int)) tea.Msg { close(begun); return nil }))
	ended := make(chan tea.Msg, 1)
	go func() { ended <- compute() }()
	act := first(acting.StartAct("", func(context.Context) tea.Msg { return "done" }))
	if inner, ok := acting.Take(act().(DoneMsg)); !ok || inner != "done" {
		t.Errorf("an act gives %v", inner)
	}
	select {
	case <-begun:
		t.Error("a computation does not wait for its place")
	default:
	}
	leave()
	<-begun
	if _, ok := (<-ended).(DoneMsg); !ok {
		t.Error("the computation has no result")
	}
	if leave, err = enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer leave()
	stopped := first(computing.Start("", func(context.Context, func(string, int, int)) tea.Msg { return "never" }))
	computing.Stop()
	if msg := stopped(); msg != nil {
		t.Errorf("a stopped computation gives %v", msg)
	}
	if _, err := TypedPath("x.jsonl", ""); !errors.Is(err, ErrServed) {
		t.Errorf("a path can be typed: %v", err)
	}
}

// first is the first command of a batch.
func first(cmd tea.Cmd) tea.Cmd { return cmd().(tea.BatchMsg)[0] }
