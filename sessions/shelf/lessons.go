package shelf

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"path"
	"strings"

	"bandscope/functions/naming"
	"bandscope/sessions"
)

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
		if err != nil || s.Lesson() == nil {
			continue
		}
		begins := s.State().Spec.Name
		s.Last()
		st := s.State()
		list = append(list, LessonEntry{Name: name, Title: s.Lesson().Title, About: s.Lesson().About, Problem: st.Problem.Name,
			Optimizer: begins, Steps: len(st.Iterations)})
	}
	return list
}

// lessonName is a lesson's file without the number that orders it.
func lessonName(file string) string {
	_, name, _ := strings.Cut(strings.TrimSuffix(file, path.Ext(file)), "-")
	return name
}

// OpenLesson opens a built-in lesson at its beginning. It has no file: what is done in it is kept when it is saved.
func OpenLesson(name string) (*sessions.Session, error) {
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
		s, err := sessions.Read(context.Background(), bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("the lesson %s: %w", name, err)
		}
		s.First()
		return s, nil
	}
	return nil, naming.Unknown("lesson", name, names)
}

// FindLesson opens a built-in lesson by its name, or a lesson's file by its path, which is only read.
func FindLesson(ctx context.Context, name string) (*sessions.Session, error) {
	if !strings.ContainsAny(name, `./\`) {
		return OpenLesson(name)
	}
	s, err := sessions.Peek(ctx, name)
	if err == nil && s.Lesson() == nil {
		err = fmt.Errorf("%s is a session and no lesson: its header has no lesson", name)
	}
	return s, err
}
