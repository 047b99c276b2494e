package studyreport

import (
	"fmt"
	"strings"

	"bandscope/sessions/study/stats"
	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// Critical declares the diagram of critical differences: a method a row at its mean rank, the best at the top; below
// them a bar for each group of which no two differ, above them the critical difference itself.
func (l MethodStyle) Critical(t stats.Friedman) (chart.Chart, bool) {
	n := len(t.Order)
	if !chart.Finite(t.Nemenyi) || n < 2 {
		return chart.Chart{}, false
	}
	st := l.Style
	marks := []chart.Tick{{Value: 0, Label: "difference"}}
	var ranks []chart.Tick
	layers := []chart.Layer{chart.Curve{X: []float64{1, min(1+t.Nemenyi, float64(n))}, Y: []float64{0, 0},
		Color: st.Text},
		chart.Label{X: 1, Y: -0.55, Text: fmt.Sprintf("critical difference %.2f", t.Nemenyi), Color: st.Text}}
	for i, k := range t.Order {
		row := float64(i + 1)
		marks = append(marks, chart.Tick{Value: row, Label: l.Name(k)})
		ranks = append(ranks, chart.Tick{Value: row, Label: fmt.Sprint(i + 1)})
		layers = append(layers, chart.Curve{X: []float64{1, t.Ranks[k]}, Y: []float64{row, row}, Color: st.Border,
			Line: theme.Dotted},
			chart.Points{X: []float64{t.Ranks[k]}, Y: []float64{row}, Shape: theme.GlyphFilled,
				Color: l.Color(k), Name: l.Name(k)})
	}
	for i, c := range t.Cliques {
		row := float64(n + 1 + i)
		var letters []string
		for _, k := range t.Order[c[0] : c[1]+1] {
			letters = append(letters, Letter(k))
		}
		marks = append(marks, chart.Tick{Value: row, Label: "similar: " + strings.Join(letters, " ")})
		layers = append(layers, chart.Curve{X: []float64{t.Ranks[t.Order[c[0]]], t.Ranks[t.Order[c[1]]]},
			Y: []float64{row, row}, Color: st.Text})
	}
	return chart.Chart{X: chart.Axis{Label: "mean rank", Min: 0.9, Max: float64(n) + 0.1, Marks: ranks},
		Y:      chart.Axis{Min: -1, Max: float64(n+len(t.Cliques)) + 0.7, Flip: true, Marks: marks, Names: true},
		Layers: layers}, true
}
