package store

import (
	"context"
	"testing"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"
)

// A study waits for workers, runs, and has ended; when all its cells have failed nothing is left to do.
func TestBacklogs(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		s := open(t, name)
		d := *ours
		d.Seeds = 1
		added(t, s, &d)
		check := func(want Backlog) {
			t.Helper()
			want.ID, want.Name = 1, "ours"
			if list, err := s.Backlogs(t.Context()); err != nil || len(list) != 1 || list[0] != want {
				t.Errorf("%+v, %v; want %+v", list, err, want)
			}
		}
		check(Backlog{Waiting: true})
		s.execs(t, "DELETE FROM river_job") // lost
		check(Backlog{Waiting: true})
		require.NoError(t, s.Requeue(t.Context(), 1))
		do, checked := make(jobs), make(chan struct{})
		worker(t, s, "w", do)
		do <- func(context.Context, *river.Job[Job]) error {
			defer close(checked)
			check(Backlog{Running: true})
			return river.JobCancel(context.Canceled)
		}
		<-checked
		for list, err := s.Backlogs(t.Context()); err == nil && list[0].Running; {
			list, err = s.Backlogs(t.Context())
		}
		check(Backlog{})
		s.execs(t, "UPDATE cell SET ended = {now}")
		check(Backlog{Ended: true})
	})
}

// The first of those that are alive is first; whoever was seen an hour ago is forgotten, and one ahead of the clock does
// not count.
func TestFleet(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		s := open(t, name)
		beat := func(worker string, want Fleet) {
			t.Helper()
			got, err := s.Heartbeat(t.Context(), Process{Name: worker, Host: "h", Place: "p", PID: 1, Slots: 1, Program: "1.0"})
			if err != nil || got != want {
				t.Errorf("%s: %+v, %v; want %+v", worker, got, err, want)
			}
		}
		beat("b", Fleet{Size: 1, First: true})
		beat("a", Fleet{Size: 2, First: true})
		beat("b", Fleet{Size: 2})
		s.execs(t, "UPDATE worker SET seen = '2999-01-01T00:00:00.000Z' WHERE name = 'a'")
		beat("b", Fleet{Size: 1, First: true})
		s.execs(t, "UPDATE worker SET seen = '2001-01-01T00:00:00.000Z' WHERE name = 'a'")
		beat("b", Fleet{Size: 1, First: true})
		if workers, err := s.Workers(t.Context()); err != nil || len(workers) != 1 {
			t.Errorf("%+v, %v", workers, err)
		}
	})
}
