package widget

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/rights"
)

// limited are the rights of a person with computing time for a server with one place, until leave is called.
func limited(t *testing.T, limit time.Duration) (r rights.Rights, leave context.CancelFunc) {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	return rights.Rights{Context: ctx, Computing: rights.NewComputing(limit, make(rights.Places, 1))}, leave
}

// part is the command of a job without its spinner, with the rights of a person.
func part(r rights.Rights, cmd tea.Cmd) tea.Cmd { return Permit(r, cmd)().(tea.BatchMsg)[0] }

// Without a person no job runs: its command only asks for it.
func TestNoJobRunsAlone(t *testing.T) {
	var j Jobs
	cmd := j.Start("", func(context.Context, func(string, int, int)) tea.Msg { t.Error("a job runs"); return nil })
	if _, ok := cmd().(tea.BatchMsg)[0]().(DoneMsg); ok {
		t.Error("a job has a result")
	}
}

// Computations wait for their places and acts do not; a stopped computation waits no more.
func TestPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, leave := limited(t, time.Hour)
		defer leave()
		end, err := r.Compute(t.Context())
		require.NoError(t, err)
		var computing, acting Jobs
		begun := false
		compute := part(r, computing.Start("", func(context.Context, func(string, int, int)) tea.Msg { begun = true; return 1 }))
		ended := make(chan tea.Msg, 1)
		go func() { ended <- compute() }()
		act := part(r, acting.StartAct("", func(context.Context) tea.Msg { return "done" }))
		if inner, ok := acting.Take(act().(DoneMsg)); !ok || inner != "done" {
			t.Errorf("an act gives %v", inner)
		}
		synctest.Wait()
		assert.False(t, begun, "a computation does not wait for its place")
		end()
		if _, ok := (<-ended).(DoneMsg); !ok || !begun {
			t.Error("the computation has no result")
		}
		computing.Finish()
		acting.Finish()
		if end, err = r.Compute(t.Context()); err != nil {
			t.Fatal(err)
		}
		defer end()
		stopped := part(r, computing.Start("", func(context.Context, func(string, int, int)) tea.Msg { return "never" }))
		computing.Stop()
		assert.Nil(t, stopped(), "a stopped computation")
	})
}

// The jobs of a person end when the person leaves, also those that nobody stops.
func TestJobsEndWithThePerson(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, leave := limited(t, time.Hour)
		var j Jobs
		run := part(r, j.Start("", func(ctx context.Context, _ func(string, int, int)) tea.Msg {
			<-ctx.Done()
			return ctx.Err()
		}))
		ended := make(chan tea.Msg, 1)
		go func() { ended <- run() }()
		synctest.Wait()
		leave()
		if inner, ok := j.Take((<-ended).(DoneMsg)); !ok || inner != context.Canceled {
			t.Errorf("the job gives %v", inner)
		}
	})
}
