package retrieval

import (
	"fmt"
	"math"
	"strings"

	"bandscope/functions/training/retrieval"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// numbers are the lines below the panels: what each run finds now, and what that costs.
func (d drawing) numbers() []*layout.Box {
	lines := make([]*layout.Box, len(d.State.Runs))
	for i, run := range d.State.Runs {
		st, name := d.Style, "run "+d.name(i)
		title := " " + d.mark(i) + " " + st.PaintBold(d.color(i), st.Plain(d.name(i))) + "  "
		switch {
		case run.Failed != "":
			lines[i] = layout.Text(d.W, title+st.Paint(st.Error, st.Plain(run.Failed))).
				Number(name, "", "What this run is trained with, and why it ended early: "+
					strings.TrimSuffix(run.Failed, ".")+".")
		case i >= len(d.runs):
			lines[i] = layout.Text(d.W, title).Number(name, "",
				"What this run is trained with; it is being looked inside of.")
		default:
			lines[i] = layout.Row(layout.Line(layout.ShortenIn(st, title, d.W)).
				Number(name, "", fmt.Sprintf("What this run is trained with, %s, and behind it what its embeddings "+
					"of unseen classes are worth at update %d.", d.name(i), d.State.Step)))
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

// figures are what a judgement has, what matters most first.
func figures(j retrieval.Metrics) []figure {
	number, all := widget.Number, len(j.Active)
	return []figure{
		{"recall@1", number(j.Recall1) + " %", "recall",
			fmt.Sprintf("Of 400 queries of classes that the training never sees %s %% find a row of their class "+
				"first; by chance it would be 1 %%.", number(j.Recall1))},
		{"F", number(j.Flops), "FLOPs per row",
			fmt.Sprintf("F, multiplications for each row that is searched: %s, where searching all of the %d "+
				"dimensions takes %d.", number(j.Flops), all, all)},
		{"mean", number(j.Mean), "FLOPs per row",
			fmt.Sprintf("The mean probability of a dimension to be active, %s: of %d dimensions an embedding has %s.",
				number(j.Mean), all, number(j.Mean*float64(all)))},
		{"R_sub", within(j.Sub, 6), "R_sub", fmt.Sprintf(
			"F over what it would be with the same mean evenly spread: %s; 1 is even.", within(j.Sub, 6))},
		{"dead", fmt.Sprint(j.Dead), "dead dimension",
			fmt.Sprintf("Dimensions that no embedding of an unseen class has: %d of %d.", j.Dead, all)},
		{"precision@4", number(j.Precision4) + " %", "recall",
			fmt.Sprintf("Of the four best rows of a query %s %% are of its class.", number(j.Precision4))},
		{"dense/F", fewer(j), "FLOPs per row",
			fmt.Sprintf("How many times fewer multiplications a search takes than one through all dimensions: %s.",
				fewer(j))},
		{"index", number(j.IndexBytes) + " B a row", "inverted index",
			fmt.Sprintf("How large the inverted index is: %s bytes for each row.", number(j.IndexBytes))},
	}
}

// within writes a value in at most w columns; a dash where there is none.
func within(v float64, w int) string {
	if math.IsNaN(v) {
		return "–"
	}
	return widget.NumberIn(v, w)
}

// fewer is how many times fewer multiplications a search takes than one without an index.
func fewer(j retrieval.Metrics) string {
	if j.Flops == 0 {
		return "–"
	}
	return widget.Number(math.Round(float64(len(j.Active))/j.Flops*10)/10) + "×"
}
