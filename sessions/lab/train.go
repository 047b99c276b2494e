package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/semaphore"

	"bandscope/functions/training"
	"bandscope/sessions"
	"bandscope/sessions/log"
)

// Step trains n updates of every run where the session stands, which is one place more on record; a run that is behind the other is trained as far first. If
// places are recorded ahead on this branch it goes on to the next of them. Cancelled, what was done is recorded. A training that diverges is recorded with its
// reason, and has no next update; where no run has one the error says why.
func (s *Session) Step(ctx context.Context, n int, progress sessions.Progress) (State, error) {
	if n < 1 {
		return s.State(), fmt.Errorf("a step is at least one update, got %d", n)
	}
	s.mu.Lock()
	if s.ahead() > 0 && !s.closed {
		s.forward()
		defer s.mu.Unlock()
		return s.told(), nil
	}
	st := s.state
	s.mu.Unlock()
	if ended := st.Ended(); ended != "" {
		return s.State(), errors.New(ended)
	}
	return s.train(ctx, n, progress)
}

// train trains n updates more than those that the farthest run has, and records them.
func (s *Session) train(ctx context.Context, n int, progress sessions.Progress) (State, error) {
	var at *log.Event
	var data trainedData
	failed := s.trainings.use(ctx, func() error {
		s.mu.Lock()
		if s.closed {
			s.mu.Unlock()
			return sessions.ErrClosed
		}
		at = s.at
		f, err := s.foldAt(at)
		s.mu.Unlock()
		if err == nil {
			data, err = s.trainings.train(ctx, f, n, progress)
		}
		return err
	})
	if slices.ContainsFunc(data.Runs, func(r trainedRun) bool { return len(r.Rows) > 0 || r.Failed != "" }) {
		failed = errors.Join(failed, s.act(func() (*log.Event, []entry, error) { return at, []entry{{kindTrained, data}}, nil }))
	}
	return s.State(), failed
}

// Look is the state with the models, which are trained again as far as no snapshot has them.
func (s *Session) Look(ctx context.Context, progress sessions.Progress) (State, error) {
	s.mu.Lock()
	st := s.told()
	f, err := s.foldAt(s.at)
	s.mu.Unlock()
	if err != nil {
		return st, err
	}
	st.Runs = slices.Clone(st.Runs)
	err = s.trainings.use(ctx, func() error {
		for i, c := range f.runs {
			if st.Runs[i].Model, err = s.trainings.at(ctx, c, progress); err != nil {
				return err
			}
		}
		return nil
	})
	return st, err
}

// The snapshots of models that are kept so that going back does not train from the beginning: one every so many updates, and the newest, within a bound of memory.
const (
	snapshotEvery = 20
	snapshotBytes = 64 << 20
)

// trainings are the models of a session: each a function of the stages before its last update, and kept as long as there is room.
type trainings struct {
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
	stages []stage
	model  Model
	bytes  int
}

func newTrainings(l *Lab) *trainings {
	return &trainings{lab: l, slot: semaphore.NewWeighted(1), room: snapshotBytes, every: snapshotEvery}
}

// use does what trains, one at a time.
func (t *trainings) use(ctx context.Context, do func() error) error {
	if err := t.slot.Acquire(ctx, 1); err != nil {
		return err
	}
	defer t.slot.Release(1)
	return do()
}

// leadsTo reports whether the snapshot lies on the way to so many updates of a course.
func (sn snapshot) leadsTo(stages []stage, step int) bool {
	k := len(sn.stages)
	if k > len(stages) || sn.model.At() > step || k < len(stages) && stages[k].at < sn.model.At() {
		return false
	}
	for i, s := range sn.stages {
		if s.at != stages[i].at || s.text != stages[i].text {
			return false
		}
	}
	return true
}

// nearest is the farthest snapshot on the way to so many updates; ok is false where there is none.
func (t *trainings) nearest(stages []stage, step int) (best snapshot, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := -1
	for i, sn := range t.kept {
		if sn.leadsTo(stages, step) && (at < 0 || sn.model.At() > best.model.At() || sn.model.At() == best.model.At() && len(sn.stages) > len(best.stages)) {
			best, at = sn, i
		}
	}
	if at >= 0 { // it was used now
		t.kept = append(slices.Delete(t.kept, at, at+1), best)
	}
	return best, at >= 0
}

// keep keeps a model, and forgets others where there is no room: of those between the regular ones first, of either the one that was used longest ago.
func (t *trainings) keep(stages []stage, m Model) {
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

// at is the model of a course where that stands. It is kept, and is only to be read.
func (t *trainings) at(ctx context.Context, c course, progress sessions.Progress) (Model, error) {
	step := len(c.rows)
	sn, ok := t.nearest(c.stages, step)
	if ok && sn.model.At() == step && len(sn.stages) == len(c.stages) {
		return sn.model, nil
	}
	m, k, err := t.from(sn, ok, c.stages)
	if err != nil {
		return nil, err
	}
	for first := m.At(); ; {
		for ; k < len(c.stages) && c.stages[k].at == m.At(); k++ {
			if err := m.Change(c.stages[k].params); err != nil {
				return nil, err
			}
		}
		if m.At() >= step {
			t.keep(c.stages, m)
			return m, nil
		}
		if m.At()%t.every == 0 {
			t.keep(c.stages[:k], m.Copy())
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

// from is a model that may be stepped, with how many stages it has gone through: a copy of a snapshot, or one from the beginning.
func (t *trainings) from(sn snapshot, ok bool, stages []stage) (Model, int, error) {
	if ok {
		return sn.model.Copy(), len(sn.stages), nil
	}
	m, err := t.lab.Begin(stages[0].params)
	return m, 1, err
}

// train trains every run of a fold so many updates more than the farthest of them has, in lockstep, and returns what was measured, also when the context ends.
func (t *trainings) train(ctx context.Context, f *fold, n int, progress sessions.Progress) (d trainedData, err error) {
	d.Runs = make([]trainedRun, len(f.runs))
	models, to := make([]Model, len(f.runs)), make([]int, len(f.runs))
	left := 0
	for i, c := range f.runs {
		d.Runs[i].Rows = [][]log.Float{}
		if to[i] = min(f.farthest()+n, f.lab.Of(c.params())); c.failed != "" || to[i] <= len(c.rows) {
			continue
		}
		m, err := t.at(ctx, c, progress)
		if err != nil {
			return trainedData{}, err
		}
		models[i] = m.Copy()
		left += to[i] - len(c.rows)
	}
	for done := 0; ; done++ {
		i := behind(models)
		if i < 0 {
			return d, nil
		}
		if err = ctx.Err(); err != nil {
			t.keepAll(f, models)
			return d, err
		}
		if progress != nil {
			progress("training", done, left)
		}
		m := models[i]
		if err := m.Step(); err != nil {
			diverged := (*training.Diverged)(nil)
			if !errors.As(err, &diverged) {
				models[i] = nil
				t.keepAll(f, models)
				return d, fmt.Errorf("update %d: %w", len(f.runs[i].rows)+len(d.Runs[i].Rows)+1, err)
			}
			d.Runs[i].Failed, models[i] = diverged.Error(), nil
			continue
		}
		d.Runs[i].Rows = append(d.Runs[i].Rows, log.Cast[log.Float](m.Row()))
		switch {
		case m.At() >= to[i]:
			t.keep(f.runs[i].stages, m)
			models[i] = nil
		case m.At()%t.every == 0:
			t.keep(f.runs[i].stages, m.Copy())
		}
	}
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
func (t *trainings) keepAll(f *fold, models []Model) {
	for i, m := range models {
		if m != nil {
			t.keep(f.runs[i].stages, m)
		}
	}
}
