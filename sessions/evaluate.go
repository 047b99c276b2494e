package sessions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"bandscope/functions"
	"bandscope/functions/rng"
	"bandscope/model/parallel"
)

// ErrNoEvaluator is returned (wrapped) if a point is pending and the session has no evaluator. The point stays pending.
var ErrNoEvaluator = errors.New("no evaluator is attached")

// SetEvaluator attaches an evaluator for the points of the session, in place of the problem's own one; nil detaches it,
// and a person evaluates the points. Opening a session attaches nothing.
func (s *Session) SetEvaluator(e functions.Evaluator) {
	s.rec.Lock()
	defer s.rec.Unlock()
	s.evaluatorSet, s.evaluator = true, e
}

// ManualEvaluation reports whether there is no evaluator, neither attached nor of the problem itself: points wait until
// a person reports their results.
func (s *Session) ManualEvaluation() bool {
	s.rec.Lock()
	defer s.rec.Unlock()
	if s.evaluatorSet {
		return s.evaluator == nil
	}
	return s.setup.problem.Evaluator() == nil
}

// pendingPoints are the indices of the points to evaluate: those without any result. If a part of a point is reported,
// the same person or program must report the rest.
func (it Iteration) pendingPoints() (points []int) {
	for i, pt := range it.Points {
		if !it.HasResults() || len(it.Points) > 1 && it.IncompleteAt(i) && !anyKnown(pt.Y) && pt.Cost == 0 &&
			pt.Note == "" {
			points = append(points, i)
		}
	}
	return points
}

// evaluation is the evaluation of a pending suggestion.
type evaluation struct {
	session   *Session
	it        Iteration
	problem   *functions.Problem // as it was at the beginning
	evaluator functions.Evaluator
	noise     float64
	partial   bool // results of a point of a batch are reported before the others have ended

	mu        sync.Mutex // over telling, and what follows
	told      Iteration  // the suggestion with the results that were reported
	remaining int        // points that are due
}

// evaluate evaluates the points of a pending suggestion that have no result, each when it gets a slot; the caller
// reports the results. After an error it begins no other point. Noise is added to the values of the problem's own
// evaluator, from the session's stream, so that it does not depend on other pending points. A result is kept until it
// is reported, so that no point is evaluated twice; the results of an attached evaluator are reported at once, also if
// the rest of the batch is still being evaluated, and onPart is called.
func (s *Session) evaluate(ctx context.Context, it Iteration, slots *semaphore.Weighted, progress Progress,
	onPart func()) (*evaluation, error) {
	if s.setup.readErr != nil {
		return nil, s.setup.readErr
	}
	s.rec.Lock()
	ev := &evaluation{session: s, it: it, told: it, problem: s.rec.State().Problem, evaluator: s.evaluator,
		partial: s.evaluatorSet && len(it.Points) > 1}
	if !s.evaluatorSet {
		ev.evaluator, ev.noise = ev.problem.Evaluator(), s.setup.config.Noise
	}
	due := slices.DeleteFunc(it.pendingPoints(), func(i int) bool { _, ok := s.results[it.ID][i]; return ok })
	s.rec.Unlock()
	if ev.evaluator == nil && len(due) > 0 {
		return nil, fmt.Errorf("%s is pending: %w", ev.problem.Domain.Text(it.Points[0].X), ErrNoEvaluator)
	}
	ev.remaining = len(due)
	var all sync.WaitGroup
	failed := make(chan error, len(due)+1)
	for _, i := range due {
		if err := slots.Acquire(ctx, 1); err != nil {
			failed <- err
			break
		}
		if len(failed) > 0 {
			slots.Release(1)
			break
		}
		all.Go(func() {
			part, err := ev.point(ctx, i, progress)
			if err != nil {
				failed <- err
			}
			slots.Release(1)
			if part && onPart != nil {
				onPart()
			}
		})
	}
	all.Wait()
	if len(failed) > 0 {
		return nil, <-failed
	}
	return ev, nil
}

// point evaluates a point, and says whether the others of its batch were still to come.
func (ev *evaluation) point(ctx context.Context, i int, progress Progress) (part bool, err error) {
	s, it := ev.session, ev.it
	o, err := it.evaluatePoint(ctx, i, ev.evaluator, ev.problem, progress)
	if err != nil {
		return false, err
	}
	if ev.noise > 0 {
		o = it.addNoise(i, o, ev.problem, s.setup.config)
	}
	s.rec.Lock()
	if s.results == nil {
		s.results = map[string]map[int]functions.Outcome{}
	}
	if s.results[it.ID] == nil {
		s.results[it.ID] = map[int]functions.Outcome{}
	}
	s.results[it.ID][i] = o
	s.rec.Unlock()
	ev.mu.Lock()
	ev.remaining--
	part = ev.partial && ev.remaining > 0
	ev.mu.Unlock()
	if part {
		ev.tell() // a result that cannot be written is reported with the others
	}
	return part, nil
}

// evaluatePoint evaluates one point of a pending suggestion; progress gets the log lines of the evaluator.
func (it Iteration) evaluatePoint(ctx context.Context, i int, evaluator functions.Evaluator, p *functions.Problem,
	progress Progress) (functions.Outcome, error) {
	x, place := it.Points[i].X, functions.PointID{Point: it.Number, Step: it.Step, Problem: p}
	if len(it.Points) > 1 {
		place.Batch = i + 1
	}
	ctx = functions.WithPointID(ctx, place)
	if progress != nil {
		ctx = functions.WithListener(ctx, func(line string) {
			progress(fmt.Sprintf("point %v: %s", place, line), 0, 0)
		})
	}
	o, err := evaluateAt(ctx, evaluator, x)
	if err == nil {
		_, err = p.NormalizeOutcome(x, o)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", p.Domain.Text(x), err)
	}
	return o, err
}

// addNoise adds the session's noise to the objectives of a result of the problem's own evaluator, which is the truth;
// limits are measured without noise.
func (it Iteration) addNoise(i int, o functions.Outcome, p *functions.Problem, cfg Config) functions.Outcome {
	if len(o.Values) == 0 {
		return o
	}
	if o.Truth == nil {
		o.Truth = o.Values
	}
	rng := rng.New(cfg.Seed, it.Step-1, "observation noise", uint64(i))
	o.Values = slices.Clone(o.Values)
	for k := range p.Objectives {
		o.Values[k] += cfg.Noise * rng.NormFloat64()
	}
	return o
}

// tell reports the results so far; of a batch with an attached evaluator point by point, so that it keeps what a person
// reports meanwhile.
func (ev *evaluation) tell() (Iteration, error) {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	s, it := ev.session, ev.told
	s.rec.Lock()
	outcomes := make([]functions.Outcome, len(it.Points))
	points := slices.Sorted(maps.Keys(s.results[it.ID]))
	for i := range outcomes {
		outcomes[i].Partial = true
	}
	for _, i := range points {
		outcomes[i] = translateOutcome(s.results[it.ID][i], ev.problem, s.rec.State().Problem)
	}
	s.rec.Unlock()
	if !ev.partial {
		return s.Tell(it.ID, outcomes...)
	}
	var late error
	for _, i := range points {
		part := slices.Repeat([]functions.Outcome{{Partial: true}}, len(it.Points))
		part[i] = outcomes[i]
		if part[i].Reason == "" && !part[i].Partial && !functions.Finite(part[i].Values) {
			part[i].Reason = "the evaluation gave no finite value"
		}
		iteration, err := s.Tell(it.ID, part...)
		if err != nil && !errors.Is(err, ErrAlreadyTold) {
			return it, err
		}
		late = err
		if err == nil {
			it, ev.told = iteration, iteration
		}
		s.rec.Lock()
		delete(s.results[it.ID], i)
		s.rec.Unlock()
	}
	return it, late
}

// translateOutcome is an outcome for the current objectives of the problem: values of objectives that it does not have
// are missing.
func translateOutcome(o functions.Outcome, was, current *functions.Problem) functions.Outcome {
	names, now := objectiveNames(was), objectiveNames(current)
	if slices.Equal(names, now) || len(o.Values) != len(names) {
		return o
	}
	t := o
	t.Values = nanValues(len(now))
	t.SE = nil
	t.Truth = nil
	t.Partial = o.Reason == ""
	for k, name := range now {
		i := slices.Index(names, name)
		if i < 0 {
			continue
		}
		t.Values[k] = o.Values[i]
		if o.SE != nil {
			if t.SE == nil {
				t.SE = nanValues(len(now))
			}
			t.SE[k] = o.SE[i]
		}
	}
	return t
}

// stopGrace is how long an evaluator has to stop when its context ends, before it is left to itself.
const stopGrace = 30 * time.Millisecond

// evaluateAt evaluates one point in its own goroutine: it returns soon after the context ends, whatever the evaluator
// does, and turns a panic of the evaluator into an error. The error says so if the evaluation is left running.
func evaluateAt(ctx context.Context, evaluator functions.Evaluator, x []float64) (functions.Outcome, error) {
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
		if p := parallel.Catch(func() { a.Outcome, a.err = evaluator.Evaluate(ctx, slices.Clone(x)) }); p != nil {
			a = answer{err: panicError{p}}
		}
	}()
	var ended <-chan time.Time
	for done := ctx.Done(); ; {
		select {
		case a := <-answers:
			return a.Outcome, a.err
		case <-done:
			done, ended = nil, time.After(stopGrace)
		case <-ended:
			return functions.Outcome{}, fmt.Errorf(
				"%w; the evaluation did not stop: it continues in the background, and its result is lost", ctx.Err())
		}
	}
}

// panicError is the panic of an evaluator in one line; what it wraps has the stack.
type panicError struct{ *parallel.Panic }

// Error describes the panic, Unwrap returns it with its stack.
func (p panicError) Error() string { return fmt.Sprintf("the evaluator panicked: %v", p.Value) }
func (p panicError) Unwrap() error { return p.Panic }
