// Package recorder keeps the record of a session, whatever is recorded: the tree of its events and their file, the
// turns to write, where the session stands, branches, notes, moves and the timeline. It is generic over the state S
// that the events are folded to; what an event means is told by Rules. Package log below it has lines, hashes and
// files.
//
// A session embeds a Recorder, whose methods are for everybody, and keeps its Record, with which it reads and writes
// under the lock.
package recorder

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"bandscope/sessions/eventlog"
	"bandscope/sessions/lesson/page"
)

// ErrMoved is returned by an act that was overtaken: the session stands elsewhere than when the act began.
var ErrMoved = errors.New("the session has changed in the meantime; nothing was recorded")

// ErrClosed is returned by every act on a session that is closed, also by one that was under way then.
var ErrClosed = errors.New("the session is closed; nothing was recorded")

// The kinds of event that every session has. The name in the data of a Forked event names a branch; what else it says
// is the session's.
const (
	KindNoted  = "noted"  // a note on the step before it
	KindForked = "forked" // a branch begins
)

// Rules say what the events of a record mean.
type Rules[S any] struct {
	// the state before the first event, at the header with this ID
	Root func(id string) S
	// the state after an event; the error says why it cannot follow
	Fold func(before S, e *eventlog.Event) (S, error)
	// what is recorded together with an event of a kind; may be nil
	FollowUps func(after S, kind string) []Entry
	Steps     func(st S) int // the steps that are done in a state: iterations, or updates
	// the places of the current branch; called with the lock held
	Stops func() []*eventlog.Event
	Pages bool // the notes are the pages of a lesson
}

// Entry is what an act records: an event after the one before it, the first of them after a place.
type Entry struct {
	Kind string
	Data any
}

// Recorder are the methods that every session has. They may be called from several goroutines. Acts, which record,
// take turns; moves and reads wait for no file.
type Recorder[S any] struct{ rec *Record[S] }

// Record is what a session works with. Whoever uses its fields or calls its methods holds the lock, except for Act,
// ActAfter and Fork, which take it.
type Record[S any] struct {
	turn sync.Mutex // to record: events stand in the file in the order of the turns. It is taken before the lock

	sync.Mutex          // never held over anything slow
	Rules      Rules[S] // set before Begin, and before events are read
	Tree       *eventlog.Tree
	At         *eventlog.Event // where the session stands
	Tip        *eventlog.Event // the end of the current branch, on which At lies
	File       Journal         // nil while there is none
	Started    time.Time
	Last       time.Time        // when the last event was made
	Now        func() time.Time // asked once at the beginning and once an event

	points    map[*eventlog.Event]*point[S]
	annotated map[string]page.Annotation // the last annotation of an event, by its ID
	closed    bool
	notices   []string
	listener  func(string) // hears further notices; may be nil
}

// Journal is the file that a session is recorded in, a eventlog.File. Whoever has the turn to record uses it; the
// others only ask whether it is writable.
type Journal interface {
	Path() string
	Writable() bool
	Torn() string
	Append(events []*eventlog.Event) error
	DeferSync()
	Flush() error
	Close() error
}

// point is what is known at an event: the fold of the events up to it, computed once.
type point[S any] struct {
	state S
	notes []Note
	used  *int // of the array below notes, as Grow has it
}

// New makes a record that has no rules and no events yet, and the Recorder over it.
func New[S any](now func() time.Time) (*Record[S], Recorder[S]) {
	r := &Record[S]{Now: now}
	return r, Recorder[S]{r}
}

// Begin begins a new record with a header, a struct that embeds eventlog.Header.
func (r *Record[S]) Begin(header func(started time.Time) any) error {
	r.Started = r.Now()
	r.Last = r.Started
	tree, err := eventlog.NewTree(header(r.Started))
	if err != nil {
		return err
	}
	r.setTree(tree)
	return r.MoveTo(tree.Root())
}

// setTree gives a record its events.
func (r *Record[S]) setTree(tree *eventlog.Tree) {
	events := tree.Events()
	r.Tree, r.points, r.annotated = tree, make(map[*eventlog.Event]*point[S], len(events)), map[string]page.Annotation{}
	r.points[tree.Root()] = &point[S]{state: r.Rules.Root(tree.Root().ID)}
	for _, e := range events {
		r.annotate(e)
	}
}

// State is the state where the session stands. It is not to be changed.
func (r *Record[S]) State() *S { return &r.points[r.At].state }

// Fold is the state at an event, which is not to be changed. The error names the first event that cannot be applied
// on the way to it; the state is that before it then.
func (r *Record[S]) Fold(e *eventlog.Event) (*S, error) {
	p, err := r.point(e)
	return &p.state, err
}

func (r *Record[S]) point(e *eventlog.Event) (*point[S], error) {
	var way []*eventlog.Event
	for from := e; r.points[from] == nil; from = from.Parent {
		way = append(way, from)
	}
	for _, next := range slices.Backward(way) {
		p, err := r.after(*r.points[next.Parent], next)
		if err != nil {
			return r.points[next.Parent], fmt.Errorf("event %s (%s): %w", next.ID, next.Kind, err)
		}
		r.points[next] = p
	}
	return r.points[e], nil
}

// after is the point after an event.
func (r *Record[S]) after(p point[S], e *eventlog.Event) (*point[S], error) {
	st, err := r.Rules.Fold(p.state, e)
	if err != nil {
		return nil, err
	}
	p.state = st
	if e.Kind != KindNoted {
		return &p, nil
	}
	d, err := readNote(e)
	if err != nil {
		return nil, err
	}
	n := Note{ID: e.ID, Step: r.Rules.Steps(st), Text: d.Text, Mark: d.Mark, Page: d.Page}
	p.notes, p.used = AppendShared(p.notes, p.used, n)
	return &p, nil
}

// Steps are the steps that are done at an event, as far as the events up to it can be applied.
func (r *Record[S]) Steps(e *eventlog.Event) int {
	st, _ := r.Fold(e)
	return r.Rules.Steps(*st)
}

// Closed reports whether the session is closed.
func (r *Record[S]) Closed() bool { return r.closed }

// MoveTo goes to an event; it becomes the end of the current branch unless it lies on it.
func (r *Record[S]) MoveTo(e *eventlog.Event) error {
	if _, err := r.Fold(e); err != nil {
		return err
	}
	r.At = e
	if r.Tip == nil || !e.IsAncestorOf(r.Tip) {
		r.Tip = e
	}
	return nil
}

// Place is what a state says of where it is on record. But for Head it is filled in where the session stands.
type Place struct {
	Head     string // the ID of the event
	Notes    []Note // up to here, as they read now, in the order of the steps
	Ahead    int    // steps, or places, that are recorded after this one on the current branch
	Path     string // of the file; empty while there is none
	Saved    bool   // every event is on disk, and the next one will be
	ReadOnly bool   // the file cannot be appended to
}

// Place is where the session stands, with so much on record ahead.
func (r *Record[S]) Place(ahead int) Place {
	p := Place{Head: r.At.ID, Notes: r.notes(), Ahead: ahead}
	if r.File != nil {
		writable := r.File.Writable()
		p.Path, p.Saved, p.ReadOnly = r.File.Path(), writable, !writable
	}
	return p
}

// Started is when the session was begun.
func (r Recorder[S]) Started() time.Time { return r.rec.Started }

// Path is the session's file; empty while there is none.
func (r Recorder[S]) Path() string {
	r.rec.Lock()
	defer r.rec.Unlock()
	if r.rec.File == nil {
		return ""
	}
	return r.rec.File.Path()
}

// Notices are what a person should know of the file: torn or damaged lines, why it is read-only, that another program
// took it away and where the session goes on.
func (r Recorder[S]) Notices() []string {
	r.rec.Lock()
	defer r.rec.Unlock()
	return slices.Clip(r.rec.notices)
}

// Listen has a function hear each further notice, while the act is under way that led to it.
func (r Recorder[S]) Listen(listener func(notice string)) {
	r.rec.Lock()
	defer r.rec.Unlock()
	r.rec.listener = listener
}

// AddNotices adds notices.
func (r *Record[S]) AddNotices(texts ...string) { r.notices = append(slices.Clip(r.notices), texts...) }

// AppendShared appends to a list that only ever grows along a branch. The lists along a branch share one array, of
// which used counts what is taken; one that branches off from the middle gets its own, so that no state ever changes.
func AppendShared[T any](list []T, used *int, v ...T) ([]T, *int) {
	if used == nil || *used != len(list) {
		list, used = slices.Clip(list), new(int)
	}
	list = append(list, v...)
	*used = len(list)
	return list, used
}

// CopyShared is a copy of a list that grows as by Grow, with room for more, which may be changed.
func CopyShared[T any](list []T) ([]T, *int) {
	n := len(list)
	own := make([]T, n, n+n/4+1)
	copy(own, list)
	return own, &n
}
