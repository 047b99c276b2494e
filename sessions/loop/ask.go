package loop

import (
	"context"
	"fmt"
	"time"

	"bandscope/sessions"
)

// MaxAsk bounds how many points can be asked for at once.
const MaxAsk = 1000

// Ask gives n points to evaluate: those that are out already, the oldest first, and what is suggested besides where they are fewer; with more, n new ones alone.
// What is new is on record when Ask returns. Of a batch all points are given. The error may come with the points that were found before it.
func Ask(ctx context.Context, s *sessions.Session, n int, more bool, progress sessions.Progress) ([]Point, error) {
	if n < 1 || n > MaxAsk {
		return nil, errRequest{fmt.Errorf("from 1 to %d points can be asked for at once, got %d", MaxAsk, n)}
	}
	b := boardOf(s, time.Now())
	var points []Point
	if !more {
		points = whole(b.out, n)
	}
	for len(points) < n {
		it, err := s.Ask(ctx, progress)
		if err != nil {
			return points, err
		}
		b.asked = s.Asked()
		points = append(points, b.points(it, time.Now())...)
	}
	return points, nil
}

// whole are the first n of the points that are out, and the rest of the last one's batch.
func whole(out []Point, n int) []Point {
	for n < len(out) && out[n].Name.Suggestion == out[n-1].Name.Suggestion {
		n++
	}
	return out[:min(n, len(out))]
}
