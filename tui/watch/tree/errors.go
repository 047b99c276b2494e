package tree

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/plot/scale"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// measured are the updates at which a column was, and the values there.
func (d drawing) measured(run int, key string) (at, values []float64) {
	column := d.state.Lab.Column(key)
	if column < 0 {
		return nil, nil
	}
	for i, row := range d.state.Runs[run].Trace {
		if column < len(row) && !math.IsNaN(row[column]) {
			at, values = append(at, float64(i+1)), append(values, row[column])
		}
	}
	return at, values
}

// levelKey is the column of a level's error.
func levelKey(level int) string { return fmt.Sprintf("wape%d", level) }

// errorsView draws the errors by level over the training, with a table of them where there is room.
func (d drawing) errorsView(w, h int) []string {
	table := d.table(w - 2)
	if rest := h - len(table) - 2; rest >= 9 {
		return rows(d.errorsPanel(w, rest), screen.Panel(d.style, "test days, in percent", table, w, h-rest, false))
	}
	return d.errorsPanel(w, h)
}

// errorsPanel draws the error of each level over the updates; of a second run with broken lines.
func (d drawing) errorsPanel(w, h int) []string {
	var curves []over
	for run := range d.runs {
		for level := range d.runs[0].panel.Tree.Levels() {
			curves = append(curves, over{run, levelKey(level), d.levelName(level), fmt.Sprint(level), d.style.Series[level]})
		}
	}
	var marks []plot.Layer
	if s := d.runs[0]; s.trained != nil {
		p := plot.Points{Shape: theme.GlyphHollow, Color: d.style.Text, Name: "projected"}
		for _, v := range s.scores.WAPE {
			p.X, p.Y = append(p.X, float64(s.at)), append(p.Y, 100*v)
		}
		marks = append(marks, p)
	}
	return d.overUpdates("test error by level, WAPE in percent", curves, marks, w, h)
}

// over is a column of the trace of a run, to be drawn over the updates.
type over struct {
	run       int
	key, name string
	mark      string // a character at its end, which tells it apart where there is no colour
	color     theme.Color
}

// overUpdates draws columns over the updates by factors, those of a second run with broken lines; the legend has the last values of the first; marks are drawn besides.
func (d drawing) overUpdates(title string, columns []over, marks []plot.Layer, w, h int) []string {
	return d.framed(title, w, h, func(w, h int) []string {
		const rounding = 1e-9 // and less is 0, which has no place among factors
		var layers []plot.Layer
		var all []float64
		zeros := false
		for i, c := range slices.Backward(columns) {
			at, values := d.measured(c.run, c.key)
			for i, v := range values {
				if zeros = zeros || v < rounding; v < rounding {
					values[i] = math.NaN()
				}
			}
			all = append(all, values...)
			name := ""
			if n := len(values); n > 0 && c.run == 0 {
				name = c.name + " " + digitsOf(values[n-1])
			} else if i+1 == len(columns) {
				name = "broken: " + d.runName(c.run)
			}
			layers = append(layers, plot.Curve{X: at, Y: values, Color: c.color, Line: runLine(c.run), Priority: 30 - i, Name: name})
			if n := len(values); n > 0 {
				layers = append(layers, plot.Label{X: at[n-1], Y: values[n-1], Text: c.mark, Color: c.color, Name: name})
			}
		}
		lo, hi := scale.Span(all)
		switch {
		case lo > hi && zeros:
			return d.saying("All of it is 0, but for rounding.", w)
		case lo > hi:
			return d.saying("Nothing was measured yet: space steps the training.", w)
		}
		c := plot.Chart{X: plot.Axis{Label: "update", Max: float64(max(d.state.Of, 1)), Whole: true}, Y: plot.Axis{Min: lo / 1.1, Max: hi * 1.1, Log: true}, Layers: append(layers, marks...)}
		return d.charted(c, w, h, legendRows(h)+len(d.runs)+len(marks))
	})
}

// table is the errors of every level, of every run and of what knows nothing, with shorter names where it is narrow.
func (d drawing) table(w int) []string {
	st, levels := d.style, d.runs[0].panel.Tree.Levels()
	narrow, first, each, gap, naive := false, 24, 10, "gap to leaves", "WAPE of last week again"
	if w < first+each*levels+6 {
		narrow, first, each, gap, naive = true, 15, 6, "gap", "last week"
	}
	head := " " + layout.Fit("", first)
	for level := range levels {
		name := d.levelName(level)
		if narrow {
			name = strings.TrimPrefix(strings.Replace(name, "leaves", "leaf", 1), "level ")
		}
		head += layout.Fit(st.Paint(st.Series[level], name), each)
	}
	lines := []string{head + st.Paint(st.Dim, "mean")}
	line := func(name string, values []float64) {
		text, sum := " "+layout.Fit(st.Paint(st.Text, st.Plain(name)), first), 0.0
		for _, v := range values {
			text += layout.Fit(digitsOf(100*v), each)
			sum += v / float64(len(values))
		}
		lines = append(lines, text+digitsOf(100*sum))
	}
	for i, s := range d.runs {
		name := "WAPE"
		if len(d.runs) > 1 {
			name += " " + d.runName(i)
		}
		if s.trained != nil {
			line(strings.TrimPrefix(name+", trained", map[bool]string{true: "WAPE, "}[narrow]), s.trained.WAPE)
			line(strings.TrimPrefix(name+", projected", map[bool]string{true: "WAPE, "}[narrow]), s.scores.WAPE)
			continue
		}
		line(name, s.scores.WAPE)
	}
	for i, s := range d.runs {
		name := gap
		if len(d.runs) > 1 {
			name += " " + d.runName(i)
		}
		line(name, s.scores.Coherence)
	}
	line(naive, d.runs[0].naive.WAPE)
	return lines
}
