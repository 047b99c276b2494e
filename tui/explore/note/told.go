package note

import (
	"fmt"
	"strings"

	"bandscope/tui/explain"
	"bandscope/tui/explore/mode"
	"bandscope/tui/theme"
)

// mostQuoted is how many words of a text are told.
const mostQuoted = 14

// Elements tells what is seen of a text beside the plot, which has a part of the window: the page of a lesson, or notes on a place.
func (b *Beside) Elements(st theme.Style, text string, lesson bool, notes mode.Notes, p explain.Part) []explain.Element {
	over := Over(st, text, p.W, p.H)
	says := fmt.Sprintf("What was written at %s: %d in all, kept in the session. n writes one, h hides them.", notes.Place, len(notes.Texts))
	if lesson {
		says = "The page of the lesson, which tells of the picture beside it. Space turns it; what it says is checked by machine against what is drawn."
	}
	quoted := fmt.Sprintf("The text: “%s”", explain.Brief(strings.Join(p.Lines, " "), mostQuoted))
	if over > 0 {
		quoted += fmt.Sprintf(", from line %d on, with %d lines out of sight: page down goes on", b.top+1, over-b.top)
	}
	return []explain.Element{p.Panel("", says), p.Prose("text", "", quoted+".", 0, len(p.Lines))}
}
