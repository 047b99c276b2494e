package training

import (
	"fmt"
	"math"
	"slices"

	"bandscope/optimizers/param"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// The kinds of event that change the state, in addition to recorder.KindForked. An event of another kind changes
// nothing.
const (
	kindTrained    = "trained"
	kindEdited     = "edited"
	kindRunAdded   = "added"
	kindRunRemoved = "removed"
)

// folds are the folds of all kinds of event.
var folds = recorder.Folds[State]{
	kindTrained:         recorder.FoldData((*State).train),
	kindEdited:          recorder.FoldData((*State).edit),
	kindRunAdded:        recorder.FoldData((*State).addRun),
	kindRunRemoved:      recorder.FoldData((*State).removeRun),
	recorder.KindForked: recorder.FoldData((*State).fork),
}

// fold is the state after an event.
func fold(st State, e *eventlog.Event) (State, error) {
	st.Head = e.ID
	st.Runs = slices.Clone(st.Runs) // earlier states share the old slice
	err := folds.Apply(&st, e)
	st.updateTotals()
	return st, err
}

// trainedData are the updates of each run in a step.
type trainedData struct {
	Runs []trainedRun `json:"runs"`
}

type trainedRun struct {
	// the measurements at each update, in the order of the header's columns; empty rows for updates whose measurements
	// are not recorded
	Rows   [][]eventlog.Float `json:"rows"`
	Failed string             `json:"failed,omitempty"` // why there is no next update
}

func (st *State) train(d trainedData) error {
	if len(d.Runs) != len(st.Runs) {
		return fmt.Errorf("it has %d runs, but the session has %d", len(d.Runs), len(st.Runs))
	}
	for i, t := range d.Runs {
		r := &st.Runs[i]
		rows, err := t.reorder(st.cols, len(st.Spec.Columns))
		if err != nil {
			return err
		}
		if len(rows) > 0 && r.Failed != "" {
			return fmt.Errorf("run %d has updates after it diverged", i+1)
		}
		if n := len(r.Trace) + len(rows); n > r.Total {
			return fmt.Errorf("run %d has %d updates; the maximum is %d", i+1, n, r.Total)
		}
		r.Trace, r.used = recorder.AppendShared(r.Trace, r.used, rows...)
		if t.Failed != "" {
			r.Failed = t.Failed
		}
	}
	return nil
}

// reorder are the rows in the order of the lab's n columns.
func (t trainedRun) reorder(cols []int, n int) ([][]float64, error) {
	rows := make([][]float64, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = slices.Repeat([]float64{math.NaN()}, n)
		if len(row) == 0 {
			continue
		}
		if len(row) != len(cols) {
			return nil, fmt.Errorf("a row has %d values, but the header names %d columns", len(row), len(cols))
		}
		for k, column := range cols {
			if column >= 0 {
				rows[i][column] = float64(row[k])
			}
		}
	}
	return rows, nil
}

// thin empties the rows without validation measurements, except the last row of each run.
func (d *trainedData) thin(l *Spec) {
	var judged []int
	for k, c := range l.Columns {
		if c.Validation {
			judged = append(judged, k)
		}
	}
	if judged == nil {
		return
	}
	for _, r := range d.Runs {
		for i, row := range r.Rows[:max(len(r.Rows)-1, 0)] {
			if !slices.ContainsFunc(judged, func(k int) bool { return !math.IsNaN(float64(row[k])) }) {
				r.Rows[i] = []eventlog.Float{}
			}
		}
	}
}

// editedData are new values of parameters from here on.
type editedData struct {
	Run     int            `json:"run,omitempty"` // 0, or 1 for the second run
	Set     map[string]any `json:"set"`
	Old     map[string]any `json:"old"`
	Restart bool           `json:"restart,omitempty"` // every run restarts
}

func (st *State) edit(d editedData) error {
	if d.Run < 0 || d.Run >= len(st.Runs) {
		return fmt.Errorf("there is no run %d", d.Run+1)
	}
	p, err := st.Runs[d.Run].Params.WithAll(d.Set)
	if err != nil {
		return err
	}
	if !d.Restart {
		st.Runs[d.Run] = st.Runs[d.Run].change(p)
		return nil
	}
	for i, r := range st.Runs {
		st.Runs[i] = begin(r.Params)
	}
	st.Runs[d.Run] = begin(p)
	return nil
}

// addRunData adds a second run.
type addRunData struct {
	Params map[string]any `json:"params"` // the values of all parameters
}

func (st *State) addRun(d addRunData) error {
	if len(st.Runs) > 1 {
		return fmt.Errorf("there are two runs already")
	}
	p, err := knownParams(st.Spec, d.Params)
	if err != nil {
		return err
	}
	st.Runs = append(st.Runs, begin(p))
	return nil
}

// removeRunData removes the second run.
type removeRunData struct{}

func (st *State) removeRun(_ removeRunData) error {
	if len(st.Runs) < 2 {
		return fmt.Errorf("there is no second run to remove")
	}
	st.Runs = st.Runs[:1]
	return nil
}

// forkedData starts a branch.
type forkedData struct {
	Name string `json:"name"`
}

func (st *State) fork(d forkedData) error {
	st.Branch = d.Name
	return nil
}

// knownParams are recorded parameters, without those that the lab no longer declares.
func knownParams(l *Spec, values map[string]any) (param.Set, error) {
	p := l.Defaults()
	known := map[string]any{}
	for key, v := range values {
		if p.Has(key) {
			known[key] = v
		}
	}
	return p.WithAll(known)
}
