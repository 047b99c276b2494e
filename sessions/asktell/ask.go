package asktell

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bandscope/sessions"
)

// MaxAsk bounds how many points can be asked for at once.
const MaxAsk = sessions.MaxBatch

// AskOptions is what is asked for.
type AskOptions struct {
	Points      int
	OnlyNew     bool                 // new ones alone, besides those that are out
	Shared      []string             // the variables whose value all points share
	MinDistance float64              // how far they are apart; see sessions.Batch
	FixedPoints []map[string]float64 // points that are run anyway, with the values of all variables
}

// batch is the batch that is asked for; false where the points have nothing to do with each other.
func (w AskOptions) batch() (sessions.Batch, bool) {
	return sessions.Batch{Points: w.Points, Shared: w.Shared, MinDistance: w.MinDistance},
		len(w.Shared) > 0 || w.MinDistance != 0
}

// Ask gives points to evaluate: those that are out already, the oldest first, and what is suggested besides where they
// are fewer; with More, new ones alone. Of points that share something, or are to be apart, those count as out that
// were asked for in the same words last, and where there are none all are new. Points that are run anyway go out first,
// unless they are out, and are given besides; of such alone no others need be asked for. What is new is on record when
// Ask returns. Of a batch all points are given. The error may come with the points that were found before it.
func Ask(ctx context.Context, s *sessions.Session, w AskOptions, progress sessions.Progress) ([]Point, error) {
	least := 1
	if len(w.FixedPoints) > 0 {
		least = 0
	}
	if w.Points < least || w.Points > MaxAsk {
		return nil, errRequest{fmt.Errorf("from %d to %d points can be asked for at once, got %d", least, MaxAsk,
			w.Points)}
	}
	batch, together := w.batch()
	if together && w.Points > 0 {
		if err := s.State().CheckBatch(batch); err != nil {
			return nil, errRequest{err}
		}
	}
	points, err := addFixedPoints(s, w.FixedPoints)
	if err != nil || w.Points == 0 {
		return points, err
	}
	if together {
		found, err := askTogether(ctx, s, batch, w.OnlyNew, progress)
		return append(points, found...), err
	}
	b := newSnapshot(s, time.Now())
	given := len(points)
	if !w.OnlyNew {
		points = append(points, completeBatches(b.without(points), w.Points)...)
	}
	for len(points)-given < w.Points {
		it, err := s.Ask(ctx, progress)
		if err != nil {
			return points, err
		}
		b.times = s.SuggestionTimes()
		points = append(points, b.points(it, time.Now())...)
	}
	return points, nil
}

// askTogether gives the points of a batch.
func askTogether(ctx context.Context, s *sessions.Session, batch sessions.Batch, more bool,
	progress sessions.Progress) (points []Point, err error) {
	b := newSnapshot(s, time.Now())
	if points = b.last(batch); len(points) > 0 && !more {
		return points, nil
	}
	list, err := s.AskBatch(ctx, batch, progress)
	if err != nil {
		return nil, err
	}
	b.times, points = s.SuggestionTimes(), nil
	for _, it := range list {
		points = append(points, b.points(it, time.Now())...)
	}
	return points, nil
}

// last are the points that are out of the last batch that was asked for so.
func (b snapshot) last(batch sessions.Batch) []Point {
	var list []Point
	for _, p := range slices.Backward(b.pending) {
		of := p.iteration.Batch
		if of == nil || !of.SameRequest(batch) || len(list) > 0 && list[0].first() != p.first() {
			continue
		}
		list = slices.Insert(list, 0, p)
	}
	return list
}

// first is the number of the first point of a point's batch.
func (p Point) first() int { return p.iteration.Number - p.iteration.Batch.Place }

// without are the points that are out but for some.
func (b snapshot) without(points []Point) (list []Point) {
	for _, p := range b.pending {
		if !slices.ContainsFunc(points, func(other Point) bool { return other.Name == p.Name }) {
			list = append(list, p)
		}
	}
	return list
}

// addFixedPoints gives out points that a person names, unless they are out. All are checked before one goes out.
func addFixedPoints(s *sessions.Session, beside []map[string]float64) (points []Point, err error) {
	var inputs [][]float64
	for _, at := range beside {
		x, err := inputFor(s.State().Problem, at, "a point that is run anyway tells where")
		if err != nil {
			return nil, errRequest{err}
		}
		inputs = append(inputs, x)
	}
	for _, x := range inputs {
		b := newSnapshot(s, time.Now())
		if i := slices.IndexFunc(b.pending, func(p Point) bool {
			return p.By == sessions.ByPerson && slices.Equal(p.Input(), x)
		}); i >= 0 {
			points = append(points, b.pending[i])
			continue
		}
		it, err := s.AskPoint(x)
		if err != nil {
			return points, err
		}
		b.times = s.SuggestionTimes()
		points = append(points, b.points(it, time.Now())...)
	}
	return points, nil
}

// completeBatches are the first n of the points that are out, and the rest of the last one's batch.
func completeBatches(out []Point, n int) []Point {
	for n < len(out) && out[n].Name.Suggestion == out[n-1].Name.Suggestion {
		n++
	}
	return out[:min(n, len(out))]
}
