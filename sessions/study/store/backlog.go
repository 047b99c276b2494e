package store

import (
	"context"
	"database/sql"

	"bandscope/sessions/study"
)

// Backlog is what a study has for workers.
type Backlog struct {
	ID      int64
	Name    string
	Ended   bool // all cells are done
	Waiting bool // a cell waits for a worker
	Running bool // a cell has a worker
	Damaged error
}

// Backlogs lists the studies, the oldest first, by what they have for workers. Its cost does not grow with the number
// of cells that are queued or done: it asks whether there is a job, and counts cells only if there is none.
func (s *Store) Backlogs(ctx context.Context) ([]Backlog, error) {
	list, err := s.list(ctx)
	if err != nil {
		return nil, err
	}
	backlogs := make([]Backlog, len(list))
	return backlogs, s.readTx(ctx, func(tx *sql.Tx) error {
		for i := range list {
			backlogs[i], err = s.backlog(ctx, tx, list[i:i+1])
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// backlog is that of the only study of a list.
func (s *Store) backlog(ctx context.Context, tx *sql.Tx, summaries []Summary) (Backlog, error) {
	b := Backlog{ID: summaries[0].ID, Name: summaries[0].Name, Damaged: summaries[0].Damaged}
	if b.Damaged != nil {
		return b, nil
	}
	open := false
	err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM cell WHERE study = $1 AND ended = '')", b.ID).Scan(&open)
	b.Ended = !open
	if err != nil || b.Ended {
		return b, err
	}
	err = tx.QueryRowContext(ctx, s.dialect.sql(riverStatements.queued), QueueFor(b.ID)).Scan(&b.Waiting, &b.Running)
	if err != nil || b.Waiting || b.Running {
		return b, err
	}
	// they have failed, wait for a time or a program, or are another version's
	err = s.count(ctx, tx, summaries, b.ID)
	b.Waiting, b.Running = summaries[0].Cells[study.Waiting] > 0, summaries[0].Cells[study.Running] > 0
	b.Damaged = summaries[0].Damaged
	return b, err
}
