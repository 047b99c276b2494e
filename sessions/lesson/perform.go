package lesson

import (
	"context"
	"fmt"
	"time"

	"bandscope/sessions"
	"bandscope/sessions/lesson/page"
	"bandscope/sessions/training"
)

// IsTraining reports whether the lesson is about a training, which PerformTraining performs.
func (s *Script) IsTraining() bool { return s.begin.words[0] == "lab" }

// startTime is when performed lessons begin, so that a script gives the same bytes each time on a machine.
var startTime = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// clock returns a clock that advances by one second with each call.
func clock() func() time.Time {
	now := startTime
	return func() time.Time {
		now = now.Add(time.Second)
		return now
	}
}

// pageWriter is a session or a training.
type pageWriter interface {
	WritePage(text string, p page.Page) error
	Close() error
}

// Perform makes the session of a script: it performs every action and writes every page. The session is at its end and
// has no file.
func (s *Script) Perform(ctx context.Context, progress sessions.Progress) (*sessions.Session, error) {
	if s.IsTraining() {
		return nil, s.begin.wrapError(sessions.ErrTraining)
	}
	cfg, err := ParseConfig(s.begin.words[1:], s.files)
	if err != nil {
		return nil, s.begin.wrapError(err)
	}
	made, err := sessions.New(ctx, cfg, sessions.WithLesson(&s.Lesson), sessions.WithClock(clock()),
		sessions.Untimed())
	if err != nil {
		return nil, s.begin.wrapError(err)
	}
	return perform(ctx, s, made, actions, progress)
}

// PerformTraining makes the training of a script, like Perform; where finds a training by its name (training.Find).
func (s *Script) PerformTraining(ctx context.Context, where func(string) (*training.Spec, error),
	progress sessions.Progress) (*training.Session, error) {
	if !s.IsTraining() || len(s.begin.words) < 2 {
		return nil, s.begin.wrapError(fmt.Errorf("the script of a training begins with > lab NAME"))
	}
	l, err := where(s.begin.words[1])
	if err != nil {
		return nil, s.begin.wrapError(err)
	}
	set, err := values(l, s.begin.words[2:])
	if err != nil {
		return nil, s.begin.wrapError(err)
	}
	made, err := training.New(l, set, training.WithLesson(&s.Lesson), training.WithClock(clock()))
	if err != nil {
		return nil, s.begin.wrapError(err)
	}
	return perform(ctx, s, made, trainingActs, progress)
}

// perform performs the items in order; if one fails, nothing is made.
func perform[S pageWriter](ctx context.Context, s *Script, made S, actions []act[S], progress sessions.Progress) (none S,
	err error) {
	for n, i := range s.items {
		if progress != nil {
			progress(fmt.Sprintf("line %d", i.number), n, len(s.items))
		}
		if i.note != "" {
			err = made.WritePage(i.note, i.page)
		} else if a, unknown := findAct(i.words, actions); unknown != nil {
			err = unknown
		} else {
			err = a.do(ctx, made, i.words[1:], nil)
		}
		if err != nil {
			made.Close()
			return none, i.wrapError(err)
		}
	}
	return made, nil
}
