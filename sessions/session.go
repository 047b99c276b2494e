package sessions

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"time"

	"golang.org/x/sync/semaphore"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/functions/external"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/fitcache"
	"bandscope/sessions/recorder"
)

// Session is a log of events with a current position. Its methods may be called from several goroutines. Acts, which
// record, wait for each other; moves and getters wait for no file, no evaluation and no fit.
type Session struct {
	recorder.Recorder[State]
	rec *recorder.Record[State]

	// held from recording a suggestion until its result is recorded. It is acquired before the lock to record
	evaluation *semaphore.Weighted
	fits       fitcache.Cache

	setup   setup
	lesson  *Lesson // nil where it is none
	task    *Task   // nil where there is none
	untimed bool    // records 0 as the time that a suggestion took

	// With the lock of the record:
	evaluatorSet bool // who evaluates was said
	// nil: nobody; counts if it was attached, otherwise the problem's own
	evaluator functions.Evaluator
	// pending points of other programs that are evaluated here, by the id of the suggestion; see TakeOver
	takenOver map[string]bool
	// results of pending points that are not reported yet, by the id of the suggestion
	results map[string]map[int]functions.Outcome
}

// Option is an option of New.
type Option func(*Session)

// WithClock makes a session take the time from a clock, which is asked once for its beginning and once an event.
func WithClock(now func() time.Time) Option { return func(s *Session) { s.rec.Now = now } }

// Untimed makes a session record 0 seconds for every suggestion, so that with WithClock the same acts give the same bytes.
func Untimed() Option { return func(s *Session) { s.untimed = true } }

// header is the first line of a log.
type header struct {
	eventlog.Header
	Config Config  `json:"config"`
	Lesson *Lesson `json:"lesson,omitempty"` // what makes the session a lesson
	Task   *Task   `json:"task,omitempty"`   // the task of the session
	// what several objectives are measured by, where the problem declares it
	Range    *rangedData     `json:"range,omitempty"`
	Training *trainingHeader `json:"lab,omitempty"` // in place of a configuration: the session is one of a lab
	// in place of a configuration: the file is the record of a class
	Class json.RawMessage `json:"class,omitempty"`
}

// New starts a session that is not on disk yet. The error reports an invalid configuration, also if no feasible point
// is found, which may take seconds; if the context ends first, it is the error of the context.
func New(ctx context.Context, cfg Config, options ...Option) (*Session, error) {
	if cfg.Experiment != nil && cfg.Failures == "" { // sessions that are on record without it go on as they began
		cfg.Failures = cmp.Or(cfg.Experiment.Failures, experiment.FailuresLearned)
	}
	set, err := resolve(cfg)
	if err != nil {
		return nil, err
	}
	if err := checkFeasible(ctx, set.problem, nil); err != nil {
		return nil, err
	}
	set.outcomeRange = declaredRange(set.problem)
	s := newSession(set)
	for _, o := range options {
		o(s)
	}
	s.rec.Rules = s.rules()
	err = s.rec.Begin(func(started time.Time) any {
		h := eventlog.NewHeader(ProgramVersion(), started)
		return header{Header: h, Config: set.config, Lesson: s.lesson, Task: s.task, Range: set.outcomeRange.data()}
	})
	if err != nil {
		return s, err
	}
	return s, s.recordMeasurements()
}

// recordMeasurements records the results of a table of candidates, some of which are not measured yet.
func (s *Session) recordMeasurements() error {
	x := s.setup.config.Experiment
	if x == nil || x.Table == nil || x.Measured() {
		return nil
	}
	for _, m := range x.Table.Measurements(len(x.Variables)) {
		o := functions.Outcome{Values: m.Values, Partial: !m.Failed}
		if m.Failed {
			o = functions.Outcome{Reason: "failed"}
		}
		if _, err := s.Record(ByImport, [][]float64{m.X}, o); err != nil {
			return err
		}
	}
	return nil
}

// newSession is a session without events.
func newSession(set setup) *Session {
	set.programs, set.fits = &external.Host{}, &fitcache.Store{}
	s := &Session{evaluation: semaphore.NewWeighted(1), setup: set}
	s.rec, s.Recorder = recorder.New[State](time.Now)
	return s
}

// Close closes the file of the session, and ends the program that its method is.
func (s *Session) Close() error {
	s.setup.fits.Flush()
	return errors.Join(s.Recorder.Close(), s.setup.programs.Close())
}

// SaveAs writes the session to a new file, and continues there. The fits that are kept beside a file go with it.
func (s *Session) SaveAs(path string) error {
	err := s.Recorder.SaveAs(path)
	if err == nil {
		s.keepFits(path)
	}
	return err
}

// keepFits keeps fits beside the file of the session: it reads them, and writes them if the session can be written.
func (s *Session) keepFits(path string) *Session {
	s.rec.Lock()
	writable := s.rec.File != nil && s.rec.File.Writable()
	s.rec.Unlock()
	writable = writable && !s.Protected()
	s.setup.fits.SetSession(path, !writable)
	return s
}

// rules say what the events of the session mean.
func (s *Session) rules() recorder.Rules[State] {
	return recorder.Rules[State]{
		Root:      s.setup.state,
		Fold:      func(st State, e *eventlog.Event) (State, error) { err := st.apply(e); return st, err },
		FollowUps: followUps,
		Steps:     func(st State) int { return len(st.Iterations) },
		Stops:     s.stops,
		Pages:     s.lesson != nil,
		Steers:    steers,
	}
}

// ProgramVersion is the version of this program, as the build knows it.
func ProgramVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// stateAt is the state at an event that is on record.
func (s *Session) stateAt(e *eventlog.Event) State {
	s.rec.Lock()
	defer s.rec.Unlock()
	st, _ := s.rec.Fold(e)
	return *st
}
