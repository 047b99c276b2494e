package note

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bandscope/sessions/lesson/glossary"
	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Page is the text beside a plot: a page of a lesson, notes, or a task. A page without passages is empty.
type Page struct {
	Title       string // over the panel
	Description string // describes the whole
	Passages    []Passage
	// the term that the first passage marks is explained below the text where there is room
	ExplainsTerm bool
	Asks         bool // a question is open, which a formula may answer
}

// Passage is a part of a text with a description of its own.
type Passage struct {
	Text              string // Markdown
	Name, Description string // an empty description quotes the text
	NoGap             bool   // it follows the passage before it without an empty line
}

// LessonPage is the page of a lesson of a title; asks reports whether its question is open.
func LessonPage(title, text string, asks bool) Page {
	t := newPage(title,
		"The page of the lesson, about the picture beside it. Press space for the next page. The claims of the page are checked automatically.",
		text)
	t.ExplainsTerm = text != ""
	t.Asks = asks
	return t
}

// NotesPage has the notes on a step.
func NotesPage(notes mode.Notes) Page {
	texts := make([]string, len(notes.Texts))
	for i, n := range notes.Texts {
		texts[i] = n.Text
	}
	return newPage("notes on "+notes.Place, fmt.Sprintf(
		"The notes on %s, %d in all, saved in the session. Press n to write one, h to hide them.", notes.Place,
		len(texts)), strings.Join(texts, rule))
}

// rule separates notes.
const rule = "\n\n---\n\n"

// newPage makes a page of one passage; an empty text has none.
func newPage(title, says, text string) Page {
	t := Page{Title: title, Description: says}
	if text != "" {
		t.Passages = []Passage{{Text: text}}
	}
	return t
}

// WithNotes adds notes below the text.
func (t Page) WithNotes(notes mode.Notes) Page {
	for _, p := range NotesPage(notes).Passages {
		p.Text = strings.TrimLeft(rule, "\n") + p.Text
		t.Passages = append(slices.Clip(t.Passages), p)
	}
	return t
}

// Panel is the panel of the text beside the plot.
type Panel struct {
	Hidden bool
	top    int // lines above the panel
	wrappedText
}

// wrappedText is a text in lines of w columns.
type wrappedText struct {
	page  Page
	style string
	w     int
	lines []string
	at    [][2]int       // the first and last line of each passage, exclusive
	term  *glossary.Term // that the page explains; nil if there is none
}

// wrap wraps a text into lines of w columns.
func (b *Panel) wrap(st theme.Style, t Page, w int) {
	if slices.Equal(b.page.Passages, t.Passages) && b.style == st.Key() && b.w == w {
		return
	}
	b.wrappedText = wrappedText{page: t, style: st.Key(), w: w}
	if t.ExplainsTerm {
		b.term = markedTerm(t.Passages[0].Text)
	}
	for i, p := range t.Passages {
		if i > 0 && !p.NoGap {
			b.lines = append(b.lines, "")
		}
		from := len(b.lines)
		b.lines = append(b.lines, widget.Markdown(st, p.Text, w)...)
		b.at = append(b.at, [2]int{from, len(b.lines)})
	}
}

// Rows is how many rows a panel of w columns needs to show all of a text.
func (b *Panel) Rows(st theme.Style, t Page, w int) int {
	b.wrap(st, t, w-4)
	return len(b.lines) + 2
}

// MaxScroll is how many lines a text can be scrolled by in a panel of w×h cells, 0 where all of it is shown.
func (b *Panel) MaxScroll(st theme.Style, t Page, w, h int) int {
	b.wrap(st, t, w-4)
	if over := len(b.lines) - (h - 2); over > 0 {
		return over + 1 // the last line says that the text continues
	}
	return 0
}

// Rewind scrolls to the beginning of the text.
func (b *Panel) Rewind() { b.top = 0 }

// Scroll scrolls by so many lines, from 0 to most; at an end it says so.
func (b *Panel) Scroll(delta, most int) (message string) {
	before := b.top
	b.top = min(max(before+delta, 0), most)
	switch {
	case b.top != before:
		return ""
	case delta < 0:
		return "this is the beginning of the note"
	}
	return "this is the end of the note"
}

// Panel is the text with its border, from the line to which it is scrolled.
func (b *Panel) Panel(st theme.Style, t Page, w, h int) *layout.Box {
	over := b.MaxScroll(st, t, w, h)
	rows := max(h-2, 0)
	body := layout.New(w-2, h-2)
	b.top = min(b.top, over)
	if len(b.lines)-b.top > rows && rows > 0 {
		rows--
		body.Add(layout.Text(w-3, st.Paint(st.Faint, st.Plain("… page down"))).At(1, rows))
	}
	for i, p := range t.Passages {
		from, end := max(b.at[i][0], b.top), min(b.at[i][1], b.top+rows)
		if from < end {
			body.Add(layout.Text(w-3, b.lines[from:end]...).At(1, from-b.top).
				Describe(layout.Prose, cmp.Or(p.Name, "text"), "", func() string { return p.says(b.top, over) }))
		}
	}
	term := b.termPart(st, t, w, h)
	if term == nil {
		return layout.Panel(st, t.Title, body, w, h, false).Section(t.Title, "", t.Description)
	}
	body.H = len(b.lines) + 1
	text := &layout.Part{Title: t.Title, Body: body}
	panel := layout.SplitPanel(st, w, h, false, text, term)
	text.Box.Section(t.Title, "", t.Description)
	term.Box.Section(term.Title, term.Title, "The first term that the page marks, as the glossary explains it.")
	return panel
}

// maxQuoted is how many words of a text a description quotes.
const maxQuoted = 14

// says describes the passage in a text that is scrolled to line top of at most over.
func (p Passage) says(top, over int) string {
	if p.Description != "" {
		return p.Description
	}
	quoted := fmt.Sprintf("The text: “%s”", layout.Excerpt(widget.PlainText(p.Text), maxQuoted))
	if over > 0 {
		quoted += fmt.Sprintf(", from line %d, with %s below; page down scrolls", top+1,
			widget.Count(over-top, "more line"))
	}
	return quoted + "."
}
