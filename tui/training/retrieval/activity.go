package retrieval

import (
	"fmt"
	"math"

	"bandscope/functions/training/retrieval"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// activity is how often each dimension is active, the busiest first, with the mean and the dead ones.
func (d drawing) activity(w, h int) *layout.Box {
	const term = "FLOPs per row"
	title := d.shuffled("how often each dimension is active")
	if len(d.runs) == 0 {
		return d.waiting(title, measuring, w, h, term)
	}
	says := func() string {
		whole := "How often each dimension of the embeddings of unseen classes is not 0, the busiest first. A " +
			"dimension costs a search the square of that: "
		if d.shuffle {
			whole = "The same values, each dealt to another dimension at random: as many are not 0, but none is " +
				"busier for a reason. Now "
		}
		return whole + d.each(len(d.runs), func(i int) string {
			j := d.runs[i].current()
			return fmt.Sprintf("%d dimensions, on the mean active at %s, make F %s", len(j.Active),
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
		return d.under(plot, w, h, chart.Description{Marks: d.activityMarks,
			Y: fmt.Sprintf("How often a dimension is not 0: a probability, from 0 to %s.", widget.Number(plot.Y.Max)),
			X: fmt.Sprintf("The %d dimensions, the busiest at the left; each run has its own order.", int(plot.X.Max))})
	})
}

// activityMarks describes what the plot of the activity draws.
func (d drawing) activityMarks(name string) (sentence, term string) {
	j := d.runs[0].current()
	switch {
	case name == "dead":
		return "Dimensions that no embedding has: " + d.each(len(d.runs), func(i int) string {
			return fmt.Sprintf("%d of %d", d.runs[i].current().Dead, len(d.runs[i].order))
		}) + ". They cost nothing and tell nothing, and no gradient of the loss brings them back.", "dead dimension"
	case name == meanName(d.runs[0]):
		return fmt.Sprintf("The mean, %s. Were every dimension as busy, a search would cost F %s; it costs %s, %s "+
			"times that, because they are not.", widget.Number(j.Mean),
			widget.Number(float64(len(j.Active))*j.Mean*j.Mean),
			widget.Number(j.Flops), within(j.Sub, 6)), "R_sub"
	}
	for i, in := range d.runs {
		if name != d.barsName(i, in) {
			continue
		}
		p := in.active()
		text := fmt.Sprintf("From the busiest dimension, active at %s of 1, to the idlest, at %s.",
			widget.Number(p[in.order[0]]), widget.Number(p[in.order[len(p)-1]]))
		if d.hasToyRoom(in) {
			text += fmt.Sprintf(" The toy of a normal preactivation, Φ(β/|γ|), foretells these from the last layer's "+
				"own parameters but for %.3f.", in.off())
		}
		return text, "R_sub"
	}
	return "", ""
}

// bars are what is drawn of one run: bars, with their mean and how far the toy is from them, or of two runs a line
// each.
func (d drawing) bars(run int, in runStats) (layers []chart.Layer) {
	p, st := in.active(), d.Style
	sorted, mean := make([]float64, len(p)), chart.Dots{Color: st.Text, Name: meanName(in)}
	dead := chart.Points{Shape: theme.GlyphCross, Color: st.Error, Name: "dead"}
	for k, j := range in.order {
		sorted[k] = p[j]
		if p[j] == 0 {
			sorted[k], dead.X, dead.Y = math.NaN(), append(dead.X, float64(k)+0.5), append(dead.Y, 0)
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
		return d.name(run) + fmt.Sprintf("; Φ(β/|γ|) is off by %.3f", in.off())
	}
	return d.name(run)
}

// hasToyRoom reports whether there is room to say how far the toy is from the bars.
func (d drawing) hasToyRoom(in runStats) bool { return len(d.runs) == 1 && in.shuffled == nil }

// off is how far the probabilities of the toy are from those of the dimensions, on the mean.
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

// stairs are values as a curve that has each over the whole of its place, from 0 on.
func stairs(values []float64) (x, y []float64) {
	for k, v := range values {
		x, y = append(x, float64(k)+1e-6, float64(k+1)-1e-6), append(y, v, v)
	}
	return x, y
}
