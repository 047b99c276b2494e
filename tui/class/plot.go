package class

import (
	"fmt"

	"bandscope/functions"
	"bandscope/sessions/classroom"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// plotName is the name of the box whose cells have the values of the variables.
const plotName = "picture"

// The names of the marks of a class in legends.
const (
	answersName = "answers of the class"
	ownName     = "your answer"
	evaluated   = "your evaluations"
	bestName    = "best"
)

// plot is a picture of one or two variables: a belief with marks of the class or, without a belief, evaluations alone.
type plot struct {
	style   theme.Style
	domain  functions.Domain
	belief  *Belief // nil for none
	next    bool    // the next point of the optimizer is shown
	truth   bool    // the true function is shown
	cursor  []float64
	answers [][]float64
	own     []float64 // the answer of the person; nil for none

	objective   functions.Objective // of the evaluations
	evaluations []classroom.Evaluation
}

// box is the plot with its legend in w×h cells; nil for more than two variables.
func (p plot) box(w, h int) *layout.Box {
	switch {
	case len(p.domain) > 2:
		return nil
	case p.belief == nil:
		return p.bare(w, h)
	case len(p.domain) == 1:
		return p.line(w, h)
	}
	return p.plane(w, h)
}

// describe describes the belief, with the marks of the class.
func (p plot) describe() picture.Description {
	d := picture.Drawing{Style: p.style, State: p.belief.State, Posterior: p.belief.visible(p.next), Cursor: p.cursor,
		Reveal: p.truth, Map: chart.Viridis}
	d.Fitting = !d.Posterior.Fitted
	kind := picture.MeanField
	if p.truth {
		kind = picture.TrueField
	}
	says := picture.Describe(d, kind, nil)
	says.Asking = !p.next
	return says
}

// line draws the belief over one variable.
func (p plot) line(w, h int) *layout.Box {
	says := p.describe()
	panel := says.Panel(picture.MeanField)
	c := panel.Chart
	height := func(x float64) float64 { // on the mean, or in the middle
		if y := says.Posterior.Fields[picture.MeanField].Along(x); chart.Finite(y) {
			return min(max(y, c.Y.Min), c.Y.Max)
		}
		return (c.Y.Min + c.Y.Max) / 2
	}
	c.Layers = append(c.Layers, p.marks(func(x []float64) (float64, float64) { return x[0], height(x[0]) })...)
	panel.Axes.Marks = p.described(says.Describe)
	return p.labelled(c, w, h, panel.Axes)
}

// labelled is a chart below its legend, whose cells have the values of the variables.
func (p plot) labelled(c chart.Chart, w, h int, says chart.Description) *layout.Box {
	c = c.TitleInLegend(h)
	b, legend := c.Labelled(w, h, w-2, p.style, says)
	return layout.Column(legend, p.valued(b, c))
}

// valued gives the cells of a chart the values of the variables.
func (p plot) valued(b *layout.Box, c chart.Chart) *layout.Box {
	f := c.Frame(b.W, b.H)
	b.Name, b.Value = plotName, func(col, row float64) []float64 {
		x, okX := f.X(col)
		y, okY := f.Y(row)
		switch {
		case !okX || !okY:
			return nil
		case len(p.domain) == 1:
			return []float64{x}
		}
		return []float64{x, y}
	}
	return b
}

// barWidth is the width of the colour bar of a plane.
const barWidth = 10

// plane draws the belief over two variables: its mean in colours.
func (p plot) plane(w, h int) *layout.Box {
	says := p.describe()
	says.Marks = p.marks(says.Posterior.ChartPlace)
	for i, m := range says.Marks {
		if points, ok := m.(chart.Points); ok {
			points.Ink = true
			says.Marks[i] = points
		}
	}
	panel := says.Panel(says.Kind)
	panel.Axes.Marks = p.described(says.Describe)
	bar, c := 0, panel.Chart
	if !says.Posterior.Fields[says.Kind].Empty() && w >= 4*barWidth {
		bar = barWidth
	}
	legend := chart.LegendBox(p.style, c.Legend(p.style), w-2, 2)
	b := c.Box(w-bar, h-legend.H, p.style, panel.Axes)
	chart.Link(b, legend)
	fields := layout.Row(p.valued(b, c))
	if bar > 0 {
		fields.Beside(layout.Text(bar, chart.ColorBar(says.Scale(says.Kind), bar, b.H, p.style)...).
			Number("colour bar", "posterior", says.DescribeColorBar(says.Kind)))
	}
	return layout.Column(layout.Row(layout.Space(1, legend.H), legend), fields)
}

// bare draws evaluations without a belief.
func (p plot) bare(w, h int) *layout.Box {
	var values []float64
	for _, e := range p.evaluations {
		values = append(values, e.Y)
	}
	c := chart.Chart{X: picture.Axis(p.domain[0]), Gutter: picture.Gutter, Labels: true}
	place := func(x []float64) (float64, float64) { return x[0], (c.Y.Min + c.Y.Max) / 2 }
	yText := ""
	if len(p.domain) == 1 {
		c.Y = picture.ValueAxis(p.objective, values)
		yText = fmt.Sprintf("Vertical axis: the value of %s, %s to %s here.", p.objectiveName(), widget.Number(c.Y.Min),
			widget.Number(c.Y.Max))
		if len(values) == 0 {
			c.Y.HideTicks, yText = true, ""
		}
		if p.objective.Name == "" { // a belief that is not here yet names it
			c.Y.Label = ""
		}
	} else {
		c.Y = picture.Axis(p.domain[1])
		place = func(x []float64) (float64, float64) { return x[0], x[1] }
		yText = picture.DescribeVariable(p.domain[1])
	}
	c.Layers = append(c.Layers, p.data(place)...)
	c.Layers = append(c.Layers, p.marks(place)...)
	if p.cursor != nil {
		x, y := place(p.cursor)
		if len(p.domain) == 1 {
			c.Layers = append(c.Layers, chart.Rule{At: x, Color: p.style.Cursor, Solid: true, Name: "cursor"})
		} else {
			c.Layers = append(c.Layers, chart.Cross{X: x, Y: y, Name: "cursor"})
		}
	}
	return p.labelled(c, w, h, chart.Description{Marks: p.described(func(string) (string, string) { return "", "" }),
		X: picture.DescribeVariable(p.domain[0]), Y: yText})
}

// data are the evaluations, the best one marked; over two variables with their values beside them.
func (p plot) data(place func(x []float64) (float64, float64)) (layers []chart.Layer) {
	all := chart.Points{Shape: theme.GlyphFilled, Color: p.style.Data, Name: evaluated}
	best := chart.Points{Shape: theme.GlyphStar, Color: p.style.Best, Name: bestName}
	top := bestOf(p.objective, p.evaluations)
	for i, e := range p.evaluations {
		x, y := place(e.X)
		if len(p.domain) == 1 {
			y = e.Y
		} else {
			layers = append(layers, chart.Label{X: x, Y: y, Text: "  " + widget.Number(e.Y), Color: p.style.Text,
				Name: "values"})
		}
		if i == top {
			best.X, best.Y = append(best.X, x), append(best.Y, y)
		} else {
			all.X, all.Y = append(all.X, x), append(all.Y, y)
		}
	}
	return append(layers, all, best)
}

// bestOf is the index of the best evaluation; −1 without any.
func bestOf(o functions.Objective, list []classroom.Evaluation) int {
	best := -1
	for i, e := range list {
		if best < 0 || o.Direction.Sign()*e.Y < o.Direction.Sign()*list[best].Y {
			best = i
		}
	}
	return best
}

// marks are the answers.
func (p plot) marks(place func(x []float64) (float64, float64)) (layers []chart.Layer) {
	all := chart.Points{Shape: theme.GlyphTriangle, Color: p.style.Series[1], Name: answersName, Short: "answers"}
	for _, a := range p.answers {
		x, y := place(a)
		all.X, all.Y = append(all.X, x), append(all.Y, y)
	}
	if len(all.X) > 0 {
		layers = append(layers, all)
	}
	if p.own != nil {
		x, y := place(p.own)
		layers = append(layers, chart.Points{X: []float64{x}, Y: []float64{y}, Shape: theme.GlyphSquare,
			Color: p.style.Accent, Name: ownName})
	}
	return layers
}

// described describes the marks of a class, and the others as given.
func (p plot) described(others func(name string) (string, string)) func(name string) (string, string) {
	return func(name string) (says, term string) {
		switch name {
		case answersName:
			return fmt.Sprintf("The answers of %s, each at its point. Their height is that of the mean.",
				widget.Count(len(p.answers), "person")), ""
		case ownName:
			says = "You can change it until the answers are revealed."
			if p.next {
				says = "It is among the answers of the class."
			}
			return fmt.Sprintf("Your answer, %s. %s", p.at(p.own), says), ""
		case evaluated:
			return fmt.Sprintf("The points that you evaluated, %d in all.", len(p.evaluations)), ""
		case "values":
			return "The values of the function at the points that you evaluated.", ""
		case bestName:
			if p.belief == nil {
				e := p.evaluations[bestOf(p.objective, p.evaluations)]
				return fmt.Sprintf("Your best value so far, %s at %s.", widget.Number(e.Y),
					p.at(e.X)), "simple regret"
			}
		case "cursor":
			return fmt.Sprintf("The cursor, at %s. The key enter takes this point.",
				p.at(p.cursor)), ""
		}
		return others(name)
	}
}

// at is a point in a sentence.
func (p plot) at(x []float64) string { return quote(widget.Point(p.domain, x), maxQuoted) }

func (p plot) objectiveName() string { return quote(p.objective.Name, 8) }

// form is a table of the variables of a point with the cursor, for three or more variables.
func form(st theme.Style, c *cursor, answer []float64, w, h int) *layout.Box {
	all := layout.Column(layout.Space(w, 0))
	for j, v := range c.domain {
		if all.H == h {
			break
		}
		mark, color := "  ", st.Text
		if j == c.selected {
			mark, color = st.Pointer()+" ", st.Accent
		}
		name, value := sanitize.Text(v.Name), sanitize.Text(v.Text(c.at[j]))
		bounds := sanitize.Text(v.Text(v.Low) + " to " + v.Text(v.High))
		text := mark + cell(st, name, 16) + " " + gauge(st, picture.AxisFraction(v, c.at[j]), min(24, w-50)) + " " +
			cell(st, value, 12) + " " + cell(st, bounds, 20)
		says := fmt.Sprintf("The variable %s is %s; it can be %s.", quote(name, 6), quote(value, 4), quote(bounds, 8))
		if answer != nil {
			says += fmt.Sprintf(" Your answer has %s.", quote(v.Text(answer[j]), 4))
		}
		all.Below(number(st, w, color, text, v.Name, says))
	}
	return all
}

// gauge is a value from 0 to 1 as a mark on a line of w cells; empty if it does not fit.
func gauge(st theme.Style, part float64, w int) string {
	if w < 4 {
		return ""
	}
	mark := int(part*float64(w-1) + 0.5)
	text := ""
	for i := range w {
		if i == mark {
			text += st.Glyph(theme.GlyphFilled)
		} else {
			text += st.Plain("─")
		}
	}
	return text
}
