package explore

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/internal/screentest"
)

// A training that a problem evaluates itself by stands in the list of what is out once it takes longer than a glance;
// where it is stopped its point waits, and takes results by hand.
func TestTrainingsAreListedAndStopped(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "hierarchy-cells", Optimizer: "random", Seed: 3})
	require.NoError(t, err)
	amount := brewer{make(chan struct{}), make(chan struct{})}
	s.SetEvaluator(amount)
	d := driveSession(t, s, 120, 36, trueColor)
	d.Run(d.M.Update(screentest.Key("space")))
	for begun := false; !begun; {
		select {
		case <-amount.begun:
			begun = true
		case msg := <-d.Msgs:
			d.Take(msg)
		}
	}
	d.M.watch()
	if lines := d.M.layout(); lines.pending != 0 {
		t.Errorf("it is listed at once: %+v", lines)
	}
	now := time.Now().Add(2 * minPendingAge)
	d.M.now = func() time.Time { return now }
	d.Shows("1 pending point")
	d.Shows("running")
	d.Run(d.M.Update(screentest.Key("esc")))
	d.Shows("stopped; press space to continue")
	s.SetEvaluator(nil)
	d.Settle()
	d.Shows("1 pending point")
	if n := len(s.State().Pending); n != 1 {
		t.Fatalf("%d points are out", n)
	}
	d.Run(d.M.Update(screentest.Key("enter")))
	d.Shows("results of point 1")
}
