package explain

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/plot"
	"bandscope/tui/theme"
)

// Book keeps the charts of a screen as they are drawn, so that where they stand is found by what was drawn: for pictures of many panels. A nil one draws, and keeps nothing.
type Book struct{ kept []Shown }

// Shown is a chart that stands in a part of a window.
type Shown struct {
	Chart plot.Chart
	Placed

	lines []string
	part  *Part
}

// Draw draws a chart into w×h cells.
func (b *Book) Draw(c plot.Chart, w, h int, st theme.Style) []string {
	lines := c.Draw(w, h, st).Lines()
	if b != nil {
		b.kept = append(b.kept, Shown{Chart: c, Placed: Placed{Style: st, W: w, H: h}, lines: See(lines).lines})
	}
	return lines
}

// In are the charts that stand in a part, in the order in which they were drawn. Each is found once.
func (b *Book) In(p *Part) (shown []Shown) {
	for i := range b.kept {
		s := &b.kept[i]
		if s.part != nil {
			continue
		}
		free := func(row, col int) bool { // of the charts that were found here
			return !slices.ContainsFunc(shown, func(other Shown) bool { return other.Left == p.Left+1+col && other.Top == p.Top+1+row })
		}
		if row, col, ok := p.holds(s.lines, free); ok {
			s.part, s.Left, s.Top = p, p.Left+1+col, p.Top+1+row
			shown = append(shown, *s)
		}
	}
	return shown
}

// holds reports whether lines stand inside of a part below each other, and from which free place on.
func (p *Part) holds(lines []string, free func(row, col int) bool) (row, col int, ok bool) {
	if len(lines) == 0 || len(lines) > len(p.Lines) {
		return 0, 0, false
	}
	for row = range len(p.Lines) - len(lines) + 1 {
		for at := 0; ; at++ {
			i := strings.Index(p.Lines[row][at:], lines[0])
			if i < 0 {
				break
			}
			at += i
			if col = ansi.StringWidth(p.Lines[row][:at]); free(row, col) && p.below(lines, row, col) {
				return row, col, true
			}
		}
	}
	return 0, 0, false
}

// below reports whether lines stand below each other from a place on.
func (p *Part) below(lines []string, row, col int) bool {
	for k, l := range lines {
		line := p.Lines[row+k]
		if at := cellsOf(line); col >= len(at) || !strings.HasPrefix(line[at[col]:], l) {
			return false
		}
	}
	return true
}

// Layers tells what the chart's legend names, wherever in its part the legend stands.
func (s Shown) Layers(says func(name string) (sentence, term string)) []Element {
	return Together([]Shown{s}, says)
}

// Together tells what the legends of charts in one part name, those of one name together. One that says nothing is there without words, which a test finds.
func Together(charts []Shown, says func(name string) (sentence, term string)) (list []Element) {
	for i, s := range charts {
		for _, e := range s.Chart.Legend(s.Style) {
			if slices.ContainsFunc(list, func(told Element) bool { return told.Name == e.Name }) {
				continue
			}
			sentence, term := says(e.Name)
			list = append(list, Element{Kind: Mark, Name: e.Name, Term: term, Says: sentence, Where: func() (spans []plot.Span) {
				for _, c := range charts[i:] {
					spans = append(spans, c.of(e.Name)...)
				}
				return spans
			}})
		}
	}
	return list
}

// of are the cells of a name, in the chart and in the legend.
func (s Shown) of(name string) []plot.Span {
	spans := Moved(s.Left, s.Top, s.Chart.Cells(s.W, s.H, s.Style, name))
	for _, e := range s.Chart.Legend(s.Style) {
		if e.Name == name {
			spans = append(spans, Moved(s.part.Left+1, s.part.Top+1, InLegend(s.Style, s.part.Lines, e))...)
		}
	}
	return spans
}

// Axes tells the numbers along the axes of the chart.
func (s Shown) Axes(left, under string) []Element { return s.Placed.Axes(s.Chart, left, under) }

// All are the cells of the chart.
func (s Shown) All() func() []plot.Span { return Rect(s.Left, s.Top, s.W, s.H) }

// Beside are the cells at the left of the chart in its part, or behind it.
func (s Shown) Beside(behind bool) func() []plot.Span {
	if end := s.Left + s.W; behind {
		return Rect(end, s.Top, s.part.Left+s.part.W-1-end, s.H)
	}
	return Rect(s.part.Left+1, s.Top, s.Left-s.part.Left-1, s.H)
}
