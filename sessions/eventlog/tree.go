package eventlog

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Tree is the events of a log in the order in which they were made, which is that of the file, each after the one that
// it follows.
type Tree struct {
	events   []*Event // the header first
	byID     map[string]*Event
	branches []Branch
}

// Branch is one way through the tree, from the header to an end. At every event the first one that follows goes on with
// its branch; the others begin new ones.
type Branch struct {
	End    *Event
	Parent int    // the branch that it left, by its number; −1 of the first
	From   *Event // where it left it; nil of the first
}

// NewTree makes the tree of a log that begins with a header, a struct that embeds Header.
func NewTree(header any) (*Tree, error) {
	id, rest, line, err := encode(header)
	if err != nil {
		return nil, fmt.Errorf("writing the header: %w", err)
	}
	return treeWithRoot(id, rest, line), nil
}

// treeWithRoot makes the tree of a header alone.
func treeWithRoot(id string, rest, line []byte) *Tree {
	root := &Event{ID: id, Kind: "header", Data: rest, Line: line}
	return &Tree{events: []*Event{root}, byID: map[string]*Event{id: root}, branches: []Branch{{End: root, Parent: -1}}}
}

// Root is the header.
func (t *Tree) Root() *Event { return t.events[0] }

// Find is the event with an id; nil if there is none.
func (t *Tree) Find(id string) *Event { return t.byID[id] }

// Events are all of them, the header first, in the order in which they were made. They are not to be changed.
func (t *Tree) Events() []*Event { return slices.Clip(t.events) }

// Branches lists the branches in the order in which they were begun.
func (t *Tree) Branches() []Branch { return slices.Clone(t.branches) }

// Add puts an event that Next made at the end.
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

// Next makes an event that follows another, so long after the one that was made last. Its time is rounded to
// milliseconds; an event that would equal one of the tree is moved on, because equal lines have equal ids.
func (t *Tree) Next(after *Event, kind string, data any, since time.Duration) (*Event, error) {
	raw, err := marshal(data)
	if err != nil {
		return nil, err
	}
	for ms := math.Round(max(since.Seconds(), 0) * 1000); ; ms++ {
		id, _, line, err := encode(body{Parent: after.ID, Dt: ms / 1000, Kind: kind, Data: raw})
		if err != nil {
			return nil, err
		}
		if t.byID[id] == nil {
			return &Event{ID: id, Parent: after, Kind: kind, Data: raw, Line: line, Depth: after.Depth + 1,
				since: seconds(ms / 1000)}, nil
		}
	}
}

// LastPosition is where the log was left: its last event, or what the mark at its end is on.
func (t *Tree) LastPosition() *Event {
	e := t.events[len(t.events)-1]
	for e.IsMark() {
		e = e.Parent
	}
	return e
}

// End is the end of the branch that was written last among those that pass through an event.
func (t *Tree) End(through *Event) *Event {
	for _, e := range slices.Backward(t.events) {
		if !e.IsMark() && through.IsAncestorOf(e) {
			return e
		}
	}
	return through
}

// seconds is a time in seconds, not before now.
func seconds(s float64) time.Duration { return time.Duration(max(s, 0) * float64(time.Second)) }
