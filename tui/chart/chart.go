package chart

import (
	"math"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Layer is something drawn on a chart: a fill (Band, Area), a Curve, a mark (Points, Rule, Label, Cross, Box, Specks,
// Region), or a field (Heat, Contours).
type Layer interface {
	draw(c *Canvas, f Frame)
	key(st theme.Style) Entry // its entry in a legend; without a name for none
}

// Chart is a declaration of what to draw; layers of equal priority are painted in their order.
type Chart struct {
	X, Y Axis
	// the plot region is a triangle, with X and Y from 0 to 1 and without axes of their own; with hidden ticks of X it
	// has no labels
	Simplex *Simplex
	Gutter  int // width of the tick labels at the left, with the axis line; 0 takes what the labels need
	Layers  []Layer
	// how soon the marks of layers are explained, by their names in the legend; a band is what a chart is about
	// where this does not say otherwise
	Importance map[string]layout.Importance

	Labels bool         // lines and filled regions are labelled within the plot where they fit, and not in the legend
	Beside []string     // the names of points that are labelled within the plot too
	Memory *LabelMemory // where labels were when the chart was drawn before; nil for none
	Note   string       // is written in the middle of the plot, or near it where nothing is drawn; empty for none

	title string // of the vertical axis, which is in the row of the legend
}

// Frame is the geometry of a drawn chart: where the plot region lies in the cells, and how data map to it.
type Frame struct {
	Left, Top, Cols, Rows int   // the plot region
	x, y                  Scale // from the left and from the top
	simplex               *Simplex
	style                 theme.Style
}

// Priorities of marks.
const (
	priorityAxis  = 100
	priorityPoint = 50
	priorityBox   = 48 // in front of curves, behind data
	priorityBack  = 45
	priorityUnder = 0 // rules and areas, which give way to everything
	priorityFine  = 1 // fine lines
	priorityEdge  = 2 // edges of bands
	priorityLine  = 3 // other lines, with their own priority added
)

// Frame is the geometry that the chart has in w×h cells.
func (c Chart) Frame(w, h int) Frame {
	if c.Simplex != nil {
		return c.Simplex.frame(max(w, 0), max(h, 0), c.X.HideTicks)
	}
	c = c.aligned(h)
	across, down := c.X.Scale(), c.Y.Scale()
	top := c.titleRows(h)
	gutter, rows := c.Gutter, c.rows(h)
	if gutter == 0 && !c.Y.HideTicks {
		for _, t := range down.Ticks(max(rows/3, 2)) {
			gutter = max(gutter, ansi.StringWidth(t.Label)+2)
		}
	}
	if c.Y.Names { // they leave most of the space to the plot
		gutter = min(gutter, max(w/4, 8))
	}
	if !c.Y.Flip {
		down = down.Reverse()
	}
	return Frame{Left: min(gutter, max(w-1, 0)), Top: top, Cols: max(w-gutter, 0), Rows: max(rows, 0), x: across, y: down}
}

// rows is how many rows the plot has.
func (c Chart) rows(h int) int {
	rows := h - c.titleRows(h)
	if !c.X.HideTicks {
		rows--
	}
	return rows
}

// minTitled is how many rows a chart has at least that names its vertical axis.
const minTitled = 6

// titleRows is how many rows above the plot name the vertical axis, and have the legend beside.
func (c Chart) titleRows(h int) int {
	if c.Y.Label == "" || h < minTitled || c.Simplex != nil {
		return 0
	}
	return 1
}

// Draw draws the chart into w×h cells. Any size and any data give a canvas of that size.
func (c Chart) Draw(w, h int, st theme.Style) *Canvas {
	canvas, _ := c.draw(w, h, st)
	return canvas
}

// draw is Draw with the labels within the plot.
func (c Chart) draw(w, h int, st theme.Style) (*Canvas, []placedLabel) {
	canvas := NewCanvas(w, h, st)
	c = c.aligned(canvas.h)
	f := c.Frame(canvas.w, canvas.h)
	f.style = st
	if f.Cols < 1 || f.Rows < 1 {
		return canvas, nil
	}
	layers := c.PaintOrder()
	if st.Pictures {
		canvas.plot = newPlot(c, f)
	}
	if c.Simplex != nil {
		c.Simplex.drawEdges(canvas, f)
	}
	for i, l := range layers {
		canvas.layer = int16(i + 1)
		canvas.front = inFront(l)
		l.draw(canvas, f)
	}
	canvas.layer = 0
	canvas.front = false
	switch {
	case c.Simplex == nil:
		c.drawY(canvas, f)
		c.drawX(canvas, f)
	case !c.X.HideTicks:
		c.Simplex.drawLabels(canvas, f)
	}
	return canvas, c.addLabels(canvas, f, layers)
}

// PaintOrder are the layers in the order in which they are painted: bands first, or those of one curve would cover
// another's.
func (c Chart) PaintOrder() []Layer {
	layers := slices.Clone(c.Layers)
	slices.SortStableFunc(layers, func(a, b Layer) int {
		_, bandA := a.(Band)
		_, bandB := b.(Band)
		switch {
		case bandA && !bandB:
			return -1
		case bandB && !bandA:
			return 1
		}
		return 0
	})
	return layers
}

// drawY draws the axis at the left with its ticks and its name.
func (c Chart) drawY(canvas *Canvas, f Frame) {
	st := canvas.style
	line, mark := '│', '┤'
	if st.ASCII {
		line, mark = '|', '+'
	}
	if f.Left < 1 {
		return
	}
	for row := range f.Rows {
		canvas.Put(f.Left-1, f.Top+row, line, st.Border, false, priorityAxis)
	}
	if !c.Y.HideTicks {
		last := -1 // the row of the last label
		ticks := c.Y.Ticks(max(f.Rows/3, 2))
		for i, t := range ticks {
			row := int(math.Floor(f.Row(t.Value)))
			if row < 0 || row >= f.Rows || c.Y.Marks != nil && row == last ||
				c.Y.Above != "" && row == 0 || c.Y.Below != "" && row == f.Rows-1 {
				continue
			}
			last = row
			label := t.Label
			if c.Y.Marks != nil {
				label = ShortenTick(st, ticks, i, f.Left-2)
			}
			canvas.Put(f.Left-1, f.Top+row, mark, st.Border, false, priorityAxis)
			canvas.Text(f.Left-2-ansi.StringWidth(label), f.Top+row, label, st.Dim, priorityAxis)
		}
	}
	for i, text := range []string{c.Y.Above, c.Y.Below} {
		text = st.Plain(text)
		canvas.Text(f.Left-2-ansi.StringWidth(text), f.Top+i*(f.Rows-1), text, st.Accent, priorityAxis)
	}
	if f.Top > 0 {
		canvas.Text(1, 0, c.Y.Label, st.Dim, priorityAxis)
	}
}

// drawX draws the tick labels under the plot, and the name of the axis among them.
func (c Chart) drawX(canvas *Canvas, f Frame) {
	if c.X.HideTicks || f.Rows >= canvas.h {
		return
	}
	if c.X.Marks != nil {
		c.drawMarks(canvas, f)
		return
	}
	st := canvas.style
	row := f.Top + f.Rows
	name := canvas.style.Plain(c.X.Label)
	from, end := 0, f.Cols // the columns that ticks may have
	if c.X.Ends != [2]string{} {
		first := ansi.Truncate(st.Plain(c.X.Ends[0]), f.Cols/2, "")
		last := ansi.Truncate(st.Plain(c.X.Ends[1]), max(f.Cols/2-1, 0), "")
		from, end = ansi.StringWidth(first)+1, f.Cols-ansi.StringWidth(last)-1
		canvas.Text(f.Left, row, first, st.Text, priorityAxis)
		canvas.Text(f.Left+end+1, row, last, st.Text, priorityAxis)
	}
	labels, nameStart := c.X.labels(f, from, end, ansi.StringWidth(name))
	if nameStart >= 0 {
		canvas.Text(f.Left+nameStart, row, name, st.Text, priorityAxis)
	}
	for _, l := range labels {
		canvas.Text(f.Left+l.at, row, l.text, st.Dim, priorityAxis)
	}
}

// label is a text under an axis, from a column of the plot on.
type label struct {
	at   int
	text string
}

// end is the column behind a label.
func (l label) end() int { return l.at + ansi.StringWidth(l.text) }

// labels are the tick labels between two columns, and where the axis's name of n columns begins: at the right where no
// tick is, else between two ticks, as far to the right as the fewest ticks give way to it. The first and the last stay.
// It is −1 if there is no name, or it does not fit.
func (a Axis) labels(f Frame, from, stop, n int) (list []label, nameStart int) {
	count := max(f.Cols/10, 2)
	list = a.layoutLabels(f, from, stop, count)
	switch last := len(list) - 1; {
	case n == 0 || n+10 >= stop-from:
		return list, -1
	case last < 0 || list[last].end() < stop-n:
		return list, stop - n
	}
	for away := range len(list) - 1 {
		for j := len(list) - 1; j > away; j-- {
			i := j - away - 1
			if gap := list[j].at - list[i].end(); gap >= n+2 {
				return slices.Delete(list, i+1, j), list[i].end() + (gap-n)/2
			}
		}
	}
	return a.layoutLabels(f, from, stop-n-1, count), stop - n
}

// layoutLabels are the labels of about count ticks between two columns, of which none touches another.
func (a Axis) layoutLabels(f Frame, from, end, count int) (list []label) {
	free := from - 1 // the last column that is taken
	for _, t := range a.ticks(count) {
		n := ansi.StringWidth(t.Label)
		start := max(int(f.Col(t.Value))-n/2, 0)
		if start <= free || start+n > end {
			continue
		}
		list = append(list, label{start, t.Label})
		free = start + n
	}
	return list
}

// Col is the column of a value of x within the plot region, in fractions of a cell: its left edge is the least of the
// axis.
func (f Frame) Col(x float64) float64 {
	return f.x.Fraction(x) * (float64(f.Cols) - 1e-9)
}

// Row is the row of a value of y within the plot region, in fractions of a cell from the top.
func (f Frame) Row(y float64) float64 {
	return f.y.Fraction(y) * (float64(f.Rows) - 1e-9)
}

// X is the value of x in a column of the canvas, in fractions of a cell; false outside of the plot region.
func (f Frame) X(col float64) (float64, bool) {
	t := (col - float64(f.Left)) / float64(f.Cols)
	if f.Cols < 1 || t < 0 || t > 1 {
		return 0, false
	}
	return f.x.Value(t), true
}

// Y is the value of y in a row of the canvas, in fractions of a cell; false outside of the plot region.
func (f Frame) Y(row float64) (float64, bool) {
	t := (row - float64(f.Top)) / float64(f.Rows)
	if f.Rows < 1 || t < 0 || t > 1 {
		return 0, false
	}
	return f.y.Value(t), true
}
