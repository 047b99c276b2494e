package mode

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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

	named string // see First
}

// ParamsFor are the parameters of the method of a session.
func ParamsFor(st sessions.State) Params {
	return Params{Set: st.Params, Name: st.Spec.Name, Title: st.Spec.Title, Try: st.SuggestedValues,
		Judge: func(key, text string) error {
			_, err := st.WithEdit(key, text)
			return err
		}}
}

// First puts the parameters that a text names before the others.
func (p Params) First(text string) Params {
	p.named = text
	return p
}

// Decls are the declarations, those of First before the others.
func (p Params) Decls() []param.Decl {
	decls := slices.Clone(p.Set.Decls())
	order := map[bool]int{true: -1}
	slices.SortStableFunc(decls, func(a, b param.Decl) int { return order[p.names(a)] - order[p.names(b)] })
	return decls
}

// names reports whether the text of First has the key of a parameter, its label or the symbol in it.
func (p Params) names(d param.Decl) bool {
	symbol, _, _ := strings.Cut(d.Label, " ")
	return strings.Contains(p.named, "`"+d.Key+"`") || strings.Contains(p.named, strings.TrimSuffix(d.Label, "s")) ||
		symbol != "" && symbol[0] >= utf8.RuneSelf && strings.Contains(p.named, symbol)
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
