package eventlog

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Tree is the events of a log in the order of the file, each after its parent.
type Tree struct {
	events   []*Event // the header first
	byID     map[string]*Event
	branches []Branch
}

// Branch is a path through the tree, from the header to an end. The first child of an event continues its branch; the
// others start new ones.
type Branch struct {
	End    *Event
	Parent int    // index of the branch that it left; −1 for the first
	From   *Event // the event at which it left; nil for the first
}

// NewTree makes the tree of a new log from its header, a struct that embeds Header.
func NewTree(header any) (*Tree, error) {
	id, rest, line, err := encode(header)
	if err != nil {
		return nil, fmt.Errorf("writing the header: %w", err)
	}
	return treeWithRoot(id, rest, line), nil
}

// treeWithRoot makes a tree with only a header.
func treeWithRoot(id string, rest, line []byte) *Tree {
	root := &Event{ID: id, Kind: "header", Data: rest, Line: line}
	return &Tree{events: []*Event{root}, byID: map[string]*Event{id: root}, branches: []Branch{{End: root, Parent: -1}}}
}

// Root is the header.
func (t *Tree) Root() *Event { return t.events[0] }

// Find is the event with an id; nil if there is none.
func (t *Tree) Find(id string) *Event { return t.byID[id] }

// Events are all events in the order of the file, the header first. They must not be changed.
func (t *Tree) Events() []*Event { return slices.Clip(t.events) }

// Branches lists the branches in the order of their starts.
func (t *Tree) Branches() []Branch { return slices.Clone(t.branches) }

// Add appends an event made by Next.
func (t *Tree) Add(e *Event) {
	e.Elapsed = t.events[len(t.events)-1].Elapsed + e.since
	t.byID[e.ID] = e
	t.events = append(t.events, e)
	if e.IsMark() {
		return
	}
	e.branch = e.Parent.branch
	if e.Parent.hasNext {
		t.branches = append(t.branches, Branch{Parent: e.branch, From: e.Parent})
		e.branch = len(t.branches) - 1
	}
	e.Parent.hasNext = true
	t.branches[e.branch].End = e
}

// Next makes a child of an event, at a time after the last event. Its time is rounded to milliseconds; if the event
// equalled another one of the tree, its time is increased, because equal lines have equal ids. author is who
// records it.
func (t *Tree) Next(after *Event, kind string, data any, author Author, since time.Duration) (*Event, error) {
	raw, err := marshal(data)
	if err != nil {
		return nil, err
	}
	for ms := math.Round(max(since.Seconds(), 0) * 1000); ; ms++ {
		id, _, line, err := encode(body{Parent: after.ID, Dt: ms / 1000, Kind: kind, Data: raw, By: author.data()})
		if err != nil {
			return nil, err
		}
		if t.byID[id] == nil {
			return &Event{ID: id, Parent: after, Kind: kind, Data: raw, By: author, Line: line,
				Depth: after.Depth + 1, since: seconds(ms / 1000)}, nil
		}
	}
}

// LastPosition is the last position in the log: its last event, or the parent of the mark at its end.
func (t *Tree) LastPosition() *Event {
	e := t.events[len(t.events)-1]
	for e.IsMark() {
		e = e.Parent
	}
	return e
}

// End is the end of the branch through an event that was written last.
func (t *Tree) End(through *Event) *Event {
	for _, e := range slices.Backward(t.events) {
		if !e.IsMark() && through.IsAncestorOf(e) {
			return e
		}
	}
	return through
}

// seconds is a duration from a number of seconds, at least 0.
func seconds(s float64) time.Duration { return time.Duration(max(s, 0) * float64(time.Second)) }
