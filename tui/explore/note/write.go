package note

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/lesson/page"
)

// Write records new and changed notes, as a change of the session.
type Write struct{ Notes []Text }

// Text is the new text of a note.
type Text struct {
	ID   string // of the event of a changed note; empty for a new one
	Text string // with its questions, claims and views at the end; empty withdraws the note
}

// partialError is the error of notes of which the first ones were recorded.
type partialError struct {
	error
	recorded int
}

func (s partialError) Unwrap() error { return s.error }

// Doing names the change.
func (w Write) Doing() string { return "saving the note" }

// Do records the notes in a session.
func (w Write) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	return w.WriteTo(s)
}

// Record takes new notes on the current step, and new texts of existing ones.
type Record interface {
	WritePage(text string, p page.Page) error
	RevisePage(id, text string, p page.Page) error
}

// WriteTo records the notes in order, up to the first error.
func (w Write) WriteTo(s Record) (string, error) {
	message := ""
	for i, n := range w.Notes {
		text, p, err := page.Parse(n.Text)
		switch {
		case err != nil:
		case n.ID == "":
			message, err = saidFor(p), s.WritePage(text, p)
		case text == "" && !p.HasDirectives():
			message, err = "the note is withdrawn; it stays in the record", s.RevisePage(n.ID, "", page.Page{})
		case text == "":
			err = errors.New("a page needs a text; write one above its question or claim")
		default:
			message, err = "the note is changed; the previous text stays in the record", s.RevisePage(n.ID, text, p)
		}
		if err != nil {
			return "", partialError{err, i}
		}
	}
	return message, nil
}

// saidFor describes a recorded page.
func saidFor(p page.Page) string {
	switch {
	case len(p.Choices) > 0:
		return "note saved, with a multiple-choice question"
	case p.Ask:
		return "note saved, with a question for a point"
	}
	return "note saved"
}

// save requests to record every changed note; after that, saveDone leaves the mode.
func (t turn) save() tea.Cmd {
	var w Write
	for _, p := range t.pages {
		if p.changed() {
			w.Notes = append(w.Notes, Text{p.id, strings.TrimSpace(p.text)})
		}
	}
	if w.Notes == nil {
		return t.Say("there are no changes to save; press esc to leave")
	}
	t.saving = true
	return t.Request(w)
}

// saveDone leaves when the notes are recorded; after an error, the unrecorded texts stay in the editor.
func (t turn) saveDone(err error) tea.Cmd {
	if !t.saving {
		return nil
	}
	t.saving = false
	if err == nil {
		return t.done()
	}
	var s partialError
	errors.As(err, &s)
	for i := range t.pages {
		p := &t.pages[i]
		if s.recorded == 0 {
			break
		}
		if p.changed() {
			s.recorded--
			p.saved = p.text
			if p.id == "" {
				*p = noteDraft{}
			}
		}
	}
	return t.show(t.at)
}
