package training

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// Session is the log of a lab, with a current event. Its methods may be called from several goroutines. Only one of
// them trains at a time, and only one records; moving and reading the state wait for neither.
type Session struct {
	recorder.Recorder[State]
	rec *recorder.Record[State]

	spec     *Spec
	trainer  *Trainer
	params   param.Set // at the start
	cols     []int     // the column of each value in a recorded row
	lesson   *sessions.Lesson
	thin     bool // only updates with validation measurements are recorded
	platform string
}

// header is the first line of a log.
type header struct {
	eventlog.Header
	Lab    specData         `json:"lab"`
	Lesson *sessions.Lesson `json:"lesson,omitempty"`
}

// specData is the record of a lab: its parameters, and the columns of its rows.
type specData struct {
	Name    string         `json:"name"`
	Params  map[string]any `json:"params"`
	Columns []string       `json:"columns"`
}

// Option is an option of New.
type Option func(*Session)

// WithClock sets the clock of a session, which is read once at its start and once for each event.
func WithClock(now func() time.Time) Option { return func(s *Session) { s.rec.Now = now } }

// WithLesson makes a session a lesson. To keep a lesson small, it records only updates with validation measurements,
// and the last update of each step; training again gives the other values.
func WithLesson(l *sessions.Lesson) Option {
	return func(s *Session) { s.lesson, s.thin = l, true }
}

// New starts a session of a lab, in memory, before the first update. Parameters that are not set have their defaults;
// it returns an error if the parameters are invalid.
func New(l *Spec, set map[string]any, options ...Option) (*Session, error) {
	p, err := l.Defaults().WithAll(set)
	if err == nil {
		err = l.Check(p)
	}
	if err != nil {
		return nil, fmt.Errorf("lab %s: %w", l.Name, err)
	}
	s := newSession(l)
	s.params = p
	for _, o := range options {
		o(s)
	}
	data := specData{Name: l.Name, Params: allValues(p)}
	for i, c := range l.Columns {
		data.Columns, s.cols = append(data.Columns, c.Key), append(s.cols, i)
	}
	s.rec.Rules = s.rules()
	return s, s.rec.Begin(func(started time.Time) any {
		h := eventlog.NewHeader(sessions.ProgramVersion(), started)
		s.platform = h.Platform
		return header{Header: h, Lesson: s.lesson, Lab: data}
	})
}

// newSession is a session of a lab without events.
func newSession(l *Spec) *Session {
	s := &Session{spec: l, trainer: NewTrainer(l)}
	s.rec, s.Recorder = recorder.New[State](time.Now)
	return s
}

// rules define the events of the session.
func (s *Session) rules() recorder.Rules[State] {
	return recorder.Rules[State]{
		Root: func(id string) State {
			st := State{Place: recorder.Place{Head: id}, Spec: s.spec, Runs: []Run{begin(s.params)}, cols: s.cols}
			st.updateTotals()
			return st
		},
		Fold:  fold,
		Steps: func(st State) int { return st.Step },
		Stops: s.stops,
		Pages: s.lesson != nil,
	}
}

// allValues are the values of all parameters.
func allValues(p param.Set) map[string]any {
	values := map[string]any{}
	for _, d := range p.Decls() {
		values[d.Key] = p.Value(d.Key)
	}
	return values
}

// State is the current state of the session.
func (s *Session) State() State {
	s.rec.Lock()
	defer s.rec.Unlock()
	return s.snapshot()
}

// snapshot is the current state, with the state of its file. The caller holds the lock.
func (s *Session) snapshot() State {
	st := *s.rec.State()
	st.Place = s.rec.Place(s.ahead())
	return st
}

// prepareEdit is the event that changes parameters of a run; it is nil if nothing changes.
func (s *Session) prepareEdit(run int, set map[string]any) (*editedData, error) {
	st := s.rec.State()
	if run < 0 || run >= len(st.Runs) {
		return nil, fmt.Errorf("there is no run %d", run+1)
	}
	p := st.Runs[run].Params
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
	d.Restart = s.spec.Restarts(d.Set) && st.Step > 0
	if failed := st.Runs[run].Failed; failed != "" && !d.Restart {
		return nil, fmt.Errorf("%s; go back to an earlier update to change it there", failed)
	}
	return d, nil
}

// Edit changes parameters of a run, 0 or 1. Live parameters take effect from here on; others restart the training, with
// both runs if there are two. The text says which of the two happened.
func (s *Session) Edit(run int, set map[string]any) (text string, err error) {
	s.rec.Lock()
	d, err := s.prepareEdit(run, set)
	st := *s.rec.State()
	s.rec.Unlock()
	if err != nil || d == nil {
		return "nothing has changed", err
	}
	p, err := st.Runs[run].Params.WithAll(d.Set)
	if err == nil {
		err = s.spec.Check(p)
	}
	if err != nil {
		return "", err
	}
	err = s.record(st.Head, kindEdited, d)
	text = DescribeChanges(st.Runs[run].Params, p)
	switch {
	case d.Restart:
		text += ": the training restarts"
	case st.Step > 0:
		text += " from here on"
	}
	return text, err
}

// AddRun adds a second run with the parameters of the first one, except those in set, and trains it to the same update.
// If it is cancelled, the next step continues with the second run.
func (s *Session) AddRun(ctx context.Context, set map[string]any, progress sessions.Progress) (State, error) {
	st := s.State()
	if len(st.Runs) > 1 {
		return st, errors.New("there are two runs already; remove the second one first")
	}
	p, err := st.Runs[0].Params.WithAll(set)
	if err == nil && DescribeChanges(st.Runs[0].Params, p) == "" {
		err = errors.New("a second run with the same parameters would be the same training; change a parameter")
	}
	if err == nil {
		err = s.spec.Check(p)
	}
	if err == nil {
		err = s.record(st.Head, kindRunAdded, addRunData{Params: allValues(p)})
	}
	if err != nil || st.Step == 0 {
		return s.State(), err
	}
	return s.train(ctx, 0, progress)
}

// RemoveRun removes the second run.
func (s *Session) RemoveRun() error { return s.record("", kindRunRemoved, removeRunData{}) }

// record records an event after the current one; if event is not empty, only if that is the ID of the current one.
func (s *Session) record(event, kind string, data any) error {
	_, err := s.rec.Act(func() ([]recorder.Entry, error) {
		if event != "" && s.rec.At.ID != event {
			return nil, recorder.ErrMoved
		}
		return []recorder.Entry{{Kind: kind, Data: data}}, nil
	})
	return err
}

// Lesson is the title and description of a lesson; nil if the session is not a lesson.
func (s *Session) Lesson() *sessions.Lesson { return s.lesson }
