package flops

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/plot/trace"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// quantityRows is how high the panel of the quantities is that has all that is needed.
const quantityRows = 10

// quantity is a row of the sparklines.
type quantity struct {
	label, key string
	log        bool
}

// losses is what is measured on the minibatches: the parts of the loss, the annealed weight, and what becomes of the activations.
func (d drawing) losses(w, h int) []string {
	return d.panel("on the minibatches", w, h, func(w, h int) []string {
		if d.State.Step == 0 {
			return d.waiting("Nothing was trained yet. The loss has two parts, the metric loss and λ(t) times the regularizer; the weight λ(t) grows from 0.", w)
		}
		const row, legend = 7, 2
		switch {
		case w >= 76 && h >= 9:
			left := w * 2 / 5
			return screen.Beside(d.parts(left, h), pad(d.sparks(w-left-1, h)))
		case h >= row+legend+6:
			return append(d.parts(w, h-row-1), d.sparks(w, row+1)...)
		}
		return d.sparks(w, h)
	})
}

// parts is the loss over the updates, in its two parts.
func (d drawing) parts(w, h int) []string {
	chart := plot.Chart{X: plot.Axis{Label: "updates", Min: 0, Max: float64(d.State.Of), Whole: true}, Y: plot.Axis{Min: 0, Max: 1}}
	for i, run := range d.State.Runs {
		var x, metric, penalty []float64
		for k, row := range run.Trace {
			if m, p := row[d.State.Lab.Column(colMetric)], row[d.State.Lab.Column(colPenalty)]; !math.IsNaN(m) { // of a lesson not all is on record
				x, metric, penalty = append(x, float64(k+1)), append(metric, m), append(penalty, p)
			}
		}
		for k := range x {
			chart.Y.Max = max(chart.Y.Max, finite(metric[k]), finite(penalty[k]))
		}
		metricName, penaltyName := "", ""
		if i == 0 {
			metricName, penaltyName = "metric loss", "λ(t)·reg"
		}
		chart.Layers = append(chart.Layers,
			plot.Curve{X: x, Y: metric, Color: d.color(i), Priority: 5, Name: metricName},
			plot.Curve{X: x, Y: penalty, Color: d.color(i), Line: theme.Dashed, Priority: 5, Name: penaltyName})
	}
	return d.under(chart, w, h, nil)
}

// finite is a value, or 0 in place of what is no number.
func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

// quantities are what is measured on every minibatch, what matters most first.
func (drawing) quantities() []quantity {
	return []quantity{{"metric loss", colMetric, false}, {"λ(t)·reg", colPenalty, false}, {"λ(t)", colWeight, false}, {"F counted", colFlops, true}, {"F̃ relaxed", colRelaxation, true},
		{"R_sub", colSub, false}, {"dead", colDead, false}, {"ℓ1", colL1, true}}
}

// sparks are a line for every quantity: its name, and for each run its last value and its course.
func (d drawing) sparks(w, h int) []string {
	st := d.Style
	quantities := d.quantities()
	const digits = 7
	label := 0
	for _, q := range quantities {
		label = max(label, ansi.StringWidth(st.Plain(q.label))+2)
	}
	room := max((w-label)/len(d.State.Runs), digits+4)
	var lines []string
	if len(d.State.Runs) > 1 && h > len(quantities)-2 {
		head := strings.Repeat(" ", label)
		for i := range d.State.Runs {
			head += layout.Fit(d.mark(i)+" "+st.Paint(st.Dim, st.Plain(d.name(i))), room)
		}
		lines = append(lines, head)
	}
	for _, q := range quantities {
		line := layout.Fit(" "+st.Paint(st.Dim, st.Plain(q.label)), label)
		for i, run := range d.State.Runs {
			values := d.column(i, q.key)
			if len(values) == 0 {
				line += layout.Fit("", room)
				continue
			}
			last := values[len(values)-1]
			course := st.Paint(d.color(i), strings.ReplaceAll(trace.Spark(values, room-digits-2, q.log, st), "█", "▇")) // lines below each other stay apart
			if q.key == colWeight {
				course = d.weight(i, last, run.Params.Number("lambda"), room-digits-2)
			}
			value := st.Plain(number(last, digits))
			line += layout.Fit(strings.Repeat(" ", max(digits-ansi.StringWidth(value), 0))+st.Paint(st.Text, value)+" "+course, room)
		}
		lines = append(lines, line)
	}
	if h >= 2*len(lines) {
		lines = apart(lines)
	}
	return lines[:min(len(lines), h)]
}

// weight is λ(t) as a bar that is full at λ.
func (d drawing) weight(run int, now, whole float64, w int) string {
	st := d.Style
	of := " of " + screen.Number(whole)
	cells := w - len(of)
	if cells < 4 {
		return ""
	}
	full := cells
	if whole > 0 {
		full = min(int(math.Round(float64(cells)*now/whole)), cells)
	}
	return st.Paint(d.color(run), st.Plain(strings.Repeat("━", full))) + st.Paint(st.Faint, st.Plain(strings.Repeat("─", cells-full)+of))
}

// apart are lines with an empty one above each.
func apart(lines []string) (spread []string) {
	for _, l := range lines {
		spread = append(spread, "", l)
	}
	return spread
}
