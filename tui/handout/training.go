package handout

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"bandscope/functions/numfmt"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/training"
	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// maxColumns bounds the columns of a page.
const maxColumns = 3

// Training writes the lesson of a training. Each page has the columns that its claims are about, as curves and with
// their last values.
func Training(ctx context.Context, w io.Writer, s *training.Session, name string) error {
	line := s.Timeline()
	defer s.GoTo(line.At)
	c := about(s.Lesson())
	c.On = sanitize.Text("training " + s.State().Spec.Title)
	for i, stop := range line.Stops {
		if err := ctx.Err(); err != nil {
			return err
		}
		if stop.Note == "" {
			continue
		}
		s.GoTo(i)
		st := s.State()
		n := st.LastNote()
		p, err := c.turn(n)
		if err != nil {
			return err
		}
		p.Ask = false
		columns := columnsFor(st.Spec, n.Claims)
		var blocks []block
		y := 0.0
		for _, k := range columns {
			chart, ok := curves(st, k)
			if !ok {
				continue
			}
			col := st.Spec.Columns[k]
			blocks = append(blocks, block{strings.TrimSpace(col.Label + " " + unit(col)), chart, 0, y, wide, main / 2})
			y += main/2 + row
		}
		p.Picture, p.Caption = picture(blocks, y, len(c.Pages)+1),
			fmt.Sprintf("after %d of %d updates", st.Step, st.Total)
		for _, k := range columns {
			if _, measured := st.Runs[0].Last(k, st.Step); measured == 0 {
				continue
			}
			v := value{Name: sanitize.Text(st.Spec.Columns[k].Label), Help: sanitize.Text(st.Spec.Columns[k].Help)}
			for r := range st.Runs {
				text := "–"
				if last, _ := st.Runs[r].Last(k, st.Step); !math.IsNaN(last) {
					text = numfmt.Format(last)
				}
				v.Runs = append(v.Runs, text)
			}
			p.Values = append(p.Values, v)
		}
		c.Pages = append(c.Pages, p)
		c.answer(n, "")
	}
	if err := c.task(s.Lesson(), name); err != nil {
		return err
	}
	return filled.Execute(w, c)
}

func unit(c training.Column) string {
	if c.Unit == "" {
		return ""
	}
	return "(" + c.Unit + ")"
}

// columnsFor returns the columns that claims are about, or the first column.
func columnsFor(l *training.Spec, claims []string) (columns []int) {
	for _, claim := range claims {
		for _, word := range strings.Fields(claim) {
			if k := l.Column(strings.TrimPrefix(word, "second.")); k >= 0 && !slices.Contains(columns, k) &&
				len(columns) < maxColumns {
				columns = append(columns, k)
			}
		}
	}
	if columns == nil {
		columns = []int{0}
	}
	return columns
}

// curves draws a column over the updates, with a curve for each run; ok is false if it was never measured.
func curves(st training.State, column int) (chart.Chart, bool) {
	log := st.Spec.Columns[column].Log
	along := func(v float64) float64 {
		if log {
			return math.Log10(v)
		}
		return v
	}
	var layers []chart.Layer
	var all []float64
	for r, run := range st.Runs {
		var xs, ys []float64
		for i, values := range run.Trace {
			if v := along(values[column]); !math.IsNaN(v) && !math.IsInf(v, 0) {
				xs = append(xs, float64(i+1))
				ys = append(ys, values[column])
				all = append(all, v)
			}
		}
		marks := chart.Points{X: xs, Y: ys, Color: paper().Mean, Shape: theme.GlyphFilled}
		if r > 0 {
			marks.Color, marks.Shape = paper().Next, theme.GlyphHollow
		}
		if len(st.Runs) > 1 {
			marks.Name = [...]string{"the first run", "the second run"}[r]
		}
		layers = append(layers, chart.Curve{X: xs, Y: ys, Color: marks.Color}, marks)
	}
	if len(all) == 0 {
		return chart.Chart{}, false
	}
	y := chart.Axis{Log: log}
	y.Min, y.Max = chart.Pad(chart.Extent(all))
	if log {
		y.Min, y.Max = math.Pow(10, y.Min), math.Pow(10, y.Max)
	}
	return chart.Chart{X: chart.Axis{Label: "update", Min: 1, Max: float64(max(st.Total, 2)), Integer: true}, Y: y,
		Layers: layers}, true
}
