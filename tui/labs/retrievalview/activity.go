package retrievalview

import (
	"fmt"
	"math"

	"bandscope/functions/trainer/retrieval"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// activity draws how often each dimension is active, the most active first, with the mean and the dead dimensions.
func (d drawing) activity(w, h int) *layout.Box {
	const term = "FLOPs per row"
	title := d.shuffled("how often each dimension is active")
	if len(d.runs) == 0 {
		return d.waiting(title, measuring, w, h, term)
	}
	says := func() string {
		whole := "How often each dimension of the embeddings of unseen classes is active (not 0), the most active first. The cost of a dimension in a search is the square of this: "
		if d.shuffle {
			whole = "The same values, with the dimensions shuffled in each row: as many are active, but evenly over the dimensions. Now "
		}
		return whole + d.each(len(d.runs), func(i int) string {
			j := d.runs[i].current()
			return fmt.Sprintf("%d dimensions, active with mean probability %s, give F = %s", len(j.Active),
				widget.Number(j.Mean), widget.Number(j.Flops))
		}) + "."
	}
	return d.panel(title, w, h, term, says, func(w, h int) *layout.Box {
		plot := chart.Chart{X: chart.Axis{Label: "dimensions", Min: 0, Integer: true}, Y: chart.Axis{Min: 0}}
		for i, in := range d.runs {
			plot.X.Max = max(plot.X.Max, float64(len(in.order)))
			plot.Y.Max = max(plot.Y.Max, top(in.active()))
			plot.Layers = append(plot.Layers, d.bars(i, in)...)
		}
		if _, high, ok := d.Axes.Range("activity", plot.Y.Max); ok {
			plot.Y.Max = high
		}
		return d.withLegend(plot, w, h, chart.Description{Marks: d.activityMarks,
			Y: fmt.Sprintf("The probability that a dimension is active, from 0 to %s.", widget.Number(plot.Y.Max)),
			X: fmt.Sprintf("The %d dimensions, the most active at the left; each run has its own order.",
				int(plot.X.Max))})
	})
}

// activityMarks describes what the plot of the activity draws.
func (d drawing) activityMarks(name string) (sentence, term string) {
	j := d.runs[0].current()
	switch {
	case name == "dead":
		return "Dimensions that no embedding uses: " + d.each(len(d.runs), func(i int) string {
			return fmt.Sprintf("%d of %d", d.runs[i].current().Dead, len(d.runs[i].order))
		}) + ". They cost nothing and carry no information, and no gradient brings them back.", "dead dimension"
	case name == meanName(d.runs[0]):
		return fmt.Sprintf(
			"The mean probability, %s. If all dimensions were equally active, a search would cost F = %s; it costs %s, which is %s times as much.",
			widget.Number(j.Mean), widget.Number(float64(len(j.Active))*j.Mean*j.Mean),
			widget.Number(j.Flops), within(j.Sub, 6)), "R_sub"
	}
	for i, in := range d.runs {
		if name != d.barsName(i, in) {
			continue
		}
		p := in.active()
		text := fmt.Sprintf("From the most active dimension, with probability %s, to the least active, with %s.",
			widget.Number(p[in.order[0]]), widget.Number(p[in.order[len(p)-1]]))
		if d.hasToyRoom(in) {
			text += fmt.Sprintf(
				" The model of a normal preactivation, Φ(β/|γ|), predicts these from the parameters of the last layer with a mean error of %.3f.",
				in.off())
		}
		return text, "R_sub"
	}
	return "", ""
}

// bars are the layers of a run: bars with their mean and the error of the toy model or, with two runs, a line each.
func (d drawing) bars(run int, in runStats) (layers []chart.Layer) {
	p, st := in.active(), d.Style
	sorted, mean := make([]float64, len(p)), chart.Dots{Color: st.Text, Name: meanName(in)}
	dead := chart.Points{Shape: theme.GlyphCross, Color: st.Error, Name: "dead"}
	for k, j := range in.order {
		sorted[k] = p[j]
		if p[j] == 0 {
			sorted[k] = math.NaN()
			dead.X = append(dead.X, float64(k)+0.5)
			dead.Y = append(dead.Y, 0)
		}
		mean.X, mean.Y = append(mean.X, float64(k)+0.5), append(mean.Y, retrieval.Mean(p))
	}
	x, y := stairs(sorted)
	if len(d.runs) > 1 {
		dead.Color = d.color(run)
		line := [...]theme.Line{theme.Solid, theme.Dashed}[run%2]
		return append(layers, chart.Curve{X: x, Y: y, Color: d.color(run), Line: line, Priority: 5,
			Name: d.barsName(run, in)}, dead)
	}
	return append(layers, chart.Area{X: x, Y: y, Color: d.color(run), Name: d.barsName(run, in)}, mean, dead)
}

// meanName is how the legend names the mean of a run.
func meanName(in runStats) string { return "mean " + widget.Number(retrieval.Mean(in.active())) }

// barsName is how the legend names the bars of a run, or its line.
func (d drawing) barsName(run int, in runStats) string {
	if d.hasToyRoom(in) {
		return d.name(run) + fmt.Sprintf(", model error %.3f", in.off())
	}
	return d.name(run)
}

// hasToyRoom reports whether the error of the toy model is shown.
func (d drawing) hasToyRoom(in runStats) bool { return len(d.runs) == 1 && in.shuffled == nil }

// off is the mean absolute error of the probabilities of the toy model.
func (in runStats) off() (mean float64) {
	p := in.active()
	for j := range p {
		mean += math.Abs(p[j]-in.predicted[j]) / float64(len(p))
	}
	return mean
}

// top is a round value above all probabilities.
func top(p []float64) float64 {
	highest := 0.0
	for _, x := range p {
		highest = max(highest, x)
	}
	for _, t := range []float64{0.05, 0.1, 0.2, 0.3, 0.5} {
		if highest <= t {
			return t
		}
	}
	return 1
}

// stairs are values as a step curve, value k from k to k + 1.
func stairs(values []float64) (x, y []float64) {
	for k, v := range values {
		x, y = append(x, float64(k)+1e-6, float64(k+1)-1e-6), append(y, v, v)
	}
	return x, y
}
