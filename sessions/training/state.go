package training

import (
	"fmt"
	"math"
	"slices"

	"bandscope/functions/numfmt"
	"bandscope/optimizers/param"
	"bandscope/sessions/recorder"
)

// Run is one training of a session.
type Run struct {
	Params param.Set // as they are now
	// what was measured at each update from the run's beginning, a value for each of the lab's columns; it is not to be
	// changed
	Trace  [][]float64
	Total  int    // updates of the whole training
	Failed string // why there is no next update, as the training diverged; empty otherwise
	// only to be read, and Copy and Change and Step of a copy; nil unless Session.Look tells the state
	Model Model

	stages []Stage
	used   *int // of the array below Trace, as recorder.AppendShared has it
}

// Ended says why a run has no next update; empty where it has one.
func (r Run) Ended() string {
	switch {
	case r.Failed != "":
		return r.Failed
	case len(r.Trace) >= r.Total:
		return fmt.Sprintf("the training is at its end, update %d of %d", len(r.Trace), r.Total)
	}
	return ""
}

// Last is the value of a column that was measured last until an update, and that update; 0 where none was.
func (r Run) Last(column, until int) (v float64, at int) {
	for at = min(until, len(r.Trace)); at > 0; at-- {
		if v = r.Trace[at-1][column]; !math.IsNaN(v) {
			return v, at
		}
	}
	return math.NaN(), 0
}

// State is where a session stands.
type State struct {
	recorder.Place
	Spec   *Spec
	Step   int    // updates that were done, of the run that is farthest
	Total  int    // updates of the whole training
	Runs   []Run  // one, or two that are laid over each other
	Branch string // its name; empty where none was given

	cols []int // where the values of a row on record belong, −1 for nowhere
}

// Ended says why no run has a next update; empty where one has.
func (st State) Ended() string {
	for _, r := range st.Runs {
		if r.Ended() == "" {
			return ""
		}
	}
	return st.Runs[0].Ended()
}

// Title is one line that says what the session is about.
func (st State) Title() string {
	text := fmt.Sprintf("lab %s · seed %s", st.Spec.Name, numfmt.Exact(float64(st.Runs[0].Params.Int(st.Spec.Seed))))
	if changed := DescribeChanges(st.Spec.Defaults(), st.Runs[0].Params); changed != "" {
		text += " · " + changed
	}
	if len(st.Runs) > 1 {
		text += " · beside " + DescribeChanges(st.Runs[0].Params, st.Runs[1].Params)
	}
	return text
}

// DescribeChanges tells in what parameters differ from others of the same lab, as key=value; empty where they are the
// same.
func DescribeChanges(from, to param.Set) (text string) {
	for _, d := range to.Decls() {
		if v := to.Value(d.Key); v != from.Value(d.Key) {
			if text != "" {
				text += " "
			}
			text += d.Key + "=" + d.Format(v)
		}
	}
	return text
}

// begin is a training with these parameters before its first update.
func begin(p param.Set) Run { return Run{Params: p, stages: []Stage{NewStage(0, p)}} }

// change is the run with other parameters from here on.
func (r Run) change(p param.Set) Run {
	at := len(r.Trace)
	stages := slices.Clone(r.stages)
	if stages[len(stages)-1].At == at {
		stages = stages[:len(stages)-1]
	}
	r.Params, r.stages = p, append(stages, NewStage(at, p))
	return r
}

// plans are the runs as they are trained.
func (st State) plans() []Plan {
	list := make([]Plan, len(st.Runs))
	for i, r := range st.Runs {
		list[i] = Plan{Stages: r.stages, Updates: len(r.Trace), Failed: r.Failed != ""}
	}
	return list
}

// updateTotals says how far the runs are, and how far they go.
func (st *State) updateTotals() {
	st.Step, st.Total = 0, 0
	for i := range st.Runs {
		r := &st.Runs[i]
		r.Total = st.Spec.TotalUpdates(r.Params)
		st.Step, st.Total = max(st.Step, len(r.Trace)), max(st.Total, r.Total)
	}
}
