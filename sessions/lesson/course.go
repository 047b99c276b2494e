package lesson

import (
	"fmt"
	"maps"
	"strings"
	"time"
)

// Progress is what was done of lessons, by their names.
type Progress map[string]Reading

// Reading is what was done of a lesson. Pages are counted from 1.
type Reading struct {
	Read     time.Time        `json:"read,omitzero"`     // when last
	At       int              `json:"at,omitempty"`      // the page where one was last
	Page     int              `json:"page,omitempty"`    // the farthest page
	Answers  map[int]bool     `json:"answers,omitempty"` // whether what was answered last on a page is right
	Exercise ExerciseProgress `json:"exercise,omitzero"`
}

// ExerciseProgress is what was done of the exercise of a lesson.
type ExerciseProgress struct {
	File  string    `json:"file,omitempty"` // of the session in which it is done, in the folder of sessions
	Begun time.Time `json:"begun,omitzero"`
	Done  time.Time `json:"done,omitzero"` // when its goals held first
}

// Right counts the answers that are right.
func (r Reading) Right() int {
	n := 0
	for _, right := range r.Answers {
		if right {
			n++
		}
	}
	return n
}

// Finished reports whether nothing is left to do of a lesson of so many pages, which may end in an exercise.
func (r Reading) Finished(pages int, exercise bool) bool {
	return r.Page >= pages && (!exercise || !r.Exercise.Done.IsZero())
}

// Say says what was done of a lesson of so many pages: "7 of 12 pages · 2 of 3 right · exercise done". It is empty
// where nothing was.
func (r Reading) Say(pages int) string { return r.say(pages, true) }

// Brief is Say without the answers.
func (r Reading) Brief(pages int) string { return r.say(pages, false) }

func (r Reading) say(pages int, answers bool) string {
	var said []string
	switch {
	case r.Page >= pages && pages > 0:
		said = append(said, "read")
	case r.Page > 0:
		said = append(said, fmt.Sprintf("%d of %d pages", r.Page, pages))
	}
	if n := len(r.Answers); n > 0 && answers {
		said = append(said, fmt.Sprintf("%d of %d right", r.Right(), n))
	}
	switch {
	case !r.Exercise.Done.IsZero():
		said = append(said, "exercise done")
	case !r.Exercise.Begun.IsZero():
		said = append(said, "exercise begun")
	}
	return strings.Join(said, " · ")
}

// with is a reading to which more is added.
func (r Reading) with(more Reading) Reading {
	if more.At > 0 {
		r.At = more.At
	}
	if more.Read.After(r.Read) {
		r.Read = more.Read
	}
	r.Page = max(r.Page, more.Page, more.At)
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

// add adds what was done to a state.
func (s Progress) add(more Progress) {
	for name, r := range more {
		s[name] = s[name].with(r)
	}
}
