package training

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// Step trains every run by n updates and records them as one step; a run that is behind the other first catches up. If
// the branch has later recorded steps, it goes to the next of them instead. If it is cancelled, it records the updates
// done. A training that diverges is recorded with the reason and has no next update; if no run has one, the error says
// why. If another program records meanwhile, Step trains again from there.
func (s *Session) Step(ctx context.Context, n int, progress sessions.Progress) (State, error) {
	if n < 1 {
		return s.State(), fmt.Errorf("a step needs at least 1 update, got %d", n)
	}
	for tries := 1; ; tries++ {
		st, err := s.step(ctx, n, progress)
		if !errors.Is(err, recorder.ErrMoved) || ctx.Err() != nil || tries == maxFollow {
			return st, err
		}
	}
}

// maxFollow bounds how often a step is trained again because another program recorded meanwhile.
const maxFollow = 10

// step is Step once.
func (s *Session) step(ctx context.Context, n int, progress sessions.Progress) (State, error) {
	if err := s.Refresh(); err != nil {
		return s.State(), err
	}
	s.rec.Lock()
	if s.ahead() > 0 && !s.rec.Closed() {
		s.rec.Forward()
		defer s.rec.Unlock()
		return s.snapshot(), nil
	}
	st := *s.rec.State()
	s.rec.Unlock()
	if ended := st.Ended(); ended != "" {
		return s.State(), errors.New(ended)
	}
	return s.train(ctx, n, progress)
}

// train trains all runs to n updates beyond the longest run, and records the updates.
func (s *Session) train(ctx context.Context, n int, progress sessions.Progress) (State, error) {
	var event *eventlog.Event
	var data trainedData
	failed := s.trainer.Exclusive(ctx, func() error {
		s.rec.Lock()
		closed, st := s.rec.Closed(), *s.rec.State()
		event = s.rec.At
		s.rec.Unlock()
		if closed {
			return recorder.ErrClosed
		}
		results, err := s.trainer.Train(ctx, st.plans(), n, progress)
		for _, r := range results {
			data.Runs = append(data.Runs, trainedRun{Rows: eventlog.CastRows[eventlog.Float](r.Rows), Failed: r.Failed})
		}
		if s.thin {
			data.thin(s.spec)
		}
		return err
	})
	if slices.ContainsFunc(data.Runs, func(r trainedRun) bool { return len(r.Rows) > 0 || r.Failed != "" }) {
		_, err := s.rec.ActAfter(func() (*eventlog.Event, []recorder.Entry, error) {
			if s.rec.MovedByOthers(event.ID) {
				return nil, nil, recorder.ErrMoved
			}
			return event, []recorder.Entry{{Kind: kindTrained, Data: data}}, nil
		})
		failed = errors.Join(failed, err)
	}
	return s.State(), failed
}

// PrefetchNext trains the models of the next recorded step again, so that StateWithModels is fast there.
func (s *Session) PrefetchNext(ctx context.Context) error {
	s.rec.Lock()
	next := s.rec.Next()
	if next == nil {
		s.rec.Unlock()
		return nil
	}
	st, err := s.rec.Fold(next)
	s.rec.Unlock()
	if err != nil {
		return err
	}
	return s.trainer.Exclusive(ctx, func() error {
		for _, c := range st.plans() {
			if _, err := s.trainer.ModelAt(ctx, c, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// StateWithModels is the current state with the models, which are trained again from the nearest checkpoint.
func (s *Session) StateWithModels(ctx context.Context, progress sessions.Progress) (State, error) {
	st := s.State()
	st.Runs = slices.Clone(st.Runs)
	err := s.trainer.Exclusive(ctx, func() (err error) {
		for i, c := range st.plans() {
			st.Runs[i].Model, err = s.trainer.ModelAt(ctx, c, progress)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return st, err
}
