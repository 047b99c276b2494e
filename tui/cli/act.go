package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/sanitize"
	"bandscope/tui/export"
)

// actRun is an act of a command line.
type actRun struct {
	act  *acts.Act
	path string
	args any // of the act
	json bool
	// the session is where goto left it; otherwise it is at the end of its branch
	stay bool
	// as text, instead of the sentence of the answer
	text func(sessions.State, acts.Answer) []string
}

// run performs the act on a session in a file, and prints its answer.
func (r actRun) run(ctx context.Context, out, errs io.Writer) error {
	open := readSession
	if r.act.Changes {
		open = openToWrite
	}
	s, err := open(ctx, r.path, errs)
	if err != nil {
		return err
	}
	if !r.stay {
		s.Last()
	}
	return errors.Join(r.perform(ctx, out, errs, s), s.Close())
}

// perform performs the act on a session, and prints its answer.
func (r actRun) perform(ctx context.Context, out, errs io.Writer, s *sessions.Session) error {
	arguments, err := json.Marshal(r.args)
	if err != nil {
		return err
	}
	progress, done := newProgress(errs)
	answer, err := r.act.Perform(ctx, acts.Turn{Session: s, Progress: progress, Paint: export.Paint}, arguments)
	done()
	if err != nil {
		return actError(err)
	}
	switch {
	case r.json:
		return sanitize.JSON(out, answer)
	case r.text != nil:
		return printLines(out, r.text(s.State(), answer)...)
	}
	return printLines(out, answer.Sentence())
}

// actError is the error of an act: one of usage if the arguments are wrong, with what would be right.
func actError(err error) error {
	var e *acts.Error
	if !errors.As(err, &e) {
		return err
	}
	if e.Hint != "" && !strings.Contains(e.Hint, "bandscope schema") { // the help has the flags
		err = fmt.Errorf("%w; %s", err, e.Hint)
	}
	if e.Code == acts.CodeRequest {
		return asUsage(err)
	}
	return err
}
