package note

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Page is what is read beside a plot: the page of a lesson, notes, or a task. One without passages is empty.
type Page struct {
	Title       string // over the panel
	Description string // describes the whole
	Passages    []Passage
}

// Passage is a part of a text that is described by itself.
type Passage struct {
	Text              string // Markdown
	Name, Description string // the description; empty where the text is quoted
	NoGap             bool   // it follows the passage before it without an empty line
}

// LessonPage is the page of a lesson of a title.
func LessonPage(title, text string) Page {
	return newPage(title, "The page of the lesson, which tells of the picture beside it. Space turns it; what it says "+
		"is checked by machine against what is drawn.", text)
}

// NotesPage are the notes of a place.
func NotesPage(notes mode.Notes) Page {
	texts := make([]string, len(notes.Texts))
	for i, n := range notes.Texts {
		texts[i] = n.Text
	}
	return newPage("notes on "+notes.Place, fmt.Sprintf(
		"What was written at %s: %d in all, kept in the session. n writes one, h hides them.", notes.Place,
		len(texts)), strings.Join(texts, rule))
}

// rule parts one note from the next.
const rule = "\n\n---\n\n"

// newPage is a text of one passage; an empty one has none.
func newPage(title, says, text string) Page {
	t := Page{Title: title, Description: says}
	if text != "" {
		t.Passages = []Passage{{Text: text}}
	}
	return t
}

// WithNotes is the text with notes below it.
func (t Page) WithNotes(notes mode.Notes) Page {
	for _, p := range NotesPage(notes).Passages {
		p.Text = strings.TrimLeft(rule, "\n") + p.Text
		t.Passages = append(slices.Clip(t.Passages), p)
	}
	return t
}

// Panel is the panel in which texts are read, beside the plot.
type Panel struct {
	Hidden bool
	top    int // lines above the panel
	wrappedText
}

// wrappedText is a text as it was wrappedText out last.
type wrappedText struct {
	page  Page
	style string
	w     int
	lines []string
	at    [][2]int // from where to where each passage stands in them
}

// wrap lays a text out in lines of w columns.
func (b *Panel) wrap(st theme.Style, t Page, w int) {
	if slices.Equal(b.page.Passages, t.Passages) && b.style == st.Key() && b.w == w {
		return
	}
	b.wrappedText = wrappedText{page: t, style: st.Key(), w: w}
	for i, p := range t.Passages {
		if i > 0 && !p.NoGap {
			b.lines = append(b.lines, "")
		}
		from := len(b.lines)
		b.lines = append(b.lines, widget.Markdown(st, p.Text, w)...)
		b.at = append(b.at, [2]int{from, len(b.lines)})
	}
}

// MaxScroll is how many lines a text can be scrolled by in a panel of w×h cells, 0 where all of it is shown.
func (b *Panel) MaxScroll(st theme.Style, t Page, w, h int) int {
	b.wrap(st, t, w-4)
	if over := len(b.lines) - (h - 2); over > 0 {
		return over + 1 // the last line says that there is more
	}
	return 0
}

// Rewind goes back to the beginning of the text.
func (b *Panel) Rewind() { b.top = 0 }

// Scroll moves the text by so many lines, of which there are at most so many; at an end it says so.
func (b *Panel) Scroll(by, most int) (said string) {
	before := b.top
	b.top = min(max(before+by, 0), most)
	switch {
	case b.top != before:
		return ""
	case by < 0:
		return "this is the beginning of the note"
	}
	return "this is the end of the note"
}

// Panel is the text with its border, from the line on to which it is scrolled.
func (b *Panel) Panel(st theme.Style, t Page, w, h int) *layout.Box {
	over, rows, body := b.MaxScroll(st, t, w, h), max(h-2, 0), layout.New(w-2, h-2)
	b.top = min(b.top, over)
	if len(b.lines)-b.top > rows && rows > 0 {
		rows--
		body.Add(layout.Text(w-3, st.Paint(st.Faint, st.Plain("… page down"))).At(1, rows))
	}
	for i, p := range t.Passages {
		from, to := max(b.at[i][0], b.top), min(b.at[i][1], b.top+rows)
		if from < to {
			body.Add(layout.Text(w-3, b.lines[from:to]...).At(1, from-b.top).
				Describe(layout.Prose, cmp.Or(p.Name, "text"), "", func() string { return p.says(b.top, over) }))
		}
	}
	return layout.Panel(st, t.Title, body, w, h, false).Section(t.Title, "", t.Description)
}

// maxQuoted is how many words of a text are told.
const maxQuoted = 14

// says describes the passage in a text that is scrolled to a line, of so many that it can be scrolled to.
func (p Passage) says(top, over int) string {
	if p.Description != "" {
		return p.Description
	}
	quoted := fmt.Sprintf("The text: “%s”", layout.Excerpt(widget.PlainText(p.Text), maxQuoted))
	if over > 0 {
		quoted += fmt.Sprintf(", from line %d on, with %d lines out of sight: page down goes on", top+1, over-top)
	}
	return quoted + "."
}
