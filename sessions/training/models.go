package training

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/semaphore"

	"bandscope/functions/training"
	"bandscope/optimizers/param"
	"bandscope/sessions"
)

// The snapshots of models that are kept so that going back does not train from the beginning: one every so many
// updates, and the newest, within a bound of memory.
const (
	snapshotEvery = 20
	snapshotBytes = 64 << 20
)

// Stage is a part of a training with the same parameters.
type Stage struct {
	At     int // updates before it
	Params param.Set
	text   string // of the parameters: equal ones have equal texts
}

// NewStage is one that begins after so many updates.
func NewStage(at int, p param.Set) Stage {
	text, err := json.Marshal(p)
	if err != nil {
		panic("models: " + err.Error()) // numbers are finite, by their ranges
	}
	return Stage{at, p, string(text)}
}

// Course is a training as it was decided, and how far it is.
type Course struct {
	Stages []Stage // the first of them before any update; none begins after Done
	Done   int     // updates
	Failed bool    // it diverged: there is no next one
}

// params are those now.
func (c Course) params() param.Set { return c.Stages[len(c.Stages)-1].Params }

// Result is what came of training a course on.
type Result struct {
	Rows   [][]float64 // what was measured at each update
	Failed string      // why there is no next one; empty otherwise
}

// Models are the trainings of a lab that were needed last: each a function of the stages before its last update, and
// kept as long as there is room. Its methods may be called from several goroutines; whoever trains takes turns.
type Models struct {
	lab   *Lab
	slot  *semaphore.Weighted // of whoever trains
	room  int                 // in bytes
	every int

	mu    sync.Mutex
	kept  []snapshot // what was used last at the end
	bytes int
}

// snapshot is a model, which is never stepped or changed again, with the stages that it has gone through.
type snapshot struct {
	stages []Stage
	model  Model
	bytes  int
}

// NewModels are those of a lab, none of them trained yet.
func NewModels(l *Lab) *Models {
	return &Models{lab: l, slot: semaphore.NewWeighted(1), room: snapshotBytes, every: snapshotEvery}
}

// Use does what trains, one at a time: Train and At are called within it.
func (t *Models) Use(ctx context.Context, do func() error) error {
	if err := t.slot.Acquire(ctx, 1); err != nil {
		return err
	}
	defer t.slot.Release(1)
	return do()
}

// leadsTo reports whether the snapshot lies on the way to so many updates of a course.
func (sn snapshot) leadsTo(stages []Stage, step int) bool {
	k := len(sn.stages)
	if k > len(stages) || sn.model.At() > step || k < len(stages) && stages[k].At < sn.model.At() {
		return false
	}
	for i, s := range sn.stages {
		if s.At != stages[i].At || s.text != stages[i].text {
			return false
		}
	}
	return true
}

// nearest is the farthest snapshot on the way to so many updates; ok is false where there is none.
func (t *Models) nearest(stages []Stage, step int) (best snapshot, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := -1
	for i, sn := range t.kept {
		if sn.leadsTo(stages, step) && (at < 0 || sn.model.At() > best.model.At() ||
			sn.model.At() == best.model.At() && len(sn.stages) > len(best.stages)) {
			best, at = sn, i
		}
	}
	if at >= 0 { // it was used now
		t.kept = append(slices.Delete(t.kept, at, at+1), best)
	}
	return best, at >= 0
}

// Keep keeps a model, which is not to be stepped any more, with the stages that it has gone through, and forgets others
// where there is no room: of those between the regular ones first, of either the one that was used longest ago.
func (t *Models) Keep(stages []Stage, m Model) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, sn := range t.kept {
		if sn.model.At() == m.At() && len(sn.stages) == len(stages) && sn.leadsTo(stages, m.At()) {
			return
		}
	}
	sn := snapshot{stages: slices.Clip(stages), model: m, bytes: m.Bytes()}
	t.kept, t.bytes = append(t.kept, sn), t.bytes+sn.bytes
	for t.bytes > t.room && len(t.kept) > 1 {
		old := slices.IndexFunc(t.kept[:len(t.kept)-1], func(sn snapshot) bool { return sn.model.At()%t.every != 0 })
		old = max(old, 0)
		t.bytes -= t.kept[old].bytes
		t.kept = slices.Delete(t.kept, old, old+1)
	}
}

// At is the model of a course where that stands. It is kept, and is only to be read.
func (t *Models) At(ctx context.Context, c Course, progress sessions.Progress) (Model, error) {
	step := c.Done
	sn, ok := t.nearest(c.Stages, step)
	if ok && sn.model.At() == step && len(sn.stages) == len(c.Stages) {
		return sn.model, nil
	}
	m, k, err := t.from(sn, ok, c.Stages)
	if err != nil {
		return nil, err
	}
	for first := m.At(); ; {
		for ; k < len(c.Stages) && c.Stages[k].At == m.At(); k++ {
			if err := m.Change(c.Stages[k].Params); err != nil {
				return nil, err
			}
		}
		if m.At() >= step {
			t.Keep(c.Stages, m)
			return m, nil
		}
		if m.At()%t.every == 0 {
			t.Keep(c.Stages[:k], m.Copy())
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if progress != nil {
			progress("training again", m.At()-first, step-first)
		}
		if err := m.Step(); err != nil {
			return nil, fmt.Errorf("update %d of the record cannot be trained again: %w", m.At()+1, err)
		}
	}
}

// from is a model that may be stepped, with how many stages it has gone through: a copy of a snapshot, or one from the
// beginning.
func (t *Models) from(sn snapshot, ok bool, stages []Stage) (Model, int, error) {
	if ok {
		return sn.model.Copy(), len(sn.stages), nil
	}
	m, err := t.lab.Begin(stages[0].Params)
	return m, 1, err
}

// Train trains courses so many updates more than the farthest of them has, in lockstep, and returns what was measured,
// also when the context ends.
func (t *Models) Train(ctx context.Context, courses []Course, n int, progress sessions.Progress) (results []Result,
	err error) {
	results = make([]Result, len(courses))
	models, to := make([]Model, len(courses)), make([]int, len(courses))
	farthest, left := 0, 0
	for _, c := range courses {
		farthest = max(farthest, c.Done)
	}
	for i, c := range courses {
		if to[i] = min(farthest+n, t.lab.Of(c.params())); c.Failed || to[i] <= c.Done {
			continue
		}
		m, err := t.At(ctx, c, progress)
		if err != nil {
			return nil, err
		}
		models[i] = m.Copy()
		left += to[i] - c.Done
	}
	for done := 0; ; done++ {
		i := behind(models)
		if i < 0 {
			return results, nil
		}
		if err = ctx.Err(); err != nil {
			t.keepAll(courses, models)
			return results, err
		}
		if progress != nil {
			progress("training", done, left)
		}
		ended, err := t.update(courses[i], models[i], to[i], &results[i])
		if ended || err != nil {
			models[i] = nil
		}
		if err != nil {
			t.keepAll(courses, models)
			return results, fmt.Errorf("update %d: %w", courses[i].Done+len(results[i].Rows)+1, err)
		}
	}
}

// update does one update of a course, and tells whether it was the last of those that are wanted, or of all as the
// training diverged.
func (t *Models) update(c Course, m Model, to int, r *Result) (ended bool, err error) {
	diverged := (*training.Diverged)(nil)
	if err := m.Step(); errors.As(err, &diverged) {
		r.Failed = diverged.Error()
		return true, nil
	} else if err != nil {
		return false, err
	}
	r.Rows = append(r.Rows, m.Row())
	switch ended = m.At() >= to; {
	case ended:
		t.Keep(c.Stages, m)
	case m.At()%t.every == 0:
		t.Keep(c.Stages, m.Copy())
	}
	return ended, nil
}

// behind is the model that is to be stepped next, the one that is farthest behind; −1 where there is none.
func behind(models []Model) int {
	least := -1
	for i, m := range models {
		if m != nil && (least < 0 || m.At() < models[least].At()) {
			least = i
		}
	}
	return least
}

// keepAll keeps the models of what was cancelled.
func (t *Models) keepAll(courses []Course, models []Model) {
	for i, m := range models {
		if m != nil {
			t.Keep(courses[i].Stages, m)
		}
	}
}
