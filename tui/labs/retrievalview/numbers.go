package retrievalview

import (
	"fmt"
	"math"
	"strings"

	"bandscope/functions/trainer/retrieval"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// numbers are the lines below the panels: the current recall and cost of each run.
func (d drawing) numbers() []*layout.Box {
	lines := make([]*layout.Box, len(d.State.Runs))
	for i, run := range d.State.Runs {
		st, name := d.Style, "run "+d.name(i)
		title := " " + d.mark(i) + " " + st.PaintBold(d.color(i), st.Plain(d.name(i))) + "  "
		switch {
		case run.Failed != "":
			lines[i] = layout.Text(d.W, title+st.Paint(st.Error, st.Plain(run.Failed))).
				Number(name, "", "The parameters of this run, and why it ended early: "+
					strings.TrimSuffix(run.Failed, ".")+".")
		case i >= len(d.runs):
			lines[i] = layout.Text(d.W, title).Number(name, "",
				"The parameters of this run; its measurements are being computed.")
		default:
			lines[i] = layout.Row(layout.Line(layout.ShortenIn(st, title, d.W)).
				Number(name, "", fmt.Sprintf(
					"The parameters of this run, %s, and the measurements of its embeddings of unseen classes at update %d.",
					d.name(i), d.State.Step)))
			for _, f := range figures(d.runs[i].judgement) {
				part := layout.Line(st.Paint(st.Dim, f.name+" ")+st.Paint(st.Text, st.Plain(f.value))).
					Number(f.name, f.term, f.says)
				if lines[i].W+part.W+2 > d.W {
					break
				}
				lines[i].Beside(part).Beside(layout.Space(2, 1))
			}
		}
	}
	return lines
}

// figure is a number below the panels.
type figure struct{ name, value, term, says string }

// figures are the measurements of an evaluation, the most important first.
func figures(j retrieval.Metrics) []figure {
	number, all := widget.Number, len(j.Active)
	return []figure{
		{"recall@1", number(j.Recall1) + " %", "recall",
			fmt.Sprintf(
				"%s %% of the 400 queries of unseen classes have a best match of their own class; by chance it would be 1 %%.",
				number(j.Recall1))},
		{"F", number(j.Flops), "FLOPs per row",
			fmt.Sprintf("F, the multiplications per row of a search: %s. A search in all %d dimensions needs %d.",
				number(j.Flops), all, all)},
		{"mean", number(j.Mean), "FLOPs per row",
			fmt.Sprintf(
				"The mean probability that a dimension is active, %s: of %d dimensions, %s are active on average.",
				number(j.Mean), all, number(j.Mean*float64(all)))},
		{"R_sub", within(j.Sub, 6), "R_sub", fmt.Sprintf(
			"F divided by its value if all dimensions were equally active: %s; 1 is the minimum.", within(j.Sub, 6))},
		{"dead", fmt.Sprint(j.Dead), "dead dimension",
			fmt.Sprintf("Dimensions that no embedding of an unseen class uses: %d of %d.", j.Dead, all)},
		{"precision@4", number(j.Precision4) + " %", "recall",
			fmt.Sprintf("Of the four best matches of a query, %s %% have its class.", number(j.Precision4))},
		{"dense/F", fewer(j), "FLOPs per row",
			fmt.Sprintf("The multiplications of a search in all dimensions, divided by those of a search with the index: %s.",
				fewer(j))},
		{"index", number(j.IndexBytes) + " B/row", "inverted index",
			fmt.Sprintf("The size of the inverted index, %s bytes per row.", number(j.IndexBytes))},
	}
}

// within formats a value in at most w columns, NaN as a dash.
func within(v float64, w int) string {
	if math.IsNaN(v) {
		return "–"
	}
	return widget.NumberIn(v, w)
}

// fewer is the multiplications of a dense search divided by those of a search with the index.
func fewer(j retrieval.Metrics) string {
	if j.Flops == 0 {
		return "–"
	}
	return widget.Number(math.Round(float64(len(j.Active))/j.Flops*10)/10) + "×"
}
