package note

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/lesson/page"
)

// Write records notes, as a change of the session: what is in each now, of those that are new or were changed.
type Write struct{ Notes []Text }

// Text is what a note is to say.
type Text struct {
	ID   string // of the event of a note that is changed; empty for a new one
	Text string // as it is written, with what it asks, claims and shows behind it; empty withdraws the note
}

// partialError is the error of notes of which the first ones were recorded.
type partialError struct {
	error
	recorded int
}

func (s partialError) Unwrap() error { return s.error }

// Doing says what is done.
func (w Write) Doing() string { return "noting" }

// Do records the notes in a session.
func (w Write) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	return w.WriteTo(s)
}

// Record takes notes where it stands, and other texts of those that it has.
type Record interface {
	WritePage(text string, p page.Page) error
	RevisePage(id, text string, p page.Page) error
}

// WriteTo records the notes in their order. If one cannot be recorded, those before it are, and those behind it are
// not.
func (w Write) WriteTo(s Record) (string, error) {
	said := ""
	for i, n := range w.Notes {
		text, p, err := page.Parse(n.Text)
		switch {
		case err != nil:
		case n.ID == "":
			said, err = saidFor(p), s.WritePage(text, p)
		case text == "" && !p.HasDirectives():
			said, err = "the note is withdrawn; it stays on record", s.RevisePage(n.ID, "", page.Page{})
		case text == "":
			err = errors.New("a page without a text says nothing")
		default:
			said, err = "the note is changed; what it said before stays on record", s.RevisePage(n.ID, text, p)
		}
		if err != nil {
			return "", partialError{err, i}
		}
	}
	return said, nil
}

// saidFor says what was written.
func saidFor(p page.Page) string {
	switch {
	case len(p.Choices) > 0:
		return "noted, with a question that a number answers"
	case p.Ask:
		return "noted, with the question where to query"
	}
	return "noted"
}

// save wants every page that was changed recorded; the mode is left when that is done.
func (t turn) save() tea.Cmd {
	var w Write
	for _, p := range t.pages {
		if p.changed() {
			w.Notes = append(w.Notes, Text{p.id, strings.TrimSpace(p.text)})
		}
	}
	if w.Notes == nil {
		return t.Say("nothing was written yet: esc leaves")
	}
	t.saving = true
	return t.Request(w)
}

// saveDone leaves when the pages were recorded; what could not be recorded stays to be kept elsewhere.
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
			if p.saved = p.text; p.id == "" {
				*p = noteDraft{}
			}
		}
	}
	return t.show(t.at)
}
