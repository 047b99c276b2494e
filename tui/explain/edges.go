package explain

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/plot"
)

// axisMarks are the characters of a vertical axis with numbers before it.
const axisMarks = "┤┼│|+"

// Axes tells the numbers at the left of a drawn plot that begins in a line inside of the part and has so many, and those in the last line of it; an empty sentence leaves
// one out. It is for plots whose axes are known from what is drawn alone, such as traces; one without an axis has none.
func (p *Part) Axes(name, left, under string, from, lines int) (list []Element) {
	lines = min(lines, len(p.Lines)-from)
	last := from + lines - 1
	for last > from && strings.TrimSpace(p.Lines[last]) == "" {
		last--
	}
	var spans []plot.Span
	for i := max(from, 0); i < last; i++ {
		at := strings.IndexAny(p.Lines[i], axisMarks)
		if at < 0 || strings.ContainsFunc(p.Lines[i][:at], func(r rune) bool { return r > 0x7f && !strings.ContainsRune("…−", r) }) {
			continue
		}
		spans = append(spans, plot.Span{Row: p.Top + 1 + i, From: p.Left + 1, To: p.Left + 2 + ansi.StringWidth(p.Lines[i][:at])})
	}
	if len(spans) == 0 {
		return nil
	}
	if left != "" {
		list = append(list, Element{Kind: Axis, Name: name + ", at the left", Says: left, Where: func() []plot.Span { return spans }})
	}
	if under != "" && last >= 0 {
		list = append(list, Element{Kind: Axis, Name: name + ", below", Says: under, Where: p.Rows(last, last+1)})
	}
	return list
}

// Marked are the cells of a character inside of the part where it stands alone in the last columns, as the mark of a line does, and where the title has it.
func (p *Part) Marked(mark string) func() []plot.Span {
	return func() (spans []plot.Span) {
		if i := strings.Index(" "+p.Title, " "+mark+" "); i >= 0 {
			from := p.Left + 3 + ansi.StringWidth(p.Title[:i])
			spans = append(spans, plot.Span{Row: p.Top, From: from, To: from + ansi.StringWidth(mark)})
		}
		for i, line := range p.Lines {
			if text := strings.TrimRight(line, " "); strings.HasSuffix(text, " "+mark) {
				to := p.Left + 1 + ansi.StringWidth(text)
				spans = append(spans, plot.Span{Row: p.Top + 1 + i, From: to - ansi.StringWidth(mark), To: to})
			}
		}
		return spans
	}
}
