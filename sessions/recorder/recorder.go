// Package recorder keeps the record of a session of any kind: the tree of its events and their file, the turns to
// write, the current event, branches, notes, moves and the timeline. It is generic over the state S, the fold of the
// events; Rules define the events. Package eventlog below it has lines, hashes and files.
//
// A session embeds a Recorder, whose methods are public, and keeps its Record, to read and write under the lock.
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

// ErrMoved is returned by an act if the session has moved since the act started.
var ErrMoved = errors.New("the session has changed in the meantime; nothing was recorded")

// ErrClosed is returned by every act on a closed session, also by one that was running when it was closed.
var ErrClosed = errors.New("the session is closed; nothing was recorded")

// ErrProtected is returned by an act on a protected session; see Protect.
var ErrProtected = errors.New("the session is open for reading; nothing was recorded")

// The kinds of event that every session has. The name in the data of a KindForked event names the branch; the session
// defines its other data.
const (
	KindNoted  = "noted"  // a note on the step before it
	KindForked = "forked" // a branch starts
)

// Rules define the events of a record.
type Rules[S any] struct {
	// the state before the first event, at the header with this ID
	Root func(id string) S
	// the state after an event; the error says why it cannot follow
	Fold func(before S, e *eventlog.Event) (S, error)
	// entries that are recorded together with an event of a kind; may be nil
	FollowUps func(after S, kind string) []Entry
	Steps     func(st S) int // number of steps in a state: iterations or updates
	// the stops of the current branch; called with the lock held
	Stops func() []*eventlog.Event
	Pages bool // the notes are the pages of a lesson
	// whether an event changes what a person prefers; may be nil
	Steers func(*eventlog.Event) bool
}

// Entry is an event to record, after the entry before it.
type Entry struct {
	Kind string
	Data any
	By   eventlog.Author // who records it; zero for the author of the session
}

// Recorder has the methods of every session. They may be called from several goroutines. Acts, which record, take
// turns; moves and reads do not wait for files.
type Recorder[S any] struct{ rec *Record[S] }

// Record is the record of a session, for its own methods. Callers must hold the lock, except for Act, ActAfter and
// Fork, which take it.
type Record[S any] struct {
	turn sync.Mutex // held to record; events are in the file in the order of the turns. It is taken before the lock

	sync.Mutex          // not held during slow work
	Rules      Rules[S] // set before Begin, and before events are read
	Tree       *eventlog.Tree
	At         *eventlog.Event // the current event
	Tip        *eventlog.Event // the end of the current branch, which contains At
	File       Journal         // nil while there is none
	Started    time.Time
	Last       time.Time        // time of the last event
	Now        func() time.Time // called once at the start and once for each event

	path      []*eventlog.Event // from the header to an earlier Tip, see PathToTip
	line      timelineCache
	points    map[*eventlog.Event]*point[S]
	annotated map[string]page.Annotation // the last annotation of an event, by its ID
	arrivals  []*eventlog.Event          // of other programs, since Arrivals was called last
	author    eventlog.Author            // of the events that are recorded from now on
	acting    sync.Mutex                 // held by RecordAs
	actor     eventlog.Author            // of the act of RecordAs; zero for the author above
	closed    bool
	protected bool          // see Protect
	shut      chan struct{} // closed with the session
	notices   []string
	listener  func(string) // called with further notices; may be nil
}

// Journal is the file of a session, an eventlog.File. The goroutine with the turn to record uses it; others only ask
// whether it is writable.
type Journal interface {
	Path() string
	Writable() bool
	Torn() string
	Begin(tree *eventlog.Tree) (added []*eventlog.Event, err error)
	Append(events []*eventlog.Event) error
	End() error
	Follow(tree *eventlog.Tree) (added []*eventlog.Event, err error)
	GiveUp()
	DeferSync()
	Flush() error
	Close() error
}

// point is the state at an event: the fold of the events up to it, computed once.
type point[S any] struct {
	state S
	notes []Note
	used  *int // used length of the array of notes, see AppendShared
}

// New makes a record without rules and events, and its Recorder.
func New[S any](now func() time.Time) (*Record[S], Recorder[S]) {
	r := &Record[S]{Now: now, shut: make(chan struct{})}
	return r, Recorder[S]{r}
}

// Begin starts a new record with a header, a struct that embeds eventlog.Header.
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

// setTree sets the events of a record.
func (r *Record[S]) setTree(tree *eventlog.Tree) {
	events := tree.Events()
	r.Tree = tree
	r.points = make(map[*eventlog.Event]*point[S], len(events))
	r.annotated = map[string]page.Annotation{}
	r.points[tree.Root()] = &point[S]{state: r.Rules.Root(tree.Root().ID)}
	for _, e := range events {
		r.annotate(e)
	}
}

// State is the current state. It must not be changed.
func (r *Record[S]) State() *S { return &r.points[r.At].state }

// Fold is the state at an event, which must not be changed. If an event on the path cannot be applied, the error names
// the first one, and the state is the one before it.
func (r *Record[S]) Fold(e *eventlog.Event) (*S, error) {
	p, err := r.point(e)
	return &p.state, err
}

func (r *Record[S]) point(e *eventlog.Event) (*point[S], error) {
	var events []*eventlog.Event
	for from := e; r.points[from] == nil; from = from.Parent {
		events = append(events, from)
	}
	for _, next := range slices.Backward(events) {
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

// Steps is the number of steps at an event, as far as the events up to it can be applied.
func (r *Record[S]) Steps(e *eventlog.Event) int {
	st, _ := r.Fold(e)
	return r.Rules.Steps(*st)
}

// Closed reports whether the session is closed.
func (r *Record[S]) Closed() bool { return r.closed }

// MoveTo goes to an event, which becomes the end of the current branch unless the branch contains it.
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

// Place is the position of a state in the record. Only Head is set in states other than the current one.
type Place struct {
	Head     string // the ID of the event
	Notes    []Note // up to here, with their current texts, in the order of the steps
	Ahead    int    // stops after this one on the current branch
	Path     string // of the file; empty while there is none
	Saved    bool   // every event is on disk, and so will be the next one
	ReadOnly bool   // the file cannot be appended to
}

// Place is the current place, with so many stops ahead.
func (r *Record[S]) Place(ahead int) Place {
	p := Place{Head: r.At.ID, Notes: r.notes(), Ahead: ahead}
	if r.File != nil {
		writable := r.File.Writable()
		p.Path = r.File.Path()
		p.Saved = writable
		p.ReadOnly = !writable
	}
	return p
}

// Started is the time at which the session was started.
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

// Notices are messages about the file: cut-off or damaged lines, why it is read-only, and where the session continues
// if another program took the file away.
func (r Recorder[S]) Notices() []string {
	r.rec.Lock()
	defer r.rec.Unlock()
	return slices.Clip(r.rec.notices)
}

// Listen sets a function that is called with each further notice, during the act that caused it.
func (r Recorder[S]) Listen(listener func(notice string)) {
	r.rec.Lock()
	defer r.rec.Unlock()
	r.rec.listener = listener
}

// SetAuthor sets who records from now on: every further event names the author.
func (r Recorder[S]) SetAuthor(amount eventlog.Author) {
	r.rec.Lock()
	defer r.rec.Unlock()
	r.rec.author = amount.Clean()
}

// RecordAs does acts in the name of an author, whatever SetAuthor sets meanwhile. Such acts wait for each other.
func (r Recorder[S]) RecordAs(author eventlog.Author, do func()) {
	r.rec.acting.Lock()
	defer r.rec.acting.Unlock()
	r.actAs(author.Clean())
	defer r.actAs(eventlog.Author{})
	do()
}

func (r Recorder[S]) actAs(author eventlog.Author) {
	r.rec.Lock()
	defer r.rec.Unlock()
	r.rec.actor = author
}

// Author is who records, as set by SetAuthor.
func (r Recorder[S]) Author() eventlog.Author {
	r.rec.Lock()
	defer r.rec.Unlock()
	return r.rec.author
}

// AddNotices adds notices.
func (r *Record[S]) AddNotices(texts ...string) { r.notices = append(slices.Clip(r.notices), texts...) }

// AppendShared appends to a list that only grows along a branch. The lists along a branch share one array, of which
// used counts the elements in use; a list that branches off from the middle gets its own array, so that no state ever
// changes.
func AppendShared[T any](list []T, used *int, v ...T) ([]T, *int) {
	if used == nil || *used != len(list) {
		list, used = slices.Clip(list), new(int)
	}
	list = append(list, v...)
	*used = len(list)
	return list, used
}

// CopyShared is a copy of a list that grows by AppendShared, with extra capacity, which may be changed.
func CopyShared[T any](list []T) ([]T, *int) {
	n := len(list)
	values := make([]T, n, n+n/4+1)
	copy(values, list)
	return values, &n
}
