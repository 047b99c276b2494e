package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
	failed := s.models.Use(ctx, func() error {
		s.mu.Lock()
		if s.closed {
			s.mu.Unlock()
			return sessions.ErrClosed
		}
		at = s.at
		f, err := s.foldAt(at)
		s.mu.Unlock()
		if err != nil {
			return err
		}
		results, err := s.models.Train(ctx, f.courses(), n, progress)
		for _, r := range results {
			data.Runs = append(data.Runs, trainedRun{Rows: log.CastRows[log.Float](r.Rows), Failed: r.Failed})
		}
		if s.thin {
			data.thin(s.lab)
		}
		return err
	})
	if slices.ContainsFunc(data.Runs, func(r trainedRun) bool { return len(r.Rows) > 0 || r.Failed != "" }) {
		failed = errors.Join(failed, s.act(func() (*log.Event, []entry, error) { return at, []entry{{kindTrained, data}}, nil }))
	}
	return s.State(), failed
}

// Prepare trains the models of the next place on record again, so that Look has them once it is gone to.
func (s *Session) Prepare(ctx context.Context) error {
	s.mu.Lock()
	next := s.next()
	if next == nil {
		s.mu.Unlock()
		return nil
	}
	f, err := s.foldAt(next)
	s.mu.Unlock()
	if err != nil {
		return err
	}
	return s.models.Use(ctx, func() error {
		for _, c := range f.courses() {
			if _, err := s.models.At(ctx, c, nil); err != nil {
				return err
			}
		}
		return nil
	})
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
	err = s.models.Use(ctx, func() error {
		for i, c := range f.courses() {
			if st.Runs[i].Model, err = s.models.At(ctx, c, progress); err != nil {
				return err
			}
		}
		return nil
	})
	return st, err
}
