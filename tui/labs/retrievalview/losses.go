package retrievalview

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/chart"
	"bandscope/tui/labs/panel"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// quantityRows is the height of the panel of the quantities in which all of them fit.
const quantityRows = 10

// quantity is a row of the sparklines.
type quantity struct {
	label, key string
	log        bool
	term       string // of the glossary
}

// losses draws the measurements on the minibatches: the parts of the loss, the annealed weight, and the activations.
func (d drawing) losses(w, h int) *layout.Box {
	const title = "measurements on the minibatches"
	if d.State.Step == 0 {
		return d.waiting(title,
			"No updates yet. The loss is the sum of the metric loss and λ(t) times the regularizer; the weight λ(t) grows from 0.",
			w, h, "annealing")
	}
	says := fmt.Sprintf(
		"Measurements on the minibatches up to update %d of %d: the two parts of the loss, which pull in opposite directions, and the activations.",
		d.State.Step, d.State.Total)
	return d.panel(title, w, h, "FLOPs relaxation", layout.Static(says), func(w, h int) *layout.Box {
		const row, legend = 7, 2
		switch {
		case w >= 76 && h >= 9:
			left := w * 2 / 5
			return layout.Row(d.parts(left, h), layout.Space(1, h), d.sparks(w-left-1, h))
		case h >= row+legend+6:
			return layout.Column(d.parts(w, h-row-1), d.sparks(w, row+1))
		}
		return d.sparks(w, h)
	})
}

// parts draws the two parts of the loss over the updates.
func (d drawing) parts(w, h int) *layout.Box {
	plot := chart.Chart{X: chart.Axis{Label: "updates", Min: 0, Max: float64(d.State.Total), Integer: true},
		Y: chart.Axis{Min: 0, Max: 1}}
	for i, run := range d.State.Runs {
		var x, metric, penalty []float64
		for k, row := range run.Trace {
			if m, p := row[d.State.Spec.Column(colMetric)], row[d.State.Spec.Column(colPenalty)]; !math.IsNaN(m) {
				// the record of a lesson does not have all updates
				x = append(x, float64(k+1))
				metric = append(metric, m)
				penalty = append(penalty, p)
			}
		}
		for k := range x {
			plot.Y.Max = max(plot.Y.Max, finite(metric[k]), finite(penalty[k]))
		}
		metricName, penaltyName := "", ""
		if i == 0 {
			metricName, penaltyName = "metric loss", "λ(t)·reg"
		}
		plot.Layers = append(plot.Layers,
			chart.Curve{X: x, Y: metric, Color: d.color(i), Priority: 5, Name: metricName},
			chart.Curve{X: x, Y: penalty, Color: d.color(i), Line: theme.Dashed, Priority: 5, Name: penaltyName})
	}
	return d.withLegend(plot, w, h, chart.Description{Marks: d.partMarks, Y: "The values of the two parts of the loss.",
		X: fmt.Sprintf("Updates, from 0 to %d; %d are done.", d.State.Total, d.State.Step)})
}

// partMarks describes the parts of the loss.
func (d drawing) partMarks(name string) (sentence, term string) {
	switch name {
	case "metric loss":
		return "The part of the loss that separates the classes: " + d.describeTraces(colMetric) + ".", ""
	case "λ(t)·reg":
		return "The part that makes embeddings sparse, with its annealed weight: " + d.describeTraces(colPenalty) +
			". It rises with the weight, then falls as dimensions become inactive.", "annealing"
	}
	return "", ""
}

// describeTraces describes a column of every run.
func (d drawing) describeTraces(key string) string {
	return panel.DescribeTraces(d.State, d.State.Spec.Column(key), d.name)
}

// finite is a value, or 0 in place of NaN and infinities.
func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

// quantities are the measurements on every minibatch, the most important first.
var quantities = []quantity{{"metric loss", colMetric, false, ""}, {"λ(t)·reg", colPenalty, false, ""},
	{"λ(t)", colWeight, false, "annealing"}, {"F counted", colFlops, true, "FLOPs per row"},
	{"F̃ relaxed", colRelaxation, true, "FLOPs relaxation"},
	{"R_sub", colSub, false, "R_sub"}, {"dead", colDead, false, "dead dimension"}, {"ℓ1", colL1, true, "ℓ1"}}

// digits is the width of a last value, in columns.
const digits = 7

// sparks draws a line for every quantity: its name, and for each run its last value and a sparkline.
func (d drawing) sparks(w, h int) *layout.Box {
	st, label := d.Style, 0
	for _, q := range quantities {
		label = max(label, ansi.StringWidth(st.Plain(q.label))+2)
	}
	room := max((w-label)/len(d.State.Runs), digits+4)
	var lines []*layout.Box
	if len(d.State.Runs) > 1 && h > len(quantities)-2 {
		head := strings.Repeat(" ", label)
		for i := range d.State.Runs {
			head += layout.Fit(d.mark(i)+" "+st.Paint(st.Dim, st.Plain(d.name(i))), room)
		}
		lines = append(lines, layout.Text(w, head).
			Number("runs", "", "The two columns are the runs "+d.name(0)+" and "+d.name(1)+"."))
	}
	for _, q := range quantities {
		lines = append(lines, layout.Text(w, d.spark(q, label, room)).
			Describe(layout.Number, q.label, q.term, func() string {
				help := d.State.Spec.Columns[d.State.Spec.Column(q.key)].Help
				return fmt.Sprintf("%s: %s. The bars are its values over the updates.",
					strings.ToUpper(help[:1])+help[1:], d.describeTraces(q.key))
			}))
	}
	every := 1
	if h >= 2*len(lines) { // with an empty line above each
		every = 2
	}
	all := layout.New(w, h)
	for i, l := range lines[:min(len(lines), h)] {
		all.Add(l.At(0, (i+1)*every-1))
	}
	return all
}

// spark is the line of a quantity, with its name in label columns and the rest for the runs.
func (d drawing) spark(q quantity, label, room int) string {
	st := d.Style
	line := layout.Fit(" "+st.Paint(st.Dim, st.Plain(q.label)), label)
	for i, run := range d.State.Runs {
		values := d.column(i, q.key)
		if len(values) == 0 {
			line += layout.Fit("", room)
			continue
		}
		last := values[len(values)-1]
		// lines below each other stay apart
		bars := st.Paint(d.color(i), strings.ReplaceAll(chart.Spark(values, room-digits-2, q.log, st), "█", "▇"))
		if q.key == colWeight {
			bars = d.weight(i, last, run.Params.Number("lambda"), room-digits-2)
		}
		value := st.Plain(within(last, digits))
		line += layout.Fit(strings.Repeat(" ", max(digits-ansi.StringWidth(value), 0))+st.Paint(st.Text, value)+" "+
			bars, room)
	}
	return line
}

// weight is λ(t) as a bar that is full at λ.
func (d drawing) weight(run int, now, whole float64, w int) string {
	st := d.Style
	suffix := " of " + widget.Number(whole)
	cells := w - len(suffix)
	if cells < 4 {
		return ""
	}
	share := 1.0
	if whole > 0 {
		share = now / whole
	}
	return chart.Share(share).Text(st, cells, d.color(run)) + st.Paint(st.Faint, st.Plain(suffix))
}
