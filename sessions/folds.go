package sessions

import (
	"fmt"
	"slices"

	"bandscope/sessions/log"
)

// folds are the states at the events of a log: each the fold of the events from the header to it, computed once.
type folds map[*log.Event]*State

// at is the state at an event; the error names the first event that cannot be applied on the way to it.
func (f folds) at(e *log.Event) (State, error) {
	var way []*log.Event
	for from := e; f[from] == nil; from = from.Parent {
		way = append(way, from)
	}
	for _, next := range slices.Backward(way) {
		st := *f[next.Parent]
		if err := st.apply(next); err != nil {
			return st, fmt.Errorf("event %s (%s): %w", next.ID, next.Kind, err)
		}
		f[next] = &st
	}
	return *f[e], nil
}

// iterations counts the observations up to an event.
func (f folds) iterations(e *log.Event) int {
	n := 0
	for ; e != nil; e = e.Parent {
		if st := f[e]; st != nil {
			return n + len(st.Iterations)
		}
		if e.Kind == kindObserved {
			n++
		}
	}
	return n
}

// grown is a list that only ever grows along a branch. The states along a branch share one array; one that branches off from the middle gets
// its own, so that no snapshot ever changes.
type grown[T any] struct {
	list []T
	used *int // how much of the array is taken, by this list or one that follows it
}

func (g *grown[T]) add(v T) {
	if g.used == nil || *g.used != len(g.list) {
		g.list, g.used = slices.Clip(g.list), new(int)
	}
	g.list = append(g.list, v)
	*g.used = len(g.list)
}

// own is a copy of the list that may be changed, with room for more.
func (g grown[T]) own() grown[T] {
	n := len(g.list)
	list := make([]T, n, n+n/4+1)
	copy(list, g.list)
	return grown[T]{list, &n}
}
