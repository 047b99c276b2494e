package lesson

import (
	"fmt"
	"maps"
	"strings"
	"time"
)

// Progress is what was done of lessons, by their names.
type Progress map[string]LessonProgress

// LessonProgress is what was done of a lesson. Pages are counted from 1.
type LessonProgress struct {
	Read         time.Time        `json:"read,omitzero"`     // when last
	CurrentPage  int              `json:"at,omitempty"`      // the page where one was last
	FarthestPage int              `json:"page,omitempty"`    // the farthest page
	Answers      map[int]bool     `json:"answers,omitempty"` // whether what was answered last on a page is right
	Exercise     ExerciseProgress `json:"exercise,omitzero"`
}

// ExerciseProgress is what was done of the exercise of a lesson.
type ExerciseProgress struct {
	File  string    `json:"file,omitempty"` // of the session in which it is done, in the folder of sessions
	Begun time.Time `json:"begun,omitzero"`
	Done  time.Time `json:"done,omitzero"` // when its goals held first
}

// Right counts the answers that are right.
func (r LessonProgress) Right() int {
	n := 0
	for _, right := range r.Answers {
		if right {
			n++
		}
	}
	return n
}

// Finished reports whether nothing is left to do of a lesson of so many pages, which may end in an exercise.
func (r LessonProgress) Finished(pages int, exercise bool) bool {
	return r.FarthestPage >= pages && (!exercise || !r.Exercise.Done.IsZero())
}

// Describe says what was done of a lesson of so many pages: "7 of 12 pages · 2 of 3 right · exercise done". It is empty
// where nothing was.
func (r LessonProgress) Describe(pages int) string { return r.describe(pages, true) }

// DescribePages is Say without the answers.
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

// merge is a reading to which more is added.
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

// merge adds what was done to a state.
func (s Progress) merge(more Progress) {
	for name, r := range more {
		s[name] = s[name].merge(r)
	}
}
