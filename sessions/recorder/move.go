package recorder

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"bandscope/sessions/eventlog"
)

// Next is the stop after the current event; nil if there is none.
func (r *Record[S]) Next() *eventlog.Event {
	for _, e := range r.stops() {
		if e.Depth > r.At.Depth {
			return e
		}
	}
	return nil
}

// Forward goes to the next stop; it returns false if there is none.
func (r *Record[S]) Forward() bool {
	next := r.Next()
	return next != nil && r.MoveTo(next) == nil
}

// Back goes to the previous stop; it returns false if there is none.
func (r Recorder[S]) Back() bool {
	r.rec.Lock()
	defer r.rec.Unlock()
	var before *eventlog.Event
	for _, e := range r.rec.stops() {
		if e.Depth < r.rec.At.Depth {
			before = e
		}
	}
	return before != nil && r.rec.MoveTo(before) == nil
}

// Forward goes to the next stop of this branch; it returns false if there is none.
func (r Recorder[S]) Forward() bool {
	r.rec.Lock()
	defer r.rec.Unlock()
	return r.rec.Forward()
}

// First goes to the first stop, before the first step.
func (r Recorder[S]) First() { r.GoTo(0) }

// Last goes to the end of the current branch.
func (r Recorder[S]) Last() {
	r.rec.Lock()
	defer r.rec.Unlock()
	r.rec.MoveTo(r.rec.Tip)
}

// Seek goes to the last stop with at most so many steps on the current branch.
func (r Recorder[S]) Seek(step int) {
	r.rec.Lock()
	defer r.rec.Unlock()
	stops := r.rec.stops()
	end := stops[0]
	for _, e := range stops[1:] {
		if r.rec.Steps(e) > step {
			break
		}
		end = e
	}
	r.rec.MoveTo(end)
}

// GoTo goes to a stop of the timeline, by its index, or to the nearest one.
func (r Recorder[S]) GoTo(stop int) {
	r.rec.Lock()
	defer r.rec.Unlock()
	stops := r.rec.stops()
	r.rec.MoveTo(stops[min(max(stop, 0), len(stops)-1)])
}

// Switch goes to the end of the branch with an ID.
func (r Recorder[S]) Switch(id string) error {
	r.rec.Lock()
	defer r.rec.Unlock()
	e := r.rec.Tree.Find(id)
	if e == nil || e.IsMark() {
		return fmt.Errorf("there is no branch %q", id)
	}
	err := r.rec.MoveTo(e)
	if err == nil {
		r.rec.Tip = e
	}
	return err
}

// LeaveFork goes from a fork to the end of the branch that was recorded last without one, and reports whether it did.
// It stays where that branch has no steps, and where the fork is the only way on, as after a change of the method.
func (r Recorder[S]) LeaveFork() bool {
	r.rec.Lock()
	defer r.rec.Unlock()
	forked := map[*eventlog.Event]bool{}
	end := r.rec.Tree.Root()
	for _, e := range r.rec.Tree.Events()[1:] {
		forked[e] = e.Kind == KindForked && e.Branch() != e.Parent.Branch() || forked[e.Parent]
		if !forked[e] && !e.IsMark() {
			end = e
		}
	}
	if !forked[r.rec.Tip] || r.rec.Steps(end) == 0 || r.rec.MoveTo(end) != nil {
		return false
	}
	r.rec.Tip = end
	return true
}

// MaxBranchName bounds a branch's name in bytes.
const MaxBranchName = 200

// Fork starts a branch with a name at the current event; later events stay on the old branch. data returns the data of
// the event for a name, which is never empty; it is called with the lock held.
func (r *Record[S]) Fork(name string, data func(name string) (any, error)) error {
	name = strings.TrimSpace(name)
	if len(name) > MaxBranchName {
		return fmt.Errorf("the name of a branch can have at most %d bytes; this one has %d", MaxBranchName, len(name))
	}
	_, err := r.Act(func() ([]Entry, error) {
		if name == "" {
			name = fmt.Sprintf("fork %d", len(r.Tree.Branches()))
		}
		d, err := data(name)
		return []Entry{{Kind: KindForked, Data: d}}, err
	})
	return err
}

// Branch is a path through the tree of the events of a session, from the start to an end.
type Branch[S any] struct {
	ID      string // of its last event
	Name    string
	Parent  int // index of the branch that it left; −1 for the first
	From    int // number of steps that it shares with that branch
	State   S
	Current bool
}

// Branches lists the branches in the order of their starts.
func (r Recorder[S]) Branches() ([]Branch[S], error) {
	r.rec.Lock()
	defer r.rec.Unlock()
	ways := r.rec.Tree.Branches()
	list := make([]Branch[S], len(ways))
	for i, w := range ways {
		st, err := r.rec.Fold(w.End)
		if err != nil {
			return nil, err
		}
		list[i] = Branch[S]{ID: w.End.ID, Name: branchName(w, i), Parent: w.Parent, State: *st,
			Current: w.End == r.rec.Tip}
		if w.From != nil {
			list[i].From = r.rec.Steps(w.From)
		}
	}
	return list, nil
}

// branchName is the name of a branch itself, not of the one that it left.
func branchName(b eventlog.Branch, i int) string {
	for e := b.End; e != nil && e.Branch() == i; e = e.Parent {
		var d struct{ Name string }
		if e.Kind == KindForked && json.Unmarshal(e.Data, &d) == nil {
			return d.Name
		}
	}
	if b.Parent < 0 {
		return "main"
	}
	return fmt.Sprintf("branch %d", i+1)
}

// Stop is an event between which Back and Forward move.
type Stop struct {
	Step int    // the steps done there
	Note string // the first line of its note
	Mark bool   // it is marked
	Ask  bool   // it asks the reader a question before the next stop
	Fork bool   // another branch starts there
	// a preference between objectives was changed there, after the step
	Steered bool
}

// Timeline is the current branch from start to end.
type Timeline struct {
	Stops []Stop
	At    int // index of the current stop, or the last one before the current event
}

// Timeline returns the stops of the current branch.
func (r Recorder[S]) Timeline() Timeline {
	r.rec.Lock()
	defer r.rec.Unlock()
	return r.rec.Timeline()
}

// timelineCache are the stops of the current branch, which depend on the events on record and on the end of the branch.
type timelineCache struct {
	tip    *eventlog.Event
	count  int               // of the events on record
	events []*eventlog.Event // of the stops
	stops  []Stop            // nil until they are needed
}

// stops are the events of the stops of the current branch, which must not be changed. The caller holds the lock.
func (r *Record[S]) stops() []*eventlog.Event {
	if n := len(r.Tree.Events()); r.line.tip != r.Tip || r.line.count != n {
		r.line = timelineCache{tip: r.Tip, count: n, events: r.Rules.Stops()}
	}
	return r.line.events
}

// Timeline returns the stops of the current branch.
func (r *Record[S]) Timeline() Timeline {
	events := r.stops()
	if r.line.stops == nil {
		r.line.stops = r.describeStops(events)
	}
	after, _ := slices.BinarySearchFunc(events, r.At.Depth+1, func(e *eventlog.Event, depth int) int {
		return cmp.Compare(e.Depth, depth)
	})
	return Timeline{Stops: slices.Clip(r.line.stops), At: max(after-1, 0)}
}

// describeStops describes the stops at events of the current branch.
func (r *Record[S]) describeStops(events []*eventlog.Event) []Stop {
	list, forks := make([]Stop, 0, len(events)), map[*eventlog.Event]bool{}
	for _, b := range r.Tree.Branches()[1:] {
		forks[b.From] = true
	}
	p := Stop{}
	for _, e := range r.PathToTip() {
		d := r.noteOn(e)
		p.Mark = p.Mark || d.Mark
		p.Ask = p.Ask || d.HasQuestion()
		p.Fork = p.Fork || forks[e]
		p.Steered = p.Steered || r.Rules.Steers != nil && r.Rules.Steers(e)
		if p.Note == "" {
			p.Note = FirstLine(d.Text)
		}
		if i := len(list); i < len(events) && events[i] == e {
			p.Step = r.Steps(e)
			list, p = append(list, p), Stop{}
		}
	}
	return list
}

// PathToTip lists the events from the header to the end of the current branch. The caller holds the lock, and neither
// changes the list nor keeps it for longer.
func (r *Record[S]) PathToTip() []*eventlog.Event {
	known := r.Tip // the last event that the list has already
	for known != nil && (known.Depth >= len(r.path) || r.path[known.Depth] != known) {
		known = known.Parent
	}
	n := r.Tip.Depth + 1
	r.path = slices.Grow(r.path[:min(len(r.path), n)], n-min(len(r.path), n))[:n]
	for e := r.Tip; e != known; e = e.Parent {
		r.path[e.Depth] = e
	}
	return r.path
}

// AtEnd reports whether the session is at the end of its branch.
func (r Recorder[S]) AtEnd() bool {
	r.rec.Lock()
	defer r.rec.Unlock()
	return r.rec.At == r.rec.Tip
}

// FirstLine is the first line of a text that is not empty, without the marks of a Markdown heading.
func FirstLine(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimLeft(line, "# "))
		if line != "" {
			return line
		}
	}
	return ""
}
