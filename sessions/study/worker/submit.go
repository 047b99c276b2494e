// Package worker runs studies to their end, through crashes and restarts. The queue is River's
// (github.com/riverqueue/river), in the same database as the results: one file of SQLite, or PostgreSQL for several
// machines. Package study defines cells, and package store keeps their results.
//
// A cell runs in slices of at most a minute, or one step if that takes longer. A slice reads the session so far, steps
// it, and commits its results in one transaction: lines of the log, iterations of the trace, the progress of the cell,
// the completion of its job, and the job of the next slice. So a worker that dies loses at most the current slice, a
// cell can continue on another machine, and nothing counts twice: only the worker that has a job can commit its slice.
//
// A live worker sends a heartbeat every ten seconds. River releases jobs whose worker sent none for a minute and a
// half; the death of a process on the same machine is noticed at the next heartbeat. If the database's clock is set
// forward, or the machine slept, River may release slices that are still running; the worker that takes one commits it.
// If the clock is set back, the queue's times are set to now.
package worker

import (
	"context"
	"fmt"

	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
)

// Submit puts a study with all its cells into the database, in one transaction. If the same runs are there already
// under its name, it joins them. Another study of that name is an error, *store.NameTakenError.
func Submit(ctx context.Context, st *store.Store, d *study.Declaration) error {
	if err := d.Check(ctx); err != nil {
		return err
	}
	cells, err := d.Cells()
	if err != nil {
		return err
	}
	dims := map[string]int{}
	for _, c := range cells {
		if _, ok := dims[c.Problem]; ok {
			continue
		}
		cfg, err := c.Config(d.Own...)
		if err != nil {
			return fmt.Errorf("%s: %w", c, err)
		}
		p, err := cfg.FindProblem()
		if err != nil {
			return fmt.Errorf("%s: %w", c, err)
		}
		dims[c.Problem] = p.Dim()
	}
	if err := st.Submit(ctx, d, cells, dims); err != nil {
		return fmt.Errorf("cannot submit %s to %s: %w", d.Name, st, err)
	}
	return nil
}
