package explain

import (
	"regexp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// Seen is a drawn window, in which what is told is found where it stands: for screens of panels, whose layout need not be known twice.
type Seen struct {
	lines []string
	cells []cells
	parts []Part
}

// See reads the drawn lines of a window.
func See(lines []string) Seen {
	s := Seen{lines: make([]string, len(lines)), cells: make([]cells, len(lines))}
	for i, l := range lines {
		s.lines[i] = ansi.Strip(l)
		s.cells[i] = cellsOf(s.lines[i])
	}
	s.parts = s.find()
	return s
}

// cells are where the columns of a line begin in its text, and where it ends.
type cells []int

func cellsOf(line string) cells {
	at := make(cells, 0, len(line)+1)
	for i, r := range line {
		wide := 1
		switch {
		case r >= 0x300 && r < 0x370: // it stands over the letter before it
			wide = 0
		case r >= 0x2e80 || r == 0x200b || r == 0x200d:
			wide = ansi.StringWidth(string(r))
		}
		for range wide {
			at = append(at, i)
		}
	}
	return append(at, len(line))
}

// cut is the text of a row of the window from a column to before another.
func (s Seen) cut(row, from, to int) string {
	at := s.cells[row]
	last := len(at) - 1
	return s.lines[row][at[min(max(from, 0), last)]:at[min(max(to, 0), last)]]
}

// Part is a part of a window with a title in its upper edge, and the text inside of it.
type Part struct {
	Title           string
	Left, Top, W, H int // with its edges
	Lines           []string
}

// begun is the upper edge of a panel, or the line between two parts of one, up to its title; ended is what stands behind that.
var (
	begun = regexp.MustCompile(`(?:[╭├]─|(?:^|[|+])\+-) `)
	ended = regexp.MustCompile(` (─*[╮┤]|-*\+([+|]| *$))`)
)

// Parts are the parts of the window with a title, in the order of their rows and columns. A panel that is divided ends where its first part does.
func (s Seen) Parts() []Part { return slices.Clone(s.parts) }

func (s Seen) find() (all []Part) {
	for row, line := range s.lines {
		for at := 0; ; {
			i := begun.FindStringIndex(line[at:])
			if i == nil {
				break
			}
			from, name := at+i[0], at+i[1]
			if strings.HasPrefix(line[from:], "|+") || strings.HasPrefix(line[from:], "++") {
				from++
			}
			end := ended.FindStringIndex(line[name:])
			if end == nil {
				break
			}
			stop := name + end[1]
			if tail := strings.TrimRight(line[name:stop], " "); strings.HasSuffix(tail, "++") || strings.HasSuffix(tail, "+|") {
				stop = name + len(tail) - 1 // what stands beside it begins there
			} else {
				stop = name + len(tail)
			}
			if strings.HasSuffix(line[:stop], "+") { // which the next one may need before it
				at = stop - 1
			} else {
				at = stop
			}
			left := ansi.StringWidth(line[:from])
			p := Part{Title: line[name : name+end[0]], Left: left, Top: row, W: ansi.StringWidth(line[from:stop])}
			if p.fill(s); p.H > 1 { // else it is a lower edge that has words
				all = append(all, p)
			}
		}
	}
	return all
}

// fill reads the lines of a part down to its lower edge.
func (p *Part) fill(s Seen) {
	p.H = 1
	for row := p.Top + 1; row < len(s.lines); row++ {
		edge := s.cut(row, p.Left, p.Left+2)
		if !strings.ContainsAny(edge, "│|├╰+") {
			return
		}
		worded := s.cut(row, p.Left, p.Left+3) == "+- "
		if strings.HasPrefix(edge, "├") || worded && row+1 < len(s.lines) && s.cut(row+1, p.Left, p.Left+1) == "|" {
			return // the next part's
		}
		p.H++
		if strings.HasPrefix(edge, "╰") || edge == "+-" {
			return
		}
		p.Lines = append(p.Lines, s.cut(row, p.Left+1, p.Left+p.W-1))
	}
}

// Part is the first part whose title begins so, as it is drawn in a style; nil where there is none.
func (s Seen) Part(st theme.Style, title string) *Part {
	title = st.Plain(title)
	for _, p := range s.parts {
		if strings.HasPrefix(p.Title, title) {
			return &p
		}
	}
	return nil
}

// Row are the cells of a line of the window, but for the blanks at its ends.
func (s Seen) Row(row int) func() []plot.Span {
	return func() []plot.Span {
		if row < 0 || row >= len(s.lines) {
			return nil
		}
		return text(row, 0, s.lines[row])
	}
}

// Columns is how many columns the window has.
func (s Seen) Columns() (most int) {
	for _, at := range s.cells {
		most = max(most, len(at)-1)
	}
	return most
}

// Text is a line of the window.
func (s Seen) Text(row int) string { return strings.TrimSpace(s.lines[row]) }

// text are the cells of a text that stands in a row from a column on, but for the blanks at its ends.
func text(row, left int, line string) []plot.Span {
	body := strings.TrimRight(line, " ")
	blank := len(body) - len(strings.TrimLeft(body, " "))
	if blank == len(body) {
		return nil
	}
	return []plot.Span{{Row: row, From: left + blank, To: left + ansi.StringWidth(body)}}
}

// All are the cells of a part.
func (p *Part) All() func() []plot.Span { return Rect(p.Left, p.Top, p.W, p.H) }

// Rows are the cells of lines inside of a part, from one to before another.
func (p *Part) Rows(from, to int) func() []plot.Span {
	return func() (spans []plot.Span) {
		for i := max(from, 0); i < min(to, len(p.Lines)); i++ {
			spans = append(spans, text(p.Top+1+i, p.Left+1, p.Lines[i])...)
		}
		return spans
	}
}

// Heading are the cells of a part's title.
func (p *Part) Heading() func() []plot.Span {
	return Rect(p.Left+3, p.Top, ansi.StringWidth(p.Title), 1)
}

// Find is in which line inside of a part a text stands first; −1 where it does not.
func (p *Part) Find(text string) int {
	for i, l := range p.Lines {
		if strings.Contains(l, text) {
			return i
		}
	}
	return -1
}

// Chart is where a chart is drawn in a part, of which it has all lines but those of its legend above it.
func (p *Part) Chart(st theme.Style, c plot.Chart) Placed {
	var rows []string
	for _, l := range screen.Legend(st, c.Legend(st), p.W-4, 2) {
		rows = append(rows, " "+l)
	}
	return Placed{Style: st, Left: p.Left + 1, Top: p.Top + 1 + len(rows), W: p.W - 2, H: p.H - 2 - len(rows), Legend: rows}
}

// Panel tells a part as a whole.
func (p *Part) Panel(term, says string) Element {
	return Element{Kind: Panel, Name: p.Title, Term: term, Says: says, Where: p.All()}
}

// Prose tells lines inside of a part, from one to before another.
func (p *Part) Prose(name, term, says string, from, to int) Element {
	return Element{Kind: Prose, Name: name, Term: term, Says: says, Where: p.Rows(from, to)}
}

// mostKeys is how many words of the footer are told.
const mostKeys = 36

// Keys tells the footer, which stands in a row of the window.
func (s Seen) Keys(row int) Element {
	entries := strings.Split(s.Text(row), "  ")
	for strings.Count(strings.Join(entries, " "), " ") > mostKeys {
		entries = entries[:len(entries)-1]
	}
	return Element{Kind: Prose, Name: "keys", Says: "What keys do here at the moment: " + strings.Join(entries, ", ") + ". The key ? tells of all of them.", Where: s.Row(row)}
}

// Words are the cells of the first text in a row of the window, from a column on, that a pattern matches; nil where none does.
func (s Seen) Words(row, from int, pattern *regexp.Regexp) func() []plot.Span {
	if row < 0 || row >= len(s.lines) {
		return nil
	}
	return words(row, 0, from, s.lines[row], pattern)
}

// Words are the cells of the first text inside of a part that a pattern matches; nil where none does.
func (p *Part) Words(pattern *regexp.Regexp) func() []plot.Span {
	for i, l := range p.Lines {
		if w := words(p.Top+1+i, p.Left+1, 0, l, pattern); w != nil {
			return w
		}
	}
	return nil
}

func words(row, left, from int, line string, pattern *regexp.Regexp) func() []plot.Span {
	rest := ansi.Cut(line, from, ansi.StringWidth(line))
	at := pattern.FindStringIndex(rest)
	if at == nil {
		return nil
	}
	col := left + from + ansi.StringWidth(rest[:at[0]])
	return Rect(col, row, ansi.StringWidth(rest[at[0]:at[1]]), 1)
}

// Colours tells the colour bar that stands in the last columns of a part.
func (p *Part) Colours(says string, columns int) Element {
	return Element{Kind: Axis, Name: "colours", Says: says, Where: Rect(p.Left+p.W-1-columns, p.Top+1, columns, p.H-2)}
}
