package flops

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions/retrieval"
	"bandscope/sessions/lab"
	"bandscope/tui/explain"
	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
	"bandscope/tui/watch/picture"
)

// The columns of the lab's trace that are drawn.
const (
	colMetric     = "metric"
	colPenalty    = "penalty"
	colWeight     = "weight"
	colFlops      = "flops"
	colRelaxation = "relaxation"
	colL1         = "l1"
	colSub        = "sub"
	colDead       = "dead"
	colRecall     = "recall"
	colSearch     = "search"
)

// drawing is one drawing of the picture.
type drawing struct {
	picture.Place
	*known
	book *explain.Book // where charts are kept; nil while nothing is told
}

// newDrawing begins a drawing of a place. What is known may be of the place before, at which there was another number of runs.
func newDrawing(at picture.Place, book *explain.Book) drawing {
	var k known
	if last, ok := at.Known.(*known); ok && last != nil {
		k = *last
	}
	n := len(at.State.Runs)
	k.runs, k.trail = k.runs[:min(len(k.runs), n)], k.trail[:min(len(k.trail), n)]
	return drawing{Place: at, known: &k, book: book}
}

// block draws a panel of w×h cells.
type block func(w, h int) []string

// leastBlock is how high a panel is at least, of those that are stacked.
const leastBlock = 7

// stacked are two panels below each other, the upper one so high; of little room the first has all.
func (d drawing) stacked(h, high int, upper, lower block) []string {
	if h < 2*leastBlock {
		return upper(d.W, h)
	}
	high = min(max(high, leastBlock), h-leastBlock)
	return append(upper(d.W, high), lower(d.W, h-high)...)
}

// aside are two panels side by side, or below each other where that leaves them more room.
func (d drawing) aside(h int, left, right block) []string {
	if d.W < 64 {
		return d.stacked(h, h/2, left, right)
	}
	return screen.Beside(left(d.W-d.W/2, h), right(d.W/2, h))
}

// panel is a panel with its frame around what is drawn into it.
func (d drawing) panel(title string, w, h int, body block) []string {
	if w < 12 || h < 3 {
		return nil
	}
	return screen.Panel(d.Style, title, body(w-2, h-2), w, h, false)
}

// waiting says that there is nothing to draw yet.
func (d drawing) waiting(text string, w int) []string {
	return append([]string{""}, layout.Paragraph(d.Style, d.Style.Dim, text, w)...)
}

const measuring = "measuring …"

// color and mark of a run are the same wherever it is drawn.
func (d drawing) color(run int) theme.Color { return picture.Color(d.Style, run) }

func (d drawing) mark(run int) string {
	return d.Style.PaintBold(d.color(run), d.Style.Glyph(picture.Glyph(run)))
}

// symbol is the sign of the regularizer that a run is trained with.
func symbol(run lab.Run) string {
	if run.Params.Choice("regularizer") == string(retrieval.L1) {
		return "ℓ1"
	}
	return "F̃"
}

// name tells a run: its regularizer with the weight, and what else is its own.
func (d drawing) name(run int) string {
	r := d.State.Runs[run]
	parts := []string{symbol(r) + " λ " + screen.Number(r.Params.Number("lambda"))}
	for _, decl := range picture.Differing(d.State) {
		if decl.Key != "regularizer" && decl.Key != "lambda" {
			parts = append(parts, decl.Label+" "+decl.Format(r.Params.Value(decl.Key)))
		}
	}
	return strings.Join(parts, ", ")
}

// column are the values of a column of a run's trace.
func (d drawing) column(run int, key string) []float64 {
	c := d.State.Lab.Column(key)
	if c < 0 {
		return nil
	}
	return picture.Values(d.State.Runs[run], c)
}

// numbers are the lines below the panels: what each run finds now, and what that costs.
func (d drawing) numbers(w int) []string {
	var lines []string
	for i, run := range d.State.Runs {
		st := d.Style
		line := " " + d.mark(i) + " " + st.PaintBold(d.color(i), st.Plain(d.name(i))) + "  "
		switch {
		case run.Failed != "":
			line += st.Paint(st.Error, st.Plain(run.Failed))
		case i < len(d.runs):
			j := d.runs[i].judged
			for _, part := range [][2]string{
				{"recall@1", screen.Number(j.Recall1) + " %"}, {"F", screen.Number(j.Flops)}, {"mean", screen.Number(j.Mean)}, {"R_sub", number(j.Sub, 6)}, {"dead", fmt.Sprint(j.Dead)},
				{"precision@4", screen.Number(j.Precision4) + " %"}, {"dense/F", fewer(j)}, {"index", screen.Number(j.IndexBytes) + " B a row"},
			} {
				text := st.Paint(st.Dim, part[0]+" ") + st.Paint(st.Text, part[1]) + "  "
				if ansi.StringWidth(line)+ansi.StringWidth(text) > w {
					break
				}
				line += text
			}
		}
		lines = append(lines, layout.Fit(line, w))
	}
	return lines
}

// number writes a value in at most w columns; a dash where there is none.
func number(v float64, w int) string {
	if math.IsNaN(v) {
		return "–"
	}
	return screen.NumberIn(v, w)
}

// fewer is how many times fewer multiplications a search takes than one without an index.
func fewer(j retrieval.Judgement) string {
	if j.Flops == 0 {
		return "–"
	}
	return screen.Number(math.Round(float64(len(j.Active))/j.Flops*10)/10) + "×"
}

// under is a chart with its legend below it, or beside it where the panel is wide and low; more are lines beside the legend.
func (d drawing) under(c plot.Chart, w, h int, more []string) []string {
	entries := c.Legend(d.Style)
	one := len(screen.Legend(d.Style, entries, w-2, 1))+len(more) < 2
	if right := append(screen.Legend(d.Style, entries, w/3, len(entries)), more...); !one && w >= 54 && h < 14 && len(right) <= h {
		aside := 0
		for i := range right {
			right[i] = "  " + right[i]
			aside = max(aside, ansi.StringWidth(right[i]))
		}
		return screen.Beside(d.book.Draw(c, w-aside, h, d.Style), right)
	}
	below := append(screen.Legend(d.Style, entries, w-2, 2), more...)
	below = below[:min(len(below), max(h-5, 0))]
	lines := d.book.Draw(c, w, h-len(below), d.Style)
	for _, l := range below {
		lines = append(lines, layout.Fit(" "+l, w))
	}
	return lines
}

// shuffled is a title, with what was done to the embeddings that are shown.
func (d drawing) shuffled(title string) string {
	if d.dealt {
		return title + ", jumbled"
	}
	return title
}
