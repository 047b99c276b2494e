package lab

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"bandscope/optimizers/param"
	"bandscope/sessions/log"
)

// The kinds of event that change the state. An event of another kind changes nothing.
const (
	kindTrained = "trained"
	kindEdited  = "edited"
	kindLaid    = "laid"
	kindLifted  = "lifted"
	kindForked  = "forked"
	kindNoted   = "noted"
)

// change is the data of an event: what it makes of the fold of the events before it. Where it returns an error, the event cannot follow those.
type change interface {
	apply(f *fold, e *log.Event) error
}

// changes make the data of every kind of event.
var changes = map[string]func() change{
	kindTrained: func() change { return &trainedData{} },
	kindEdited:  func() change { return &editedData{} },
	kindLaid:    func() change { return &laidData{} },
	kindLifted:  func() change { return &liftedData{} },
	kindForked:  func() change { return &forkedData{} },
	kindNoted:   func() change { return &notedData{} },
}

// read reads the data of an event; nil of one that changes nothing.
func read(e *log.Event) (change, error) {
	of := changes[e.Kind]
	if of == nil {
		return nil, nil
	}
	c := of()
	return c, json.Unmarshal(e.Data, c)
}

// trainedData are updates that were done, of each run.
type trainedData struct {
	Runs []trainedRun `json:"runs"`
}

type trainedRun struct {
	Rows   [][]log.Float `json:"rows"`             // what was measured at each update, in the order of the header's columns; an empty row where none of it is on record
	Failed string        `json:"failed,omitempty"` // why there is no next one

	cast [][]float64 // the rows in the order of the lab's columns
}

func (d *trainedData) apply(f *fold, _ *log.Event) error {
	if len(d.Runs) != len(f.runs) {
		return fmt.Errorf("it tells of %d runs, there are %d", len(d.Runs), len(f.runs))
	}
	for i := range d.Runs {
		t, c := &d.Runs[i], &f.runs[i]
		if err := t.arrange(f.cols, len(f.lab.Columns)); err != nil {
			return err
		}
		if len(t.Rows) > 0 && c.failed != "" {
			return fmt.Errorf("run %d goes on after it diverged", i+1)
		}
		if n := len(c.rows) + len(t.Rows); n > f.lab.Of(c.params()) {
			return fmt.Errorf("run %d has %d updates, and at most %d are in it", i+1, n, f.lab.Of(c.params()))
		}
		c.rows = append(c.rows, t.cast...)
		if t.Failed != "" {
			c.failed = t.Failed
		}
	}
	return nil
}

// arrange puts the values of the rows where they belong, once.
func (t *trainedRun) arrange(cols []int, n int) error {
	if t.cast != nil {
		return nil
	}
	rows := make([][]float64, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = slices.Repeat([]float64{math.NaN()}, n)
		if len(row) == 0 {
			continue
		}
		if len(row) != len(cols) {
			return fmt.Errorf("a row has %d values, the header names %d columns", len(row), len(cols))
		}
		for k, to := range cols {
			if to >= 0 {
				rows[i][to] = float64(row[k])
			}
		}
	}
	t.cast = rows
	return nil
}

// thin leaves out the rows in which nothing is that is only measured now and then, but for the last of each run.
func (d *trainedData) thin(l *Lab) {
	var judged []int
	for k, c := range l.Columns {
		if c.Judged {
			judged = append(judged, k)
		}
	}
	if judged == nil {
		return
	}
	for _, r := range d.Runs {
		for i, row := range r.Rows[:max(len(r.Rows)-1, 0)] {
			if !slices.ContainsFunc(judged, func(k int) bool { return !math.IsNaN(float64(row[k])) }) {
				r.Rows[i] = []log.Float{}
			}
		}
	}
}

// editedData are parameters that have other values from here on.
type editedData struct {
	Run  int            `json:"run,omitempty"` // 0, or 1 for the one that is laid over it
	Set  map[string]any `json:"set"`
	Old  map[string]any `json:"old"`
	Anew bool           `json:"anew,omitempty"` // every run begins again
}

func (d *editedData) apply(f *fold, _ *log.Event) error {
	if d.Run < 0 || d.Run >= len(f.runs) {
		return fmt.Errorf("there is no run %d", d.Run+1)
	}
	p, err := f.runs[d.Run].params().WithAll(d.Set)
	if err != nil {
		return err
	}
	if !d.Anew {
		f.runs[d.Run] = f.runs[d.Run].change(p)
		return nil
	}
	runs := make([]course, len(f.runs))
	for i, c := range f.runs {
		runs[i] = begin(c.params())
	}
	runs[d.Run] = begin(p)
	f.runs = runs
	return nil
}

// laidData begin a second run.
type laidData struct {
	Params map[string]any `json:"params"` // all of them
}

func (d *laidData) apply(f *fold, _ *log.Event) error {
	if len(f.runs) > 1 {
		return fmt.Errorf("two runs are laid over each other already")
	}
	p, err := known(f.lab, d.Params)
	if err != nil {
		return err
	}
	f.runs = append(slices.Clip(f.runs), begin(p))
	return nil
}

// liftedData take the second run away.
type liftedData struct{}

func (d *liftedData) apply(f *fold, _ *log.Event) error {
	if len(f.runs) < 2 {
		return fmt.Errorf("there is no second run to be lifted")
	}
	f.runs = slices.Clip(f.runs[:1])
	return nil
}

// forkedData begin a branch.
type forkedData struct {
	Name string `json:"name"`
}

func (d *forkedData) apply(f *fold, _ *log.Event) error {
	f.branch = d.Name
	return nil
}

// known are parameters on record, without those that the lab does not declare any more.
func known(l *Lab, values map[string]any) (param.Set, error) {
	p := l.Defaults()
	kept := map[string]any{}
	for key, v := range values {
		if p.Has(key) {
			kept[key] = v
		}
	}
	return p.WithAll(kept)
}
