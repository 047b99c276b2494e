package acts

import (
	"context"
	"fmt"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
)

// NoteArgs are the arguments of note.
type NoteArgs struct {
	Message string `json:"text,omitempty" length:"100000" arg:"[TEXT]" jsonschema:"the note, in Markdown"`
	Step    *int   `json:"step,omitempty" bounds:"0..10000000" jsonschema:"the step that it is about; without it the current one"`
	Mark    bool   `json:"mark,omitempty" jsonschema:"mark the step"`
}

// Note is the act of writing a note.
var Note = declare(Act{Name: "note", Title: "Write a note on a step, or mark the step", Changes: true, Stays: true,
	About: "Write a note in Markdown on a step, or mark the step."}, writeNote)

// writeNote writes a note on a step; the session stays at its place.
func writeNote(_ context.Context, t Turn, a NoteArgs) (Done, error) {
	s := t.Session
	if a.Message == "" && !a.Mark {
		return Done{}, wrong("the note is empty: give text, or mark")
	}
	if a.Step != nil {
		if n := len(s.State().Iterations) + s.State().Ahead; *a.Step > n {
			return Done{}, wrong("there is no step %d; the branch has %s", *a.Step, numfmt.Count(n, "step"))
		}
		back := returnOrEnd(s)
		s.Seek(*a.Step)
		defer back()
	}
	step := len(s.State().Iterations)
	write := s.Note
	if a.Mark {
		write = s.MarkedNote
	}
	if a.Message == "" {
		return done(fmt.Sprintf("step %d is marked", step), write(a.Message))
	}
	return done(fmt.Sprintf("the note on step %d is recorded", step), write(a.Message))
}

// returnOrEnd returns a function that takes a session back to its current place, also at the end.
func returnOrEnd(s *sessions.Session) func() {
	if s.AtEnd() {
		return s.Last
	}
	if t := s.Timeline(); t.At < len(t.Stops)-1 {
		return func() { s.GoTo(t.At) }
	}
	return s.Last
}
