package chart

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// minName is the width from which on a shortened name is shown.
const minName = 4

// drawMarks draws the labels of an axis of levels under the plot, each under its level, and the name of the axis left
// of them: the last label is at its end. Names are cut to the available width; if not all of them fit, every second,
// third … is shown.
func (c Chart) drawMarks(canvas *Canvas, f Frame) {
	st, row := canvas.style, f.Top+f.Rows
	name := c.X.Label
	if ansi.StringWidth(name) > f.Left-1 {
		name, _, _ = strings.Cut(name, " (")
	}
	name = layout.ShortenAmong(st, name, nil, f.Left-1)
	if name != "" {
		canvas.Text(f.Left-1-ansi.StringWidth(name), row, name, st.Text, priorityAxis)
	}
	ticks := c.X.Ticks(0)
	every := 1
	if c.X.Names {
		longest := 0
		for _, t := range ticks {
			longest = max(longest, ansi.StringWidth(t.Label))
		}
		for every < len(ticks) && every*f.Cols < (min(longest, minName)+1)*len(ticks) {
			every++
		}
	}
	free := -1 // the first column after the last label, and a blank
	for i := 0; i < len(ticks); i += every {
		col, room := f.Col(ticks[i].Value), f.Cols
		if c.X.Names {
			room = f.between(ticks, i, every) - 1
		}
		label := ShortenTick(st, ticks, i, room)
		n := ansi.StringWidth(label)
		from := min(max(int(col+0.5-float64(n)/2), 0), f.Cols-n)
		if from < free || n > f.Cols {
			continue
		}
		canvas.Text(f.Left+from, row, label, st.Dim, priorityAxis)
		free = from + n + 1
	}
}

// between is how many columns there are from a tick to the next one that is labelled, or from the one before.
func (f Frame) between(ticks []Tick, i, every int) int {
	switch {
	case i+every < len(ticks):
		return int(math.Round(f.Col(ticks[i+every].Value) - f.Col(ticks[i].Value)))
	case i >= every:
		return int(math.Round(f.Col(ticks[i].Value) - f.Col(ticks[i-every].Value)))
	}
	return f.Cols
}

// ShortenTick is the label of one of some ticks in at most w columns, different from those of the others.
func ShortenTick(st theme.Style, ticks []Tick, i, w int) string {
	names := make([]string, len(ticks))
	for k, t := range ticks {
		names[k] = t.Label
	}
	return layout.ShortenAmong(st, names[i], names, w)
}
