package sessions

import (
	"errors"
	"fmt"
	"slices"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// Errors of reports.
var (
	ErrAlreadyTold = errors.New("the result is already reported; correct it if it is wrong")
	ErrNotPending  = errors.New("the point is not pending")
)

// errConcurrentTell means that another result of the point was reported while a report was prepared.
var errConcurrentTell = errors.New("another result was reported meanwhile")

// Tell reports the results of the pending suggestion with an ID, one outcome per point. They are recorded at the end of
// the current branch if the suggestion is pending there, otherwise at the end of its own branch; the position of the
// session stays. If an outcome is partial, its values are recorded and the points stay pending until the rest is
// reported; a partial outcome without a value reports nothing about its point. Missing of the returned iteration lists
// the rest. The error is ErrAlreadyTold if the result is known, and ErrNotPending if nothing is pending under the ID;
// an invalid outcome changes nothing, and the points stay pending.
//
// An iteration that misses the values of an objective which was added later takes these in partial outcomes.
func (s *Session) Tell(id string, outcomes ...functions.Outcome) (Iteration, error) {
	return s.tell(id, false, func(st State, it Iteration) ([]recorder.Entry, error) {
		return st.reportEntries(it, outcomes)
	})
}

// Amend replaces all partial reports of a pending point.
func (s *Session) Amend(id string, point int, o functions.Outcome, reason string) (Iteration, error) {
	return s.tell(id, true, func(st State, it Iteration) ([]recorder.Entry, error) {
		if point < 0 || point >= len(it.Points) {
			return nil, fmt.Errorf("there is no point %d; the suggestion has %s", point+1,
				numfmt.Count(len(it.Points), "point"))
		}
		if _, err := st.Problem.NormalizeOutcome(it.Points[point].X, o); err != nil {
			return nil, err
		}
		d := st.measurement(it, point, o)
		d.Instead, d.Reason = true, reason
		return []recorder.Entry{{Kind: kindMeasured, Data: d}}, nil
	})
}

// tell records the entries that telling makes of the suggestion with an ID and the state at the end of its branch. The
// suggestion must be pending if out is true; otherwise it may be an iteration with missing values.
func (s *Session) tell(id string, out bool, telling func(State, Iteration) ([]recorder.Entry, error)) (Iteration,
	error) {
	for {
		s.rec.Lock()
		_, st, err := s.findPending(id)
		s.rec.Unlock()
		if err != nil {
			return Iteration{}, err
		}
		it, was := st.iteration(id)
		if out && !was {
			return Iteration{}, fmt.Errorf("%s: %w", id, ErrAlreadyTold)
		}
		entries, err := telling(st, it)
		if err != nil {
			return Iteration{}, err
		}
		e, err := s.rec.ActAfter(func() (*eventlog.Event, []recorder.Entry, error) {
			after, now, err := s.findPending(id)
			if err != nil {
				return nil, nil, err
			}
			if again, _ := now.iteration(id); again.told != it.told || now.Problem != st.Problem {
				return nil, nil, errConcurrentTell
			}
			for i := range entries {
				if d, ok := entries[i].Data.(observedData); ok {
					d.Of = now.pendingRef(id)
					entries[i].Data = d
				}
			}
			return after, entries, nil
		})
		if errors.Is(err, errConcurrentTell) {
			continue
		}
		if err != nil {
			return Iteration{}, err
		}
		s.rec.Lock()
		defer s.rec.Unlock()
		now, err := s.rec.Fold(e)
		if err != nil {
			return Iteration{}, err
		}
		it, was = now.iteration(id)
		if !was {
			delete(s.results, id)
		}
		return it, nil
	}
}

// iteration is the iteration with an ID, and whether it is pending.
func (st State) iteration(id string) (it Iteration, out bool) {
	if i := st.pendingIndex(id); i >= 0 {
		return st.Pending[i], true
	}
	for i := len(st.Iterations) - 1; i >= 0; i-- { // most lookups are of recent ones
		if st.Iterations[i].ID == id {
			return st.Iterations[i], false
		}
	}
	return Iteration{}, false
}

// IterationByNumber is the suggestion with a number, and whether it is pending. The error wraps ErrNotPending: there is
// no such number, or the suggestion was discarded.
func (st State) IterationByNumber(number int) (it Iteration, out bool, err error) {
	has := func(it Iteration) bool { return it.Number == number }
	if i := slices.IndexFunc(st.Pending, has); i >= 0 {
		return st.Pending[i], true, nil
	}
	for i := len(st.Iterations) - 1; i >= 0; i-- { // most lookups are of recent ones
		if st.Iterations[i].Number == number {
			return st.Iterations[i], false, nil
		}
	}
	if i := slices.IndexFunc(st.Rejections, func(r Rejection) bool { return r.Number == number }); i >= 0 {
		return it, false, fmt.Errorf("suggestion %d was discarded%s: %w", number, because(st.Rejections[i].Reason),
			ErrNotPending)
	}
	return it, false, fmt.Errorf("there is no suggestion %d; the last one is %d: %w", number, st.suggestionCount,
		ErrNotPending)
}

// findPending finds the event after which to record results of the suggestion with an id, which is pending or misses
// values, with the state there. The caller holds the lock.
func (s *Session) findPending(id string) (*eventlog.Event, State, error) {
	e := s.rec.Tree.Find(id)
	if e == nil || e.Kind != kindSuggested {
		return nil, State{}, fmt.Errorf("%s: %w", id, ErrNotPending)
	}
	ends := []*eventlog.Event{s.rec.Tip}
	if !e.IsAncestorOf(s.rec.Tip) {
		ends = ends[:0]
		for _, b := range slices.Backward(s.rec.Tree.Branches()) {
			if e.IsAncestorOf(b.End) {
				ends = append(ends, b.End)
			}
		}
	}
	why := ErrNotPending // it was rejected
	for _, end := range ends {
		st, err := s.rec.Fold(end)
		if err != nil {
			return nil, State{}, err
		}
		switch it, out := st.iteration(id); {
		case out || it.Incomplete():
			return end, *st, nil
		case it.ID == id:
			why = ErrAlreadyTold
		}
	}
	return nil, State{}, fmt.Errorf("%s: %w", id, why)
}

// reportEntries are the records of outcomes of a pending suggestion, or of an iteration that misses values: an
// observation if nothing is missing any more, and otherwise the new values.
func (st State) reportEntries(it Iteration, outcomes []functions.Outcome) ([]recorder.Entry, error) {
	if len(outcomes) != len(it.Points) {
		return nil, fmt.Errorf("there are outcomes of %s for %s", numfmt.Count(len(outcomes), "point"),
			numfmt.Count(len(it.Points), "pending point"))
	}
	if it.ID != "" {
		if _, out := st.iteration(it.ID); !out {
			return st.supplementEntries(it, outcomes)
		}
	}
	all, waits := make([]functions.Outcome, len(it.Points)), false
	var parts []recorder.Entry
	for i, o := range outcomes {
		x := it.Points[i].X
		now, err := st.Problem.NormalizeOutcome(x, o)
		if err != nil {
			return nil, err
		}
		news := now.Reason != "" || anyKnown(now.Values) || !now.Partial
		was := it.partialOutcome(i)
		if !news && it.HasResults() && !was.Partial {
			all[i] = was
			continue
		}
		all[i], err = mergeOutcome(st.Problem, was, o)
		if err != nil {
			return nil, err
		}
		settled, err := st.Problem.NormalizeOutcome(x, all[i])
		if err != nil {
			return nil, err
		}
		all[i].Partial = settled.Partial
		waits = waits || settled.Partial
		if news || o.Note != "" || o.At != nil || o.Cost != 0 {
			parts = append(parts, recorder.Entry{Kind: kindMeasured, Data: st.measurement(it, i, o)})
		}
	}
	if !waits {
		d, err := st.observation(it, all)
		return []recorder.Entry{{Kind: kindObserved, Data: d}}, err
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("there is nothing to report: %w", functions.ErrMissing)
	}
	return parts, nil
}

// supplementEntries are the records of values that an iteration misses.
func (st State) supplementEntries(it Iteration, outcomes []functions.Outcome) ([]recorder.Entry, error) {
	var parts []recorder.Entry
	for i, o := range outcomes {
		if _, err := st.Problem.NormalizeOutcome(it.Points[i].X, o); err != nil {
			return nil, err
		}
		if !anyKnown(o.Values) && o.Reason == "" {
			continue
		}
		if o.Reason != "" || o.At != nil || o.Cost != 0 {
			return nil, fmt.Errorf("only the values of %v are missing: %w", it.Points[i].Missing, ErrAlreadyTold)
		}
		for k, v := range o.Values {
			if name := st.Problem.Outputs()[k].Name; anyKnown([]float64{v}) && !slices.Contains(it.Points[i].Missing,
				name) {
				return nil, fmt.Errorf("%s: %w", name, ErrAlreadyTold)
			}
		}
		parts = append(parts, recorder.Entry{Kind: kindMeasured, Data: st.measurement(it, i, o)})
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("there is nothing to report: %w", functions.ErrMissing)
	}
	return parts, nil
}

// measurement is the record of an outcome that may be partial.
func (st State) measurement(it Iteration, point int, o functions.Outcome) measuredData {
	d := measuredData{Of: it.ID, Point: point, Cost: eventlog.Float(o.Cost), Failed: o.Reason, Note: o.Note,
		Block: o.Block}
	if o.At != nil {
		d.At = eventlog.Cast[eventlog.Float](o.At)
	}
	for k, v := range o.Values {
		if !anyKnown([]float64{v}) {
			continue
		}
		name := st.Problem.Outputs()[k].Name
		if d.Y == nil {
			d.Y = map[string]eventlog.Float{}
		}
		d.Y[name] = eventlog.Float(v)
		if o.SE != nil && anyKnown(o.SE[k:k+1]) {
			if d.SE == nil {
				d.SE = map[string]eventlog.Float{}
			}
			d.SE[name] = eventlog.Float(o.SE[k])
		}
	}
	return d
}

// observation is the record of the outcomes of a suggestion. The truth of a test function is always computed, for any
// evaluator.
func (st State) observation(it Iteration, outcomes []functions.Outcome) (observedData, error) {
	var d observedData
	if len(outcomes) != len(it.Points) {
		return d, fmt.Errorf("there are outcomes of %s for %s", numfmt.Count(len(outcomes), "point"),
			numfmt.Count(len(it.Points), "pending point"))
	}
	some := func(has func(functions.Outcome) bool) bool { return slices.ContainsFunc(outcomes, has) }
	costly := st.Problem.Cost != nil || some(func(o functions.Outcome) bool { return o.Cost != 0 })
	explained := some(func(o functions.Outcome) bool { return o.Reason != "" })
	measured := some(func(o functions.Outcome) bool { return o.SE != nil })
	noted := some(func(o functions.Outcome) bool { return o.Note != "" })
	blocked := some(func(o functions.Outcome) bool { return st.BlockFor(it, o.Block) != "" })
	moved := some(func(o functions.Outcome) bool { return o.At != nil })
	for i, pt := range it.Points {
		o, err := st.Problem.NormalizeOutcome(pt.X, outcomes[i])
		if err != nil {
			return d, err
		}
		if o.At != nil {
			pt.X = o.At
		}
		if st.Problem.Truth != nil && o.Truth == nil {
			o.Truth, err = st.Problem.TrueValues(pt.X)
			if err != nil {
				return d, err
			}
		}
		d.Y, d.Failed = append(d.Y, eventlog.Cast[eventlog.Float](o.Values)),
			append(d.Failed, !functions.Finite(o.Values))
		if o.Truth != nil {
			d.Truth = append(d.Truth, eventlog.Cast[eventlog.Float](o.Truth))
		}
		if costly {
			d.Cost = append(d.Cost, eventlog.Float(o.Cost))
		}
		if explained {
			d.Reasons = append(d.Reasons, o.Reason)
		}
		if measured {
			d.SE = append(d.SE, eventlog.Cast[eventlog.Float](o.SE))
		}
		if noted {
			d.Notes = append(d.Notes, o.Note)
		}
		if blocked {
			d.Blocks = append(d.Blocks, st.BlockFor(it, o.Block))
		}
		if moved {
			d.At = append(d.At, eventlog.Cast[eventlog.Float](o.At))
		}
	}
	if len(d.Truth) < len(it.Points) {
		d.Truth = nil
	}
	return d, nil
}

// ByImport is the value of By for an observation from before the session.
const ByImport = "import"

// Record records points with their results, which no method suggested: by a person (ByPerson), or observed before the
// session (ByImport). They are one iteration, which is pending if an outcome is partial. The same point again is a
// replicate.
func (s *Session) Record(author string, x [][]float64, outcomes ...functions.Outcome) (Iteration, error) {
	if len(x) == 0 {
		return Iteration{}, errors.New("there is no point to record")
	}
	it := Iteration{Points: pointsAt(x, nil, nil, nil), By: author}
	st := s.State()
	for _, row := range x {
		if err := st.Problem.Domain.Check(row); err != nil {
			return Iteration{}, err
		}
	}
	results, err := st.reportEntries(it, outcomes)
	if err != nil {
		return Iteration{}, err
	}
	e, err := s.rec.Act(func() ([]recorder.Entry, error) {
		if s.rec.State().Problem != st.Problem {
			return nil, recorder.ErrMoved
		}
		return append([]recorder.Entry{s.suggestionEntry(it)}, results...), nil
	})
	if err != nil {
		return Iteration{}, err
	}
	st = s.stateAt(e)
	it, _, err = st.IterationByNumber(st.suggestionCount)
	return it, err
}
