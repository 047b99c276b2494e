package training

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/semaphore"

	"bandscope/functions/trainer"
	"bandscope/optimizers/param"
	"bandscope/sessions"
)

// The checkpoints of models, so that going back does not train from the start: one every checkpointEvery updates and
// the newest, of at most maxCheckpointBytes together.
const (
	checkpointEvery    = 20
	maxCheckpointBytes = 64 << 20
)

// Stage is a part of a training with the same parameters.
type Stage struct {
	At     int // updates before it
	Params param.Set
	text   string // of the parameters; equal parameters have equal texts
}

// NewStage is a stage that starts after so many updates.
func NewStage(start int, p param.Set) Stage {
	text, err := json.Marshal(p)
	if err != nil {
		panic("models: " + err.Error()) // numbers are finite, by their ranges
	}
	return Stage{start, p, string(text)}
}

// Plan is the stages of a training, and the number of updates done.
type Plan struct {
	Stages  []Stage // the first starts at update 0; none starts after Updates
	Updates int     // updates done
	Failed  bool    // it diverged and has no next update
}

// params are the current parameters.
func (c Plan) params() param.Set { return c.Stages[len(c.Stages)-1].Params }

// Result is the result of training a plan further.
type Result struct {
	Rows   [][]float64 // the measurements at each update
	Failed string      // why there is no next update; empty otherwise
}

// Trainer trains the models of a lab and caches checkpoints of them; a model is a function of its stages and the number
// of updates. Its methods may be called from several goroutines; only one trains at a time.
type Trainer struct {
	spec     *Spec
	slot     *semaphore.Weighted // held while training
	maxBytes int                 // bound of the checkpoints, in bytes
	every    int

	mu          sync.Mutex
	checkpoints []checkpoint // the most recently used is last
	bytes       int
}

// checkpoint is a model, which is never stepped or changed again, with its stages.
type checkpoint struct {
	stages []Stage
	model  Model
	bytes  int
}

// NewTrainer is a trainer of a lab without checkpoints.
func NewTrainer(l *Spec) *Trainer {
	return &Trainer{spec: l, slot: semaphore.NewWeighted(1), maxBytes: maxCheckpointBytes, every: checkpointEvery}
}

// Exclusive runs do, one at a time: Train and ModelAt must be called within it.
func (t *Trainer) Exclusive(ctx context.Context, do func() error) error {
	if err := t.slot.Acquire(ctx, 1); err != nil {
		return err
	}
	defer t.slot.Release(1)
	return do()
}

// leadsTo reports whether training the checkpoint further leads to so many updates of these stages.
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

// nearest is the latest checkpoint that leads to so many updates; ok is false if there is none.
func (t *Trainer) nearest(stages []Stage, step int) (best checkpoint, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	index := -1
	for i, sn := range t.checkpoints {
		if sn.leadsTo(stages, step) && (index < 0 || sn.model.At() > best.model.At() ||
			sn.model.At() == best.model.At() && len(sn.stages) > len(best.stages)) {
			best, index = sn, i
		}
	}
	if index >= 0 { // most recently used
		t.checkpoints = append(slices.Delete(t.checkpoints, index, index+1), best)
	}
	return best, index >= 0
}

// AddCheckpoint caches a model, which must not be stepped again, with its stages. If the checkpoints need too much
// memory, it evicts the least recently used ones, those between the regular ones first.
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

// ModelAt is the model of a plan after its updates. It is cached and must not be changed.
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
			progress("training the record again", m.At()-first, step-first)
		}
		if err := m.Step(); err != nil {
			return nil, fmt.Errorf("recorded update %d cannot be trained again: %w", m.At()+1, err)
		}
	}
}

// startModel is a model that may be stepped, with its number of stages: a copy of a checkpoint or, if ok is false, a
// new one.
func (t *Trainer) startModel(sn checkpoint, ok bool, stages []Stage) (Model, int, error) {
	if ok {
		return sn.model.Copy(), len(sn.stages), nil
	}
	m, err := t.spec.Begin(stages[0].Params)
	return m, 1, err
}

// Train trains plans in lockstep to n updates beyond the longest of them, and returns the measurements, also when the
// context ends.
func (t *Trainer) Train(ctx context.Context, courses []Plan, n int, progress sessions.Progress) (results []Result,
	err error) {
	results = make([]Result, len(courses))
	models, values := make([]Model, len(courses)), make([]int, len(courses))
	farthest, left := 0, 0
	for _, c := range courses {
		farthest = max(farthest, c.Updates)
	}
	for i, c := range courses {
		values[i] = min(farthest+n, t.spec.TotalUpdates(c.params()))
		if c.Failed || values[i] <= c.Updates {
			continue
		}
		m, err := t.ModelAt(ctx, c, progress)
		if err != nil {
			return nil, err
		}
		models[i] = m.Copy()
		left += values[i] - c.Updates
	}
	for done := 0; ; done++ {
		i := slowest(models)
		if i < 0 {
			return results, nil
		}
		err = ctx.Err()
		if err != nil {
			t.addCheckpoints(courses, models)
			return results, err
		}
		if progress != nil {
			progress("training", done, left)
		}
		ended, err := t.update(courses[i], models[i], values[i], &results[i])
		if ended || err != nil {
			models[i] = nil
		}
		if err != nil {
			t.addCheckpoints(courses, models)
			return results, fmt.Errorf("update %d: %w", courses[i].Updates+len(results[i].Rows)+1, err)
		}
	}
}

// update does one update of a plan. It reports whether this was the last requested update, or the training diverged.
func (t *Trainer) update(c Plan, m Model, last int, r *Result) (ended bool, err error) {
	diverged := (*trainer.DivergenceError)(nil)
	if err := m.Step(); errors.As(err, &diverged) {
		r.Failed = diverged.Error()
		return true, nil
	} else if err != nil {
		return false, err
	}
	r.Rows = append(r.Rows, m.Row())
	ended = m.At() >= last
	switch {
	case ended:
		t.AddCheckpoint(c.Stages, m)
	case m.At()%t.every == 0:
		t.AddCheckpoint(c.Stages, m.Copy())
	}
	return ended, nil
}

// slowest is the index of the model with the fewest updates, which is stepped next; −1 if there is none.
func slowest(models []Model) int {
	least := -1
	for i, m := range models {
		if m != nil && (least < 0 || m.At() < models[least].At()) {
			least = i
		}
	}
	return least
}

// addCheckpoints caches the models of a cancelled training.
func (t *Trainer) addCheckpoints(courses []Plan, models []Model) {
	for i, m := range models {
		if m != nil {
			t.AddCheckpoint(courses[i].Stages, m)
		}
	}
}
