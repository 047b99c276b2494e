package sessions

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bandscope/sessions/log"
	"bandscope/sessions/page"
)

// Note is what was written about a step.
type Note struct {
	ID   string // of the event
	Step int    // the iterations done when it was written; 0 is before the first
	Text string // Markdown; empty for a marker
	Mark bool   // the step is marked

	page.Page // of a lesson
}

// MaxNote bounds a note's length in bytes.
const MaxNote = 1 << 20

// kindNoted is the kind of event that is a note on the step before it.
const kindNoted = "noted"

type notedData struct {
	Text string `json:"text"`
	Mark bool   `json:"mark,omitempty"`
	page.Page
}

// note folds a note.
func (st *State) note(d notedData) error {
	if err := d.Check(); err != nil {
		return err
	}
	st.Notes.add(Note{ID: st.Head, Step: len(st.Iterations), Text: d.Text, Mark: d.Mark, Page: d.Page})
	return nil
}

// NotesAt are the notes that were written on a step up to where the session stands.
func (st State) NotesAt(step int) []Note {
	first, _ := slices.BinarySearchFunc(st.noted, step, func(n Note, step int) int { return cmp.Compare(n.Step, step) }) // they are in the order of the steps
	last := first
	for last < len(st.noted) && st.noted[last].Step == step {
		last++
	}
	return slices.Clip(st.noted[first:last])
}

// LastNote is the note with a text that was written last up to where the session stands; one without a text if there is none.
func (st State) LastNote() Note {
	for _, n := range slices.Backward(st.noted) {
		if n.Text != "" {
			return n
		}
	}
	return Note{}
}

// Note writes a note, in Markdown, on the step where the session stands. Where steps are recorded ahead it leaves the way to them as it is.
func (s *Session) Note(text string) error {
	text, err := noteText(text)
	if err != nil {
		return err
	}
	if text == "" {
		return errors.New("an empty note says nothing")
	}
	return s.note(notedData{Text: text})
}

// WritePage writes a note as a lesson has them: it may ask before the next step is shown, and claim what can be measured of the picture beside it.
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

// Mark marks the step where the session stands.
func (s *Session) Mark() error { return s.note(notedData{Mark: true}) }

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
	_, err = s.act(func() ([]entry, error) {
		e := s.tree.Find(id)
		if e == nil || e.Kind != kindNoted && !s.annotated[id].Stands() {
			return nil, fmt.Errorf("there is no note %q", id)
		}
		old := s.annotated[id]
		d := page.Annotation{Event: id, Text: text, Mark: old.Mark, Page: cmp.Or(p, old.Page)}
		if p == nil && d == old {
			return nil, nil
		}
		return []entry{{log.Annotated, d}}, nil
	})
	return err
}

// noteText is a note's text without the space around it.
func noteText(text string) (string, error) {
	if text = strings.TrimSpace(text); len(text) > MaxNote {
		return "", fmt.Errorf("a note may have %d bytes, this one has %d", MaxNote, len(text))
	}
	return text, nil
}

func (s *Session) note(d notedData) error {
	_, err := s.act(func() ([]entry, error) {
		if s.at == s.tip {
			return []entry{{kindNoted, d}}, nil
		}
		on := s.unwritten()
		old := s.annotated[on.ID]
		if old.Text != "" && d.Text != "" {
			d.Text = old.Text + "\n\n" + d.Text
		}
		written := page.Annotation{Event: on.ID, Text: cmp.Or(d.Text, old.Text), Mark: d.Mark || old.Mark, Page: old.Page}
		if d.Page.Says() {
			written.Page = &d.Page
		}
		return []entry{{log.Annotated, written}}, nil
	})
	return err
}

// unwritten is the last event of the step where the session stands that is no note and has none; if all have one, the last that is no note.
func (s *Session) unwritten() *log.Event {
	last, step := (*log.Event)(nil), s.folds.iterations(s.at)
	for e := s.at; e != nil && s.folds.iterations(e) == step; e = e.Parent {
		switch {
		case e.Kind == kindNoted:
		case !s.annotated[e.ID].Stands():
			return e
		case last == nil:
			last = e
		}
	}
	if last == nil {
		return s.tree.Root()
	}
	return last
}

// annotation reads what an event writes on another; false if it is of another kind, or says nothing that can be read.
func annotation(e *log.Event) (d page.Annotation, ok bool) {
	ok = e.Kind == log.Annotated && json.Unmarshal(e.Data, &d) == nil && len(d.Text) <= MaxNote
	return d, ok
}

// annotate takes an annotation in. One that cannot be read says nothing.
func (s *Session) annotate(e *log.Event) {
	d, ok := annotation(e)
	if !ok || s.tree.Find(d.Event) == nil {
		return
	}
	if s.annotated == nil {
		s.annotated = map[string]page.Annotation{}
	}
	s.annotated[d.Event] = d
}

// notes are those up to where the session stands, with their last texts and the annotations, in the order of what they stand on.
func (s *Session) notes() []Note {
	if len(s.annotated) == 0 {
		return s.state.Notes.list
	}
	var list []Note
	for _, n := range s.state.Notes.list {
		if d, ok := s.annotated[n.ID]; ok {
			n.Text, n.Page = d.Text, d.After(n.Page)
		}
		list = append(list, n)
	}
	for id, d := range s.annotated {
		if e := s.tree.Find(id); e.Kind != kindNoted && d.Stands() && e.Leads(s.at) {
			list = append(list, Note{ID: id, Step: s.folds.iterations(e), Text: d.Text, Mark: d.Mark, Page: d.After(page.Page{})})
		}
	}
	slices.SortStableFunc(list, func(a, b Note) int { return s.tree.Find(a.ID).Depth - s.tree.Find(b.ID).Depth })
	return list
}

// noteOn is what is written on an event, as a note or as an annotation.
func (s *Session) noteOn(e *log.Event) notedData {
	var d notedData
	if e.Kind == kindNoted && json.Unmarshal(e.Data, &d) != nil {
		return notedData{}
	}
	if a, ok := s.annotated[e.ID]; ok {
		d.Text, d.Mark, d.Page = a.Text, a.Mark || d.Mark, a.After(d.Page)
	}
	return d
}
