package labs

import (
	"context"
	"fmt"
	"math"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/training"
	"bandscope/tui/chart"
	"bandscope/tui/labs/panel"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// columns is a picture with a plot for each column, as many at once as fit.
type columns struct{ first int }

func init() { pictures["descent"] = newColumns }

func newColumns() panel.Picture { return &columns{} }

// Commands turn to other columns.
func (p *columns) Commands() []widget.Command[*panel.Turn] {
	return []widget.Command[*panel.Turn]{
		widget.NewCommand(widget.Bind("tab", "next view", "tab"), p.whole, func(t *panel.Turn) tea.Cmd {
			return p.turn(t, +1)
		}),
		widget.NewCommand(widget.Bind("", "next view", "shift+tab"), p.whole, func(t *panel.Turn) tea.Cmd {
			return p.turn(t, -1)
		}),
	}
}

// Hints are the keys of the bottom line.
func (p *columns) Hints() string { return "tab" }

// Compute has nothing to compute.
func (p *columns) Compute(panel.Scene) panel.ComputeFunc {
	return func(context.Context, training.State, any, panel.Progress) (any, error) { return nil, nil }
}

// The minimum size of a plot, in cells.
const minW, minH = 36, 7

// grid is how many plots there are beside each other, and below.
func grid(s panel.Scene) (across, down int) {
	n := len(s.State.Spec.Columns)
	across = min(max(s.W/minW, 1), n)
	down = min(max(s.H/minH, 1), (n+across-1)/across)
	return across, down
}

func (p *columns) whole(t *panel.Turn) string {
	if across, down := grid(t.Scene); across*down >= len(t.State.Spec.Columns) {
		return "all measurements are shown"
	}
	return ""
}

// turn goes to the next columns, from the last back to the first.
func (p *columns) turn(t *panel.Turn, delta int) tea.Cmd {
	across, down := grid(t.Scene)
	n, page := len(t.State.Spec.Columns), across*down
	pages := (n + page - 1) / page
	p.first = (p.first/page + delta + pages) % pages * page
	return nil
}

// Draw draws the plots.
func (p *columns) Draw(s panel.Scene) *layout.Box {
	across, down := grid(s)
	all := layout.New(s.W, s.H)
	for i := range min(across*down, len(s.State.Spec.Columns)-p.first) {
		row, col := i/across, i%across
		x, y := s.W*col/across, s.H*row/down
		all.Add(plot(s, p.first+i, s.W*(col+1)/across-x, s.H*(row+1)/down-y).At(x, y))
	}
	return all
}

// plot is the panel of one column: its last values and its curves over the updates.
func plot(s panel.Scene, column, w, h int) *layout.Box {
	c := s.State.Spec.Columns[column]
	t := chart.Trace{Log: c.Log, X: "update"}
	title := c.Label
	for i, r := range s.State.Runs {
		values := panel.Values(r, column)
		t.Series = append(t.Series, chart.Series{Values: values, Color: panel.Color(s.Style, i),
			Mark: s.Style.Glyph(panel.Glyph(i))})
		if n := len(values); n > 0 && !math.IsNaN(values[n-1]) {
			title += fmt.Sprintf(" %s %s", s.Style.Glyph(panel.Glyph(i)), widget.Number(values[n-1]))
		}
	}
	if c.Unit != "" {
		title += " " + c.Unit
	}
	scale := "a linear scale"
	if c.Log {
		scale = "a log scale"
	}
	says := fmt.Sprintf(
		"Nothing is drawn before the first update. Press space to train; the values of %s then appear on %s.",
		c.Label, scale)
	if s.State.Step > 0 {
		says = fmt.Sprintf(
			"The values of %s from update 1 to %d, on %s. Each curve ends at the mark of its run.",
			c.Label, s.State.Step, scale)
	}
	curve := t.Box(w-2, h-2, s.Style, chart.TraceDescription{}).
		Describe(layout.Axis, "curve of "+c.Label, "", layout.Static(says))
	return layout.Panel(s.Style, s.Style.Plain(title), curve, w, h, false).
		Describe(layout.Section, title, "", func() string {
			label := c.Label
			if c.Help != "" {
				label += ", " + c.Help
			}
			return fmt.Sprintf("The plot of %s: %s.", label,
				panel.DescribeTraces(s.State, column, func(run int) string { return panel.Name(s.State, run) }))
		})
}
