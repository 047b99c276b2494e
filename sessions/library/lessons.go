package library

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"bandscope/functions/didyoumean"
	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/sessions/recorder"
	"bandscope/sessions/training"
)

//go:embed lessons/*.jsonl gallery/*.jsonl
var lessonFiles embed.FS

// catalog is a folder of built-in lessons, which are read once.
type catalog struct {
	what    string // an entry
	entries func() []LessonEntry
}

// The course, and the gallery: recorded sessions with notes, which are read as lessons are.
var course, gallery = newCatalog("lessons", "lesson"), newCatalog("gallery", "session of the gallery")

// folders are the folders of all built-in lessons; no two have the same name.
var folders = []string{"lessons", "gallery"}

func newCatalog(dir, subject string) catalog {
	return catalog{subject, sync.OnceValue(func() (list []LessonEntry) {
		for _, file := range lessonFileNames(dir) {
			if e, ok := lessonEntry(lessonName(file)); ok {
				number, _, _ := strings.Cut(file, "-")
				e.Number, _ = strconv.Atoi(number)
				list = append(list, e)
			}
		}
		return list
	})}
}

// lessonFileNames are the files of a folder of lessons, in order.
func lessonFileNames(dir string) (names []string) {
	files, err := lessonFiles.ReadDir(dir)
	if err != nil {
		panic("library: the built-in lessons: " + err.Error())
	}
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}

// find is the entry of a catalog with a name.
func (c catalog) find(name string) (LessonEntry, error) {
	var names []string
	for _, l := range c.entries() {
		if l.Name == name {
			return l, nil
		}
		names = append(names, l.Name)
	}
	return LessonEntry{}, didyoumean.NewUnknownError(c.what, name, names)
}

// LessonEntry is a lesson of the list.
type LessonEntry struct {
	Name      string `json:"name"`
	Number    int    `json:"number"`
	Part      string `json:"part,omitempty"`
	Title     string `json:"title"`
	About     string `json:"about"`
	Problem   string `json:"problem,omitempty"`
	Optimizer string `json:"optimizer,omitempty"`
	Training  string `json:"lab,omitempty"` // in place of both, where it is one of a lab
	Steps     int    `json:"steps"`
	Pages     int    `json:"pages"`
	Questions int    `json:"questions"` // of those that ask

	Exercise *sessions.Exercise `json:"exercise,omitempty"` // nil where it ends in none
}

// Subject says what a lesson is read on.
func (l LessonEntry) Subject() string {
	if l.Training != "" {
		return "in the lab " + l.Training
	}
	return fmt.Sprintf("on %s, with %s", l.Problem, l.Optimizer)
}

// Lessons lists the lessons of the course in the order in which they are best read. They are read once, which takes
// longer than a key press may.
func Lessons() []LessonEntry { return slices.Clone(course.entries()) }

// Gallery lists the recorded sessions of the gallery, which are read once, as Lessons.
func Gallery() []LessonEntry { return slices.Clone(gallery.entries()) }

// FindEntry is the entry of a lesson of the course.
func FindEntry(name string) (LessonEntry, error) { return course.find(name) }

// FindGalleryEntry is the entry of a session of the gallery.
func FindGalleryEntry(name string) (LessonEntry, error) { return gallery.find(name) }

// NextLesson is the lesson of a course that comes next: the one that was read last while it is not finished, else the
// first behind it that is not, else the first; ok is false where all are finished.
func NextLesson(all []LessonEntry, state lesson.Progress) (e LessonEntry, ok bool) {
	last := 0
	for i, l := range all {
		if state[l.Name].Read.After(state[all[last].Name].Read) {
			last = i
		}
	}
	for _, l := range slices.Concat(all[last:], all[:last]) {
		if !l.Finished(state) {
			return l, true
		}
	}
	return LessonEntry{}, false
}

// LessonAfter is the name of the built-in lesson that follows another one in the course or in the gallery; ok is false
// for the last one, and for a lesson that is not built in.
func LessonAfter(name string) (next string, ok bool) {
	for _, dir := range folders {
		files := lessonFileNames(dir)
		index := slices.IndexFunc(files, func(file string) bool { return lessonName(file) == name })
		if index >= 0 && index+1 < len(files) {
			return lessonName(files[index+1]), true
		}
	}
	return "", false
}

// Finished reports whether nothing is left to do of a lesson.
func (l LessonEntry) Finished(state lesson.Progress) bool {
	return state[l.Name].Finished(l.Pages, l.Exercise != nil)
}

// lessonEntry describes a built-in lesson; ok is false of one that cannot be read.
func lessonEntry(name string) (e LessonEntry, ok bool) {
	s, err := OpenLesson(name)
	if errors.Is(err, sessions.ErrTraining) {
		l, err := OpenTrainingLesson(name)
		if err != nil || l.Lesson() == nil {
			return e, false
		}
		l.Last()
		st := l.State()
		return describeLesson(l.Lesson(), l.Timeline().Stops, LessonEntry{Training: st.Spec.Name, Steps: st.Step}), true
	}
	if err != nil || s.Lesson() == nil {
		return e, false
	}
	begins := s.State().Spec.Name
	s.Last()
	st := s.State()
	return describeLesson(s.Lesson(), s.Timeline().Stops,
		LessonEntry{Problem: st.Problem.Name, Optimizer: begins, Steps: len(st.Iterations)}), true
}

// describeLesson is the entry of a lesson with its description and its pages.
func describeLesson(l *sessions.Lesson, stops []recorder.Stop, e LessonEntry) LessonEntry {
	e.Name = l.Name
	e.Title = l.Title
	e.About = l.About
	e.Part = l.Part
	e.Exercise = l.Exercise
	e.Pages = len(stops)
	for _, s := range stops {
		if s.Ask {
			e.Questions++
		}
	}
	return e
}

// lessonName is a lesson's file without the number that orders it.
func lessonName(file string) string {
	_, name, _ := strings.Cut(strings.TrimSuffix(file, path.Ext(file)), "-")
	return name
}

// lessonData is the log of a built-in lesson.
func lessonData(name string) ([]byte, error) {
	var names []string
	for _, dir := range folders {
		for _, file := range lessonFileNames(dir) {
			if lessonName(file) == name {
				return lessonFiles.ReadFile(dir + "/" + file)
			}
			names = append(names, lessonName(file))
		}
	}
	return nil, didyoumean.NewUnknownError("lesson", name, names)
}

// OpenLesson opens a built-in lesson, or a session of the gallery, at its beginning. It has no file: changes are kept only if it is saved. The error
// of a lab's lesson is sessions.ErrTraining.
func OpenLesson(name string) (*sessions.Session, error) { return openLesson(name, sessions.Read) }

// OpenTrainingLesson is OpenLesson of the lesson of a lab.
func OpenTrainingLesson(name string) (*training.Session, error) {
	return openLesson(name, training.Read)
}

// record is a session or a training.
type record interface {
	Lesson() *sessions.Lesson
	First()
}

// openLesson opens a built-in lesson with the reader of its kind of record.
func openLesson[S record](name string, read func(context.Context, io.Reader) (S, error)) (s S, err error) {
	data, err := lessonData(name)
	if err != nil {
		return s, err
	}
	s, err = read(context.Background(), bytes.NewReader(data))
	if err != nil {
		return s, fmt.Errorf("the lesson %s: %w", name, err)
	}
	if l := s.Lesson(); l != nil {
		l.Name = name
	}
	s.First()
	return s, nil
}

// FindLesson opens a built-in lesson by its name, or a lesson's file by its path, which is only read. The error of a
// lab's lesson is sessions.ErrTraining.
func FindLesson(ctx context.Context, name string) (*sessions.Session, error) {
	return findLesson(ctx, name, OpenLesson, sessions.OpenReadOnly)
}

// FindTrainingLesson is FindLesson of the lesson of a lab.
func FindTrainingLesson(ctx context.Context, name string) (*training.Session, error) {
	return findLesson(ctx, name, OpenTrainingLesson, training.OpenReadOnly)
}

func findLesson[S record](ctx context.Context, name string, builtIn func(string) (S, error),
	open func(context.Context, string) (S, error)) (none S, err error) {
	if isBuiltIn(name) {
		return builtIn(name)
	}
	s, err := open(ctx, name)
	if err != nil {
		return none, err
	}
	return s, setLessonFile(s.Lesson(), name)
}

// setLessonFile names a lesson by its file, wherever that is named from.
func setLessonFile(l *sessions.Lesson, path string) (err error) {
	if l == nil {
		return noLesson(path)
	}
	l.Name, err = filepath.Abs(path)
	return err
}

// isBuiltIn reports whether a lesson is named, rather than its file.
func isBuiltIn(name string) bool { return !strings.ContainsAny(name, `./\`) }

// ReadingName is the name under which the reading progress of a lesson is kept: its own, or that of its file.
func ReadingName(name string) (string, error) {
	if isBuiltIn(name) {
		_, err := lessonData(name)
		return name, err
	}
	return filepath.Abs(name)
}

func noLesson(path string) error {
	return fmt.Errorf("%s is a session, not a lesson; to turn its notes into a lesson, use bandscope lesson new NEW --title TITLE --from %s", path, path)
}
