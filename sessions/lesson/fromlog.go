package lesson

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/lesson/page"
)

// FromLog makes a lesson of the log of a session, or of one of a lab, and returns its log: the branch on which it was
// left, with its notes as they read last. They become pages; what was written later on a place stands behind it, and
// what was withdrawn is left out.
func FromLog(ctx context.Context, in io.Reader, l sessions.Lesson) ([]byte, error) {
	found, err := eventlog.Read(ctx, in)
	if err != nil {
		return nil, err
	}
	if len(found.Problems) > 0 {
		return nil, fmt.Errorf("the session is damaged, so it cannot become a lesson: %s", found.Damage())
	}
	head, err := addLesson(found.Tree.Root().Data, l)
	if err != nil {
		return nil, err
	}
	r := logConverter{ids: map[string]string{}, later: map[string]annotation{}}
	if r.tree, err = eventlog.NewTree(head); err != nil {
		return nil, err
	}
	for _, e := range found.Tree.Events() {
		if e.Kind != eventlog.KindAnnotated {
			continue
		}
		var a annotation
		if json.Unmarshal(e.Data, &a) == nil {
			if a.Page == nil {
				a.Page = r.later[a.Event].Page
			}
			r.later[a.Event] = a
		}
	}
	r.at = r.tree.Root()
	for _, e := range found.Tree.End(found.Tree.LastPosition()).PathFromRoot() {
		if err := r.convert(e); err != nil {
			return nil, err
		}
	}
	if r.pages == 0 {
		return nil, errors.New("the session has no notes: write them with n, they become the pages")
	}
	var b bytes.Buffer
	for _, e := range r.tree.Events() {
		b.Write(e.Line)
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

// addLesson is the header of a session with a lesson in it.
func addLesson(data json.RawMessage, l sessions.Lesson) (json.RawMessage, error) {
	var head map[string]json.RawMessage
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	text, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	delete(head, "task")
	head["lesson"] = text
	return json.Marshal(head)
}

// logConverter is a log in the making.
type logConverter struct {
	tree  *eventlog.Tree
	at    *eventlog.Event       // its end
	last  time.Duration         // when that was made
	ids   map[string]string     // of its events, by those of the session
	later map[string]annotation // what was written later, by the ids of the session
	pages int
}

// annotation is what was written on an event later.
type annotation struct {
	Event string     `json:"event"`
	Text  string     `json:"text"`
	Page  *page.Page `json:"page"`
}

// noteData is a note as it is recorded.
type noteData struct {
	Text string `json:"text"`
	Mark bool   `json:"mark,omitempty"`
	page.Page
}

// kindNoted is the kind of event that a page is.
const kindNoted = "noted"

// convert tells an event of the session.
func (r *logConverter) convert(e *eventlog.Event) error {
	later, written := r.later[e.ID]
	if e.Kind != kindNoted {
		if e.Parent != nil {
			data, err := r.remapIDs(e.Data)
			if err != nil {
				return err
			}
			if err := r.add(e, e.Kind, data); err != nil {
				return err
			}
		}
		r.ids[e.ID] = r.at.ID
		if !written || later.Text == "" {
			return nil
		}
		return r.add(e, kindNoted, noteData{Text: later.Text, Page: pageFor(later, page.Page{})})
	}
	var n noteData
	if err := json.Unmarshal(e.Data, &n); err != nil {
		return err
	}
	if written {
		n.Text, n.Page = later.Text, pageFor(later, n.Page)
	}
	if n.Text == "" { // a mark, or withdrawn
		return nil
	}
	return r.add(e, kindNoted, n)
}

func pageFor(a annotation, before page.Page) page.Page {
	if a.Page == nil {
		return before
	}
	return *a.Page
}

// remapIDs is what an event says, with the suggestion that it is about by its id in the lesson.
func (r *logConverter) remapIDs(data json.RawMessage) (json.RawMessage, error) {
	var about struct {
		Of string `json:"of"`
	}
	if json.Unmarshal(data, &about) != nil || about.Of == "" {
		return data, nil
	}
	id, ok := r.ids[about.Of]
	if !ok {
		return nil, fmt.Errorf("the event refers to %s, which is not on this branch", about.Of)
	}
	quoted := func(id string) []byte { return []byte(`"of":"` + id + `"`) }
	return bytes.Replace(data, quoted(about.Of), quoted(id), 1), nil
}

// add tells an event at the end, made when the one of the session was.
func (r *logConverter) add(of *eventlog.Event, kind string, data any) error {
	e, err := r.tree.Next(r.at, kind, data, of.Elapsed-r.last)
	if err != nil {
		return err
	}
	r.tree.Add(e)
	r.at, r.last = e, of.Elapsed
	if kind == kindNoted {
		r.pages++
	}
	return nil
}
