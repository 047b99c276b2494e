package timeline

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions"
	"bandscope/tui/explain"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// Elements tells what is seen of the bar, on the edge of a panel that begins in a column of a row of the window.
func (b Bar) Elements(left, row int) (list []explain.Element) {
	if !b.Telling() || b.Text() == "" {
		return nil
	}
	from, cells := b.Cells()
	last := len(b.Stops) - 1
	says := fmt.Sprintf("What is on record of this branch, from its beginning to step %d, the filled part of it behind: it stands at step %d, stop %d of %d. A click goes there, as b and space do.", b.Stops[last].Step, b.Stops[b.At].Step, b.At+1, last+1)
	if b.Pages {
		says = fmt.Sprintf("The pages of the lesson: this is page %d of %d, after %s of the search. Space turns the page, b turns back, and a click goes to one.", b.At+1, last+1, screen.Counted(b.Stops[b.At].Step, "step"))
	}
	if b.Playing {
		says += " It plays: r pauses."
	}
	list = append(list, explain.Element{Kind: explain.Panel, Name: "timeline", Says: says, Where: explain.Rect(left+3, row, ansi.StringWidth(b.Text()), 1)})
	for _, kind := range []struct {
		mark, name, is string
		of             func(sessions.Stop) bool
	}{
		{askMark, "questions", "a question is asked before what comes next is shown", func(s sessions.Stop) bool { return s.Note != "" && s.Ask }},
		{noteMark, "notes", "something is written, which stands beside the picture there", func(s sessions.Stop) bool { return s.Note != "" && !s.Ask }},
		{markMark, "marks", "somebody marked the place to find it again", func(s sessions.Stop) bool { return s.Note == "" && s.Mark }},
		{forkMark, "forks", "another branch of the session leaves: T shows them all", func(s sessions.Stop) bool { return s.Note == "" && !s.Mark && s.Fork }},
	} {
		var at []string
		var spans []plot.Span
		for i, s := range b.Stops {
			if column := i * (cells - 1) / max(last, 1); kind.of(s) && b.marks(cells)[column].mark == b.Style.Plain(kind.mark) {
				if step := fmt.Sprint(s.Step); len(at) == 0 || at[len(at)-1] != step {
					at = append(at, step)
				}
				spans = append(spans, plot.Span{Row: row, From: left + from + column, To: left + from + column + 1})
			}
		}
		if len(at) == 0 {
			continue
		}
		if len(at) > 6 {
			at = append(at[:5:5], "…", at[len(at)-1])
		}
		list = append(list, explain.Element{Name: kind.name, Says: fmt.Sprintf("%s on the bar, after step %s: there %s.", b.Style.Plain(kind.mark), strings.Join(at, ", "), kind.is), Where: func() []plot.Span { return spans }})
	}
	return list
}
