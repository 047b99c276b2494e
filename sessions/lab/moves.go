package lab

import (
	"fmt"
	"strings"

	"bandscope/sessions"
	"bandscope/sessions/log"
)

// stops are the places of the current branch between which Back and Forward move: the beginning, and every event that is no note, with the notes that follow it. A
// lesson's are its notes and, behind the last of them, the reader's own. The caller holds the lock.
func (s *Session) stops() []*log.Event {
	way, page := s.tip.Way(), -1
	for i, e := range way {
		if s.paged(e) {
			page = i
		}
	}
	var stops []*log.Event
	for i, e := range way {
		if ends := i+1 == len(way) || way[i+1].Kind != kindNoted; i >= page && ends || i <= page && s.paged(e) {
			stops = append(stops, e)
		}
	}
	return stops
}

// paged reports whether an event is a page of the lesson: a note that was not withdrawn, or one that was written on it later. The caller holds the lock.
func (s *Session) paged(e *log.Event) bool {
	if a, written := s.annotated[e.ID]; written {
		return s.lesson != nil && a.Text != ""
	}
	return s.lesson != nil && e.Kind == kindNoted
}

// ahead counts the places behind the one where the session stands. The caller holds the lock.
func (s *Session) ahead() (n int) {
	for _, e := range s.stops() {
		if e.Depth > s.at.Depth {
			n++
		}
	}
	return n
}

// Back goes one place back; false if there is none.
func (s *Session) Back() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	var before *log.Event
	for _, e := range s.stops() {
		if e.Depth < s.at.Depth {
			before = e
		}
	}
	return before != nil && s.stand(before) == nil
}

// Forward goes one place on, over what is on record on this branch; false if there is none.
func (s *Session) Forward() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.forward()
}

func (s *Session) forward() bool {
	next := s.next()
	return next != nil && s.stand(next) == nil
}

// next is the place behind the one where the session stands, nil if there is none. The caller holds the lock.
func (s *Session) next() *log.Event {
	for _, e := range s.stops() {
		if e.Depth > s.at.Depth {
			return e
		}
	}
	return nil
}

// First goes to the first place.
func (s *Session) First() { s.GoTo(0) }

// Last goes to the end of the current branch.
func (s *Session) Last() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stand(s.tip)
}

// GoTo goes to a place of the timeline, by its number from 0, or as far as there are any.
func (s *Session) GoTo(stop int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stops := s.stops()
	s.stand(stops[min(max(stop, 0), len(stops)-1)])
}

// Seek goes to the event with an id.
func (s *Session) Seek(id string) error { return s.goTo(id, false) }

// Switch goes to the end of the branch with an id.
func (s *Session) Switch(id string) error { return s.goTo(id, true) }

func (s *Session) goTo(id string, end bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.tree.Find(id)
	if e == nil || e.Mark() {
		return fmt.Errorf("there is no event %q", id)
	}
	if _, err := s.foldAt(e); err != nil {
		return err
	}
	if end {
		s.tip = e
	}
	return s.stand(e)
}

// steps counts the updates up to an event; 0 where it cannot be applied. The caller holds the lock.
func (s *Session) steps(e *log.Event) int {
	f, err := s.foldAt(e)
	if err != nil {
		return 0
	}
	return f.farthest()
}

// Timeline is the current branch from its beginning to its end.
func (s *Session) Timeline() sessions.Timeline {
	s.mu.Lock()
	defer s.mu.Unlock()
	stops := s.stops()
	t := sessions.Timeline{Stops: make([]sessions.Stop, 0, len(stops))}
	forks := map[*log.Event]bool{}
	for _, b := range s.tree.Branches()[1:] {
		forks[b.From] = true
	}
	f, p := &fold{lab: s.lab, cols: s.cols, runs: []course{begin(s.params)}}, sessions.Stop{}
	for _, e := range s.tip.Way() {
		if e.Depth > 0 && s.apply(f, e) != nil {
			break
		}
		d := s.noteOn(e)
		p.Mark, p.Ask, p.Fork = p.Mark || d.Mark, p.Ask || d.Asks(), p.Fork || forks[e]
		if p.Note == "" {
			p.Note = sessions.FirstLine(d.Text)
		}
		if i := len(t.Stops); i < len(stops) && stops[i] == e {
			p.Step = f.farthest()
			if e.Depth <= s.at.Depth {
				t.At = i
			}
			t.Stops, p = append(t.Stops, p), sessions.Stop{}
		}
	}
	return t
}

// Branch is one way through the tree of a session's events, from the start to an end.
type Branch struct {
	ID      string // of its last event
	Name    string
	Of      int // the branch that it left, as an index; −1 for the first
	From    int // the updates that it shares with that one
	State   State
	Current bool
}

// Branches lists the branches, in the order in which they were begun.
func (s *Session) Branches() ([]Branch, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Branch
	for i, w := range s.tree.Branches() {
		f, err := s.foldAt(w.End)
		if err != nil {
			return nil, err
		}
		b := Branch{ID: w.End.ID, Name: s.branchName(w, i), Of: w.Of, State: f.state(w.End.ID), Current: w.End == s.tip}
		if w.From != nil {
			b.From = s.steps(w.From)
		}
		list = append(list, b)
	}
	return list, nil
}

// branchName is the name that was given to a branch itself, not to one that it left.
func (s *Session) branchName(b log.Branch, i int) string {
	for e := b.End; e != nil && e.Branch() == i; e = e.Parent {
		if d, ok := s.read[e].(*forkedData); ok {
			return d.Name
		}
	}
	if b.Of < 0 {
		return "main"
	}
	return fmt.Sprintf("branch %d", i+1)
}

// Fork begins a branch with a name where the session stands; what is recorded ahead stays on the branch before.
func (s *Session) Fork(name string) error {
	name = strings.TrimSpace(name)
	if len(name) > sessions.MaxBranchName {
		return fmt.Errorf("the name of a branch may have %d bytes, this one has %d", sessions.MaxBranchName, len(name))
	}
	return s.act(func() (*log.Event, []entry, error) {
		if name == "" {
			name = fmt.Sprintf("fork %d", len(s.tree.Branches()))
		}
		return s.at, []entry{{kindForked, forkedData{name}}}, nil
	})
}
