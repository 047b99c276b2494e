package tui

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
)

// The progress in a lesson is checked after every message, and saved off the update loop.

// reader is a screen on which lessons are read, or their exercises done.
type reader interface {
	Reading() (lesson string, r lesson.LessonProgress)
	OfferPage(page int)
}

// lessonReading is the progress of a lesson that was saved last.
type lessonReading struct {
	lesson string
	lesson.LessonProgress
}

func (w lessonReading) same(v lessonReading) bool {
	return w.lesson == v.lesson && w.CurrentPage == v.CurrentPage && w.FarthestPage == v.FarthestPage &&
		w.Exercise == v.Exercise &&
		maps.Equal(w.Answers, v.Answers)
}

// progressSavedMsg says that the progress is on disk, or why it is not.
type progressSavedMsg struct{ err error }

// loadedMsg says that the progress was read from disk, or why it was not, and brings the latest commands of the palette.
type loadedMsg struct {
	err        error
	remembered library.Remembered
}

// load reads the progress of lessons and the latest commands from disk.
func (a *app) load() tea.Cmd {
	k, dir := a.progress, a.options.Rights.Sessions
	return func() tea.Msg { return loadedMsg{k.Load(), library.Remember(dir)} }
}

// loaded offers the open lesson the page where its reader was last.
func (a *app) loaded(msg loadedMsg) {
	if msg.err != nil {
		a.current.Say(msg.err.Error(), true)
	}
	a.progressRead = true
	msg.remembered.Recent = append(a.remembered.Recent, msg.remembered.Recent...)
	a.remembered = msg.remembered
	a.pictures.TurnOff(a.remembered.Cells)
	a.offerPage()
}

// offerPage offers the open lesson the page where its reader was last.
func (a *app) offerPage() {
	if r, ok := a.home().(reader); ok {
		if name, _ := r.Reading(); name != "" {
			r.OfferPage(a.progress.Get(name).CurrentPage)
		}
	}
}

// saveProgress saves the progress since the message before, once the progress on disk was read.
func (a *app) saveProgress() tea.Cmd {
	r, ok := a.home().(reader)
	if !ok || !a.progressRead {
		return nil
	}
	var now lessonReading
	now.lesson, now.LessonProgress = r.Reading()
	if now.lesson == "" || now.same(a.reading) {
		return nil
	}
	a.reading = now
	if e := &now.Exercise; filepath.Dir(e.File) == filepath.Clean(a.options.Rights.Sessions) {
		e.File = filepath.Base(e.File)
	}
	now.Read = a.now()
	a.progress.Update(now.lesson, now.LessonProgress)
	if a.options.Progress != nil {
		a.options.Progress(now.lesson, a.pages(), now.LessonProgress)
	}
	k := a.progress
	return func() tea.Msg { return progressSavedMsg{k.Save(context.Background())} }
}

// pages is the number of pages of the open lesson.
func (a *app) pages() int {
	if l := a.explore.Session().Lesson(); l != nil {
		return len(a.explore.Session().Timeline().Stops)
	}
	return 0
}

// progressSaved shows once why the progress is not on disk.
func (a *app) progressSaved(msg progressSavedMsg) {
	if msg.err != nil && !a.progressFailed {
		a.current.Say(msg.err.Error(), true)
	}
	a.progressFailed = msg.err != nil
}

// exercise opens the exercise of the open lesson: as it was left, or from its beginning.
func (a *app) exercise() tea.Cmd {
	l := a.explore.Session().Lesson()
	if l == nil || l.Exercise == nil {
		return nil
	}
	name, _ := a.explore.Reading()
	a.exerciseFile = ""
	if l.Name == "" { // it was opened as a session, by its file
		a.exerciseFile = name
	}
	file := a.progress.Get(name).Exercise.File
	task := l.Exercise.Task
	cfg := l.Exercise.Config
	if file != "" && !filepath.IsAbs(file) {
		file = filepath.Join(a.options.Rights.Sessions, file)
	}
	return a.open("opening the exercise", func(ctx context.Context) (io.Closer, error) {
		if file != "" {
			s, err := a.openFile(ctx, file, true)
			if !errors.Is(err, fs.ErrNotExist) { // else it was deleted, and starts again
				return s, err
			}
		}
		task.Lesson, task.Goals = name, slices.Clone(task.Goals)
		return sessions.New(ctx, cfg, sessions.WithTask(&task))
	})
}

// findLesson opens a lesson by its name, or by the file that the person may open.
func (a *app) findLesson(ctx context.Context, name string) (*sessions.Session, error) {
	if a.options.Rights.CheckFile(name) != nil {
		return library.OpenLesson(name)
	}
	return library.FindLesson(ctx, name)
}

// back opens the last page of a lesson, by its name or its file.
func (a *app) back(name string) tea.Cmd {
	written, changed := a.exerciseFile, a.changed[name]
	return a.open("opening the lesson", func(ctx context.Context) (io.Closer, error) {
		var s *sessions.Session
		var err error
		if name == written {
			s, err = a.openFile(ctx, name, changed)
		} else {
			s, err = a.findLesson(ctx, name)
		}
		if err == nil {
			s.GoTo(len(s.Timeline().Stops) - 1)
		}
		return s, err
	})
}
