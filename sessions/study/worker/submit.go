// Package worker runs studies to their end, whatever happens. The queue is River's (github.com/riverqueue/river), in
// the same database as the results: one file of SQLite, or PostgreSQL where several machines work. What a cell is, and
// what is kept of it, is told elsewhere (study, store).
//
// A cell is worked in slices of at most a minute, or one step where that takes longer. A slice reads the session so
// far, steps it, and hands over in one transaction what it has done: lines of the log, iterations of the trace, how far
// the cell is, that its job is done, and the job of the next slice. So a worker that dies costs at most the slice in
// hand, a cell may go on elsewhere, and nothing counts twice: a slice is handed over only by the worker that has its
// job.
//
// A worker that is alive says so every ten seconds. River takes jobs whose worker was not heard of for a minute and a
// half; processes of the same machine that have ended are seen at once.
// Where the database's clock is set forward, or the machine slept, River may give out slices again that are in hand;
// whoever takes one up hands it over. Where it is set back, the queue's times are brought to now.
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
		cfg, err := c.Config()
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
		return fmt.Errorf("submitting %s to %s: %w", d.Name, st, err)
	}
	return nil
}
