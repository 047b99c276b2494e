package handout

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"bandscope/functions/numfmt"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/chart/svg"
	"bandscope/tui/chart/vector"
	"bandscope/tui/export"
	"bandscope/tui/lessonpage"
	"bandscope/tui/theme"
)

// paper is the style of handouts: dark on white.
func paper() theme.Style { return theme.New(false, theme.TrueColor, false) }

// The sizes of pictures, in pixels.
const (
	wide   = 620 // of all of them
	main   = 280 // height of the first chart
	below  = 110 // of those below it, and of fields in a row
	fields = 200
	row    = 18 // of a line of text
	inset  = 60 // where the plots begin, right of their labels
)

// block is a chart with its title and its place.
type block struct {
	title string
	chart chart.Chart
	x, y  float64
	w, h  float64
}

// draw draws the picture of a page, and returns its caption.
func draw(d lessonpage.PageDrawing, number int) (template.HTML, string) {
	var blocks []block
	y := 0.0
	add := func(title string, c chart.Chart, h float64) {
		blocks = append(blocks, block{title, c, 0, y, wide, h})
		y += h + row
	}
	for i, c := range d.Charts {
		switch {
		case isField(c):
			w := float64(wide) / float64(len(d.Charts))
			blocks = append(blocks, block{short(c.Title), c.Chart, float64(i) * w, 0, w, fields})
			y = fields + row
		case i == 0:
			add(c.Title, c.Chart, main)
		case c.Half && d.Charts[i-1].Half: // at the right of it
			left := blocks[len(blocks)-1]
			blocks = append(blocks, block{c.Title, c.Chart, wide / 2, left.y, wide / 2, left.h})
		case c.Half:
			add(c.Title, c.Chart, below)
			blocks[len(blocks)-1].w = wide / 2
		default:
			add(c.Title, c.Chart, below)
		}
	}
	for _, s := range d.Theory {
		t := export.NewTrace(s.Title, s.Values, s.Log)
		add(t.Name, t.Chart, below)
	}
	if d.Traces {
		if all := export.Traces(d.State); len(all) > 0 {
			t := all[max(slices.IndexFunc(all, func(t export.Trace) bool {
				return strings.Contains(strings.ToLower(t.Name), d.Trace)
			}), 0)]
			shareAxes(&t.Chart, d)
			add(t.Name, t.Chart, below)
		}
	}
	caption := numfmt.Count(len(d.State.Iterations), "evaluation")
	if len(d.State.Iterations) == 1 {
		caption = "1 evaluation"
	}
	if d.Asking {
		caption += "; the answer is hidden"
	}
	return picture(blocks, y, number), caption
}

// shareAxes extends the axes of a trace to those that the pages of the lesson share. The simple regret is drawn by its
// decimal logarithm.
func shareAxes(c *chart.Chart, d lessonpage.PageDrawing) {
	if low, high, ok := d.Axes.Range(d.Trace); ok {
		if d.Trace == "simple" {
			low, high = math.Log10(low), math.Log10(high)
		}
		c.Y.Min, c.Y.Max = min(c.Y.Min, low), max(c.Y.Max, high)
	}
	if _, last, ok := d.Axes.Range("iterations"); ok {
		c.X.Max = max(c.X.Max, last)
	}
}

// isField reports whether a chart is one of several fields in a row.
func isField(c lessonpage.Chart) bool {
	for _, l := range c.Layers {
		if _, ok := l.(chart.Heat); ok {
			return true
		}
	}
	return false
}

// short shortens a title for a field.
func short(title string) string {
	if i := strings.IndexAny(title, ":,"); i > 0 {
		title = title[:i]
	}
	return title
}

// picture draws blocks with the legend of the first one below them.
func picture(blocks []block, h float64, number int) template.HTML {
	if len(blocks) == 0 {
		return ""
	}
	layers := blocks[0].chart.Layers
	ends := h
	if len(chart.NewLegend(paper(), layers)) > 0 {
		ends = svg.New(wide, h, paper()).Legend(layers, inset, h+row, wide-inset) + row/2
	}
	v := svg.New(wide, ends, paper())
	v.Name = fmt.Sprintf("p%d-", number)
	for i, b := range blocks {
		v.Text(vector.Text{Point: vector.Point{X: b.x + inset, Y: b.y + 12}, Text: sanitize.Text(b.title), Color: paper().Dim})
		v.Chart(b.chart, b.x, b.y+row, b.w-4, b.h-row/2, fmt.Sprint("chart", i))
	}
	v.Legend(layers, inset, h+row, wide-inset)
	return template.HTML(v.String()) //nolint:gosec // drawn here, its texts escaped
}
