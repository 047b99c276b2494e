package retrievalview

import (
	"slices"
	"strings"

	"bandscope/functions/trainer/retrieval"
	"bandscope/sessions/training"
	"bandscope/tui/chart"
	"bandscope/tui/labs/panel"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
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
	panel.Scene
	*computed
}

// newDrawing makes a drawing of a scene. Its computed value may belong to an earlier state with another number of runs.
func newDrawing(scene panel.Scene) drawing {
	var k computed
	if last, ok := scene.Computed.(*computed); ok && last != nil {
		k = *last
	}
	n := len(scene.State.Runs)
	k.runs, k.trail = k.runs[:min(len(k.runs), n)], k.trail[:min(len(k.trail), n)]
	return drawing{Scene: scene, computed: &k}
}

// block draws a panel of w×h cells.
type block func(w, h int) *layout.Box

// minBlock is the minimum height of a stacked panel.
const minBlock = 7

// stacked are two panels below each other, the upper one so high; in a low window only the upper one.
func (d drawing) stacked(h, high int, upper, lower block) *layout.Box {
	if h < 2*minBlock {
		return upper(d.W, h)
	}
	high = min(max(high, minBlock), h-minBlock)
	return layout.Column(upper(d.W, high), lower(d.W, h-high))
}

// sideBySide are two panels side by side; in a narrow window, below each other.
func (d drawing) sideBySide(h int, left, right block) *layout.Box {
	if d.W < 64 {
		return d.stacked(h, h/2, left, right)
	}
	return layout.Row(left(d.W-d.W/2, h), right(d.W/2, h))
}

// panel is a framed panel; it is empty if it is too small.
func (d drawing) panel(title string, w, h int, term string, says func() string, body block) *layout.Box {
	if w < 12 || h < 3 {
		return layout.Space(w, h)
	}
	return layout.Panel(d.Style, title, body(w-2, h-2), w, h, false).Describe(layout.Section, title, term, says)
}

// waiting is a panel that has nothing to draw yet.
func (d drawing) waiting(title, text string, w, h int, term string) *layout.Box {
	if w < 12 || h < 3 {
		return layout.Space(w, h)
	}
	return layout.EmptyPanel(d.Style, title, text, w, h, term, "There is nothing to draw yet.", text)
}

const measuring = "computing"

// color and mark of a run are the same wherever it is drawn.
func (d drawing) color(run int) theme.Color { return panel.Color(d.Style, run) }

func (d drawing) mark(run int) string {
	return d.Style.PaintBold(d.color(run), d.Style.Glyph(panel.Glyph(run)))
}

// symbol is the sign of the regularizer that a run is trained with.
func symbol(run training.Run) string {
	if run.Params.Choice("regularizer") == string(retrieval.L1) {
		return "ℓ1"
	}
	return "F̃"
}

// name names a run by its regularizer and weight, and the other parameters that differ between the runs.
func (d drawing) name(run int) string {
	r := d.State.Runs[run]
	parts := []string{symbol(r) + " λ " + widget.Number(r.Params.Number("lambda"))}
	for _, decl := range panel.DifferingParams(d.State) {
		if decl.Key != "regularizer" && decl.Key != "lambda" {
			parts = append(parts, decl.Label+" "+decl.Format(r.Params.Value(decl.Key)))
		}
	}
	return strings.Join(parts, ", ")
}

// column is the values of a column in the trace of a run.
func (d drawing) column(run int, key string) []float64 {
	c := d.State.Spec.Column(key)
	if c < 0 {
		return nil
	}
	return panel.Values(d.State.Runs[run], c)
}

// each joins a text for each run, with the names of the runs if there are two.
func (d drawing) each(count int, say func(run int) string) string {
	var parts []string
	for i := range count {
		text := say(i)
		if count > 1 {
			text = d.name(i) + ": " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// withLegend is a chart below its legend. boxes are below the legend, or beside the chart in a wide and low panel.
func (d drawing) withLegend(c chart.Chart, w, h int, description chart.Description, boxes ...*layout.Box) *layout.Box {
	if side := layout.Column(boxes...); len(boxes) > 0 && w >= 54 && h < 14 && side.H <= h {
		return layout.Row(d.withLegend(c, w-side.W-3, h, description), layout.Space(2, h), side)
	}
	above := chart.LegendBox(d.Style, c.Legend(d.Style), w-2, 2)
	for _, b := range boxes {
		above.Below(b)
	}
	above.H = min(above.H, max(h-5, 0))
	above.Children = slices.DeleteFunc(above.Children, func(b *layout.Box) bool { return b.Y >= above.H })
	plot := c.Box(w, h-above.H, d.Style, description)
	chart.Link(plot, above)
	return layout.Column(layout.Row(layout.Space(1, 0), above), plot)
}

// shuffled is a title that says whether the dimensions are shuffled.
func (d drawing) shuffled(title string) string {
	if d.shuffle {
		return title + " (shuffled)"
	}
	return title
}
