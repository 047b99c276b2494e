package decisions

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/sessions/appraisal"
	"bandscope/sessions/safe"
	"bandscope/tui/belief/along"
	"bandscope/tui/explain"
	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/plot/colormap"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// Panel draws where they agree in w×h cells: a picture at the left, which a book may keep, and what is told of it at the right.
func (m *Made) Panel(st theme.Style, book *explain.Book, w, h int) []string {
	right := min(max(w*2/5, 36), 76)
	title := fmt.Sprintf("where %s and %s agree", m.Sides[0].Letter, m.Sides[1].Letter)
	if m.drawable() && m.J < 0 {
		title += ": the share of places that each is better than"
	}
	if !m.drawable() {
		return screen.Panel(st, title, m.Told(st, w-2), w, h, false)
	}
	return screen.Beside(m.picture(st, book, title, w-right, h), screen.Panel(st, "what separates them", m.Told(st, right-2), right, h, false))
}

// drawable reports whether both have an acquisition.
func (m *Made) drawable() bool { return m.shares[0] != nil && m.shares[1] != nil }

func (m *Made) picture(st theme.Style, book *explain.Book, title string, w, h int) []string {
	c := m.Chart(st)
	var body []string
	for _, l := range screen.Legend(st, c.Legend(st), w-4, 2) {
		body = append(body, " "+l)
	}
	if m.J >= 0 {
		body = append(body, " "+m.bar(st))
	}
	body = append(body, book.Draw(c, w-2, h-2-len(body), st)...)
	return screen.Panel(st, title, body, w, h, false)
}

// Chart declares the picture: along one variable the share of points that each place is better than, for each of the two, with where both have their best tenth; over
// two variables where the one ranks points higher and where the other.
func (m *Made) Chart(st theme.Style) plot.Chart {
	domain := m.State.Problem.Domain
	c := plot.Chart{X: along.Axis(domain[m.I])}
	at := func(x []float64) float64 { return floor }
	if m.J >= 0 {
		c.Y = along.Axis(domain[m.J])
		at = func(x []float64) float64 { return x[m.J] }
		c.Layers = append(c.Layers, m.heat())
	} else {
		c.Y = plot.Axis{Min: 2 * floor, Max: 1 - floor}
		steps := along.StepsOf(domain[m.I], m.Xs)
		low, high := make([]float64, len(m.Xs)), make([]float64, len(m.Xs))
		for i := range m.Xs {
			if low[i], high[i] = 0, 1; m.shares[0][i] < best || m.shares[1][i] < best {
				low[i], high[i] = math.NaN(), math.NaN()
			}
		}
		c.Layers = append(c.Layers, plot.Band{X: steps.X, Lo: steps.Y(low), Hi: steps.Y(high), Color: st.Shade, Name: "best tenth of both"})
		for k, s := range m.Sides {
			c.Layers = append(c.Layers, plot.Curve{X: steps.X, Y: steps.Y(m.shares[k]), Color: s.Color, Line: s.Line, Priority: 1 + k, Name: s.Letter + " ranks"})
		}
	}
	if !m.Barred.Empty() {
		c.Layers = append(c.Layers, m.Barred)
	}
	c.Layers = append(c.Layers, m.results(st, at)...)
	return c
}

// best is the share from which on a place is one of the best tenth; floor is where results stand below the curves.
const best, floor = 0.9, -0.08

// heat is by how much the first ranks places higher than the second.
func (m *Made) heat() plot.Heat {
	apart := make([]float64, len(m.shares[0]))
	for i := range apart {
		apart[i] = m.shares[0][i] - m.shares[1][i]
	}
	scale := colormap.Scale{Map: colormap.Diverging, Lo: -1, Hi: 1}
	return plot.Heat{Field: m.Field(m.State.Problem.Domain, apart), Scale: scale}
}

// barCells is how many cells the bar of colours has.
const barCells = 11

// bar tells the colours.
func (m *Made) bar(st theme.Style) string {
	var b strings.Builder
	scale := m.heat().Scale
	for i := range barCells {
		v := float64(2*i)/(barCells-1) - 1
		if st.Tier == theme.NoColor {
			b.WriteRune(scale.Rune(v))
			continue
		}
		b.WriteString(st.On(theme.Color{}, scale.Color(v)).Render(" "))
	}
	return st.Paint(st.Text, m.Sides[1].Letter+" ranks it higher ") + b.String() + st.Paint(st.Text, " "+m.Sides[0].Letter+" does")
}

// results are the marks of the results, of the one that separates the two, and of the two next points.
func (m *Made) results(st theme.Style, at func([]float64) float64) []plot.Layer {
	ink := m.J >= 0
	all := plot.Points{Shape: theme.GlyphHollow, Color: st.Data, Ink: ink, Name: "result"}
	one := plot.Points{Shape: theme.GlyphFilled, Color: st.Warn, Ink: ink, Name: "separates them"}
	for _, r := range appraisal.ResultsOf(m.State) {
		points := &all
		if s := m.Beside.Separates; s != nil && s.Label == r.Label {
			points = &one
		}
		points.X, points.Y = append(points.X, r.X[m.I]), append(points.Y, at(r.X))
	}
	layers := []plot.Layer{all, one}
	for k, x := range [][]float64{m.Report.Chosen.X, m.Beside.Other.Chosen.X} {
		s := m.Sides[k]
		y := at(x)
		if m.J < 0 {
			layers = append(layers, plot.Rule{At: x[m.I], Color: s.Color})
			y = 1
		}
		layers = append(layers, plot.Label{X: x[m.I], Y: y, Text: s.Letter, Color: s.Color, Ink: ink, Name: s.Letter + "'s next point"})
	}
	return layers
}

// Told tells it in lines of at most w columns.
func (m *Made) Told(st theme.Style, w int) []string {
	var lines []string
	say := func(color theme.Color, text string) {
		lines = append(lines, layout.Paragraph(st, color, text, w-2)...)
	}
	for _, text := range m.Sentences() {
		say(st.Text, text)
	}
	if len(m.Beside.Without) == 0 {
		return lines
	}
	lines = append(lines, " "+st.Paint(st.Title, "apart, without"))
	results := appraisal.ResultsOf(m.State)
	order := make([]int, len(results))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m.Beside.Without[a], m.Beside.Without[b]) })
	for _, i := range order {
		far := screen.Number(m.Beside.Without[i])
		text := fmt.Sprintf("no. %s  %s", results[i].Label, safe.Text(screen.Point(m.State.Problem.Domain, results[i].X)))
		color := st.Dim
		if m.Beside.Without[i] < m.Beside.Apart {
			color = st.Text
		}
		lines = append(lines, " "+layout.Fit(st.Paint(color, layout.ShortenIn(st, st.Plain(text), w-4-len(far))), w-3-len(far))+st.Paint(color, far))
	}
	return lines
}

// Sentences are what is told in words.
func (m *Made) Sentences() []string {
	domain, b, a, other := m.State.Problem.Domain, m.Beside, m.Sides[0].Letter, m.Sides[1].Letter
	point := func(x []float64) string { return safe.Text(screen.Point(domain, x)) }
	said := []string{fmt.Sprintf("%s goes to %s, %s to %s: %s apart in the unit cube.", a, point(m.Report.Chosen.X), other, point(b.Other.Chosen.X), screen.Number(b.Apart))}
	if b.Same {
		said[0] = fmt.Sprintf("%s goes to %s and %s to %s, which is as good as the same point.", a, point(m.Report.Chosen.X), other, point(b.Other.Chosen.X))
	}
	if !math.IsNaN(b.Correlation) {
		said = append(said, fmt.Sprintf("They rank places with a correlation of %.2f; of the best tenth of each, %.0f %% are of both.", b.Correlation, 100*b.Shared))
	}
	switch s := b.Separates; {
	case b.Untold != "":
		said = append(said, "Which result separates them is not known: "+safe.Text(b.Untold)+map[bool]string{true: " (L)"}[m.Lacks() != ""]+".")
	case s != nil:
		said = append(said, fmt.Sprintf("No. %s at %s separates them most: without it they go to %s and %s, %s apart.", s.Label, point(s.X), point(s.Then[0]), point(s.Then[1]), screen.Number(s.Apart)))
	case !b.Same:
		said = append(said, "No single result separates them: without any one they are at least as far apart.")
	}
	return said
}
