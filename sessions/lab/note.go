package lab

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bandscope/sessions"
	"bandscope/sessions/log"
	"bandscope/sessions/page"
)

type notedData struct {
	Text string `json:"text"`
	Mark bool   `json:"mark,omitempty"`
	page.Page
}

func (d *notedData) apply(f *fold, e *log.Event) error {
	if err := d.Check(); err != nil {
		return err
	}
	f.notes = append(f.notes, sessions.Note{ID: e.ID, Step: f.farthest(), Text: d.Text, Mark: d.Mark, Page: d.Page})
	return nil
}

// LastNote is the note with a text that was written last up to where the session stands; one without a text if there is none.
func (st State) LastNote() sessions.Note {
	for _, n := range slices.Backward(st.Notes) {
		if n.Text != "" {
			return n
		}
	}
	return sessions.Note{}
}

// NotesAt are the notes that were written after so many updates, up to where the session stands.
func (st State) NotesAt(step int) []sessions.Note {
	var notes []sessions.Note
	for _, n := range st.Notes {
		if n.Step == step {
			notes = append(notes, n)
		}
	}
	return notes
}

// Note writes a note, in Markdown, where the session stands. Where places are recorded ahead it leaves the way to them as it is.
func (s *Session) Note(text string) error {
	text, err := noteText(text)
	if err == nil && text == "" {
		err = errors.New("an empty note says nothing")
	}
	if err != nil {
		return err
	}
	return s.note(notedData{Text: text})
}

// Mark marks the place where the session stands.
func (s *Session) Mark() error { return s.note(notedData{Mark: true}) }

// WritePage writes a page of a lesson: a note that may ask before the next one is shown, and say what is to be seen beside it.
func (s *Session) WritePage(text string, p page.Page) error {
	text, err := noteText(text)
	if err == nil && text == "" {
		err = errors.New("a page without a text says nothing")
	}
	if err = errors.Join(err, p.Check()); err != nil {
		return err
	}
	return s.note(notedData{Text: text, Page: p})
}

// Revise gives a note another text, wherever the session stands; an empty one withdraws it. What it said before stays on record.
func (s *Session) Revise(id, text string) error { return s.revise(id, text, nil) }

// RevisePage is Revise of a page, which asks, shows and claims something else from then on too.
func (s *Session) RevisePage(id, text string, p page.Page) error { return s.revise(id, text, &p) }

func (s *Session) revise(id, text string, p *page.Page) error {
	text, err := noteText(text)
	if err == nil && p != nil {
		err = p.Check()
	}
	if err != nil {
		return err
	}
	return s.act(func() (*log.Event, []entry, error) {
		e := s.tree.Find(id)
		if e == nil || e.Kind != kindNoted && !s.annotated[id].Stands() {
			return nil, nil, fmt.Errorf("there is no note %q", id)
		}
		old := s.annotated[id]
		d := page.Annotation{Event: id, Text: text, Mark: old.Mark, Page: cmp.Or(p, old.Page)}
		if p == nil && d == old {
			return nil, nil, nil
		}
		return s.at, []entry{{log.Annotated, d}}, nil
	})
}

// noteText is a note's text without the space around it.
func noteText(text string) (string, error) {
	if text = strings.TrimSpace(text); len(text) > sessions.MaxNote {
		return "", fmt.Errorf("a note may have %d bytes, this one has %d", sessions.MaxNote, len(text))
	}
	return text, nil
}

// note writes a note behind the last event of the branch, and on any other place as a mark.
func (s *Session) note(d notedData) error {
	return s.act(func() (*log.Event, []entry, error) {
		if s.at == s.tip {
			return s.at, []entry{{kindNoted, d}}, nil
		}
		old := s.annotated[s.at.ID]
		if text := s.noteOn(s.at).Text; text != "" && d.Text != "" {
			d.Text = text + "\n\n" + d.Text
		} else {
			d.Text = cmp.Or(d.Text, text)
		}
		written := page.Annotation{Event: s.at.ID, Text: d.Text, Mark: d.Mark || old.Mark, Page: old.Page}
		if d.Page.Says() {
			written.Page = &d.Page
		}
		return s.at, []entry{{log.Annotated, written}}, nil
	})
}

// annotate takes an annotation in. One that cannot be read says nothing.
func (s *Session) annotate(e *log.Event) {
	var d page.Annotation
	if e.Kind != log.Annotated || json.Unmarshal(e.Data, &d) != nil || len(d.Text) > sessions.MaxNote || s.tree.Find(d.Event) == nil {
		return
	}
	if s.annotated == nil {
		s.annotated = map[string]page.Annotation{}
	}
	s.annotated[d.Event] = d
}

// notes are those up to where the session stands, with their last texts and the annotations, in the order of what they stand on. The caller holds the lock.
func (s *Session) notes() []sessions.Note {
	if len(s.annotated) == 0 {
		return s.state.Notes
	}
	var list []sessions.Note
	for _, n := range s.state.Notes {
		if d, ok := s.annotated[n.ID]; ok {
			n.Text, n.Mark, n.Page = d.Text, n.Mark || d.Mark, d.After(n.Page)
		}
		list = append(list, n)
	}
	for id, d := range s.annotated {
		if e := s.tree.Find(id); e.Kind != kindNoted && d.Stands() && e.Leads(s.at) {
			list = append(list, sessions.Note{ID: id, Step: s.steps(e), Text: d.Text, Mark: d.Mark, Page: d.After(page.Page{})})
		}
	}
	slices.SortStableFunc(list, func(a, b sessions.Note) int { return s.tree.Find(a.ID).Depth - s.tree.Find(b.ID).Depth })
	return list
}

// noteOn is what is written on an event, as a note or as an annotation. The caller holds the lock.
func (s *Session) noteOn(e *log.Event) (d notedData) {
	if n, ok := s.read[e].(*notedData); ok {
		d = *n
	}
	if a, ok := s.annotated[e.ID]; ok {
		d.Text, d.Mark, d.Page = a.Text, a.Mark || d.Mark, a.After(d.Page)
	}
	return d
}
