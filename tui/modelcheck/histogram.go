package modelcheck

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
			"the histogram is flat if the bands are right, high at the ends if they are too narrow, and high in the middle if they are too wide",
			w, h,
			"probability integral transform", "The predicted probability of a value below each result: uniform from 0 to 1 if the bands are right, high at the ends if they are too narrow.",
			"there are no leave-one-out predictions yet")
	}
	n, ends := len(o.Data), o.Histogram[0]+o.Histogram[diagnostics.HistogramBins-1]
	even := float64(n) / diagnostics.HistogramBins
	shape := "about as many as expected"
	switch chance := 2 * even; {
	case float64(ends) > chance+2*math.Sqrt(chance):
		shape = "many more than expected, so the band is too narrow"
	case float64(ends) < chance-2*math.Sqrt(chance):
		shape = "many fewer than expected, so the band is too wide"
	}
	most, fullest := 0, 0
	for b, count := range o.Histogram {
		if count > most {
			most, fullest = count, b
		}
	}
	says := fmt.Sprintf("The predicted probability of a value below each result. It is uniform from 0 to 1 if the bands are right. Of %s, %d fell into the two outer of %d bins, %s.",
		widget.Count(n, "result"), ends, diagnostics.HistogramBins, shape)
	marks := func(name string) (sentence, term string) {
		switch name {
		case "expected":
			return fmt.Sprintf(
				"The expected number of results in each bin if the bands are right: %s. Bins with so few results differ from it by chance.",
				widget.Number(even)), "probability integral transform"
		case "results":
			return fmt.Sprintf(
					"The number of results in each of %d bins of the predicted probability. The fullest bin, from %.1f to %.1f, has %d.",
					diagnostics.HistogramBins,
					float64(fullest)/diagnostics.HistogramBins, float64(fullest+1)/diagnostics.HistogramBins, most),
				"probability integral transform"
		}
		return "", ""
	}
	return m.drawn(title, m.histogramChart(), w, h, "probability integral transform", says,
		chart.Description{Marks: marks,
			Y: fmt.Sprintf("Results in a bin, from 0 to %d.", most),
			X: "The predicted probability of a value below the result, from 0 to 1."})
}

// histogramChart is the histogram of the probability integral transform.
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
	return chart.Chart{X: chart.Axis{Min: 0, Max: 1, Ends: [2]string{"0", "1"}},
		Y: chart.Axis{Min: 0, Max: math.Max(most, even) * 1.08, Integer: true}, Gutter: 5,
		Layers: []chart.Layer{chart.Area{X: x, Y: y, Color: st.Acquisition, Name: "results"},
			chart.Curve{X: []float64{0, 1}, Y: []float64{even, even}, Color: st.Next, Line: theme.Dashed,
				Name: "expected"}}}
}
