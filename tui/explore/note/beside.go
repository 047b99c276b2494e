package note

import (
	"strings"

	"bandscope/tui/explore/mode"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// Beside is the panel in which notes are read, beside the plot.
type Beside struct {
	Hidden bool
	top    int // lines above the panel
}

// On are notes as one text.
func On(notes mode.Notes) string {
	texts := make([]string, len(notes.Texts))
	for i, n := range notes.Texts {
		texts[i] = n.Text
	}
	return strings.Join(texts, "\n\n---\n\n")
}

// Below is a text with notes below it.
func Below(text string, notes mode.Notes) string {
	if on := On(notes); on != "" {
		text += "\n\n---\n\n" + on
	}
	return text
}

// Over is how many lines a text can be scrolled by in a panel of w×h cells, 0 where all of it is shown.
func Over(st theme.Style, text string, w, h int) int {
	if over := len(screen.Markdown(st, text, w-4)) - (h - 2); over > 0 {
		return over + 1 // the last line says that there is more
	}
	return 0
}

// Rewind goes back to the beginning of the text.
func (b *Beside) Rewind() { b.top = 0 }

// Scroll moves the text by so many lines, of which there are at most so many; at an end it says so.
func (b *Beside) Scroll(by, most int) (said string) {
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

// Panel is the text with its frame, from the line on to which it is scrolled.
func (b *Beside) Panel(st theme.Style, title, text string, w, h int) []string {
	lines := screen.Markdown(st, text, w-4)
	if room := h - 2; len(lines) > room {
		b.top = min(b.top, len(lines)-room+1)
		lines = lines[b.top:]
		if len(lines) > room {
			lines = append(lines[:room-1:room-1], st.Paint(st.Faint, st.Plain("… page down")))
		}
	}
	body := make([]string, len(lines))
	for i, line := range lines {
		body[i] = " " + line
	}
	return screen.Panel(st, title, body, w, h, false)
}
