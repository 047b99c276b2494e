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

// FromLog makes a lesson of the log of a session or a training, and returns its log: the current branch, with the last
// text of each note. The notes become pages; a note that was added to an event later follows it, and withdrawn notes
// are left out.
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
	r.tree, err = eventlog.NewTree(head)
	if err != nil {
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

// addLesson adds a lesson to the header of a session.
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

// logConverter builds the log of a lesson.
type logConverter struct {
	tree  *eventlog.Tree
	at    *eventlog.Event       // last event
	last  time.Duration         // elapsed time of that event
	ids   map[string]string     // IDs in the lesson, by IDs in the session
	later map[string]annotation // annotations, by IDs in the session
	pages int
}

// annotation is a text that was added to an event later.
type annotation struct {
	Event string     `json:"event"`
	Text  string     `json:"text"`
	Page  *page.Page `json:"page"`
}

// noteData is the data of a note in a log.
type noteData struct {
	Text string `json:"text"`
	Mark bool   `json:"mark,omitempty"`
	page.Page
}

// kindNoted is the event kind of a page.
const kindNoted = "noted"

// convert appends an event of the session.
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

// remapIDs replaces the ID of the suggestion that an event refers to by its ID in the lesson.
func (r *logConverter) remapIDs(data json.RawMessage) (json.RawMessage, error) {
	var about struct {
		Suggestion string `json:"suggestion"`
	}
	if json.Unmarshal(data, &about) != nil || about.Suggestion == "" {
		return data, nil
	}
	id, ok := r.ids[about.Suggestion]
	if !ok {
		return nil, fmt.Errorf("the event refers to %s, which is not on this branch", about.Suggestion)
	}
	quoted := func(id string) []byte { return []byte(`"suggestion":"` + id + `"`) }
	return bytes.Replace(data, quoted(about.Suggestion), quoted(id), 1), nil
}

// add appends an event, with the elapsed time of the original.
func (r *logConverter) add(event *eventlog.Event, kind string, data any) error {
	e, err := r.tree.Next(r.at, kind, data, eventlog.Author{}, event.Elapsed-r.last)
	if err != nil {
		return err
	}
	r.tree.Add(e)
	r.at, r.last = e, event.Elapsed
	if kind == kindNoted {
		r.pages++
	}
	return nil
}
