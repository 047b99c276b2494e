package sessions

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// Note is what was written about a step.
type Note struct {
	ID   string // of the event
	Step int    // the iterations done when it was written; 0 is before the first
	Text string // Markdown; empty for a marker
	Mark bool   // the step is marked
	Ask  bool   // a person is asked where to query before the next step is shown
	// Claims are what the text says of the picture beside it, as quantities that can be measured: "band > 2".
	Claims []string
}

// maxNote bounds a note's length in bytes.
const maxNote = 1 << 20

type notedData struct {
	Text string `json:"text"`
	Mark bool   `json:"mark,omitempty"`
	Ask  bool   `json:"ask,omitempty"`

	Claims []string `json:"claims,omitempty"`
}

// Markdown reads notes: CommonMark without HTML, which is text like any other.
var Markdown = goldmark.New(goldmark.WithParser(parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(parser.NewListParser(), 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(parser.NewBlockquoteParser(), 800),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithInlineParsers(
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(parser.NewLinkParser(), 200),
		util.Prioritized(parser.NewEmphasisParser(), 500),
	),
	parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
)))

// noted folds a note.
func (st *State) noted(e *event) error {
	var d notedData
	if err := json.Unmarshal(e.data, &d); err != nil {
		return err
	}
	st.Notes.add(Note{ID: e.id, Step: len(st.Iterations), Text: d.Text, Mark: d.Mark, Ask: d.Ask, Claims: d.Claims})
	return nil
}

// NotesAt are the notes that were written on a step up to where the session stands.
func (st State) NotesAt(step int) []Note {
	var notes []Note
	for _, n := range st.Notes.list {
		if n.Step == step {
			notes = append(notes, n)
		}
	}
	return notes
}

// LastNote is the note with a text that was written last up to where the session stands; one without a text if there is none.
func (st State) LastNote() Note {
	for _, n := range slices.Backward(st.Notes.list) {
		if n.Text != "" {
			return n
		}
	}
	return Note{}
}

// texts are those of the notes on a step.
func (st State) texts(step int) []string {
	var texts []string
	for _, n := range st.NotesAt(step) {
		if n.Text != "" {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

// Note writes a note, in Markdown, on the step where the session stands.
func (s *Session) Note(text string) error {
	text = strings.TrimSpace(text)
	if text == "" {
		return errors.New("an empty note says nothing")
	}
	return s.note(notedData{Text: text})
}

// Mark marks the step where the session stands.
func (s *Session) Mark() error { return s.note(notedData{Mark: true}) }

func (s *Session) note(d notedData) error {
	if len(d.Text) > maxNote {
		return fmt.Errorf("a note may have %d bytes, this one has %d", maxNote, len(d.Text))
	}
	_, err := s.act(func() ([]entry, error) { return []entry{{kindNoted, d}}, nil })
	return err
}

// grown is a list that only ever grows along a branch. The states along a branch share one array; one that branches off from the middle gets
// its own, so that no snapshot ever changes.
type grown[T any] struct {
	list []T
	used *int // how much of the array is taken, by this list or one that follows it
}

func (g *grown[T]) add(v T) {
	if g.used == nil || *g.used != len(g.list) {
		g.list, g.used = slices.Clip(g.list), new(int)
	}
	g.list = append(g.list, v)
	*g.used = len(g.list)
}
