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
	// the measurements at each update from the start of the run, a value for each column of the lab; must not be
	// changed
	Trace  [][]float64
	Total  int    // updates of the whole training
	Failed string // why the training diverged and has no next update; empty otherwise
	// must not be changed, only copied; nil unless the state comes from Session.StateWithModels
	Model Model

	stages []Stage
	used   *int // used length of the array of Trace, see recorder.AppendShared
}

// Ended says why a run has no next update; it is empty if there is one.
func (r Run) Ended() string {
	switch {
	case r.Failed != "":
		return r.Failed
	case len(r.Trace) >= r.Total:
		return fmt.Sprintf("all %d updates are done", r.Total)
	}
	return ""
}

// Last is the last measured value of a column up to an update, and its update, 0 if there is none.
func (r Run) Last(column, until int) (v float64, update int) {
	for update = min(until, len(r.Trace)); update > 0; update-- {
		v = r.Trace[update-1][column]
		if !math.IsNaN(v) {
			return v, update
		}
	}
	return math.NaN(), 0
}

// State is the state of a session.
type State struct {
	recorder.Place
	Spec   *Spec
	Step   int    // updates done, of the run with the most
	Total  int    // updates of the whole training
	Runs   []Run  // one or two
	Branch string // its name; empty if it has none

	cols []int // the column of each value in a recorded row, −1 for none
}

// Ended says why no run has a next update; it is empty if one has.
func (st State) Ended() string {
	for _, r := range st.Runs {
		if r.Ended() == "" {
			return ""
		}
	}
	return st.Runs[0].Ended()
}

// Title is one line with the lab, the seed and the changed parameters.
func (st State) Title() string {
	text := fmt.Sprintf("lab %s · seed %s", st.Spec.Name, numfmt.Exact(float64(st.Runs[0].Params.Int(st.Spec.Seed))))
	if changed := DescribeChanges(st.Spec.Defaults(), st.Runs[0].Params); changed != "" {
		text += " · " + changed
	}
	if len(st.Runs) > 1 {
		text += " · second run " + DescribeChanges(st.Runs[0].Params, st.Runs[1].Params)
	}
	return text
}

// DescribeChanges lists the parameters that differ between two sets of the same lab, as key=value; it is empty if none
// does.
func DescribeChanges(from, target param.Set) (text string) {
	for _, d := range target.Decls() {
		if v := target.Value(d.Key); v != from.Value(d.Key) {
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
	update := len(r.Trace)
	stages := slices.Clone(r.stages)
	if stages[len(stages)-1].At == update {
		stages = stages[:len(stages)-1]
	}
	r.Params, r.stages = p, append(stages, NewStage(update, p))
	return r
}

// plans are the plans of the runs.
func (st State) plans() []Plan {
	list := make([]Plan, len(st.Runs))
	for i, r := range st.Runs {
		list[i] = Plan{Stages: r.stages, Updates: len(r.Trace), Failed: r.Failed != ""}
	}
	return list
}

// updateTotals sets Step and the totals from the runs.
func (st *State) updateTotals() {
	st.Step, st.Total = 0, 0
	for i := range st.Runs {
		r := &st.Runs[i]
		r.Total = st.Spec.TotalUpdates(r.Params)
		st.Step, st.Total = max(st.Step, len(r.Trace)), max(st.Total, r.Total)
	}
}
