package cli

import (
	"context"
	"time"

	"github.com/spf13/pflag"

	"bandscope/functions"
	"bandscope/functions/external"
	"bandscope/sessions"
)

// execOptions says which program evaluates. It comes from the command line alone, and stands in no file.
type execOptions struct {
	Command string        // is started for each point; empty for none
	Pipe    string        // is kept, and speaks a JSON object a line; empty for none
	Shell   bool          // the command is a shell's
	Timeout time.Duration // of an evaluation; 0 for none
	Jobs    int           // evaluations at once; 0 is one
}

// Enabled says whether a program evaluates.
func (e execOptions) Enabled() bool { return e.Command != "" || e.Pipe != "" }

// Flags adds the flags that say which program evaluates.
func (e *execOptions) Flags(f *pflag.FlagSet) {
	f.StringVar(&e.Command, "exec", "", "command that evaluates: it is started for each point, reads a JSON object, "+
		"and prints one or plain numbers")
	f.StringVar(&e.Pipe, "exec-pipe", "", "command that evaluates all points: it reads and prints a JSON object a line")
	f.BoolVar(&e.Shell, "shell", false, "give that command to a shell; otherwise it is only split into words")
	f.IntVar(&e.Jobs, "jobs", 1, "evaluations at once, of bandscope run")
	f.DurationVar(&e.Timeout, "timeout", 0, "after which an evaluation has failed, as 90s or 2h; 0 is never")
}

// Check says what is wrong with the words of the command.
func (e execOptions) Check() error {
	switch {
	case e.Command != "" && e.Pipe != "":
		return usagef("--exec does not go with --exec-pipe: the program is started for each point, or kept")
	case e.Jobs < 0 || e.Jobs > external.MaxPending:
		return usagef("--jobs must be from 1 to %d, got %d", external.MaxPending, e.Jobs)
	case !e.Enabled() && (e.Shell || e.Timeout != 0):
		return usagef("--shell and --timeout say how a program evaluates: --exec CMD or --exec-pipe CMD says which")
	case e.Timeout < 0:
		return usagef("--timeout must be above 0, got %v", e.Timeout)
	}
	return nil
}

// Attach has the program evaluate the points of a session; hear is told what it writes on its standard error, nil
// leaves that to the progress of a step. Whoever calls it calls what it returns at the end, which ends the processes.
func (e execOptions) Attach(ctx context.Context, s *sessions.Session,
	hear func(point functions.PointID, line string)) (func() error, error) {
	if err := e.Check(); err != nil || !e.Enabled() {
		return func() error { return nil }, err
	}
	st := s.State()
	if st.Config.Noise > 0 {
		return nil, usagef("noise is added to the values of test functions; what a program measures has its own: " +
			"leave out --noise")
	}
	o := external.Options{Command: e.Command, Shell: e.Shell, Timeout: e.Timeout}
	if e.Pipe != "" {
		o.Command, o.KeepAlive = e.Pipe, true
	}
	p, err := external.New(st.Problem, o)
	if err != nil {
		return nil, asUsage(err)
	}
	var by functions.Evaluator = p
	if hear != nil {
		by = loggingEvaluator{p, hear}
	}
	s.SetEvaluator(by)
	deferExit(ctx) // until all that was started has ended
	return p.Close, nil
}

// AttachOne is Attach for who evaluates one point at a time.
func (e execOptions) AttachOne(ctx context.Context, s *sessions.Session) (func() error, error) {
	if e.Jobs > 1 {
		return nil, usagef("--jobs goes with bandscope run: the explorer evaluates one point at a time; leave --jobs " +
			"out")
	}
	return e.Attach(ctx, s, nil)
}

// loggingEvaluator is an evaluator of which somebody hears what it says with the point that it is about.
type loggingEvaluator struct {
	functions.Evaluator
	hear func(point functions.PointID, line string)
}

func (h loggingEvaluator) Evaluate(ctx context.Context, x []float64) (functions.Outcome, error) {
	point := functions.PointIDFrom(ctx)
	return h.Evaluator.Evaluate(functions.WithListener(ctx, func(line string) { h.hear(point, line) }), x)
}
