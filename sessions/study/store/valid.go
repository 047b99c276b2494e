package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bandscope/sessions/study"
)

// DamagedError is the error about a database with values that no study has. All data are checked when they are read,
// because the file may come from somebody else, and another program may have changed it.
type DamagedError struct {
	Name string // of the database
	Err  error
}

// Error gives the reason, and says what to do.
func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s is damaged or was changed by another program: %v; restore a backup, or start the study in another --db", e.Name, e.Err)
}

// Unwrap is the reason.
func (e *DamagedError) Unwrap() error { return e.Err }

// damaged wraps an error about data that were read; errors of other kinds stay as they are.
func (s *Store) damaged(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		errors.As(err, new(*DamagedError)) {
		return err
	}
	return &DamagedError{s.name, err}
}

// ownTables are the tables of tablesSQL. They must not be views, which could be endless.
var ownTables = []string{"schema", "study", "cell", "trace", "log", "worker"}

// declared reads the declaration of a study.
func (s *Store) declared(name, text string) (*study.Declaration, error) {
	d := &study.Declaration{}
	err := json.Unmarshal([]byte(text), d)
	if err == nil {
		err = d.CheckShape()
	}
	if err == nil && d.Name != name {
		err = fmt.Errorf("its declaration has the name %q", d.Name)
	}
	if err != nil {
		return nil, s.damaged(fmt.Errorf("the study %q: %w", name, err))
	}
	return d, nil
}

// maxCount bounds revisions: not every program can represent larger numbers exactly.
const maxCount = 1 << 53

// checkSummary checks a row of the table study, except its declaration.
func checkSummary(summary Summary, revision int64) error {
	switch {
	case !study.NameOK(summary.Name):
		return fmt.Errorf("%.80q is not a valid name of a study", summary.Name)
	case revision < 0 || revision > maxCount:
		return fmt.Errorf("the study %q: revision must be in [0, 2^53], got %d", summary.Name, revision)
	}
	return nil
}

// checkCell checks a row of the table cell with its trace; columns are those of trace that it has.
func checkCell(r *study.Row, record cellRecord) error {
	err := r.Check()
	switch {
	case err != nil:
	case record.id != r.ID():
		err = fmt.Errorf("the id %q does not match the problem, method, seed and budget", record.id)
	case record.read && len(r.Trace.Evaluations) != r.Steps:
		err = fmt.Errorf("it has %d steps but %d rows of trace", r.Steps, len(r.Trace.Evaluations))
	case record.columns != "":
		for _, column := range strings.Split(record.columns, ",") {
			if !slices.Contains(measures, column) {
				err = fmt.Errorf("measures has the unknown column %q", column)
			}
		}
	}
	if err != nil {
		return fmt.Errorf("cell %d: %w", record.cell, err)
	}
	return nil
}

// checkNumbers checks that the cells are numbered from 0 on, as many as the study declares.
func checkNumbers(list []cellRecord, d *study.Declaration) error {
	if want := len(d.Problems)*len(d.Methods)*d.Seeds + len(d.Imported); len(list) != want {
		return fmt.Errorf("it has %d cells but declares %d", len(list), want)
	}
	for i, position := range list {
		if position.cell != int64(i) {
			return fmt.Errorf("cell %d is missing", i)
		}
	}
	return nil
}

// check checks a run before a worker runs it.
func (r *Run) check() error {
	row := study.Row{Cell: r.Cell, Status: study.Running, Steps: r.Steps, Attempts: r.Failures}
	if err := row.Check(); err != nil {
		return err
	}
	if r.keep != study.KeepTraces && r.keep != study.KeepSessions {
		return fmt.Errorf("keep must be %q or %q, got %q", study.KeepTraces, study.KeepSessions, r.keep)
	}
	return nil
}

// checkWorker checks a row of the table worker.
func checkWorker(w Worker) error {
	for _, text := range []string{w.Name, w.Host, w.Program} {
		if most := 1024; len(text) > most {
			return fmt.Errorf("a text of a worker must have at most %d bytes, got %d", most, len(text))
		}
	}
	if most := 1 << 20; w.Slots < 0 || w.Slots > most {
		return fmt.Errorf("slots of a worker must be in [0, %d], got %d", most, w.Slots)
	}
	if w.PID < 0 || w.PID >= 1<<32 {
		return fmt.Errorf("the pid of a worker must be in [0, 2^32), got %d", w.PID)
	}
	return nil
}

// timeIn parses the time of a column; the zero time if it is empty.
func timeIn(column, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(timeLayout, text)
	if err != nil {
		return t, fmt.Errorf("%s must be a time such as %s, got %.40q", column, timeLayout, text)
	}
	return t, nil
}
