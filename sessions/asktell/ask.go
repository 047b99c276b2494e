package asktell

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bandscope/functions/numfmt"
	"bandscope/optimizers/search"
	"bandscope/sessions"
)

// MaxAsk is the largest number of points in one request.
const MaxAsk = sessions.MaxBatch

// AskOptions is a request for points.
type AskOptions struct {
	Points      int
	OnlyNew     bool                 // only new points, in addition to the pending ones
	Shared      []string             // the variables that have the same value at all points
	MinDistance float64              // smallest distance between the points; see sessions.Batch
	FixedPoints []map[string]float64 // points that a person evaluates anyway, with the values of all variables
}

// batch is the batch of the request; false if its points are independent.
func (w AskOptions) batch() (sessions.Batch, bool) {
	return sessions.Batch{Points: w.Points, Shared: w.Shared, MinDistance: w.MinDistance},
		len(w.Shared) > 0 || w.MinDistance != 0
}

// Ask returns points to evaluate: the pending points, the oldest first, and new suggestions if there are fewer than
// w.Points; with w.OnlyNew only new ones. For a batch with shared values or a minimum distance, only the pending points
// of the last identical request count; without any, all points are new. FixedPoints come first, in addition to the
// others, and are not recorded again if they are pending; with them w.Points may be 0. If a finite space has fewer points
// left, Ask returns those; Shortfall says so. Points that another program asked
// for while the session was open here are that program's to evaluate, and are not returned. Ask records new points before it
// returns, and returns all points of a batch. With an error it may return the points that it found before.
func Ask(ctx context.Context, s *sessions.Session, w AskOptions, progress sessions.Progress) ([]Point, error) {
	least := 1
	if len(w.FixedPoints) > 0 {
		least = 0
	}
	if w.Points < least || w.Points > MaxAsk {
		return nil, errRequest{fmt.Errorf("ask for %d to %d points at once, got %d", least, MaxAsk, w.Points)}
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
	count := len(points)
	if !w.OnlyNew {
		points = append(points, completeBatches(b.without(points), w.Points)...)
	}
	for len(points)-count < w.Points {
		it, err := s.Ask(ctx, progress)
		if search.IsExhausted(err) && len(points) > 0 {
			return points, nil
		}
		if err != nil {
			return points, err
		}
		points = append(points, b.points(it, time.Now())...)
	}
	return points, nil
}

// askTogether returns the points of a batch.
func askTogether(ctx context.Context, s *sessions.Session, batch sessions.Batch, another bool,
	progress sessions.Progress) (points []Point, err error) {
	b := newSnapshot(s, time.Now())
	points = b.last(batch)
	if len(points) > 0 && !another {
		return points, nil
	}
	list, err := s.AskBatch(ctx, batch, progress)
	if err != nil {
		return nil, err
	}
	points = nil
	for _, it := range list {
		points = append(points, b.points(it, time.Now())...)
	}
	return points, nil
}

// last are the pending points of the last batch with the same request.
func (b snapshot) last(batch sessions.Batch) []Point {
	var list []Point
	for _, p := range slices.Backward(b.own()) {
		owner := p.iteration.Batch
		if owner == nil || !owner.SameRequest(batch) || len(list) > 0 && list[0].first() != p.first() {
			continue
		}
		list = slices.Insert(list, 0, p)
	}
	return list
}

// first is the number of the first point of a point's batch.
func (p Point) first() int { return p.iteration.Number - p.iteration.Batch.Place }

// without are the pending points except some.
func (b snapshot) without(points []Point) (list []Point) {
	for _, p := range b.own() {
		if !slices.ContainsFunc(points, func(other Point) bool { return other.Name == p.Name }) {
			list = append(list, p)
		}
	}
	return list
}

// addFixedPoints records points that a person names, unless they are pending. It checks all before it records any.
func addFixedPoints(s *sessions.Session, beside []map[string]float64) (points []Point, err error) {
	var inputs [][]float64
	for _, input := range beside {
		x, err := inputFor(s.State().Problem, input, "a point of your own needs the values of all variables")
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
		points = append(points, b.points(it, time.Now())...)
	}
	return points, nil
}

// completeBatches are the first n of the pending points, and the rest of the last one's batch.
func completeBatches(out []Point, n int) []Point {
	for n < len(out) && out[n].Name.Suggestion == out[n-1].Name.Suggestion {
		n++
	}
	return out[:min(n, len(out))]
}

// Shortfall says that fewer points exist than were asked for; empty if all were given.
func Shortfall(st sessions.State, count, wanted int) string {
	if count >= wanted {
		return ""
	}
	text := fmt.Sprintf("%s instead of %d", numfmt.Count(count, "point"), wanted)
	if c, ok := st.PointCount(); ok && c.Left() == 0 {
		return text + ": " + c.String()
	}
	return text + ": no others are far enough from these"
}
