// Package explain tells what is seen on a screen, one thing after the other: each mark, line, panel and number that is visible is an element with a name, a sentence with
// its present values, a term of the glossary, and the cells of the window that it has. A screen declares its elements beside the code that draws them; the walk
// over them, with all else dimmed and a box that tells the one it stands on, is the same on all screens. Which elements there are is a screen's; that none is
// missing is for tests (tui/internal/explained). Nothing is computed here but where things stand.
package explain

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/safe"
	"bandscope/tui/plot"
)

// Kind is what an element is.
type Kind int

// The kinds: what a legend names; a number, or a few that belong together; the numbers of an axis; a text that is read; a part of the screen with a title.
const (
	Mark Kind = iota
	Number
	Axis
	Prose
	Panel
)

// Element is one thing that is seen.
type Element struct {
	Kind  Kind
	Name  string             // as the screen has it: what the legend says, the title of a panel
	Term  string             // of the glossary; empty for none
	Says  string             // one sentence, with the values that it has now
	Where func() []plot.Span // its cells of the window; asked only of the element that is shown
}

// Page is a screen that tells what is seen on it, in the order in which it is best read.
type Page interface{ Elements() []Element }

// Rect are all cells of a rectangle.
func Rect(left, top, w, h int) func() []plot.Span {
	return func() []plot.Span {
		var spans []plot.Span
		for row := range max(h, 0) {
			spans = append(spans, plot.Span{Row: top + row, From: left, To: left + max(w, 0)})
		}
		return spans
	}
}

// Moved are cells of a part of the window that begins at a column and row of it.
func Moved(left, top int, spans []plot.Span) []plot.Span {
	moved := make([]plot.Span, len(spans))
	for i, s := range spans {
		moved[i] = plot.Span{Row: s.Row + top, From: s.From + left, To: s.To + left}
	}
	return moved
}

// Brief is a text that somebody wrote, or that the program says elsewhere, on one line and in at most so many words, to be told within a sentence: without its full stop.
func Brief(text string, most int) string {
	words := strings.Fields(safe.Text(text))
	if len(words) > most {
		return strings.Join(words[:most], " ") + "…"
	}
	return strings.TrimSuffix(strings.Join(words, " "), ".")
}

// Text are the cells in which a text stands first in the drawn lines of a window, from one row to before another; none where it does not.
func Text(lines []string, from, to int, text string) func() []plot.Span {
	return func() []plot.Span {
		for row := max(from, 0); row < min(to, len(lines)); row++ {
			line := ansi.Strip(lines[row])
			if i := strings.Index(line, text); i >= 0 && text != "" {
				col := ansi.StringWidth(line[:i])
				return []plot.Span{{Row: row, From: col, To: col + ansi.StringWidth(text)}}
			}
		}
		return nil
	}
}

// Layers tells what a chart's legend names, in its order, of a chart that is drawn into w×h cells of the window from a column and row on. How an entry is told is asked of says, by its name;
// one of which that says nothing is left out, which a test finds. The entry itself in the legend is lit with what it names.
func Layers(c plot.Chart, frame Placed, says func(name string) (sentence, term string)) []Element {
	var list []Element
	for _, e := range c.Legend(frame.Style) {
		sentence, term := says(e.Name)
		if sentence == "" {
			continue
		}
		list = append(list, Element{Kind: Mark, Name: e.Name, Term: term, Says: sentence, Where: func() []plot.Span {
			return append(Moved(frame.Left, frame.Top, c.Cells(frame.W, frame.H, frame.Style, e.Name)), frame.entry(e)...)
		}})
	}
	return list
}

// Both are the cells of one thing and of another.
func Both(a, b func() []plot.Span) func() []plot.Span {
	return func() []plot.Span { return append(a(), b()...) }
}
