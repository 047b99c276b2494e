package cli

import (
	"context"
	"time"

	"github.com/spf13/pflag"

	"bandscope/functions"
	"bandscope/functions/external"
	"bandscope/sessions"
)

// execOptions says which program evaluates points. It comes from the command line only and is written to no file.
type execOptions struct {
	Command string        // starts for each point; empty for none
	Pipe    string        // keeps running, with one JSON object per line; empty for none
	Shell   bool          // a shell runs the command
	Timeout time.Duration // of an evaluation; 0 for none
	Jobs    int           // evaluations at once; 0 is one
}

// Enabled says whether a program evaluates.
func (e execOptions) Enabled() bool { return e.Command != "" || e.Pipe != "" }

// Flags adds the flags that say which program evaluates.
func (e *execOptions) Flags(f *pflag.FlagSet) {
	f.StringVar(&e.Command, "exec", "", "command that evaluates one point: it starts for each point, reads a JSON object, and prints a JSON object or numbers")
	f.StringVar(&e.Pipe, "exec-pipe", "", "command that evaluates all points: it reads and prints one JSON object per line")
	f.BoolVar(&e.Shell, "shell", false, "run the command in a shell; without it, the command is split into words")
	f.IntVar(&e.Jobs, "jobs", 1, "number of parallel evaluations; only for bandscope run")
	f.DurationVar(&e.Timeout, "timeout", 0, "time after which an evaluation fails, such as 90s or 2h; 0 is no limit")
}

// Check reports flags that are wrong or contradict each other.
func (e execOptions) Check() error {
	switch {
	case e.Command != "" && e.Pipe != "":
		return usagef("--exec cannot be used with --exec-pipe: a program starts for each point, or keeps running")
	case e.Jobs < 0 || e.Jobs > external.MaxPending:
		return usagef("--jobs must be from 1 to %d, got %d", external.MaxPending, e.Jobs)
	case !e.Enabled() && (e.Shell || e.Timeout != 0):
		return usagef("--shell and --timeout need a program: add --exec CMD or --exec-pipe CMD")
	case e.Timeout < 0:
		return usagef("--timeout must be above 0, got %v", e.Timeout)
	}
	return nil
}

// Attach lets the program evaluate the points of a session. It passes the lines that the program writes to its standard
// error to hear; if hear is nil, they go to the progress of a step. The caller must call the returned function, which
// ends the processes.
func (e execOptions) Attach(ctx context.Context, s *sessions.Session,
	hear func(point functions.PointID, line string)) (func() error, error) {
	if err := e.Check(); err != nil || !e.Enabled() {
		return func() error { return nil }, err
	}
	st := s.State()
	if st.Config.Noise > 0 {
		return nil, usagef("--noise is for test functions only: leave it out, a program measures with its own noise")
	}
	o := external.Options{Command: e.Command, Shell: e.Shell, Timeout: e.Timeout}
	if e.Pipe != "" {
		o.Command, o.KeepAlive = e.Pipe, true
	}
	p, err := external.New(st.Problem, o)
	if err != nil {
		return nil, asUsage(err)
	}
	var evaluator functions.Evaluator = p
	if hear != nil {
		evaluator = loggingEvaluator{p, hear}
	}
	s.SetEvaluator(evaluator)
	deferExit(ctx) // until all that was started has ended
	return p.Close, nil
}

// AttachOne is Attach for a caller that evaluates one point at a time.
func (e execOptions) AttachOne(ctx context.Context, s *sessions.Session) (func() error, error) {
	if e.Jobs > 1 {
		return nil, usagef("--jobs is for bandscope run only: leave it out, the explorer evaluates one point at a time")
	}
	return e.Attach(ctx, s, nil)
}

// loggingEvaluator is an evaluator that passes each line of its log, with its point, to hear.
type loggingEvaluator struct {
	functions.Evaluator
	hear func(point functions.PointID, line string)
}

func (h loggingEvaluator) Evaluate(ctx context.Context, x []float64) (functions.Outcome, error) {
	point := functions.PointIDFrom(ctx)
	return h.Evaluator.Evaluate(functions.WithListener(ctx, func(line string) { h.hear(point, line) }), x)
}
