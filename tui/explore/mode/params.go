package mode

import (
	"fmt"

	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/lesson/page"
)

// Params are parameters that can be edited.
type Params struct {
	param.Set
	Name, Title string                          // of the owner: in the panel title, and at the start of a sentence
	Try         func(param.Decl) []string       // values to try
	Judge       func(key, text string) error    // why a text is invalid as a value
	Effect      func(d param.Decl) (say string) // further effects of an edit; nil if it applies from this step on
}

// ParamsFor are the parameters of the method of a session.
func ParamsFor(st sessions.State) Params {
	return Params{Set: st.Params, Name: st.Spec.Name, Title: st.Spec.Title, Try: st.SuggestedValues,
		Judge: func(key, text string) error {
			_, err := st.WithEdit(key, text)
			return err
		}}
}

// Notes are the notes on a step.
type Notes struct {
	Place string // "step 3"
	Texts []Note
}

// Note is one of them.
type Note struct {
	ID   string // of the event
	Text string
	Page page.Page // its questions, views and claims
}

// NotesFor are the notes of a session on the current step.
func NotesFor(st sessions.State) Notes {
	step := len(st.Iterations)
	n := Notes{Place: fmt.Sprintf("step %d", step)}
	for _, note := range st.NotesAt(step) {
		if note.Text != "" {
			n.Texts = append(n.Texts, Note{note.ID, note.Text, note.Page})
		}
	}
	return n
}
