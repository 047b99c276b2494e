package sessions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/functions/encoding"
	"bandscope/functions/experiment"
	"bandscope/functions/numfmt"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// Rejection is a suggestion that a person refused to evaluate.
type Rejection struct {
	Step   int // of the suggestion, from 1
	Number int // of the suggestion, as of iterations
	X      [][]float64
	Reason string
}

// The kinds of event by which a person says where the search goes not.
const (
	kindRejected = "rejected" // a suggestion is refused
	kindBounded  = "bounded"  // a variable is narrowed, pinned or free again
)

var (
	_ = register(kindRejected, kind{fold: recorder.FoldData((*State).reject), text: describeData(rejectedText),
		changesBelief: true})
	_ = register(kindBounded, kind{fold: recorder.FoldData((*State).bound), text: describeData(boundedText),
		changesBelief: true})
)

type rejectedData struct {
	Reason string `json:"reason,omitempty"`
	Of     string `json:"suggestion,omitempty"` // the id of the suggestion; absent for the latest pending one
}

type boundedData struct {
	Variable string         `json:"variable"`
	Low      eventlog.Float `json:"low"` // problem's units; equal bounds pin the variable
	High     eventlog.Float `json:"high"`
	Step     *float64       `json:"step,omitempty"` // absent: as before; 0 for none
	Reason   string         `json:"reason,omitempty"`
}

// reject folds a refused suggestion.
func (st *State) reject(d rejectedData) error {
	it, err := st.removePending(d.Of)
	if err != nil {
		return fmt.Errorf("the event discards a point that was not suggested: %w", err)
	}
	st.Rejections = append(slices.Clip(st.Rejections),
		Rejection{Step: it.Step, Number: it.Number, X: it.Inputs(), Reason: d.Reason})
	return nil
}

// bound folds new bounds of a variable.
func (st *State) bound(d boundedData) error {
	j, err := st.variable(d.Variable)
	if err != nil {
		return err
	}
	if d.Step != nil {
		*st = st.withStep(j, *d.Step)
	}
	if err := st.checkBounds(j, float64(d.Low), float64(d.High)); err != nil {
		return err
	}
	bounds := slices.Clone(st.Bounds)
	if bounds == nil {
		bounds = slices.Clone(st.Problem.Domain)
	}
	bounds[j].Low = float64(d.Low)
	bounds[j].High = float64(d.High)
	bounds[j].Step = st.Problem.Domain[j].Step
	st.Bounds = bounds
	return nil
}

// withStep is the state with another step of a variable, from its lower bound on.
func (st State) withStep(j int, step float64) State {
	p := *st.Problem
	p.Domain = slices.Clone(p.Domain)
	p.Domain[j].Step = step
	st.Problem = &p
	if d := st.Config.Experiment; d != nil {
		other := *d
		other.Variables = slices.Clone(d.Variables)
		other.Variables[j].Step = step
		st.Config.Experiment = &other
	}
	return st
}

// rejectedText describes a discarded suggestion.
func rejectedText(st State, _ rejectedData) string {
	r := st.Rejections[len(st.Rejections)-1]
	return "the suggestion " + pointText(st.Problem.Domain, r.X[0]) + " is discarded" + because(r.Reason)
}

// boundedText describes new bounds.
func boundedText(st State, d boundedData) string {
	j, err := st.variable(d.Variable)
	if err != nil {
		return ""
	}
	text := d.Variable + " is kept " + encoding.FormatBounds(st.Bounds[j])
	if d.Step != nil && *d.Step > 0 {
		text += " in steps of " + numfmt.Exact(*d.Step)
	} else if d.Step != nil {
		text += " without steps"
	}
	return text + because(d.Reason)
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ", because " + reason
}

// variable is the number of a variable by its name.
func (st State) variable(name string) (int, error) {
	j := slices.IndexFunc(st.Problem.Domain, func(v functions.Variable) bool { return v.Name == name })
	if j < 0 {
		names := make([]string, st.Problem.Dim())
		for i, v := range st.Problem.Domain {
			names[i] = v.Name
		}
		return 0, didyoumean.NewUnknownError("variable", name, names)
	}
	return j, nil
}

// Variable is a variable of the problem by its name.
func (st State) Variable(name string) (functions.Variable, error) {
	j, err := st.variable(name)
	if err != nil {
		return functions.Variable{}, err
	}
	return st.Problem.Domain[j], nil
}

func (st State) checkBounds(j int, low, high float64) error {
	v := st.Problem.Domain[j]
	if !(v.Low <= low && low <= high && high <= v.High) {
		err := fmt.Errorf("the bounds of %s must lie in [%s, %s], the lower one first; got [%s, %s]", v.Name,
			encoding.FormatExact(v, v.Low), encoding.FormatExact(v, v.High), numfmt.Exact(low), numfmt.Exact(high))
		if low < high && st.CanWiden() {
			return fmt.Errorf("%w; %w", err, ErrDomain)
		}
		return err
	}
	if v.Kind == functions.Choice && low != high && (low != v.Low || high != v.High) {
		return fmt.Errorf("%s is a choice and has no bounds; pin it at one of %s, or leave it free", v.Name,
			strings.Join(v.Choices, ", "))
	}
	if v.Step != 0 && (v.Kind != functions.Real || !(v.Step > 0 && v.Step <= v.High-v.Low) ||
		v.Steps() > experiment.MaxSteps) {
		return fmt.Errorf("the step of %s must be above 0, at most the width of the domain, and leave at most %d values of a real variable, got %s", v.Name, experiment.MaxSteps, numfmt.Exact(v.Step))
	}
	return errors.Join(v.Check(low), v.Check(high), v.CheckStep(low), v.CheckStep(high))
}

// Reject discards the next point, or batch, to be evaluated: the oldest pending one, or else the next suggestion. The
// search stays away from it (search.AvoidRadius).
func (s *Session) Reject(ctx context.Context, reason string, progress Progress) error {
	return s.follow(ctx, func() (string, error) {
		st := s.State()
		return st.Head, s.rejectNext(ctx, st, reason, progress)
	})
}

// rejectNext is Reject in a state.
func (s *Session) rejectNext(ctx context.Context, st State, reason string, progress Progress) error {
	var instead []recorder.Entry // if nothing is pending: the suggestion, which is discarded at once
	if len(st.Pending) == 0 {
		sug, spent, err := st.propose(ctx, &s.fits, progress)
		if err != nil {
			return err
		}
		instead = []recorder.Entry{s.suggestionEntry(st.newIteration(sug, spent))}
	}
	if err := s.evaluation.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.evaluation.Release(1)
	_, err := s.rec.Act(func() ([]recorder.Entry, error) {
		if s.rec.At.ID != st.Head {
			return nil, recorder.ErrMoved
		}
		d := rejectedData{Reason: reason}
		if len(st.Pending) > 0 {
			d.Of = st.pendingRef(st.Pending[0].ID)
		}
		return append(instead, recorder.Entry{Kind: kindRejected, Data: d}), nil
	})
	return err
}

// RejectByID discards the pending suggestion with an ID, on any branch; the search stays away from it. The errors are
// those of Tell.
func (s *Session) RejectByID(id, reason string) error {
	_, err := s.rec.ActAfter(func() (*eventlog.Event, []recorder.Entry, error) {
		after, st, err := s.findPending(id)
		if err != nil {
			return nil, nil, err
		}
		if _, out := st.iteration(id); !out {
			return nil, nil, fmt.Errorf("%s: %w", id, ErrAlreadyTold)
		}
		return after, []recorder.Entry{{Kind: kindRejected,
			Data: rejectedData{Reason: reason, Of: st.pendingRef(id)}}}, nil
	})
	return err
}

// Bounds are what a variable is narrowed to, in the problem's units; equal ones pin it.
type Bounds struct {
	Variable  string
	Low, High float64
	Step      *float64 // of the suggested values, from the lower bound of the domain on; nil: as before, 0 for none
}

// Bound narrows a variable to [low, high] in the problem's units, or gives it back what it had; equal bounds pin it.
// The data stay. The errors are those of Narrow.
func (s *Session) Bound(ctx context.Context, variable string, low, high float64, reason string) error {
	return s.Narrow(ctx, reason, Bounds{Variable: variable, Low: low, High: high})
}

// Narrow is Bound of several variables in one act: all are narrowed, or none, as where no point within the bounds
// fulfils the constraints. The search for such a point holds no lock; it is repeated if another act changes the bounds
// before these are recorded. If the context ends first, its error is returned.
func (s *Session) Narrow(ctx context.Context, reason string, bounds ...Bounds) error {
	for {
		st := s.State()
		problem, narrowed, entries, err := st.narrow(reason, bounds)
		if err != nil {
			return err
		}
		if err := checkFeasible(ctx, problem, narrowed); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			return fmt.Errorf("with %s: %w", describeBounds(st.Problem.Domain, narrowed), err)
		}
		_, err = s.rec.Act(func() ([]recorder.Entry, error) {
			if !slices.EqualFunc(s.rec.State().Bounds, st.Bounds, sameBounds) {
				return nil, errBoundsChanged
			}
			return entries, nil
		})
		if !errors.Is(err, errBoundsChanged) {
			return err
		}
	}
}

// errBoundsChanged is that the bounds are others than those that the search for a feasible point began with.
var errBoundsChanged = errors.New("the bounds changed during the search for a feasible point")

func sameBounds(a, b functions.Variable) bool {
	return a.Low == b.Low && a.High == b.High && a.Step == b.Step
}

// narrow returns the state's problem with other steps, its domain with other bounds, and the events that record both.
func (st State) narrow(reason string, bounds []Bounds) (p *functions.Problem, narrowed functions.Domain,
	entries []recorder.Entry, err error) {
	narrowed = slices.Clone(st.Bounds)
	if narrowed == nil {
		narrowed = slices.Clone(st.Problem.Domain)
	}
	for _, b := range bounds {
		j, err := st.variable(b.Variable)
		if err != nil {
			return nil, nil, nil, err
		}
		if b.Step != nil {
			st = st.withStep(j, *b.Step)
		}
		if err := st.checkBounds(j, b.Low, b.High); err != nil {
			return nil, nil, nil, err
		}
		narrowed[j].Low = b.Low
		narrowed[j].High = b.High
		narrowed[j].Step = st.Problem.Domain[j].Step
		entries = append(entries, recorder.Entry{Kind: kindBounded,
			Data: boundedData{Variable: b.Variable, Low: eventlog.Float(b.Low), High: eventlog.Float(b.High),
				Step: b.Step, Reason: reason}})
	}
	for _, c := range st.Problem.Constraints {
		if err := c.CheckStrict(st.Problem.Domain); err != nil {
			return nil, nil, nil, err
		}
	}
	return st.Problem, narrowed, entries, nil
}

// describeBounds lists the variables that are narrowed, with their bounds.
func describeBounds(domain, narrowed functions.Domain) string {
	var list []string
	for j, v := range narrowed {
		if !sameBounds(v, domain[j]) {
			list = append(list, v.Name+" "+encoding.FormatBounds(v))
		}
	}
	return strings.Join(list, ", ")
}
