package page

// Annotation is a note on an event: of a note, its text from then on; of another event, a note that stands with it. The
// last one in a file holds.
type Annotation struct {
	Event string `json:"event"`
	Text  string `json:"text"` // Markdown; empty withdraws the note
	Mark  bool   `json:"mark,omitempty"`

	Page *Page `json:"page,omitempty"` // what it asks, shows and claims from then on; nil leaves that as it is
}

// HasContent reports whether anything stands there.
func (a Annotation) HasContent() bool { return a.Text != "" || a.Mark }

// Apply is what the page asks, shows and claims, given what it did before: nothing where it is withdrawn.
func (a Annotation) Apply(before Page) Page {
	switch {
	case a.Text == "":
		return Page{}
	case a.Page == nil || a.Page.Check() != nil:
		return before
	}
	return *a.Page
}
