package lab

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/lab/models"
	"bandscope/sessions/log"
	"bandscope/sessions/page"
)

// Session is a log of what was done in a lab, with a place to stand in it. Its methods may be called from several goroutines. Whoever trains takes turns, and
// so does whoever records; moves, and looks at the state, wait for neither.
type Session struct {
	lab    *Lab
	models *models.Models
	acts   sync.Mutex // the turn to record: events stand in the file in the order of these turns. It is taken before mu

	mu        sync.Mutex // over all that follows; never held over anything slow
	params    param.Set  // that it was begun with
	cols      []int      // where the values of a row on record belong
	lesson    *sessions.Lesson
	thin      bool // what is trained is recorded where it was judged alone
	platform  string
	tree      *log.Tree
	read      map[*log.Event]change
	at        *log.Event // where the session stands
	tip       *log.Event // the end of the current branch, on which at lies
	state     State      // there
	started   time.Time
	last      time.Time // when the last event was made
	now       func() time.Time
	file      *log.File // nil while there is none
	notices   []string
	listener  func(string) // hears further notices; nil where nobody does
	closed    bool
	annotated map[string]page.Annotation // what was written last on an event, by its id
}

// header is the first line of a log.
type header struct {
	log.Header
	Lab    labData          `json:"lab"`
	Lesson *sessions.Lesson `json:"lesson,omitempty"`
}

// labData are a lab with its parameters, and what the rows of its trainings are.
type labData struct {
	Name    string         `json:"name"`
	Params  map[string]any `json:"params"`
	Columns []string       `json:"columns"`
}

// Option is more that New can be told.
type Option func(*Session)

// WithClock makes a session take the time from a clock, which is asked once for its beginning and once an event.
func WithClock(now func() time.Time) Option { return func(s *Session) { s.now = now } }

// WithLesson makes a session a lesson. So that a lesson is small it records of a training that is judged now and then what was measured when it was judged, and at the
// last update before each place; the rest comes out when it is trained again.
func WithLesson(l *sessions.Lesson) Option {
	return func(s *Session) { s.lesson, s.thin = l, true }
}

// New begins a session of a lab, in memory, before the first update. What is not set has its default; the error says what is wrong with the parameters.
func New(l *Lab, set map[string]any, options ...Option) (*Session, error) {
	p, err := l.Defaults().WithAll(set)
	if err == nil {
		err = l.Check(p)
	}
	if err != nil {
		return nil, fmt.Errorf("lab %s: %w", l.Name, err)
	}
	s := &Session{lab: l, params: p, now: time.Now}
	for _, o := range options {
		o(s)
	}
	s.started = s.now()
	s.last = s.started
	h := header{Header: log.NewHeader(sessions.ProgramVersion(), s.started), Lesson: s.lesson, Lab: labData{Name: l.Name, Params: all(p)}}
	for i, c := range l.Columns {
		h.Lab.Columns, s.cols = append(h.Lab.Columns, c.Key), append(s.cols, i)
	}
	tree, err := log.Begin(h)
	if err != nil {
		return nil, err
	}
	s.platform = h.Platform
	s.grow(tree)
	return s, s.stand(tree.Root())
}

// all are the values of all parameters.
func all(p param.Set) map[string]any {
	values := map[string]any{}
	for _, d := range p.Decls() {
		values[d.Key] = p.Value(d.Key)
	}
	return values
}

// grow gives a session its events.
func (s *Session) grow(tree *log.Tree) {
	s.tree, s.read, s.models = tree, map[*log.Event]change{}, models.New(s.lab)
	for _, e := range tree.Events() {
		s.annotate(e)
	}
}

// foldAt is the fold of the events up to one; the error names the first that cannot be applied. The caller holds the lock.
func (s *Session) foldAt(e *log.Event) (*fold, error) {
	f := &fold{lab: s.lab, cols: s.cols, runs: []course{begin(s.params)}}
	for _, e := range e.Way()[1:] {
		if err := s.apply(f, e); err != nil {
			return f, err
		}
	}
	return f, nil
}

// apply changes a fold by one event, the data of which are read once.
func (s *Session) apply(f *fold, e *log.Event) error {
	c, known := s.read[e]
	var err error
	if !known {
		c, err = read(e)
	}
	if err == nil && c != nil {
		err = c.apply(f, e)
	}
	if err != nil {
		return fmt.Errorf("event %s (%s): %w", e.ID, e.Kind, err)
	}
	s.read[e] = c
	return nil
}

// stand goes to an event; it becomes the end of the current branch unless it lies on it. The caller holds the lock.
func (s *Session) stand(e *log.Event) error {
	f, err := s.foldAt(e)
	if err != nil {
		return err
	}
	s.at, s.state = e, f.state(e.ID)
	if s.tip == nil || !e.Leads(s.tip) {
		s.tip = e
	}
	return nil
}

// State is where the session stands.
func (s *Session) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.told()
}

// told is the state with what is not of the fold. The caller holds the lock.
func (s *Session) told() State {
	st := s.state
	st.Notes, st.Ahead = s.notes(), s.ahead()
	if s.file != nil {
		st.Path, st.Saved = s.file.Path(), s.file.Writable()
	}
	return st
}

// entry is what an act records: an event after the one before it, the first of them after a place.
type entry struct {
	kind string
	data any
}

// act records what decide asks for after the place that it returns, which is called with the lock held. What is written at once is in the file as a whole or not at
// all. Whoever moved on while it was written stays where they went.
func (s *Session) act(decide func() (*log.Event, []entry, error)) error {
	s.acts.Lock()
	defer s.acts.Unlock()
	return s.record(decide)
}

// record does an act. The caller holds the turn.
func (s *Session) record(decide func() (*log.Event, []entry, error)) error {
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
			delete(s.read, e)
		}
		return err
	}
	for _, e := range made {
		s.last = now
		s.tree.Add(e)
		s.annotate(e)
		switch {
		case e.Mark():
		case s.at == e.Parent:
			s.tip = e
			if err := s.stand(e); err != nil {
				return err
			}
		case s.tip == e.Parent: // on the way back meanwhile: it is recorded ahead
			s.tip = e
		}
	}
	return nil
}

// prepare makes the events that decide asks for, and sees that they can be applied. After a line that was cut off, a mark comes first. The caller holds the lock.
func (s *Session) prepare(decide func() (*log.Event, []entry, error)) (made []*log.Event, last time.Time, err error) {
	last = s.last
	if s.closed {
		return nil, last, sessions.ErrClosed
	}
	after, entries, err := decide()
	if err != nil || len(entries) == 0 {
		return nil, last, err
	}
	f, err := s.foldAt(after)
	if err != nil {
		return nil, last, err
	}
	if s.file != nil && s.file.Torn() != "" {
		entries = append([]entry{{log.Resumed, log.ResumedData{Torn: s.file.Torn()}}}, entries...)
	}
	for _, d := range entries {
		now := s.now()
		e, err := s.tree.Next(after, d.kind, d.data, now.Sub(last))
		if err != nil {
			return made, last, fmt.Errorf("a %s event: %w", d.kind, err)
		}
		if made, last = append(made, e), now; e.Mark() {
			continue
		}
		if err := s.apply(f, e); err != nil {
			return made, last, err
		}
		after = e
	}
	return made, last, nil
}

// here is an act at the place where the session stands.
func (s *Session) here(entries ...entry) error {
	return s.act(func() (*log.Event, []entry, error) { return s.at, entries, nil })
}

// edited are the parameters of a run with others, and the event that says so; it is nil where nothing differs.
func (s *Session) edited(run int, set map[string]any) (*editedData, error) {
	if run < 0 || run >= len(s.state.Runs) {
		return nil, fmt.Errorf("there is no run %d", run+1)
	}
	p := s.state.Runs[run].Params
	next, err := p.WithAll(set)
	if err != nil {
		return nil, err
	}
	d := &editedData{Run: run, Set: map[string]any{}, Old: map[string]any{}}
	for _, key := range slices.Sorted(maps.Keys(set)) {
		if v := next.Value(key); v != p.Value(key) {
			d.Set[key], d.Old[key] = v, p.Value(key)
		}
	}
	if len(d.Set) == 0 {
		return nil, nil
	}
	d.Anew = s.lab.Anew(d.Set) && s.state.Step > 0
	if failed := s.state.Runs[run].Failed; failed != "" && !d.Anew {
		return nil, fmt.Errorf("%s; go back before that to change it on the way", failed)
	}
	return d, nil
}

// Edit gives a run, 0 or the one that is laid over it, other parameters. Those that are live act from here on; with others the training begins anew, with both
// runs if there are two. The text says which of the two it was.
func (s *Session) Edit(run int, set map[string]any) (text string, err error) {
	s.mu.Lock()
	d, err := s.edited(run, set)
	st := s.state
	s.mu.Unlock()
	if err != nil || d == nil {
		return "nothing is changed", err
	}
	p, err := st.Runs[run].Params.WithAll(d.Set)
	if err == nil {
		err = s.lab.Check(p)
	}
	if err != nil {
		return "", err
	}
	err = s.act(func() (*log.Event, []entry, error) {
		if s.state.ID != st.ID {
			return nil, nil, sessions.ErrMoved
		}
		return s.at, []entry{{kindEdited, d}}, nil
	})
	text = Changes(st.Runs[run].Params, p)
	switch {
	case d.Anew:
		text += ": the training begins anew"
	case st.Step > 0:
		text += " from here on"
	}
	return text, err
}

// Lay lays a second run over the first, with its parameters but for those that are set, and trains it as far as that one is. Cancelled, it is as far as it came, and
// the next step goes on with it.
func (s *Session) Lay(ctx context.Context, set map[string]any, progress sessions.Progress) (State, error) {
	st := s.State()
	if len(st.Runs) > 1 {
		return st, errors.New("two runs are laid over each other already; lift the second one before another is laid")
	}
	p, err := st.Runs[0].Params.WithAll(set)
	if err == nil && Changes(st.Runs[0].Params, p) == "" {
		err = errors.New("a second run with the same parameters would be the same training; change one of them")
	}
	if err == nil {
		err = s.lab.Check(p)
	}
	if err == nil {
		err = s.act(func() (*log.Event, []entry, error) {
			if s.state.ID != st.ID {
				return nil, nil, sessions.ErrMoved
			}
			return s.at, []entry{{kindLaid, laidData{Params: all(p)}}}, nil
		})
	}
	if err != nil || st.Step == 0 {
		return s.State(), err
	}
	return s.train(ctx, 0, progress)
}

// Lift takes the second run away.
func (s *Session) Lift() error { return s.here(entry{kindLifted, liftedData{}}) }

// Lesson is what makes the session a lesson; nil where it is none.
func (s *Session) Lesson() *sessions.Lesson { return s.lesson }

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

// Close leaves the session: if it stands elsewhere than at its last event, the place is marked in the file, so that Open finds it again. The file is released. From
// then on every act returns sessions.ErrClosed, also one that is under way; what is there can be looked at. Closing again does nothing.
// The error says so where another program took the file away and the session is in a new one.
func (s *Session) Close() error {
	s.acts.Lock()
	defer s.acts.Unlock()
	err := s.record(func() (*log.Event, []entry, error) {
		if s.file != nil && s.file.Writable() && s.tree.Left() != s.at {
			return s.at, []entry{{log.Visited, struct{}{}}}, nil
		}
		return nil, nil, nil
	})
	if errors.Is(err, sessions.ErrClosed) {
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
