package sessions

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// kindMeasured is the kind of event that reports a part of the result of a point, which stays pending until the rest is
// reported; or a value of an objective that was added after the iteration.
const kindMeasured = "measured"

var _ = register(kindMeasured, kind{fold: recorder.FoldData((*State).measured), followUps: State.observeComplete})

type measuredData struct {
	// the id of the suggestion; absent for the latest pending one
	Of     string                    `json:"suggestion,omitempty"`
	Point  int                       `json:"point"`            // of its batch, from 0
	Y      map[string]eventlog.Float `json:"y,omitempty"`      // by the names of the outputs
	SE     map[string]eventlog.Float `json:"se,omitempty"`     // standard errors of them
	At     []eventlog.Float          `json:"x,omitempty"`      // where it was evaluated, if elsewhere than suggested
	Cost   eventlog.Float            `json:"cost,omitempty"`   //
	Failed string                    `json:"failed,omitempty"` // why it failed
	Note   string                    `json:"note,omitempty"`
	Block  string                    `json:"block,omitempty"`
	// it replaces all earlier reports of the point, which were wrong
	Instead bool   `json:"replaces,omitempty"`
	Reason  string `json:"reason,omitempty"` // why that was
}

// measure folds some values of a point.
func (st *State) measured(d measuredData) error {
	i := len(st.Pending) - 1
	if d.Of != "" {
		i = st.pendingIndex(d.Of)
	}
	if i >= 0 {
		it := st.Pending[i]
		if err := it.addPartialResult(st.Problem, d); err != nil {
			return err
		}
		it.ToldBy = st.author
		st.Pending = slices.Clone(st.Pending) // earlier states keep theirs
		st.Pending[i] = it
		return nil
	}
	i = slices.IndexFunc(st.Iterations, func(it Iteration) bool { return it.ID == d.Of })
	if i < 0 {
		return fmt.Errorf("the event reports a point that was not suggested: %w", ErrNotPending)
	}
	if d.At != nil || d.Failed != "" || d.Cost != 0 || d.Instead {
		return fmt.Errorf("the event reports more of step %d than the missing values", i+1)
	}
	list, used := recorder.CopyShared(st.Iterations)
	if err := list[i].addPartialResult(st.Problem, d); err != nil {
		return err
	}
	list[i].ToldBy = st.author
	st.Iterations, st.used = list, used
	st.modelID = st.Head
	return nil
}

// addPartialResult records some values of a point of the iteration. What the iteration shares with others stays.
func (it *Iteration) addPartialResult(p *functions.Problem, d measuredData) error {
	if d.Point < 0 || d.Point >= len(it.Points) {
		return fmt.Errorf("the event reports point %d of %d", d.Point+1, len(it.Points))
	}
	it.allocateResults(p)
	it.told++
	pt, names := &it.Points[d.Point], objectiveNames(p)
	if d.Instead {
		pt.Cost = 0
		pt.Reason = ""
		pt.Note = ""
		pt.Block = ""
		if pt.Suggested != nil {
			if err := pt.ranAt(p, pt.Suggested); err != nil {
				return err
			}
		}
		pt.Y = nanValues(len(names))
		pt.SE = nanValues(len(names))
		pt.Missing = slices.Clone(names)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Y)) {
		k := slices.Index(names, name)
		v, lacks := float64(d.Y[name]), slices.Index(pt.Missing, name)
		switch {
		case k < 0:
			return didyoumean.NewUnknownError("objective", name, names)
		case lacks < 0:
			return fmt.Errorf("%s: %w", name, ErrAlreadyTold)
		case !functions.Finite([]float64{v}):
			return fmt.Errorf("%s is %g: %w", name, v, functions.ErrNotFinite)
		}
		pt.Y[k] = v
		pt.Missing = slices.Delete(slices.Clone(pt.Missing), lacks, lacks+1)
		if se, ok := d.SE[name]; ok {
			pt.SE[k] = float64(se)
		}
	}
	if d.At != nil {
		if err := pt.ranAt(p, eventlog.Cast[float64](d.At)); err != nil {
			return err
		}
	}
	if d.Cost != 0 {
		pt.Cost = float64(d.Cost)
	}
	pt.Reason = cmp.Or(d.Failed, pt.Reason)
	if d.Failed != "" || len(pt.Missing) == 0 {
		pt.Missing = nil
	}
	pt.Note = joinNotes(pt.Note, d.Note)
	pt.Block = cmp.Or(d.Block, pt.Block)
	pt.Failed = !functions.Finite(pt.Y)
	return nil
}

// allocateResults allocates the results of the iteration for reports of single points, without sharing them.
func (it *Iteration) allocateResults(p *functions.Problem) {
	begun, names := it.HasResults(), objectiveNames(p)
	it.Points = slices.Clone(it.Points)
	for i := range it.Points {
		pt := &it.Points[i]
		pt.Y, pt.SE = slices.Clone(pt.Y), slices.Clone(pt.SE)
		if !begun {
			pt.Y = nanValues(len(names))
			pt.Missing = names
			pt.Failed = true
		}
		if pt.SE == nil {
			pt.SE = nanValues(len(names))
		}
	}
}

// nanValues are values of which none is known.
func nanValues(k int) []float64 { return slices.Repeat([]float64{math.NaN()}, k) }

// anyKnown reports whether any of some values is.
func anyKnown(values []float64) bool {
	return slices.ContainsFunc(values, func(v float64) bool { return !math.IsNaN(v) })
}

// joinNotes is what two notes say.
func joinNotes(a, b string) string {
	if a == "" || a == b {
		return b
	}
	if b == "" {
		return a
	}
	return a + "; " + b
}

// objectiveNames are the names of all that is measured: of the objectives, and of the limits behind them.
func objectiveNames(p *functions.Problem) []string {
	var names []string
	for _, o := range p.Outputs() {
		names = append(names, o.Name)
	}
	return names
}

// partialOutcome is the result of a point of the iteration that is reported so far.
func (it Iteration) partialOutcome(i int) functions.Outcome {
	o := functions.Outcome{Partial: true}
	if !it.HasResults() {
		return o
	}
	pt := it.Points[i]
	o.Values = pt.Y
	o.Cost = pt.Cost
	o.Reason = pt.Reason
	o.Note = pt.Note
	o.Block = pt.Block
	if anyKnown(pt.SE) {
		o.SE = pt.SE
	}
	if pt.Suggested != nil {
		o.At = pt.X
	}
	o.Partial = it.IncompleteAt(i)
	return o
}

// mergeOutcome merges an earlier report of a point and a new one. Values that are reported twice are ErrAlreadyTold.
func mergeOutcome(p *functions.Problem, was, now functions.Outcome) (functions.Outcome, error) {
	if was.Reason != "" {
		return was, fmt.Errorf("failure (%s): %w", was.Reason, ErrAlreadyTold)
	}
	if was.Values == nil {
		return now, nil
	}
	if functions.Finite(was.Values) && now.Reason != "" {
		return was, ErrAlreadyTold
	}
	sum := now
	sum.Values = slices.Clone(was.Values)
	sum.SE = nanValues(len(was.Values))
	copy(sum.SE, was.SE)
	for k, v := range now.Values {
		switch {
		case math.IsNaN(v):
		case !math.IsNaN(was.Values[k]):
			return was, fmt.Errorf("%s: %w", p.Outputs()[k].Name, ErrAlreadyTold)
		default:
			sum.Values[k] = v
			if now.SE != nil {
				sum.SE[k] = now.SE[k]
			}
		}
	}
	if !anyKnown(sum.SE) {
		sum.SE = nil
	}
	if sum.At == nil {
		sum.At = was.At
	}
	if sum.Cost == 0 {
		sum.Cost = was.Cost
	}
	sum.Note, sum.Block = joinNotes(was.Note, now.Note), cmp.Or(now.Block, was.Block)
	sum.Partial = now.Partial && now.Reason == "" && !functions.Finite(sum.Values)
	return sum, nil
}
