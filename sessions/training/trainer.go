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
	checkpointEvery    = 20
	maxCheckpointBytes = 64 << 20
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

// Plan is a training as it was decided, and how far it is.
type Plan struct {
	Stages  []Stage // the first of them before any update; none begins after Done
	Updates int     // updates
	Failed  bool    // it diverged: there is no next one
}

// params are those now.
func (c Plan) params() param.Set { return c.Stages[len(c.Stages)-1].Params }

// Result is what came of training a course on.
type Result struct {
	Rows   [][]float64 // what was measured at each update
	Failed string      // why there is no next one; empty otherwise
}

// Trainer are the trainings of a lab that were needed last: each a function of the stages before its last update, and
// kept as long as there is room. Its methods may be called from several goroutines; whoever trains takes turns.
type Trainer struct {
	spec     *Spec
	slot     *semaphore.Weighted // of whoever trains
	maxBytes int                 // in bytes
	every    int

	mu          sync.Mutex
	checkpoints []checkpoint // what was used last at the end
	bytes       int
}

// checkpoint is a model, which is never stepped or changed again, with the stages that it has gone through.
type checkpoint struct {
	stages []Stage
	model  Model
	bytes  int
}

// NewTrainer are those of a lab, none of them trained yet.
func NewTrainer(l *Spec) *Trainer {
	return &Trainer{spec: l, slot: semaphore.NewWeighted(1), maxBytes: maxCheckpointBytes, every: checkpointEvery}
}

// Exclusive does what trains, one at a time: Train and At are called within it.
func (t *Trainer) Exclusive(ctx context.Context, do func() error) error {
	if err := t.slot.Acquire(ctx, 1); err != nil {
		return err
	}
	defer t.slot.Release(1)
	return do()
}

// leadsTo reports whether the snapshot lies on the way to so many updates of a course.
func (sn checkpoint) leadsTo(stages []Stage, step int) bool {
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
func (t *Trainer) nearest(stages []Stage, step int) (best checkpoint, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := -1
	for i, sn := range t.checkpoints {
		if sn.leadsTo(stages, step) && (at < 0 || sn.model.At() > best.model.At() ||
			sn.model.At() == best.model.At() && len(sn.stages) > len(best.stages)) {
			best, at = sn, i
		}
	}
	if at >= 0 { // it was used now
		t.checkpoints = append(slices.Delete(t.checkpoints, at, at+1), best)
	}
	return best, at >= 0
}

// AddCheckpoint keeps a model, which is not to be stepped any more, with the stages that it has gone through, and
// forgets others where there is no room: of those between the regular ones first, of either the one that was used
// longest ago.
func (t *Trainer) AddCheckpoint(stages []Stage, m Model) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, sn := range t.checkpoints {
		if sn.model.At() == m.At() && len(sn.stages) == len(stages) && sn.leadsTo(stages, m.At()) {
			return
		}
	}
	sn := checkpoint{stages: slices.Clip(stages), model: m, bytes: m.Bytes()}
	t.checkpoints, t.bytes = append(t.checkpoints, sn), t.bytes+sn.bytes
	for t.bytes > t.maxBytes && len(t.checkpoints) > 1 {
		old := slices.IndexFunc(t.checkpoints[:len(t.checkpoints)-1], func(sn checkpoint) bool {
			return sn.model.At()%t.every != 0
		})
		old = max(old, 0)
		t.bytes -= t.checkpoints[old].bytes
		t.checkpoints = slices.Delete(t.checkpoints, old, old+1)
	}
}

// ModelAt is the model of a course where that stands. It is kept, and is only to be read.
func (t *Trainer) ModelAt(ctx context.Context, c Plan, progress sessions.Progress) (Model, error) {
	step := c.Updates
	sn, ok := t.nearest(c.Stages, step)
	if ok && sn.model.At() == step && len(sn.stages) == len(c.Stages) {
		return sn.model, nil
	}
	m, k, err := t.startModel(sn, ok, c.Stages)
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
			t.AddCheckpoint(c.Stages, m)
			return m, nil
		}
		if m.At()%t.every == 0 {
			t.AddCheckpoint(c.Stages[:k], m.Copy())
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

// startModel is a model that may be stepped, with how many stages it has gone through: a copy of a snapshot, or one
// from the beginning.
func (t *Trainer) startModel(sn checkpoint, ok bool, stages []Stage) (Model, int, error) {
	if ok {
		return sn.model.Copy(), len(sn.stages), nil
	}
	m, err := t.spec.Begin(stages[0].Params)
	return m, 1, err
}

// Train trains courses so many updates more than the farthest of them has, in lockstep, and returns what was measured,
// also when the context ends.
func (t *Trainer) Train(ctx context.Context, courses []Plan, n int, progress sessions.Progress) (results []Result,
	err error) {
	results = make([]Result, len(courses))
	models, to := make([]Model, len(courses)), make([]int, len(courses))
	farthest, left := 0, 0
	for _, c := range courses {
		farthest = max(farthest, c.Updates)
	}
	for i, c := range courses {
		if to[i] = min(farthest+n, t.spec.TotalUpdates(c.params())); c.Failed || to[i] <= c.Updates {
			continue
		}
		m, err := t.ModelAt(ctx, c, progress)
		if err != nil {
			return nil, err
		}
		models[i] = m.Copy()
		left += to[i] - c.Updates
	}
	for done := 0; ; done++ {
		i := slowest(models)
		if i < 0 {
			return results, nil
		}
		if err = ctx.Err(); err != nil {
			t.addCheckpoints(courses, models)
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
			t.addCheckpoints(courses, models)
			return results, fmt.Errorf("update %d: %w", courses[i].Updates+len(results[i].Rows)+1, err)
		}
	}
}

// update does one update of a course, and tells whether it was the last of those that are wanted, or of all as the
// training diverged.
func (t *Trainer) update(c Plan, m Model, to int, r *Result) (ended bool, err error) {
	diverged := (*training.DivergenceError)(nil)
	if err := m.Step(); errors.As(err, &diverged) {
		r.Failed = diverged.Error()
		return true, nil
	} else if err != nil {
		return false, err
	}
	r.Rows = append(r.Rows, m.Row())
	switch ended = m.At() >= to; {
	case ended:
		t.AddCheckpoint(c.Stages, m)
	case m.At()%t.every == 0:
		t.AddCheckpoint(c.Stages, m.Copy())
	}
	return ended, nil
}

// slowest is the model that is to be stepped next, the one that is farthest slowest; −1 where there is none.
func slowest(models []Model) int {
	least := -1
	for i, m := range models {
		if m != nil && (least < 0 || m.At() < models[least].At()) {
			least = i
		}
	}
	return least
}

// addCheckpoints keeps the models of what was cancelled.
func (t *Trainer) addCheckpoints(courses []Plan, models []Model) {
	for i, m := range models {
		if m != nil {
			t.AddCheckpoint(courses[i].Stages, m)
		}
	}
}
