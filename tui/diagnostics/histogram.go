package diagnostics

import (
	"fmt"
	"math"

	"bandscope/sessions/diagnostics"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// histogram draws the probability integral transform.
func (m *CheckPage) histogram(w, h int) *layout.Box {
	title, o := "PIT histogram", m.objective()
	if o == nil || o.Histogram == nil {
		return layout.EmptyPanel(m.Style, title,
			"the histogram of the probability integral transform, of less than each result, is even where the bands "+
				"are right, high at the ends where they are too narrow, in the middle where they are too wide", w, h,
			"probability integral transform", "Of each result, the probability that the others gave to less than it: "+
				"even from 0 to 1 where bands are right, high at the ends where they are too narrow.",
			"no result was left out yet")
	}
	n, ends := len(o.Data), o.Histogram[0]+o.Histogram[diagnostics.HistogramBins-1]
	even := float64(n) / diagnostics.HistogramBins
	shape := "about as many as a right band leaves there"
	switch chance := 2 * even; {
	case float64(ends) > chance+2*math.Sqrt(chance):
		shape = "many more than a right band leaves there: it is too narrow"
	case float64(ends) < chance-2*math.Sqrt(chance):
		shape = "many fewer than a right band leaves there: it is too wide"
	}
	most, at := 0, 0
	for b, count := range o.Histogram {
		if count > most {
			most, at = count, b
		}
	}
	says := fmt.Sprintf("Of each result, the probability that was given to less than it: it is even from 0 to 1 if "+
		"the bands are right. Of %s %d fell into the two outer of %d bins, %s.",
		widget.Count(n, "result"), ends, diagnostics.HistogramBins, shape)
	marks := func(name string) (sentence, term string) {
		switch name {
		case "promised":
			return fmt.Sprintf("How many of %d a bin would have if every probability were right: %s. Bins of so few "+
				"results differ from it by chance.", n, widget.Number(even)), "probability integral transform"
		case "results":
			return fmt.Sprintf("How many results fell into each of %d bins. The fullest, from %.1f to %.1f, has %d: "+
					"the others had given that much probability to less than what came.", diagnostics.HistogramBins,
					float64(at)/diagnostics.HistogramBins, float64(at+1)/diagnostics.HistogramBins, most),
				"probability integral transform"
		}
		return "", ""
	}
	return m.drawn(title, m.histogramChart(), w, h, "probability integral transform", says,
		chart.Description{Marks: marks,
			Y: fmt.Sprintf("Results of a bin, from 0 to %d.", most),
			X: "The probability of less than the result, from 0, lower than all that was expected, to 1, higher."})
}

// histogramChart is the histogram of where each result fell in what was expected of it.
func (m *CheckPage) histogramChart() chart.Chart {
	st, o := m.Style, m.objective()
	var x, y []float64
	most, even := 1.0, float64(len(o.Data))/diagnostics.HistogramBins
	for b, count := range o.Histogram {
		for _, edge := range []float64{float64(b) + 1e-6, float64(b+1) - 1e-6} {
			x, y = append(x, edge/diagnostics.HistogramBins), append(y, float64(count))
		}
		most = max(most, float64(count))
	}
	return chart.Chart{X: chart.Axis{Min: 0, Max: 1},
		Y: chart.Axis{Min: 0, Max: math.Max(most, even) * 1.08, Integer: true}, Gutter: 5,
		Layers: []chart.Layer{chart.Area{X: x, Y: y, Color: st.Acquisition, Name: "results"},
			chart.Curve{X: []float64{0, 1}, Y: []float64{even, even}, Color: st.Next, Line: theme.Dashed,
				Name: "promised"}}}
}
