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
	Read         time.Time        `json:"read,omitzero"`          // last time
	CurrentPage  int              `json:"current_page,omitempty"` // last page that was open
	FarthestPage int              `json:"page,omitempty"`         // the farthest page
	Answers      map[int]bool     `json:"answers,omitempty"`      // whether the last answer on a page is right
	Exercise     ExerciseProgress `json:"exercise,omitzero"`
}

// ExerciseProgress is the progress in an exercise.
type ExerciseProgress struct {
	File  string    `json:"file,omitempty"` // of its session, in the folder of sessions
	Begun time.Time `json:"started,omitzero"`
	Done  time.Time `json:"done,omitzero"` // first time that all goals held
}

// Correct counts the right answers.
func (r LessonProgress) Correct() int {
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
	var texts []string
	switch {
	case r.FarthestPage >= pages && pages > 0:
		texts = append(texts, "read")
	case r.FarthestPage > 0:
		texts = append(texts, fmt.Sprintf("%d of %d pages", r.FarthestPage, pages))
	}
	if n := len(r.Answers); n > 0 && answers {
		texts = append(texts, fmt.Sprintf("%d of %d right", r.Correct(), n))
	}
	switch {
	case !r.Exercise.Done.IsZero():
		texts = append(texts, "exercise done")
	case !r.Exercise.Begun.IsZero():
		texts = append(texts, "exercise started")
	}
	return strings.Join(texts, " · ")
}

// merge returns the progress with more added.
func (r LessonProgress) merge(lessonProgress LessonProgress) LessonProgress {
	if lessonProgress.CurrentPage > 0 {
		r.CurrentPage = lessonProgress.CurrentPage
	}
	if lessonProgress.Read.After(r.Read) {
		r.Read = lessonProgress.Read
	}
	r.FarthestPage = max(r.FarthestPage, lessonProgress.FarthestPage, lessonProgress.CurrentPage)
	if len(lessonProgress.Answers) > 0 {
		answers := maps.Clone(r.Answers)
		if answers == nil {
			answers = map[int]bool{}
		}
		maps.Copy(answers, lessonProgress.Answers)
		r.Answers = answers
	}
	if e := lessonProgress.Exercise; e.File != "" {
		r.Exercise.File = e.File
	}
	if e := lessonProgress.Exercise; r.Exercise.Begun.IsZero() {
		r.Exercise.Begun = e.Begun
	}
	if e := lessonProgress.Exercise; r.Exercise.Done.IsZero() {
		r.Exercise.Done = e.Done
	}
	return r
}

// merge adds more progress.
func (s Progress) merge(progress Progress) {
	for name, r := range progress {
		s[name] = s[name].merge(r)
	}
}
