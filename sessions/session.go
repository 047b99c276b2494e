package sessions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"bandscope/functions"
)

// ErrMoved is returned by an act that was overtaken: the session stands elsewhere than when the act began.
var ErrMoved = errors.New("the session has moved on meanwhile; nothing was recorded")

// ErrClosed is returned by every act on a session that is closed, also by one that was under way then.
var ErrClosed = errors.New("the session is closed; nothing was recorded")

// Session is a log of events with a place to stand in it. Its methods may be called from several goroutines. Acts, which record, take their
// turns; moves, and looks at the state, wait for no file, no evaluation and no fit.
type Session struct {
	acts       sync.Mutex // the turn to record: events stand in the file in the order of these turns. It is taken before mu
	evaluation turn       // of whoever records what is to be evaluated, until what came of it is recorded. It is taken before acts

	mu        sync.Mutex // over all that follows; never held over anything slow
	setup     setup
	lesson    *Lesson             // nil where it is none
	attached  bool                // who evaluates was said
	evaluator functions.Evaluator // nil: nobody; counts if it was attached, otherwise the problem's own
	closed    bool
	root      *event
	events    map[string]*event
	order     []*event // as they stand in the file
	at        *event   // where the session stands
	tip       *event   // the end of the current branch, on which at lies
	state     State    // the fold up to at
	started   time.Time
	last      time.Time // when the last event was made
	now       func() time.Time
	file      *logFile // nil while there is none
	notices   []string
	fits      fits

	annotated map[string]annotatedData // what was written last on an event, by its id
}

// New starts a session that is not on disk yet. The error says what is wrong with the configuration.
func New(cfg Config) (*Session, error) { return newAt(cfg, time.Now) }

func newAt(cfg Config, now func() time.Time) (*Session, error) { return newLesson(cfg, nil, now) }

// newLesson starts a session that is a lesson, unless that is nil.
func newLesson(cfg Config, lesson *Lesson, now func() time.Time) (*Session, error) {
	set, err := resolve(cfg)
	if err != nil {
		return nil, err
	}
	set.measure = declared(set.problem)
	started := now()
	h := header{Format: formatName, Version: FormatVersion(), Program: ProgramVersion(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH, Started: started.UTC().Format(time.RFC3339), Config: set.config, Lesson: lesson, Range: set.measure.data()}
	id, line, err := encode(h)
	if err != nil {
		return nil, fmt.Errorf("writing the header: %w", err)
	}
	s := &Session{evaluation: newTurn(), setup: set, lesson: lesson, events: map[string]*event{}, started: started, last: started, now: now}
	s.root = &event{id: id, kind: "header", line: line, state: set.state(id)}
	s.insert(s.root)
	return s, s.stand(s.root)
}

// ProgramVersion is the version of this program, as the build knows it.
func ProgramVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// insert adds an event to the tree.
func (s *Session) insert(e *event) {
	s.events[e.id] = e
	s.order = append(s.order, e)
	s.annotate(e)
}

// chain lists the events from the root to one event.
func chain(e *event) []*event {
	list := make([]*event, e.depth+1)
	for ; e != nil; e = e.parent {
		list[e.depth] = e
	}
	return list
}

// stand goes to an event; it becomes the end of the current branch unless it lies on it.
func (s *Session) stand(e *event) error {
	st, err := s.stateAt(e)
	if err != nil {
		return err
	}
	s.at, s.state = e, st
	if s.tip == nil || !within(e, s.tip) {
		s.tip = e
	}
	return nil
}

// stateAt is the fold of the events from the root to one of them. It is kept with the event.
func (s *Session) stateAt(e *event) (State, error) {
	from := e
	for from.state == nil {
		from = from.parent
	}
	var way []*event
	for next := e; next != from; next = next.parent {
		way = append(way, next)
	}
	for _, next := range slices.Backward(way) {
		st := *next.parent.state
		if err := st.apply(next); err != nil {
			return st, fmt.Errorf("event %s (%s): %w", next.id, next.kind, err)
		}
		st.Head = next.id
		next.state = &st
	}
	return *e.state, nil
}

// within reports whether an event lies on the way from the root to another.
func within(e, tip *event) bool {
	for ; tip != nil && tip.depth >= e.depth; tip = tip.parent {
		if tip == e {
			return true
		}
	}
	return false
}

// entry is what an act records: an event after the one before it, the first of them after a place.
type entry struct {
	kind string
	data any
}

// act records what decide asks for, which is called with the lock held; it returns the last event, nil if nothing was asked for. What is written
// at once is in the file as a whole or not at all.
func (s *Session) act(decide func() ([]entry, error)) (*event, error) {
	return s.actAfter(func() (*event, []entry, error) {
		entries, err := decide()
		return s.at, entries, err
	})
}

// actAfter is act after the place that decide returns. Whoever moved on while it was written stays where they went.
func (s *Session) actAfter(decide func() (*event, []entry, error)) (*event, error) {
	s.acts.Lock()
	defer s.acts.Unlock()
	return s.record(decide)
}

// record does an act. The caller holds the turn.
func (s *Session) record(decide func() (*event, []entry, error)) (*event, error) {
	s.mu.Lock()
	made, now, err := s.prepare(decide)
	file := s.file
	s.mu.Unlock()
	if err != nil || len(made) == 0 {
		return nil, err
	}
	if file != nil {
		if err := file.append(made); err != nil {
			return nil, fmt.Errorf("writing %s: %w", file.path, err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = now
	for _, e := range made {
		s.insert(e)
		switch {
		case e.mark():
		case s.at == e.parent:
			s.at, s.tip, s.state = e, e, *e.state
		case s.tip == e.parent: // on the way back meanwhile: it is recorded ahead
			s.tip = e
		}
	}
	return made[len(made)-1], nil
}

// prepare makes the events that decide asks for, each with its state. After a line that was cut off, a mark comes first. The caller holds the
// lock.
func (s *Session) prepare(decide func() (*event, []entry, error)) ([]*event, time.Time, error) {
	if s.closed {
		return nil, s.last, ErrClosed
	}
	after, entries, err := decide()
	if err != nil || len(entries) == 0 {
		return nil, s.last, err
	}
	if s.file != nil && s.file.torn != "" {
		entries = append([]entry{{kindResumed, resumedData{Torn: s.file.torn}}}, entries...)
	}
	var made []*event
	last := s.last
	for i := 0; i < len(entries); i++ {
		d := entries[i]
		e, now, err := s.make(after, last, d)
		if err != nil {
			return nil, last, fmt.Errorf("a %s event: %w", d.kind, err)
		}
		if _, err := s.stateAt(e); err != nil {
			return nil, last, err
		}
		if made, last = append(made, e), now; !e.mark() {
			after = e
		}
		if r := e.state.toFreeze(); d.kind == kindObserved && r != nil {
			entries = slices.Insert(entries, i+1, entry{kindRanged, r})
		}
	}
	return made, last, nil
}

// make builds an event after another. Its time is rounded to milliseconds; one that would equal an earlier event
// is moved on, because equal lines have equal ids.
func (s *Session) make(after *event, last time.Time, d entry) (*event, time.Time, error) {
	raw, err := marshal(d.data)
	if err != nil {
		return nil, last, err
	}
	now := s.now()
	for ms := math.Round(max(now.Sub(last).Seconds(), 0) * 1000); ; ms++ {
		id, line, err := encode(eventBody{Parent: after.id, Dt: ms / 1000, Kind: d.kind, Data: raw})
		if err != nil {
			return nil, now, err
		}
		if s.events[id] == nil {
			return &event{id: id, parent: after, kind: d.kind, data: raw, line: line, depth: after.depth + 1}, now, nil
		}
	}
}

func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// Path is the session's file; empty while there is none.
func (s *Session) Path() string { return s.State().Path }

// Started is when the session was begun.
func (s *Session) Started() time.Time { return s.started }

// Notices are what a person should know of how the file was found: torn or damaged lines, why it is read-only.
func (s *Session) Notices() []string { return s.notices }

// stops are those of the current branch: every event after which an iteration begins, and the tip. They are what Back and Forward
// move between, so that an edit made after an iteration belongs to the stop behind it. A lesson's stops are its notes and, behind the last of them, the reader's own steps.
func (s *Session) stops() []*event {
	var stops []*event
	events, page := chain(s.tip), -1
	for i, e := range events {
		if s.lesson != nil && e.kind == kindNoted {
			page = i
		}
	}
	for i, e := range events {
		switch {
		case i < page && e.kind != kindNoted:
		case e.kind == kindSuggested && e.parent != nil && (len(stops) == 0 || stops[len(stops)-1] != e.parent):
			stops = append(stops, e.parent)
		case s.lesson != nil && e.kind == kindNoted && e != s.tip:
			stops = append(stops, e)
		}
	}
	if s.tip.kind != kindSuggested { // a suggestion without observation is no stop of its own
		stops = append(stops, s.tip)
	}
	return stops
}

// ahead counts the iterations that are recorded after the current place on its branch.
func (s *Session) ahead() int {
	n := 0
	for e := s.tip; e != nil && e != s.at; e = e.parent {
		if e.kind == kindObserved {
			n++
		}
	}
	return n
}

// Back goes to the stop before the last iteration; false if there is none.
func (s *Session) Back() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	var before *event
	for _, e := range s.stops() {
		if e.depth < s.at.depth {
			before = e
		}
	}
	return before != nil && s.stand(before) == nil
}

// Forward goes to the stop after the next recorded iteration of this branch; false if there is none.
func (s *Session) Forward() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.forward()
}

func (s *Session) forward() bool {
	for _, e := range s.stops() {
		if e.depth > s.at.depth {
			return s.stand(e) == nil
		}
	}
	return false
}

// First goes to the stop before the first iteration.
func (s *Session) First() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stand(s.stops()[0])
}

// Last goes to the end of the current branch.
func (s *Session) Last() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stand(s.tip)
}

// Edit gives a parameter of the optimizer another value, from text.
func (s *Session) Edit(key, text string) error {
	_, err := s.act(func() ([]entry, error) {
		d, err := s.state.Params.Decl(key)
		if err != nil {
			return nil, err
		}
		value, err := d.Parse(text)
		if err != nil {
			return nil, err
		}
		if _, err := s.state.Edited(key, text); err != nil {
			return nil, err
		}
		return []entry{{kindEdited, editedData{Key: key, Value: value, Old: s.state.Params.Value(key)}}}, nil
	})
	return err
}

// Close leaves the session: if it stands elsewhere than at its last event, the place is marked in the file, so that Open
// finds it again. The file is released. From then on every act returns ErrClosed, also one that is under way; what is there can be looked at.
// Closing again does nothing.
func (s *Session) Close() error {
	s.acts.Lock()
	defer s.acts.Unlock()
	_, err := s.record(func() (*event, []entry, error) {
		if last := s.order[len(s.order)-1]; s.file != nil && s.file.writable.Load() && s.standing(last) != s.at {
			return s.at, []entry{{kindVisited, struct{}{}}}, nil
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
	return errors.Join(err, s.file.close())
}

// standing is where a session stands whose last event is e.
func (s *Session) standing(e *event) *event {
	for e.mark() {
		e = e.parent
	}
	return e
}
