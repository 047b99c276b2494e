package sessions

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// kindMeasured is the kind of event that tells some of what came of a point: it stays out until the rest is told. Of an
// iteration that lacks the value of an objective which was added later, it tells that.
const kindMeasured = "measured"

var _ = register(kindMeasured, kind{fold: folded((*State).measured), then: State.settle})

type measuredData struct {
	// the id of the suggestion; absent where it is the latest one that is out
	Of     string                    `json:"of,omitempty"`
	Point  int                       `json:"point"`            // of its batch, from 0
	Y      map[string]eventlog.Float `json:"y,omitempty"`      // by the names of what is measured
	SE     map[string]eventlog.Float `json:"se,omitempty"`     // standard errors of them
	At     []eventlog.Float          `json:"at,omitempty"`     // where it was evaluated, if elsewhere than suggested
	Cost   eventlog.Float            `json:"cost,omitempty"`   //
	Failed string                    `json:"failed,omitempty"` // why it failed
	Note   string                    `json:"note,omitempty"`
	// of all that was told of the point before, which was wrong
	Instead bool   `json:"instead,omitempty"`
	Reason  string `json:"reason,omitempty"` // why that was
}

// measure folds some of what came of a point.
func (st *State) measured(d measuredData) error {
	i := len(st.Out) - 1
	if d.Of != "" {
		i = st.outAt(d.Of)
	}
	if i >= 0 {
		it := st.Out[i]
		if err := it.measure(st.Problem, d, true); err != nil {
			return err
		}
		st.Out = slices.Clone(st.Out) // earlier states keep theirs
		st.Out[i] = it
		return nil
	}
	i = slices.IndexFunc(st.Iterations, func(it Iteration) bool { return it.ID == d.Of })
	if i < 0 {
		return fmt.Errorf("it measures what was not suggested: %w", ErrNotOut)
	}
	if d.At != nil || d.Failed != "" || d.Cost != 0 || d.Instead {
		return fmt.Errorf("it tells more of step %d than what was missing", i+1)
	}
	list, used := recorder.Own(st.Iterations)
	if err := list[i].measure(st.Problem, d, false); err != nil {
		return err
	}
	st.Iterations, st.used = list, used
	st.model = st.Head
	return nil
}

// measure takes in some of what came of a point of the iteration. What the iteration shares with others stays.
func (it *Iteration) measure(p *functions.Problem, d measuredData, out bool) error {
	if d.Point < 0 || d.Point >= len(it.X) {
		return fmt.Errorf("it measures point %d of %d", d.Point+1, len(it.X))
	}
	it.begin(p)
	it.told++
	i, names := d.Point, objectiveNames(p)
	if d.Instead {
		it.Cost[i], it.Reasons[i], it.Notes[i] = 0, "", ""
		if it.Suggested != nil {
			if err := it.ranAt(p, i, it.Suggested[i]); err != nil {
				return err
			}
		}
		it.Y[i], it.SE[i], it.Missing[i] = nowhere(len(names)), nowhere(len(names)), slices.Clone(names)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Y)) {
		k := slices.Index(names, name)
		v, lacks := float64(d.Y[name]), slices.Index(it.Missing[i], name)
		switch {
		case k < 0:
			return didyoumean.Unknown("objective", name, names)
		case lacks < 0:
			return fmt.Errorf("%s: %w", name, ErrTold)
		case !functions.Finite([]float64{v}):
			return fmt.Errorf("%s is %g: %w", name, v, functions.ErrNotFinite)
		}
		it.Y[i][k] = v
		it.Missing[i] = slices.Delete(slices.Clone(it.Missing[i]), lacks, lacks+1)
		if se, ok := d.SE[name]; ok {
			it.SE[i][k] = float64(se)
		}
	}
	if d.At != nil {
		if err := it.ranAt(p, i, eventlog.Cast[float64](d.At)); err != nil {
			return err
		}
	}
	if d.Cost != 0 {
		it.Cost[i] = float64(d.Cost)
	}
	if d.Failed != "" {
		it.Reasons[i], it.Missing[i] = d.Failed, nil
	}
	it.Notes[i] = both(it.Notes[i], d.Note)
	it.Failed[i] = !functions.Finite(it.Y[i])
	if !out && !it.Waits() {
		it.Missing = nil
	}
	return nil
}

// begin makes room for what is told of the iteration point by point, all its own.
func (it *Iteration) begin(p *functions.Problem) {
	n, names := len(it.X), objectiveNames(p)
	if it.Y == nil {
		for range n {
			it.Y, it.SE, it.Missing = append(it.Y, nowhere(len(names))), append(it.SE, nil), append(it.Missing, names)
		}
		it.Cost, it.Failed = make([]float64, n), slices.Repeat([]bool{true}, n)
	}
	it.Y, it.SE = owned(it.Y, n), owned(it.SE, n)
	for i := range it.SE {
		if it.SE[i] == nil {
			it.SE[i] = nowhere(len(names))
		}
	}
	it.Missing, it.Cost, it.Failed = ofLength(it.Missing, n), ofLength(it.Cost, n), ofLength(it.Failed, n)
	it.Reasons, it.Notes = ofLength(it.Reasons, n), ofLength(it.Notes, n)
}

// ofLength is a copy of a list with n elements, of which those that it has not are zero.
func ofLength[T any](list []T, n int) []T {
	own := make([]T, n)
	copy(own, list)
	return own
}

// owned is a copy of n rows.
func owned(rows [][]float64, n int) [][]float64 {
	own := make([][]float64, n)
	for i, row := range rows {
		own[i] = slices.Clone(row)
	}
	return own
}

// nowhere are values of which none is known.
func nowhere(k int) []float64 { return slices.Repeat([]float64{math.NaN()}, k) }

// known reports whether any of some values is.
func known(values []float64) bool {
	return slices.ContainsFunc(values, func(v float64) bool { return !math.IsNaN(v) })
}

// both is what two notes say.
func both(a, b string) string {
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
	for _, o := range p.Measured() {
		names = append(names, o.Name)
	}
	return names
}

// part is what is told of a point of the iteration so far.
func (it Iteration) part(i int) functions.Outcome {
	o := functions.Outcome{Partial: true}
	if !it.Begun() {
		return o
	}
	o.Values, o.Cost, o.Reason, o.Note = it.Y[i], it.Cost[i], it.Reasons[i], it.Notes[i]
	if it.SE != nil && known(it.SE[i]) {
		o.SE = it.SE[i]
	}
	if it.Suggested != nil && !slices.Equal(it.X[i], it.Suggested[i]) {
		o.At = it.X[i]
	}
	o.Partial = it.Lacks(i)
	return o
}

// more is what is known of a point when something was told and more is told now. What was told already is ErrTold.
func more(p *functions.Problem, was, now functions.Outcome) (functions.Outcome, error) {
	if was.Reason != "" {
		return was, fmt.Errorf("that it failed (%s): %w", was.Reason, ErrTold)
	}
	if was.Values == nil {
		return now, nil
	}
	if functions.Finite(was.Values) && now.Reason != "" {
		return was, ErrTold
	}
	sum := now
	sum.Values = slices.Clone(was.Values)
	sum.SE = nowhere(len(was.Values))
	copy(sum.SE, was.SE)
	for k, v := range now.Values {
		switch {
		case math.IsNaN(v):
		case !math.IsNaN(was.Values[k]):
			return was, fmt.Errorf("%s: %w", p.Measured()[k].Name, ErrTold)
		default:
			sum.Values[k] = v
			if now.SE != nil {
				sum.SE[k] = now.SE[k]
			}
		}
	}
	if !known(sum.SE) {
		sum.SE = nil
	}
	if sum.At == nil {
		sum.At = was.At
	}
	if sum.Cost == 0 {
		sum.Cost = was.Cost
	}
	sum.Note = both(was.Note, now.Note)
	sum.Partial = now.Partial && now.Reason == "" && !functions.Finite(sum.Values)
	return sum, nil
}
