package lesson

import (
	"fmt"
	"maps"
	"strings"
	"time"
)

// Progress maps names of lessons to the progress in them.
type Progress map[string]LessonProgress

// LessonProgress is the progress in a lesson. Pages are counted from 1.
type LessonProgress struct {
	Read         time.Time        `json:"read,omitzero"`     // last time
	CurrentPage  int              `json:"at,omitempty"`      // last page that was open
	FarthestPage int              `json:"page,omitempty"`    // the farthest page
	Answers      map[int]bool     `json:"answers,omitempty"` // whether the last answer on a page is right
	Exercise     ExerciseProgress `json:"exercise,omitzero"`
}

// ExerciseProgress is the progress in an exercise.
type ExerciseProgress struct {
	File  string    `json:"file,omitempty"` // of its session, in the folder of sessions
	Begun time.Time `json:"begun,omitzero"`
	Done  time.Time `json:"done,omitzero"` // first time that all goals held
}

// Right counts the right answers.
func (r LessonProgress) Right() int {
	n := 0
	for _, right := range r.Answers {
		if right {
			n++
		}
	}
	return n
}

// Finished reports whether a lesson with this number of pages is finished, with its exercise if it has one.
func (r LessonProgress) Finished(pages int, exercise bool) bool {
	return r.FarthestPage >= pages && (!exercise || !r.Exercise.Done.IsZero())
}

// Describe describes the progress in a lesson with this number of pages: "7 of 12 pages · 2 of 3 right · exercise
// done". It is empty before the first page.
func (r LessonProgress) Describe(pages int) string { return r.describe(pages, true) }

// DescribePages is Describe without the answers.
func (r LessonProgress) DescribePages(pages int) string { return r.describe(pages, false) }

func (r LessonProgress) describe(pages int, answers bool) string {
	var said []string
	switch {
	case r.FarthestPage >= pages && pages > 0:
		said = append(said, "read")
	case r.FarthestPage > 0:
		said = append(said, fmt.Sprintf("%d of %d pages", r.FarthestPage, pages))
	}
	if n := len(r.Answers); n > 0 && answers {
		said = append(said, fmt.Sprintf("%d of %d right", r.Right(), n))
	}
	switch {
	case !r.Exercise.Done.IsZero():
		said = append(said, "exercise done")
	case !r.Exercise.Begun.IsZero():
		said = append(said, "exercise started")
	}
	return strings.Join(said, " · ")
}

// merge returns the progress with more added.
func (r LessonProgress) merge(more LessonProgress) LessonProgress {
	if more.CurrentPage > 0 {
		r.CurrentPage = more.CurrentPage
	}
	if more.Read.After(r.Read) {
		r.Read = more.Read
	}
	r.FarthestPage = max(r.FarthestPage, more.FarthestPage, more.CurrentPage)
	if len(more.Answers) > 0 {
		answers := maps.Clone(r.Answers)
		if answers == nil {
			answers = map[int]bool{}
		}
		maps.Copy(answers, more.Answers)
		r.Answers = answers
	}
	if e := more.Exercise; e.File != "" {
		r.Exercise.File = e.File
	}
	if e := more.Exercise; r.Exercise.Begun.IsZero() {
		r.Exercise.Begun = e.Begun
	}
	if e := more.Exercise; r.Exercise.Done.IsZero() {
		r.Exercise.Done = e.Done
	}
	return r
}

// merge adds more progress.
func (s Progress) merge(more Progress) {
	for name, r := range more {
		s[name] = s[name].merge(r)
	}
}
