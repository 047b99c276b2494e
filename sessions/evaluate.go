package sessions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bandscope/functions"
	"bandscope/functions/stream"
	"bandscope/model/parallel"
)

// ErrNoEvaluator is returned (wrapped) where a point is out and nobody is attached to the session who evaluates it. The point waits.
var ErrNoEvaluator = errors.New("nobody is attached who evaluates it")

// Attach says who evaluates the points of the session from now on, in place of the problem's own truth; nil is nobody. Opening a session attaches nothing.
func (s *Session) Attach(e functions.Evaluator) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.attached, s.evaluator = true, e
}

// Unattended reports whether nobody is attached who evaluates, nor a truth that could be asked: the points wait for whoever tells their results.
func (s *Session) Unattended() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.attached {
		return s.evaluator == nil
	}
	return s.setup.problem.Evaluator() == nil
}

// evaluate evaluates what is out, one point after the other. Noise is added to what the problem's own truth gives, from the session's stream, so that it
// is the same whoever else was out. What came of a point is kept until it is told: if the next one of its batch cannot be evaluated, or nothing can be
// written, it is not evaluated again.
func (s *Session) evaluate(ctx context.Context, it Iteration, progress Progress) ([]functions.Outcome, error) {
	if s.setup.unread != nil {
		return nil, s.setup.unread
	}
	s.mu.Lock()
	problem, by, noise := s.state.Problem, s.evaluator, 0.0
	if !s.attached {
		by, noise = problem.Evaluator(), s.setup.config.Noise
	}
	all := s.results[it.ID]
	s.mu.Unlock()
	if by == nil && len(all) < len(it.X) {
		return nil, fmt.Errorf("%s is out: %w", problem.Domain.Text(it.X[0]), ErrNoEvaluator)
	}
	ctx = functions.WithPlace(ctx, functions.Place{Point: it.Number, Step: it.Step})
	if progress != nil {
		ctx = functions.WithListener(ctx, func(line string) { progress(fmt.Sprintf("point %d: %s", it.Number, line), 0, 0) })
	}
	for i := len(all); i < len(it.X); i++ {
		x := it.X[i]
		o, err := outcomeOf(ctx, by, x)
		if err == nil {
			_, err = problem.Settled(x, o)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", problem.Domain.Text(x), err)
		}
		if noise > 0 {
			rng := stream.New(s.setup.config.Seed, it.Step-1, "observation noise", uint64(i))
			o.Values = slices.Clone(o.Values)
			for k := range o.Values {
				o.Values[k] += noise * rng.NormFloat64()
			}
		}
		all = append(slices.Clip(all), o)
		s.mu.Lock()
		if s.results == nil {
			s.results = map[string][]functions.Outcome{}
		}
		s.results[it.ID] = all
		s.mu.Unlock()
	}
	return all, nil
}

// heed is how long an evaluator has to stop when its context ends, before it is left to itself.
const heed = 30 * time.Millisecond

// outcomeOf evaluates one point, in a goroutine of its own: the caller goes on soon after the context ends, whatever the evaluator does, and a panic of
// the evaluator is an error. The error says so if the evaluation is left running.
func outcomeOf(ctx context.Context, by functions.Evaluator, x []float64) (functions.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return functions.Outcome{}, err
	}
	type answer struct {
		functions.Outcome
		err error
	}
	answers := make(chan answer, 1)
	go func() {
		a := answer{err: errors.New("the evaluator ended without an answer")}
		defer func() { answers <- a }()
		if p := parallel.Catch(func() { a.Outcome, a.err = by.Evaluate(ctx, slices.Clone(x)) }); p != nil {
			a = answer{err: panicked{p}}
		}
	}()
	var ended <-chan time.Time
	for done := ctx.Done(); ; {
		select {
		case a := <-answers:
			return a.Outcome, a.err
		case <-done:
			done, ended = nil, time.After(heed)
		case <-ended:
			return functions.Outcome{}, fmt.Errorf("%w; the evaluation does not stop: it runs on by itself, and what comes of it is lost", ctx.Err())
		}
	}
}

// panicked is the panic of an evaluator in one line; what it wraps has the stack.
type panicked struct{ *parallel.Panic }

// Error tells what happened, Unwrap where.
func (p panicked) Error() string { return fmt.Sprintf("the evaluator panicked: %v", p.Value) }
func (p panicked) Unwrap() error { return p.Panic }
