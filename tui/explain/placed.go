package explain

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/theme"
)

// Placed is where in the window a chart is drawn.
type Placed struct {
	Style           theme.Style
	Left, Top, W, H int
	Legend          []string // the rows of its legend as they are drawn above it, from its first column on; nil where it stands elsewhere
}

// entry are the cells of the window in which the legend above the chart has an entry.
func (p Placed) entry(e plot.Entry) []plot.Span {
	return Moved(p.Left, p.Top-len(p.Legend), InLegend(p.Style, p.Legend, e))
}

// InLegend are the cells of the drawn rows of a legend (screen.Legend) in which an entry stands, with its name whole or shortened; none where it does not.
func InLegend(st theme.Style, rows []string, e plot.Entry) []plot.Span {
	name, mark := st.Plain(e.Name), ansi.Strip(e.Mark)+" "
	for most := ansi.StringWidth(name); most > 0; most-- {
		text := mark + layout.ShortenIn(st, name, most)
		for row, line := range rows {
			line = ansi.Strip(line)
			for at := 0; ; {
				i := strings.Index(line[at:], text)
				if i < 0 {
					break
				}
				at += i
				before, behind := line[:at], strings.TrimRight(line[at+len(text):], " ")
				if (strings.TrimSpace(before) == "" || strings.HasSuffix(before, "  ")) && (behind == "" || strings.HasPrefix(behind, "  ")) {
					from := ansi.StringWidth(before)
					return []plot.Span{{Row: row, From: from, To: from + ansi.StringWidth(text)}}
				}
				at++
			}
		}
	}
	return nil
}

// Cells are those of the window into which the layers of a name of a chart draw.
func (p Placed) Cells(c plot.Chart, name string) func() []plot.Span {
	return func() []plot.Span { return Moved(p.Left, p.Top, c.Cells(p.W, p.H, p.Style, name)) }
}

// Axes tells the numbers along a chart's axes: of the one at the left, and of the one under it. An empty sentence leaves one out.
func (p Placed) Axes(c plot.Chart, left, under string) []Element {
	var list []Element
	at, below := c.Axes(p.W, p.H)
	if left != "" {
		list = append(list, Element{Kind: Axis, Name: "axis at the left", Says: left, Where: func() []plot.Span { return Moved(p.Left, p.Top, at) }})
	}
	if under != "" {
		list = append(list, Element{Kind: Axis, Name: "axis below", Says: under, Where: func() []plot.Span { return Moved(p.Left, p.Top, below) }})
	}
	return list
}
