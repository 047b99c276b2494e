package sessions

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"bandscope/functions/naming"
)

// Lesson makes a session a lesson: a record with notes to be read, in which every note is a place.
type Lesson struct {
	Title string   `json:"title"`
	About string   `json:"about"`          // one sentence
	Hide  []string `json:"hide,omitempty"` // what the screen leaves out: parameters, regret, truth
}

// Hides reports whether a lesson leaves a thing out; a nil lesson leaves nothing out.
func (l *Lesson) Hides(what string) bool { return l != nil && slices.Contains(l.Hide, what) }

//go:embed lessons/*.jsonl
var lessonFiles embed.FS

// LessonEntry is a lesson of the list.
type LessonEntry struct {
	Name      string `json:"name"`
	Title     string `json:"title"`
	About     string `json:"about"`
	Problem   string `json:"problem"`
	Optimizer string `json:"optimizer"`
	Steps     int    `json:"steps"`
}

// Lessons lists the built-in lessons in the order in which they are best read.
func Lessons() []LessonEntry {
	files, err := lessonFiles.ReadDir("lessons")
	if err != nil {
		return nil
	}
	var list []LessonEntry
	for _, f := range files {
		name := lessonName(f.Name())
		s, err := OpenLesson(name)
		if err != nil || s.lesson == nil {
			continue
		}
		s.Last()
		st := s.State()
		list = append(list, LessonEntry{Name: name, Title: s.lesson.Title, About: s.lesson.About, Problem: st.Problem.Name,
			Optimizer: s.setup.spec.Name, Steps: len(st.Iterations)})
	}
	return list
}

// lessonName is a lesson's file without the number that orders it.
func lessonName(file string) string {
	_, name, _ := strings.Cut(strings.TrimSuffix(file, path.Ext(file)), "-")
	return name
}

// OpenLesson opens a built-in lesson at its beginning. It has no file: what is done in it is kept when it is saved.
func OpenLesson(name string) (*Session, error) {
	files, err := lessonFiles.ReadDir("lessons")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range files {
		if lessonName(f.Name()) != name {
			names = append(names, lessonName(f.Name()))
			continue
		}
		data, err := lessonFiles.ReadFile("lessons/" + f.Name())
		if err != nil {
			return nil, err
		}
		s, err := Read(context.Background(), bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("the lesson %s: %w", name, err)
		}
		s.First()
		return s, nil
	}
	return nil, naming.Unknown("lesson", name, names)
}

// FindLesson opens a built-in lesson by its name, or a lesson's file by its path, which is only read.
func FindLesson(ctx context.Context, name string) (*Session, error) {
	if !strings.ContainsAny(name, `./\`) {
		return OpenLesson(name)
	}
	s, err := Peek(ctx, name)
	if err == nil && s.lesson == nil {
		err = fmt.Errorf("%s is a session and no lesson: its header has no lesson", name)
	}
	return s, err
}

// Lesson is what makes the session a lesson; nil where it is none.
func (s *Session) Lesson() *Lesson { return s.lesson }

// firstLine is the first line of a text that says something, without Markdown's marks of a heading.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(strings.TrimLeft(line, "# ")); line != "" {
			return line
		}
	}
	return ""
}
