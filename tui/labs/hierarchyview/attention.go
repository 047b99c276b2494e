package hierarchyview

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/trainer/hierarchy"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// attentionPanel draws the weights of the last four weeks in the autoregressive part, which all nodes share: a row for
// each day that is forecast.
func (d drawing) attentionPanel(w, h int) *layout.Box {
	a := d.runs[0].attention[d.window]
	title := fmt.Sprintf("attention, test window %d", d.window+1)
	if a == nil {
		return d.missing(title+d.of(w),
			"The autoregressive part is off: the forecast does not use the past of the series.",
			w, h)
	}
	low, high := chart.Extent(sums(a))
	title = d.titleFor(w, d.of(w), fmt.Sprintf("%s, row sums %s to %s", title, digitsFor(low), digitsFor(high)), title)
	says := fmt.Sprintf(
		"The weights of the last four weeks in the autoregression for test window %d, with a row for each day that is forecast. The sums of the rows are between %s and %s.",
		d.window+1, digitsFor(low), digitsFor(high))
	return d.framed(title, w, h, "TVAR and BD", says, func(w, h int) *layout.Box {
		const rows, columns, bar, left = hierarchy.Horizon, hierarchy.History, 9, 5
		field := chart.Field{Cols: columns, Rows: rows, Cuts: [2][]float64{steps(columns), steps(rows)}}
		for f := rows - 1; f >= 0; f-- {
			field.Z = append(field.Z, a.RawRowView(f)...)
		}
		colors := chart.NewColorScale(chart.Diverging, field.Z)
		c := chart.Chart{X: chart.Axis{Label: "day", Min: -columns - 0.5, Max: -0.5,
			Marks: marks(-28, -21, -14, -7, -1)},
			Y:      chart.Axis{Min: 0.5, Max: rows + 0.5, Flip: true, Marks: marks(7, 6, 5, 4, 3, 2, 1)},
			Gutter: left, Layers: []chart.Layer{chart.Heat{Field: field, Scale: colors}}}
		wide, high := w-bar, h
		if cells := (wide - left) / columns; cells >= 1 && (wide-left)%columns < columns/2 {
			wide = left + cells*columns // columns of equal width, if that leaves few cells unused
		}
		if each := (high - 1) / rows; each >= 1 {
			high = each*rows + 1
		}
		greatest := max(math.Abs(mat.Max(a)), math.Abs(mat.Min(a)))
		return layout.Row(
			c.Box(wide, high, d.style, chart.Description{Y: "The day that is forecast, 1 to 7.",
				X: "The day whose value is weighted, from 28 days before to the last one, -1."}).
				Describe(layout.Mark, "weights", "TVAR and BD", func() string { return heaviestDay(a) }),
			layout.Text(bar, chart.ColorBar(colors, bar, high-1, d.style)...).
				Describe(layout.Axis, "colours", "",
					layout.Static(fmt.Sprintf("The colours of the weights, from %s to %s, with 0 in the middle.",
						digitsFor(-greatest), digitsFor(greatest)))))
	})
}

// heaviestDay describes the largest weight for the first day that is forecast.
func heaviestDay(a *mat.Dense) string {
	best, day := 0.0, 0
	_, n := a.Dims()
	for j := range n {
		if v := a.At(0, j); math.Abs(v) > math.Abs(best) {
			best, day = v, j-n
		}
	}
	return fmt.Sprintf("The largest weight for the first day, %s, is on day %d, %s.", digitsFor(best), day,
		map[bool]string{true: "the same day of the week", false: "another day of the week"}[day%7 == 0])
}

// sums are the sums of the rows.
func sums(a *mat.Dense) (all []float64) {
	n, _ := a.Dims()
	for i := range n {
		all = append(all, mat.Sum(a.RowView(i)))
	}
	return all
}

// steps are the boundaries between so many equal parts of [0, 1].
func steps(parts int) (cuts []float64) {
	for i := 1; i < parts; i++ {
		cuts = append(cuts, float64(i)/float64(parts))
	}
	return cuts
}

// marks are ticks at whole numbers.
func marks(values ...int) (ticks []chart.Tick) {
	for _, v := range values {
		ticks = append(ticks, chart.Tick{Value: float64(v), Label: fmt.Sprint(v)})
	}
	return ticks
}

// basisPanel draws the functions of time that all nodes share, those with the largest share in the chosen node, and its
// coefficients.
func (d drawing) basisPanel(w, h int) *layout.Box {
	s := d.runs[0]
	title := d.titleFor(w, d.projected()+d.of(w), "global basis and θ of "+d.name(d.level), "basis and θ of "+d.name(d.level))
	if s.basis == nil {
		return d.missing(title,
			"The basis is off: the forecast is the autoregression alone, which all nodes share.",
			w, h)
	}
	node := d.path(s.panel.Tree)[d.level]
	order := s.heaviest(node)
	says := fmt.Sprintf(
		"The %d functions of time that all nodes share, and the coefficients of %s. Their weighted sum is the other part of its forecast.",
		len(order), d.node(d.level))
	return d.framed(title, w, h, "TVAR and BD", says, func(w, h int) *layout.Box {
		side := layout.Split(w, layout.Rule{Flex: 3}, layout.Rule{Min: 20, Flex: 2, Max: 40})[1]
		drawn := order[:min(max(h/3, 2), len(order))]
		var layers []chart.Layer
		var values []float64
		for i, k := range drawn {
			color, line := d.basisStyle(i)
			layers = append(layers, chart.Curve{X: testAxis(), Y: s.basis.RawRowView(k), Color: color, Line: line,
				Priority: len(drawn) - i})
			values = append(values, s.basis.RawRowView(k)...)
		}
		lo, hi := chart.Pad(chart.Extent(values))
		c := chart.Chart{X: chart.Axis{Label: "test day", Min: 1, Max: testDays, Integer: true},
			Y: chart.Axis{Min: lo, Max: hi}, Layers: layers}
		return layout.Row(
			c.Box(w-side, h, d.style, chart.Description{Y: "The values of the basis functions.",
				X: fmt.Sprintf("Test days, 1 to %d.", testDays)}).
				Describe(layout.Mark, "basis functions", "TVAR and BD",
					layout.Static(fmt.Sprintf(
						"The functions with the largest share in %s over the test days (|θ| times the root mean square), b%d first.",
						d.node(d.level), order[0]+1))),
			layout.Text(side, d.coefficients(order, len(drawn), side, h)...).
				Number("θ", "embedding regularizer",
					fmt.Sprintf("The embedding of %s: its coefficients of the functions, negative ones to the left, positive ones to the right. That of b%d is %s.",
						d.node(d.level), order[0]+1, strings.TrimSpace(hundredths(s.theta.At(node, order[0]))))))
	})
}

// heaviest are the basis functions by their share in the forecast of a node, the largest first: |θ_k| times the root
// mean square of b_k.
func (s *runStats) heaviest(node int) []int {
	count, _ := s.basis.Dims()
	order, weight := make([]int, count), make([]float64, count)
	for k := range count {
		order[k], weight[k] = k, math.Abs(s.theta.At(node, k))*mat.Norm(s.basis.RowView(k), 2)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
	return order
}

// basisStyle is the style of a basis function, by its place in the order; twelve are distinct.
func (d drawing) basisStyle(place int) (theme.Color, theme.Line) {
	return d.style.Series[place%4], [...]theme.Line{theme.Solid, theme.Dashed, theme.Dotted}[place%3]
}

// coefficients are those of the chosen node, in an order, as bars to the left and right of 0; those of drawn functions
// have their mark.
func (d drawing) coefficients(order []int, drawn, w, h int) []string {
	st, s := d.style, d.runs[0]
	theta := s.theta.RawRowView(d.path(s.panel.Tree)[d.level])
	most := 1e-12
	for _, v := range s.theta.RawMatrix().Data {
		most = max(most, math.Abs(v))
	}
	half := max((w-16)/2, 2)
	var lines []string
	for i, k := range order[:min(len(order), h)] {
		color, line := d.basisStyle(i)
		v, mark := theta[k], ""
		if i < drawn {
			mark = chart.LineMark(st, line, color)
		}
		part := math.Abs(v) / most
		left, right := strings.Repeat(" ", half), d.bar(part, -1, half, color, 0)
		if v < 0 {
			n := int(part*float64(half) + 0.5)
			left, right = strings.Repeat(" ", half-n)+d.bar(1, -1, n, color, 0), strings.Repeat(" ", half)
		}
		lines = append(lines, layout.Fit(fmt.Sprintf(" b%d", k+1), 4)+layout.Fit(mark, 4)+left+
			st.Paint(st.Border, st.Plain("│"))+right+st.Paint(st.Dim, " "+hundredths(v)))
	}
	return lines
}

// hundredths formats a value with its sign and two decimals; one that rounds to 0 has no sign.
func hundredths(v float64) string {
	if math.Abs(v) < 0.005 {
		return " 0.00"
	}
	return fmt.Sprintf("%+.2f", v)
}
