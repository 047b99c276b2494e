package recorder

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bandscope/sessions/eventlog"
	"bandscope/sessions/lesson/page"
)

// Note is a note on a step.
type Note struct {
	ID   string // ID of the event
	Step int    // number of steps when it was written; 0 is before the first
	Text string // Markdown; empty for a marker
	Mark bool   // the step is marked

	page.Page // of a lesson
}

// MaxNote bounds a note's length in bytes.
const MaxNote = 1 << 20

// notedData is the data of a KindNoted event.
type notedData struct {
	Text string `json:"text"`
	Mark bool   `json:"mark,omitempty"`
	page.Page
}

func readNote(e *eventlog.Event) (d notedData, err error) {
	err = json.Unmarshal(e.Data, &d)
	if err == nil {
		err = d.Check()
	}
	return d, err
}

// NotesAt are the notes on a step up to this place.
func (p Place) NotesAt(step int) (notes []Note) {
	for _, n := range p.Notes {
		if n.Step == step {
			notes = append(notes, n)
		}
	}
	return notes
}

// LastNote is the last note with a text up to this place; an empty one if there is none.
func (p Place) LastNote() Note {
	for _, n := range slices.Backward(p.Notes) {
		if n.Text != "" {
			return n
		}
	}
	return Note{}
}

// Note writes a note, in Markdown, on the current step. It does not change the path to later steps.
func (r Recorder[S]) Note(text string) error {
	text, err := noteText(text)
	if err != nil {
		return err
	}
	if text == "" {
		return errors.New("the note is empty")
	}
	return r.rec.note(notedData{Text: text})
}

// WritePage writes a page of a lesson: a note that can ask a question before the next step, and claim measurable facts
// about the picture beside it.
func (r Recorder[S]) WritePage(text string, p page.Page) error {
	text, err := noteText(text)
	if err == nil && text == "" {
		err = errors.New("the page has no text")
	}
	err = errors.Join(err, p.Check())
	if err != nil {
		return err
	}
	return r.rec.note(notedData{Text: text, Page: p})
}

// MarkedNote writes a note, in Markdown, on the current step, and marks the step.
func (r Recorder[S]) MarkedNote(text string) error {
	text, err := noteText(text)
	if err != nil {
		return err
	}
	return r.rec.note(notedData{Text: text, Mark: true})
}

// Mark marks the current step.
func (r Recorder[S]) Mark() error { return r.rec.note(notedData{Mark: true}) }

// Revise changes the text of a note, wherever the session is; an empty text withdraws it. The record keeps the old
// text.
func (r Recorder[S]) Revise(id, text string) error { return r.rec.revise(id, text, nil) }

// RevisePage is Revise for a page, with its question, view and claims.
func (r Recorder[S]) RevisePage(id, text string, p page.Page) error {
	return r.rec.revise(id, text, &p)
}

func (r *Record[S]) revise(id, text string, p *page.Page) error {
	text, err := noteText(text)
	if err == nil && p != nil {
		err = p.Check()
	}
	if err != nil {
		return err
	}
	_, err = r.Act(func() ([]Entry, error) {
		e := r.Tree.Find(id)
		if e == nil || e.Kind != KindNoted && !r.annotated[id].HasContent() {
			return nil, fmt.Errorf("there is no note %q", id)
		}
		old := r.annotated[id]
		d := page.Annotation{Event: id, Text: text, Mark: old.Mark, Page: cmp.Or(p, old.Page)}
		if p == nil && d == old {
			return nil, nil
		}
		return []Entry{{Kind: eventlog.KindAnnotated, Data: d}}, nil
	})
	return err
}

// noteText is the text of a note without surrounding space.
func noteText(text string) (string, error) {
	text = strings.TrimSpace(text)
	if len(text) > MaxNote {
		return "", fmt.Errorf("a note can have at most %d bytes; this one has %d", MaxNote, len(text))
	}
	return text, nil
}

// note writes a note after the last event of the branch or, anywhere else, as an annotation.
func (r *Record[S]) note(d notedData) error {
	_, err := r.Act(func() ([]Entry, error) {
		if r.At == r.Tip {
			return []Entry{{Kind: KindNoted, Data: d}}, nil
		}
		event := r.lastEventWithoutNote()
		old := r.annotated[event.ID]
		if old.Text != "" && d.Text != "" {
			d.Text = old.Text + "\n\n" + d.Text
		}
		written := page.Annotation{Event: event.ID, Text: cmp.Or(d.Text, old.Text), Page: old.Page}
		written.Mark = d.Mark || old.Mark
		if d.Page.HasDirectives() {
			written.Page = &d.Page
		}
		return []Entry{{Kind: eventlog.KindAnnotated, Data: written}}, nil
	})
	return err
}

// lastEventWithoutNote is the last event of the current step that is not a note and has none; if all have one, the last
// that is not a note.
func (r *Record[S]) lastEventWithoutNote() *eventlog.Event {
	last, step := (*eventlog.Event)(nil), r.Steps(r.At)
	for e := r.At; e != nil && r.Steps(e) == step; e = e.Parent {
		switch {
		case e.Kind == KindNoted:
		case !r.annotated[e.ID].HasContent():
			return e
		case last == nil:
			last = e
		}
	}
	if last == nil {
		return r.Tree.Root()
	}
	return last
}

// annotation reads the annotation of an event; ok is false if the event is of another kind or invalid.
func annotation(e *eventlog.Event) (d page.Annotation, ok bool) {
	ok = e.Kind == eventlog.KindAnnotated && json.Unmarshal(e.Data, &d) == nil && len(d.Text) <= MaxNote
	return d, ok
}

// annotate applies an annotation; an invalid one is ignored.
func (r *Record[S]) annotate(e *eventlog.Event) {
	if d, ok := annotation(e); ok && r.Tree.Find(d.Event) != nil {
		r.annotated[d.Event] = d
	}
}

// IsPage reports whether an event is a page of the lesson: a note that was not withdrawn, or an event with a later
// annotation.
func (r *Record[S]) IsPage(e *eventlog.Event) bool {
	if a, written := r.annotated[e.ID]; written {
		return r.Rules.Pages && a.Text != ""
	}
	return r.Rules.Pages && e.Kind == KindNoted
}

// notes are the notes up to the current event, with their last texts and the annotations, in the order of their events.
func (r *Record[S]) notes() []Note {
	written := slices.Clip(r.points[r.At].notes)
	if len(r.annotated) == 0 {
		return written
	}
	var list []Note
	for _, n := range written {
		if d, ok := r.annotated[n.ID]; ok {
			n.Text = d.Text
			n.Mark = n.Mark || d.Mark
			n.Page = d.Apply(n.Page)
		}
		list = append(list, n)
	}
	for id, d := range r.annotated {
		if e := r.Tree.Find(id); e.Kind != KindNoted && d.HasContent() && e.IsAncestorOf(r.At) {
			list = append(list, Note{ID: id, Step: r.Steps(e), Text: d.Text, Mark: d.Mark, Page: d.Apply(page.Page{})})
		}
	}
	slices.SortStableFunc(list, func(a, b Note) int { return r.Tree.Find(a.ID).Depth - r.Tree.Find(b.ID).Depth })
	return list
}

// noteOn is the note on an event, or its annotation.
func (r *Record[S]) noteOn(e *eventlog.Event) (d notedData) {
	if e.Kind == KindNoted {
		d, _ = readNote(e)
	}
	if len(r.annotated) == 0 {
		return d
	}
	if a, ok := r.annotated[e.ID]; ok {
		d.Text = a.Text
		d.Mark = a.Mark || d.Mark
		d.Page = a.Apply(d.Page)
	}
	return d
}

// OldTexts are the earlier texts of changed notes, by the ID of the note, the oldest first. A text that only grew is
// not included.
func (r *Record[S]) OldTexts() map[string][]string {
	former, latest := map[string][]string{}, map[string]string{}
	for _, n := range r.points[r.Tip].notes {
		latest[n.ID] = n.Text
	}
	for _, e := range r.Tree.Events() {
		d, ok := annotation(e)
		if !ok {
			continue
		}
		if before := latest[d.Event]; before != "" && (d.Text == "" || !strings.HasPrefix(d.Text, before)) {
			former[d.Event] = append(former[d.Event], before)
		}
		latest[d.Event] = d.Text
	}
	return former
}
