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
