package worker

import (
	"context"
	"io"

	"bandscope/sessions"
	"bandscope/sessions/study"
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

// opener starts a run, or resumes one from its log.
type opener func(ctx context.Context, c study.Cell, log []byte) (cellRun, error)

// session is a run of a session in memory.
type session struct {
	*sessions.Session
	linesReturned int // lines that are stored already
}

func openSession(ctx context.Context, c study.Cell, log []byte) (cellRun, error) {
	if len(log) > 0 {
		s, err := c.Resume(ctx, log)
		if err != nil {
			return nil, err
		}
		_, given := s.Lines(0)
		return &session{s, given}, nil
	}
	s, err := c.Session(ctx)
	if err != nil {
		return nil, err
	}
	return &session{s, 0}, nil
}

func (s *session) step(ctx context.Context) error {
	_, err := s.Step(ctx, nil)
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
