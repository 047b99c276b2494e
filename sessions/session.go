package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/sessions/fits"
	"bandscope/sessions/log"
	"bandscope/sessions/page"
)

// ErrMoved is returned by an act that was overtaken: the session stands elsewhere than when the act began.
var ErrMoved = errors.New("the session has moved on meanwhile; nothing was recorded")

// ErrClosed is returned by every act on a session that is closed, also by one that was under way then.
var ErrClosed = errors.New("the session is closed; nothing was recorded")

// Session is a log of events with a place to stand in it. Its methods may be called from several goroutines. Acts, which record, take their
// turns; moves, and looks at the state, wait for no file, no evaluation and no fit.
type Session struct {
	acts       sync.Mutex          // the turn to record: events stand in the file in the order of these turns. It is taken before mu
	evaluation *semaphore.Weighted // of whoever records what is to be evaluated, until what came of it is recorded. It is taken before acts
	fits       fits.Fits

	mu        sync.Mutex // over all that follows; never held over anything slow
	setup     setup
	lesson    *Lesson             // nil where it is none
	task      *Task               // nil where there is none
	attached  bool                // who evaluates was said
	evaluator functions.Evaluator // nil: nobody; counts if it was attached, otherwise the problem's own

	results  map[string]map[int]functions.Outcome // what came of points that are out, until it is told, by the id of what is out
	closed   bool
	tree     *log.Tree
	folds    folds
	at       *log.Event // where the session stands
	tip      *log.Event // the end of the current branch, on which at lies
	state    State      // the fold up to at
	started  time.Time
	last     time.Time // when the last event was made
	now      func() time.Time
	file     journal // nil while there is none
	notices  []string
	listener func(string) // hears further notices; nil where nobody does

	annotated map[string]page.Annotation // what was written last on an event, by its id
}

// journal is the file that a session is recorded in, a log.File. Whoever has the turn to record uses it; the others only see whether it is
// writable.
type journal interface {
	Path() string
	Writable() bool
	Torn() string
	Append(events []*log.Event) error
	Hold()
	Flush() error
	Close() error
}

// Option is more that New can be told.
type Option func(*Session)

// WithClock makes a session take the time from a clock, which is asked once for its beginning and once an event.
func WithClock(now func() time.Time) Option { return func(s *Session) { s.now = now } }

// header is the first line of a log.
type header struct {
	log.Header
	Config Config      `json:"config"`
	Lesson *Lesson     `json:"lesson,omitempty"` // what makes the session a lesson
	Task   *Task       `json:"task,omitempty"`   // what is to be reached in it
	Range  *rangedData `json:"range,omitempty"`  // what several objectives are measured by, where the problem declares it
	Lab    *lab        `json:"lab,omitempty"`    // in place of a configuration: the session is one of a lab
}

// New starts a session that is not on disk yet. The error says what is wrong with the configuration, also where no feasible point is found, which may take seconds; it is
// that of the context where that ends first.
func New(ctx context.Context, cfg Config, options ...Option) (*Session, error) {
	if cfg.Experiment != nil && cfg.Failures == "" { // sessions that are on record without it go on as they began
		cfg.Failures = cmp.Or(cfg.Experiment.Failures, experiment.FailuresLearned)
	}
	set, err := resolve(cfg)
	if err != nil {
		return nil, err
	}
	if err := fulfillable(ctx, set.problem, nil); err != nil {
		return nil, err
	}
	set.measure = declared(set.problem)
	s := &Session{evaluation: semaphore.NewWeighted(1), setup: set, now: time.Now}
	for _, o := range options {
		o(s)
	}
	s.started = s.now()
	s.last = s.started
	tree, err := log.Begin(header{Header: log.NewHeader(ProgramVersion(), s.started), Config: set.config, Lesson: s.lesson, Task: s.task, Range: set.measure.data()})
	if err != nil {
		return nil, err
	}
	s.grow(tree)
	return s, s.stand(tree.Root())
}

// grow gives a session its events.
func (s *Session) grow(tree *log.Tree) {
	events := tree.Events()
	s.tree, s.folds = tree, make(folds, len(events))
	s.folds[tree.Root()] = s.setup.state(tree.Root().ID)
	for _, e := range events {
		s.annotate(e)
	}
}

// ProgramVersion is the version of this program, as the build knows it.
func ProgramVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// stand goes to an event; it becomes the end of the current branch unless it lies on it.
func (s *Session) stand(e *log.Event) error {
	st, err := s.folds.at(e)
	if err != nil {
		return err
	}
	s.at, s.state = e, st
	if s.tip == nil || !e.Leads(s.tip) {
		s.tip = e
	}
	return nil
}

// entry is what an act records: an event after the one before it, the first of them after a place.
type entry struct {
	kind string
	data any
}

// act records what decide asks for, which is called with the lock held; it returns the last event, nil if nothing was asked for. What is written
// at once is in the file as a whole or not at all.
func (s *Session) act(decide func() ([]entry, error)) (*log.Event, error) {
	return s.actAfter(func() (*log.Event, []entry, error) {
		entries, err := decide()
		return s.at, entries, err
	})
}

// actAfter is act after the place that decide returns. Whoever moved on while it was written stays where they went.
func (s *Session) actAfter(decide func() (*log.Event, []entry, error)) (*log.Event, error) {
	s.acts.Lock()
	defer s.acts.Unlock()
	return s.record(decide)
}

// record does an act. The caller holds the turn.
func (s *Session) record(decide func() (*log.Event, []entry, error)) (*log.Event, error) {
	s.mu.Lock()
	made, now, err := s.prepare(decide)
	file := s.file
	s.mu.Unlock()
	if err == nil && len(made) > 0 && file != nil {
		if err = file.Append(made); err != nil {
			err = s.rescue(err, made)
		}
		if err != nil {
			err = fmt.Errorf("writing %s: %w", file.Path(), err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		for _, e := range made {
			delete(s.folds, e)
		}
		return nil, err
	}
	if len(made) == 0 {
		return nil, nil
	}
	s.last = now
	for _, e := range made {
		s.tree.Add(e)
		s.annotate(e)
		switch {
		case e.Mark():
		case s.at == e.Parent:
			s.at, s.tip, s.state = e, e, *s.folds[e]
		case s.tip == e.Parent: // on the way back meanwhile: it is recorded ahead
			s.tip = e
		}
	}
	return made[len(made)-1], nil
}

// Together does several acts, such as the rows of a table, and sees what they record onto the disk once, when it returns. Acts of others meanwhile are seen there
// then too. If that fails, what was done may be missing from the file.
func (s *Session) Together(do func() error) error {
	s.acts.Lock()
	if s.file != nil {
		s.file.Hold()
	}
	s.acts.Unlock()
	err := do()
	s.acts.Lock()
	defer s.acts.Unlock()
	if s.file == nil {
		return err
	}
	flushed := s.file.Flush()
	if flushed != nil {
		flushed = s.rescue(flushed, nil)
	}
	return errors.Join(err, flushed)
}

// prepare makes the events that decide asks for, each with its state, also if it fails. After a line that was cut off, a mark comes first. The caller
// holds the lock.
func (s *Session) prepare(decide func() (*log.Event, []entry, error)) (made []*log.Event, last time.Time, err error) {
	last = s.last
	if s.closed {
		return nil, last, ErrClosed
	}
	after, entries, err := decide()
	if err != nil || len(entries) == 0 {
		return nil, last, err
	}
	if s.file != nil && s.file.Torn() != "" {
		entries = append([]entry{{log.Resumed, log.ResumedData{Torn: s.file.Torn()}}}, entries...)
	}
	for i := 0; i < len(entries); i++ {
		d, now := entries[i], s.now()
		e, err := s.tree.Next(after, d.kind, d.data, now.Sub(last))
		if err != nil {
			return made, last, fmt.Errorf("a %s event: %w", d.kind, err)
		}
		st, err := s.folds.at(e)
		if err != nil {
			return made, last, err
		}
		if made, last = append(made, e), now; !e.Mark() {
			after = e
		}
		if then := kinds[d.kind].then; then != nil {
			entries = slices.Insert(entries, i+1, then(st)...)
		}
	}
	return made, last, nil
}

// stateOf is the state at an event that is on record.
func (s *Session) stateOf(e *log.Event) State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *s.folds[e]
}

// Path is the session's file; empty while there is none.
func (s *Session) Path() string { return s.State().Path }

// Started is when the session was begun.
func (s *Session) Started() time.Time { return s.started }

// Notices are what a person should know of the file: torn or damaged lines, why it is read-only, that another program took it away and where the session goes on.
func (s *Session) Notices() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clip(s.notices)
}

// Listen has a function hear each further notice, while the act is under way that led to it.
func (s *Session) Listen(listener func(notice string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listener = listener
}

// Close leaves the session: if it stands elsewhere than at its last event, the place is marked in the file, so that Open
// finds it again. The file is released. From then on every act returns ErrClosed, also one that is under way; what is there can be looked at.
// Closing again does nothing.
// The error says so where another program took the file away and the session is in a new one.
func (s *Session) Close() error {
	s.acts.Lock()
	defer s.acts.Unlock()
	_, err := s.record(func() (*log.Event, []entry, error) {
		if s.file != nil && s.file.Writable() && s.tree.Left() != s.at {
			return s.at, []entry{{log.Visited, struct{}{}}}, nil
		}
		return nil, nil, nil
	})
	if errors.Is(err, ErrClosed) {
		return nil
	}
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	if s.file == nil {
		return err
	}
	closed := s.file.Close()
	if errors.As(closed, new(*log.Lost)) {
		if closed = s.rescue(closed, nil); closed == nil {
			closed = errors.Join(errors.New(s.notices[len(s.notices)-1]), s.file.Close())
		}
	}
	return errors.Join(err, closed)
}
