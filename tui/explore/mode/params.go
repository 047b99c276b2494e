package mode

import (
	"fmt"

	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/lesson/page"
)

// Params are parameters that can be edited, with what is known of them where they are.
type Params struct {
	param.Set
	Name, Title string                          // whose they are: over the panel, and at the head of a sentence
	Try         func(param.Decl) []string       // values to try
	Judge       func(key, text string) error    // what is wrong with a text as the value of one
	Effect      func(d param.Decl) (say string) // what an edit of one does besides; nil where an edit acts from here on
}

// ParamsFor are those of the method of a session.
func ParamsFor(st sessions.State) Params {
	return Params{Set: st.Params, Name: st.Spec.Name, Title: st.Spec.Title, Try: st.SuggestedValues,
		Judge: func(key, text string) error {
			_, err := st.WithEdit(key, text)
			return err
		}}
}

// Notes are what is written where one stands.
type Notes struct {
	Place string // "step 3"
	Texts []Note
}

// Note is one of them.
type Note struct {
	ID   string // of the event
	Text string
	Page page.Page // what it asks, shows and claims
}

// NotesFor are those of a session on the step where it stands.
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
