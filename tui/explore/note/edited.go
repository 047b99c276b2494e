package note

import (
	"fmt"
	"strings"

	"bandscope/tui/explain"
	"bandscope/tui/explore/mode"
)

// Elements tells what is seen of the panel in which a note is written.
func (e *Editor) Elements(_ mode.Scene, seen mode.Seen) []explain.Element {
	p := e.pages[e.at]
	what := "A new note on " + e.place
	if e.at > 0 {
		what = fmt.Sprintf("Note %d of %d on %s", e.at, len(e.pages)-1, e.place)
	}
	kept := "as it is kept"
	if p.changed() {
		kept = "not kept yet: ctrl+s keeps it in the session, at this step"
	}
	quoted := "Nothing is written yet. Lines in Markdown are drawn as headings, lists and code beside the plot"
	if words := strings.Fields(p.text); len(words) > 0 {
		quoted = fmt.Sprintf("What is written, of %d words: “%s”", len(words), explain.Brief(p.text, mostQuoted))
	}
	return []explain.Element{{Kind: explain.Panel, Name: "the note", Says: fmt.Sprintf("%s, %s.", what, kept), Where: seen.Panel()},
		{Kind: explain.Prose, Name: "what is written", Says: quoted + ".", Where: seen.Rows(0, seen.H-2)}}
}
