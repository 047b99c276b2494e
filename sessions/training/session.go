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

// Session is a log of what was done in a lab, with a place to stand in it. Its methods may be called from several
// goroutines. Whoever trains takes turns, and so does whoever records; moves, and looks at the state, wait for neither.
type Session struct {
	recorder.Recorder[State]
	rec *recorder.Record[State]

	spec     *Spec
	trainer  *Trainer
	params   param.Set // that it was begun with
	cols     []int     // where the values of a row on record belong
	lesson   *sessions.Lesson
	thin     bool // what is trained is recorded where it was judged alone
	platform string
}

// header is the first line of a log.
type header struct {
	eventlog.Header
	Lab    specData         `json:"lab"`
	Lesson *sessions.Lesson `json:"lesson,omitempty"`
}

// specData are a lab with its parameters, and what the rows of its trainings are.
type specData struct {
	Name    string         `json:"name"`
	Params  map[string]any `json:"params"`
	Columns []string       `json:"columns"`
}

// Option is more that New can be told.
type Option func(*Session)

// WithClock makes a session take the time from a clock, which is asked once for its beginning and once an event.
func WithClock(now func() time.Time) Option { return func(s *Session) { s.rec.Now = now } }

// WithLesson makes a session a lesson. So that a lesson is small it records of a training that is judged now and then
// what was measured when it was judged, and at the last update before each place; the rest comes out when it is trained
// again.
func WithLesson(l *sessions.Lesson) Option {
	return func(s *Session) { s.lesson, s.thin = l, true }
}

// New begins a session of a lab, in memory, before the first update. What is not set has its default; the error says
// what is wrong with the parameters.
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

// rules say what the events of the session mean.
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

// allValues are the values of allValues parameters.
func allValues(p param.Set) map[string]any {
	values := map[string]any{}
	for _, d := range p.Decls() {
		values[d.Key] = p.Value(d.Key)
	}
	return values
}

// State is where the session stands.
func (s *Session) State() State {
	s.rec.Lock()
	defer s.rec.Unlock()
	return s.snapshot()
}

// checkpoint is the state where the session stands, with what is known of its file. The caller holds the lock.
func (s *Session) snapshot() State {
	st := *s.rec.State()
	st.Place = s.rec.Place(s.ahead())
	return st
}

// prepareEdit are the parameters of a run with others, and the event that says so; it is nil where nothing differs.
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
		return nil, fmt.Errorf("%s; go back before that to change it on the way", failed)
	}
	return d, nil
}

// Edit gives a run, 0 or the one that is laid over it, other parameters. Those that are live act from here on; with
// others the training begins anew, with both runs if there are two. The text says which of the two it was.
func (s *Session) Edit(run int, set map[string]any) (text string, err error) {
	s.rec.Lock()
	d, err := s.prepareEdit(run, set)
	st := *s.rec.State()
	s.rec.Unlock()
	if err != nil || d == nil {
		return "nothing is changed", err
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
		text += ": the training begins anew"
	case st.Step > 0:
		text += " from here on"
	}
	return text, err
}

// AddRun lays a second run over the first, with its parameters but for those that are set, and trains it as far as that
// one is. Cancelled, it is as far as it came, and the next step goes on with it.
func (s *Session) AddRun(ctx context.Context, set map[string]any, progress sessions.Progress) (State, error) {
	st := s.State()
	if len(st.Runs) > 1 {
		return st, errors.New("two runs are laid over each other already; lift the second one before another is laid")
	}
	p, err := st.Runs[0].Params.WithAll(set)
	if err == nil && DescribeChanges(st.Runs[0].Params, p) == "" {
		err = errors.New("a second run with the same parameters would be the same training; change one of them")
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

// RemoveRun takes the second run away.
func (s *Session) RemoveRun() error { return s.record("", kindRunRemoved, removeRunData{}) }

// record records an event where the session stands; with the ID of a place, only there.
func (s *Session) record(at, kind string, data any) error {
	_, err := s.rec.Act(func() ([]recorder.Entry, error) {
		if at != "" && s.rec.At.ID != at {
			return nil, recorder.ErrMoved
		}
		return []recorder.Entry{{Kind: kind, Data: data}}, nil
	})
	return err
}

// Lesson is what makes the session a lesson; nil where it is none.
func (s *Session) Lesson() *sessions.Lesson { return s.lesson }
