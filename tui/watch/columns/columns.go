// Package columns is the picture of any lab: what is measured while it trains, a small plot a column, over the updates. It draws from the traces alone, and
// computes nothing; what is inside of a training is shown by the pictures of the rooms beside this one.
package columns

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/lab"
	"bandscope/tui/plot/trace"
	"bandscope/tui/screen"
	"bandscope/tui/watch/picture"
)

// Picture is the plots of the columns, as many at once as there is room for.
type Picture struct{ first int }

// New makes the picture, which begins with the first column.
func New() picture.Picture { return &Picture{} }

// Commands turn to other columns.
func (p *Picture) Commands() []screen.Command[*picture.Turn] {
	return []screen.Command[*picture.Turn]{
		screen.Do(screen.Bind("tab", "next view", "tab"), p.whole, func(t *picture.Turn) tea.Cmd { return p.turn(t, +1) }),
		screen.Do(screen.Bind("", "next view", "shift+tab"), p.whole, func(t *picture.Turn) tea.Cmd { return p.turn(t, -1) }),
	}
}

// Hints are the keys of the bottom line.
func (p *Picture) Hints() string { return "tab" }

// Look has nothing to compute.
func (p *Picture) Look(picture.Place) picture.Looking {
	return func(context.Context, lab.State, any, picture.Progress) (any, error) { return nil, nil }
}

// The least size of a plot, in cells.
const leastW, leastH = 36, 7

// grid is how many plots there are beside each other, and below.
func grid(s picture.Place) (across, down int) {
	n := len(s.State.Lab.Columns)
	across = min(max(s.W/leastW, 1), n)
	down = min(max(s.H/leastH, 1), (n+across-1)/across)
	return across, down
}

func (p *Picture) whole(t *picture.Turn) string {
	if across, down := grid(t.Place); across*down >= len(t.State.Lab.Columns) {
		return "all that is measured is shown"
	}
	return ""
}

// turn goes to the next columns, from the last back to the first.
func (p *Picture) turn(t *picture.Turn, by int) tea.Cmd {
	across, down := grid(t.Place)
	n, page := len(t.State.Lab.Columns), across*down
	pages := (n + page - 1) / page
	p.first = (p.first/page + by + pages) % pages * page
	return nil
}

// Draw draws the plots.
func (p *Picture) Draw(s picture.Place) []string {
	across, down := grid(s)
	var lines []string
	for row := range down {
		var blocks [][]string
		for col := range across {
			w := s.W*(col+1)/across - s.W*col/across
			h := s.H*(row+1)/down - s.H*row/down
			blocks = append(blocks, plot(s, p.first+row*across+col, w, h))
		}
		lines = append(lines, screen.Beside(blocks...)...)
	}
	return lines
}

// plot is the panel of one column; blanks where there is none.
func plot(s picture.Place, column, w, h int) []string {
	if column >= len(s.State.Lab.Columns) {
		return slices.Repeat([]string{strings.Repeat(" ", w)}, h)
	}
	c := s.State.Lab.Columns[column]
	t := trace.Trace{Log: c.Log, X: "update"}
	title := c.Label
	for i, r := range s.State.Runs {
		values := picture.Values(r, column)
		t.Series = append(t.Series, trace.Series{Values: values, Color: picture.Color(s.Style, i), Mark: s.Style.Glyph(picture.Glyph(i))})
		if n := len(values); n > 0 && !math.IsNaN(values[n-1]) {
			title += fmt.Sprintf(" %s %s", s.Style.Glyph(picture.Glyph(i)), screen.Number(values[n-1]))
		}
	}
	if c.Unit != "" {
		title += " " + c.Unit
	}
	return screen.Panel(s.Style, s.Style.Plain(title), t.Draw(w-2, h-2, s.Style), w, h, false)
}
