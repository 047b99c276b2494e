package lesson

import (
	"context"
	"fmt"
	"time"

	"bandscope/sessions"
	"bandscope/sessions/lesson/page"
	"bandscope/sessions/training"
)

// IsLab reports whether the script is of a lab's lesson, which PerformLab performs.
func (s *Script) IsLab() bool { return s.begin.words[0] == "lab" }

// began is when performed lessons begin: the same script gives the same bytes on a machine.
var began = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// clock goes a second further each time.
func clock() func() time.Time {
	now := began
	return func() time.Time {
		now = now.Add(time.Second)
		return now
	}
}

// performed is what pages and acts become part of.
type performed interface {
	WritePage(text string, p page.Page) error
	Close() error
}

// Perform makes the session of a script: every act is done, and every page written where it stands. It is left at its
// end, in no file.
func (s *Script) Perform(ctx context.Context, progress sessions.Progress) (*sessions.Session, error) {
	if s.IsLab() {
		return nil, s.begin.wrong(sessions.ErrLab)
	}
	cfg, err := configuration(s.begin.words[1:], s.files)
	if err != nil {
		return nil, s.begin.wrong(err)
	}
	made, err := sessions.New(ctx, cfg, sessions.WithLesson(&s.Lesson), sessions.WithClock(clock()))
	if err != nil {
		return nil, s.begin.wrong(err)
	}
	return perform(ctx, s, made, acts, progress)
}

// PerformLab is Perform of the script of a lab's lesson; where says which lab a name is of (training.Find).
func (s *Script) PerformLab(ctx context.Context, where func(string) (*training.Lab, error),
	progress sessions.Progress) (*training.Session, error) {
	if !s.IsLab() || len(s.begin.words) < 2 {
		return nil, s.begin.wrong(fmt.Errorf("the script of a lab begins with > lab NAME"))
	}
	l, err := where(s.begin.words[1])
	if err != nil {
		return nil, s.begin.wrong(err)
	}
	set, err := values(l, s.begin.words[2:])
	if err != nil {
		return nil, s.begin.wrong(err)
	}
	made, err := training.New(l, set, training.WithLesson(&s.Lesson), training.WithClock(clock()))
	if err != nil {
		return nil, s.begin.wrong(err)
	}
	return perform(ctx, s, made, labActs, progress)
}

// perform does what the items say, one after the other; where one cannot be done nothing is made.
func perform[S performed](ctx context.Context, s *Script, made S, acts []act[S], progress sessions.Progress) (none S,
	err error) {
	for n, i := range s.items {
		if progress != nil {
			progress(fmt.Sprintf("line %d", i.number), n, len(s.items))
		}
		if i.note != "" {
			err = made.WritePage(i.note, i.page)
		} else if a, unknown := find(i.words, acts); unknown != nil {
			err = unknown
		} else {
			err = a.do(ctx, made, i.words[1:], nil)
		}
		if err != nil {
			made.Close()
			return none, i.wrong(err)
		}
	}
	return made, nil
}
