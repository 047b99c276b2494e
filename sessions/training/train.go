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

// Step trains n updates of every run where the session stands, which is one place more on record; a run that is behind
// the other is trained as far first. If places are recorded ahead on this branch it goes on to the next of them.
// Cancelled, what was done is recorded. A training that diverges is recorded with its reason, and has no next update;
// where no run has one the error says why.
func (s *Session) Step(ctx context.Context, n int, progress sessions.Progress) (State, error) {
	if n < 1 {
		return s.State(), fmt.Errorf("a step is at least one update, got %d", n)
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

// train trains n updates more than those that the farthest run has, and records them.
func (s *Session) train(ctx context.Context, n int, progress sessions.Progress) (State, error) {
	var at *eventlog.Event
	var data trainedData
	failed := s.trainer.Exclusive(ctx, func() error {
		s.rec.Lock()
		closed, st := s.rec.Closed(), *s.rec.State()
		at = s.rec.At
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
			return at, []recorder.Entry{{Kind: kindTrained, Data: data}}, nil
		})
		failed = errors.Join(failed, err)
	}
	return s.State(), failed
}

// PrefetchNext trains the models of the next place on record again, so that Look has them once it is gone to.
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

// StateWithModels is the state with the models, which are trained again as far as no snapshot has them.
func (s *Session) StateWithModels(ctx context.Context, progress sessions.Progress) (State, error) {
	st := s.State()
	st.Runs = slices.Clone(st.Runs)
	err := s.trainer.Exclusive(ctx, func() (err error) {
		for i, c := range st.plans() {
			if st.Runs[i].Model, err = s.trainer.ModelAt(ctx, c, progress); err != nil {
				return err
			}
		}
		return nil
	})
	return st, err
}
