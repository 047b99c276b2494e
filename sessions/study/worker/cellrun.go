package worker

import (
	"context"
	"errors"
	"fmt"
	"io"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
)

// cellRun is the run of a cell.
type cellRun interface {
	step(ctx context.Context) error
	finished() bool
	steps() int
	trace() study.Trace
	lines() []byte // added to the log since the last call, or since the run was opened
}

// closeRun closes a run that is not continued here, and ends the program that its method is.
func closeRun(run cellRun) {
	if c, ok := run.(io.Closer); ok {
		c.Close() // it has no file
	}
}

// opener starts the run of a cell, or resumes it from its log.
type opener func(ctx context.Context, r store.Run, log []byte) (cellRun, error)

// Evaluators finds the evaluator of your own problem; nil if this worker has none for it. The evaluator may be shared
// by runs.
type Evaluators func(p study.OwnFile) (functions.Evaluator, error)

// sessionOpener opens sessions, whose points of your own problems some evaluators evaluate.
func sessionOpener(evaluators Evaluators) opener {
	return func(ctx context.Context, r store.Run, log []byte) (cellRun, error) {
		run, err := openSession(ctx, r, log)
		if err != nil {
			return nil, err
		}
		if evaluator, err := evaluators.find(r); err != nil {
			return nil, errors.Join(err, run.Close())
		} else if evaluator != nil {
			run.SetEvaluator(evaluator)
		}
		return run, nil
	}
}

// find finds the evaluator of a run of your own problem; nil of others.
func (e Evaluators) find(r store.Run) (functions.Evaluator, error) {
	cfg, err := r.Config(r.Own...)
	if err != nil || cfg.Experiment == nil {
		return nil, err
	}
	p, ok := study.FindOwn(r.Own, cfg.Experiment.Name)
	if !ok || !p.NeedsProgram() || e == nil {
		return nil, nil
	}
	return e(p)
}

// missing names your own problem of a run that this worker cannot evaluate; empty if it can.
func (e Evaluators) missing(r store.Run) string {
	cfg, err := r.Config(r.Own...)
	if err != nil || cfg.Experiment == nil || cfg.Experiment.Measured() {
		return ""
	}
	if evaluator, err := e.find(r); evaluator != nil || err != nil {
		return ""
	}
	p, _ := study.FindOwn(r.Own, cfg.Experiment.Name)
	return p.File
}

// session is a run of a session in memory.
type session struct {
	*sessions.Session
	linesReturned int // lines that are stored already
}

func openSession(ctx context.Context, r store.Run, log []byte) (*session, error) {
	if len(log) > 0 {
		s, err := r.Resume(ctx, log, r.Own...)
		if err != nil {
			return nil, err
		}
		_, lines := s.Lines(0)
		return &session{s, lines}, nil
	}
	s, err := r.Session(ctx, r.Own...)
	if err != nil {
		return nil, err
	}
	return &session{s, 0}, nil
}

func (s *session) step(ctx context.Context) error {
	it, err := s.Step(ctx, nil)
	if err == nil && it.Incomplete() {
		err = fmt.Errorf("the program reported only a part of the objectives at %s",
			s.State().Problem.Domain.Text(it.Points[0].X))
	}
	return err
}

func (s *session) finished() bool     { return s.State().StopReason() != "" }
func (s *session) steps() int         { return len(s.State().Iterations) }
func (s *session) trace() study.Trace { return study.TraceFor(s.State()) }

func (s *session) lines() []byte {
	text, count := s.Lines(s.linesReturned)
	s.linesReturned = count
	return text
}
