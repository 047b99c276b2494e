package study

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"bandscope/sessions"
)

// LogMismatchError is the error about a log that is kept with a cell and does not belong to its run.
type LogMismatchError struct {
	Cell Cell
	Err  error // the difference
}

// Error describes the difference, and how to restart the cell.
func (e *LogMismatchError) Error() string {
	return fmt.Sprintf("the saved session of %s does not belong to this run: %v; use --again to restart the cell",
		e.Cell, e.Err)
}

// Unwrap is the difference.
func (e *LogMismatchError) Unwrap() error { return e.Err }

// Resume is the session of the cell after the events of its log, in memory, in a study with some files of yours. The error is *LogMismatchError if the log
// is of another problem, method or seed, or has an event that no run of a study records, such as a parameter that a
// person edited.
func (c Cell) Resume(ctx context.Context, text []byte, ownFiles ...OwnFile) (*sessions.Session, error) {
	s, err := sessions.Read(ctx, bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("cannot read the session so far: %w", err)
	}
	begun, err := c.Session(ctx, ownFiles...)
	if err == nil {
		err = sameRun(s, begun)
	}
	if err != nil {
		return nil, &LogMismatchError{c, err}
	}
	return s, nil
}

// stepKinds are the kinds of event that the steps of a run record.
var stepKinds = []string{"suggested", "observed", "ranged"}

// ownText identifies your own problem or method of a configuration; empty if there is none.
func ownText(ownFile OwnFile) string {
	if ownFile.Name() == "" {
		return ""
	}
	id, err := ownFile.Hash()
	if err != nil {
		return err.Error()
	}
	return ownFile.Name() + " " + id
}

// sameRun reports how a session differs from one of the same cell before its first step.
func sameRun(s, begun *sessions.Session) error {
	lines, _ := s.Lines(1)
	for line := range bytes.Lines(lines) {
		var event struct {
			Kind string `json:"kind"`
		}
		if err := json.Unmarshal(line, &event); err != nil {
			return err
		}
		if !slices.Contains(stepKinds, event.Kind) {
			return fmt.Errorf("it has an event of the kind %.40q, which no run of a study records", event.Kind)
		}
	}
	got, want := s.State(), begun.State()
	for _, v := range []struct {
		name      string
		got, want any
	}{{"problem", got.Config.Problem, want.Config.Problem},
		{"experiment", ownText(OwnFile{Experiment: got.Config.Experiment}), ownText(OwnFile{Experiment: want.Config.Experiment})},
		{"program", ownText(OwnFile{Program: got.Config.Program}), ownText(OwnFile{Program: want.Config.Program})},
		{"method", got.Config.Optimizer, want.Config.Optimizer},
		{"seed", got.Config.Seed, want.Config.Seed}, {"noise", got.Config.Noise, want.Config.Noise},
		{"budget", got.Config.Budget, want.Config.Budget},
		{"cost", got.Config.Cost, want.Config.Cost},
		{"cost budget", got.Config.CostBudget, want.Config.CostBudget}} {
		if v.got != v.want {
			return fmt.Errorf("its %s is %.80q, not %.80q", v.name, fmt.Sprint(v.got), fmt.Sprint(v.want))
		}
	}
	for _, d := range want.Params.Decls() {
		value, asDeclared := got.Params.Value(d.Key), want.Params.Value(d.Key)
		if !reflect.DeepEqual(value, asDeclared) {
			return fmt.Errorf("its %s is %.40q, not %.40q", d.Key, fmt.Sprint(value), fmt.Sprint(asDeclared))
		}
	}
	return nil
}
