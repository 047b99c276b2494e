package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/guptarohit/asciigraph"

	"bandscope/functions/numfmt"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Series is one line of a trace: a value an iteration.
type Series struct {
	Values []float64
	Color  theme.Color
	// one character at the right of its end, to distinguish the line without colours; may be empty
	Mark string
}

// Trace draws values over iterations in a fixed number of cells, with round tick labels and optionally a logarithmic
// axis: one series as asciigraph does, several in braille, side by side where they are equal. NaN and infinite values
// are gaps; on a logarithmic axis so are negative values, and zeros are drawn at the bottom.
type Trace struct {
	Series []Series
	Log    bool
	X      string // the name of the x axis

	From, To string // the ends of the x axis, where it is not of iterations

	Range  [2]float64 // least and greatest value of the y axis; zero takes those of the series
	Length int        // iterations on the x axis, if the series have fewer
}

// Draw draws the trace into exactly h lines of at most w columns.
func (t Trace) Draw(w, h int, st theme.Style) []string {
	lines := make([]string, max(h, 0))
	if w < 12 || h < 3 {
		return lines
	}
	lo, hi, longest := t.bounds()
	if longest == 0 || lo > hi {
		lines[0] = st.Paint(st.Dim, ansi.Truncate(" nothing to draw yet", w, ""))
		return lines
	}
	gutter, room := t.gutter(w, h)
	if !room {
		return lines
	}
	lo, hi = t.spread(lo, hi)
	rows := h - 2 // asciigraph draws one row more than its height; one is for the x axis
	labels := t.labels(lo, hi, rows)
	cols := w - gutter - 3 - t.marks()
	graph := t.graph
	if len(t.Series) > 1 && !st.ASCII {
		graph = t.lines
	}
	copy(lines, graph(lo, hi, rows, cols, labels, st))
	for row, series := range t.ends(h) {
		for _, item := range series {
			lines[row] += strings.Repeat(" ", max(w-t.marks()+1-ansi.StringWidth(lines[row]), 0)) +
				st.PaintBold(item.Color, item.Mark)
		}
	}
	lines[h-1] = t.axis(gutter+3, cols, longest, st)
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], w, "")
	}
	return lines
}

// around is the range in which a constant series is drawn: in the middle, between values of its own sign; zeros are at
// the bottom.
func (t Trace) around(lo, hi float64) (float64, float64) {
	switch {
	case t.Log: // decimal logarithms
		return lo - 0.5, hi + 0.5
	case lo == 0 && hi == 0:
		return 0, 1
	}
	return Pad(lo, hi)
}

// marks is the width of the marks at the right.
func (t Trace) marks() int {
	n := 0
	for _, s := range t.Series {
		n += utf8.RuneCountInString(s.Mark)
	}
	if n > 0 {
		n++
	}
	return n
}

// value is the drawn value: its logarithm on a logarithmic axis; NaN for a gap.
func (t Trace) value(v float64) float64 {
	if t.Log {
		v = math.Log10(v) // −Inf of zero, NaN below
	}
	if math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// bounds is the range of the values that are drawn, and the greatest number of iterations.
func (t Trace) bounds() (lo, hi float64, longest int) {
	var all []float64
	for _, s := range t.Series {
		longest = max(longest, len(s.Values))
		for _, v := range s.Values {
			all = append(all, t.value(v))
		}
	}
	lo, hi = Extent(all)
	if longest > 0 && t.Range[0] < t.Range[1] && (!t.Log || t.Range[0] > 0) {
		return t.value(t.Range[0]), t.value(t.Range[1]), max(longest, t.Length)
	}
	if longest > 0 {
		longest = max(longest, t.Length)
	}
	if t.Log && lo > hi && longest > 0 { // zeros only
		return -1, 0, longest
	}
	return lo, hi, longest
}

// labels are the tick labels by row, from the top.
func (t Trace) labels(lo, hi float64, rows int) map[int]string {
	labels := map[int]string{}
	put := func(v float64, label string) {
		row := int(math.Round((hi - v) / (hi - lo) * float64(rows)))
		if _, taken := labels[row]; !taken {
			labels[row] = label
		}
	}
	if !t.Log {
		for _, k := range Ticks(lo, hi, max(rows/2, 2)) {
			put(k.Value, k.Label)
		}
		return labels
	}
	step := max(1, math.Ceil((hi-lo)/float64(max(rows/2, 1))))
	for e := math.Ceil(lo/step-1e-9) * step; e <= hi+1e-9; e += step {
		put(e, powerLabel(1, e))
	}
	if len(labels) < 2 { // less than a decade
		for _, m := range []float64{1, 2, 5, 3, 7, 4, 6, 8, 9} {
			for e := math.Floor(lo); e <= math.Ceil(hi); e++ {
				if v := e + math.Log10(m); v >= lo && v <= hi {
					put(v, powerLabel(m, e))
				}
			}
		}
	}
	if len(labels) == 0 {
		put((lo+hi)/2, numfmt.Format(math.Pow(10, (lo+hi)/2)))
	}
	return labels
}

// powerLabel writes m·10^e.
func powerLabel(m, e float64) string {
	if e >= -3 && e <= 4 {
		return fmt.Sprintf("%.*f", max(0, int(-e)), m*math.Pow(10, e))
	}
	return fmt.Sprintf("%ge%d", m, int(e))
}

// graph is asciigraph's part: the values are mapped to [0, 1], so that it draws exactly rows+1 lines, and stretched by
// iteration, so that it interpolates nothing.
func (t Trace) graph(lo, hi float64, rows, cols int, labels map[int]string, st theme.Style) []string {
	data := make([][]float64, 0, len(t.Series))
	colors := make([]asciigraph.AnsiColor, 0, len(t.Series))
	var swap []string
	for i, s := range t.Series {
		data = append(data, t.stretch(s.Values, lo, hi, cols))
		mark := asciigraph.AnsiColor(100 + i)
		colors = append(colors, mark)
		swap = append(swap, mark.String(), st.Opening(s.Color))
	}
	options := []asciigraph.Option{
		asciigraph.Height(rows), asciigraph.LowerBound(0), asciigraph.UpperBound(1), asciigraph.SeriesColors(colors...),
		asciigraph.YAxisValueFormatter(func(v float64) string { return labels[int(math.Round((1-v)*float64(rows)))] }),
	}
	if st.ASCII {
		set := asciigraph.CharSet{Horizontal: "-", VerticalLine: "|", ArcDownRight: ".", ArcDownLeft: ".",
			ArcUpRight: "'",
			ArcUpLeft:  "'", EndCap: "-", StartCap: "-", UpRight: "+", DownHorizontal: "+"}
		options = append(options, asciigraph.SeriesChars(slices.Repeat([]asciigraph.CharSet{set}, len(data))...))
		swap = append(swap, "┤", "|", "┼", "+")
	}
	text := strings.NewReplacer(swap...).Replace(asciigraph.PlotMany(data, options...))
	return strings.Split(text, "\n")
}

// stretch spreads the values of a series over the columns and maps them to [0, 1].
func (t Trace) stretch(values []float64, lo, hi float64, cols int) []float64 {
	_, _, longest := t.bounds()
	out := make([]float64, cols+1)
	for c := range out {
		i := min(c*longest/(cols+1), longest-1)
		out[c] = math.NaN()
		if i < len(values) {
			v := t.value(values[i])
			if t.Log && values[i] == 0 {
				v = lo
			}
			out[c] = min(max((v-lo)/(hi-lo), 0), 1)
		}
	}
	return out
}

// axis is the line under the graph: the first and the last iteration, and the name between them.
func (t Trace) axis(left, cols, longest int, st theme.Style) string {
	last := fmt.Sprint(longest)
	first := "1"
	if t.To != "" {
		first, last = t.From, t.To
	}
	first, last = st.Plain(first), st.Plain(last)
	between := max(cols-ansi.StringWidth(first)-ansi.StringWidth(last), 1)
	name := t.X
	n := ansi.StringWidth(name)
	if n+ansi.StringWidth(last)+4 < cols && n+2 <= between {
		from := min(max((cols-n)/2-ansi.StringWidth(first), 1), between-n-1)
		name = strings.Repeat(" ", from) + name + strings.Repeat(" ", between-from-n)
	} else {
		name = strings.Repeat(" ", between)
	}
	return st.Paint(st.Dim, ansi.Truncate(strings.Repeat(" ", left)+first+name+last, left+cols, ""))
}

// TraceDescription describes a trace to a reader: its axes, in a sentence each, and the mark at the end of a line.
type TraceDescription struct {
	Y, X string
	Mark func(mark string) (name, sentence, term string) // nil where the marks are described elsewhere
}

// Box is the trace as a part of a frame, in w×h cells, with its axes and the marks at the ends of its lines.
func (t Trace) Box(w, h int, st theme.Style, d TraceDescription) *layout.Box {
	b := layout.Text(w, t.Draw(w, h, st)...)
	gutter, drawn := t.gutter(w, h)
	if !drawn {
		return b
	}
	axis := func(name, says string, x, y, w, h int) {
		if says != "" {
			b.Add(layout.New(w, h).At(x, y).Describe(layout.Axis, name, "", layout.Static(says)).
				Important(layout.ImportanceNumber)) // a trace is beside the picture
		}
	}
	axis("left axis", d.Y, 0, 0, gutter+2, h-1)
	axis("bottom axis", d.X, gutter+3, h-1, w-gutter-3, 1)
	for row, marks := range t.ends(h) {
		x := w - t.marks() + 1
		for _, s := range marks {
			m := layout.New(utf8.RuneCountInString(s.Mark), 1).At(x, row)
			x += m.W
			if d.Mark != nil {
				name, says, term := d.Mark(s.Mark)
				m.Describe(layout.Mark, name, term, layout.Static(says))
			}
			b.Add(m)
		}
	}
	return b
}

// gutter is how many columns the labels at the left have; false where nothing is drawn.
func (t Trace) gutter(w, h int) (int, bool) {
	lo, hi, longest := t.bounds()
	if w < 12 || h < 3 || longest == 0 || lo > hi {
		return 0, false
	}
	lo, hi = t.spread(lo, hi)
	gutter := 1
	for _, l := range t.labels(lo, hi, h-2) {
		gutter = max(gutter, utf8.RuneCountInString(l))
	}
	return gutter, w-gutter-3-t.marks() >= 4
}

// spread is the range that is drawn.
func (t Trace) spread(lo, hi float64) (float64, float64) {
	if hi-lo <= 1e-12*math.Max(math.Abs(lo), math.Abs(hi)) {
		return t.around(lo, hi)
	}
	return lo, hi
}

// ends are the series that have a mark, by the row in which they end.
func (t Trace) ends(h int) map[int][]Series {
	lo, hi, _ := t.bounds()
	lo, hi = t.spread(lo, hi)
	ends := map[int][]Series{}
	for _, s := range t.Series {
		if s.Mark == "" {
			continue
		}
		for _, raw := range slices.Backward(s.Values) {
			v := t.value(raw)
			if t.Log && raw == 0 {
				v = lo
			}
			if math.IsNaN(v) {
				continue
			}
			row := int(math.Round((1 - min(max((v-lo)/(hi-lo), 0), 1)) * float64(h-2)))
			ends[row] = append(ends[row], s)
			break
		}
	}
	return ends
}
