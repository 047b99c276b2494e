package page

// Annotation is the new text of a note, or a note on another event. The last one in a file counts.
type Annotation struct {
	Event string `json:"event"`
	Text  string `json:"text"` // Markdown; empty withdraws the note
	Mark  bool   `json:"mark,omitempty"`

	Page *Page `json:"page,omitempty"` // its question, view and claims; nil keeps them
}

// HasContent reports whether there is a text or a mark.
func (a Annotation) HasContent() bool { return a.Text != "" || a.Mark }

// Apply returns the page after the annotation, given the page before; it is empty if the note is withdrawn.
func (a Annotation) Apply(before Page) Page {
	switch {
	case a.Text == "":
		return Page{}
	case a.Page == nil || a.Page.Check() != nil:
		return before
	}
	return *a.Page
}
