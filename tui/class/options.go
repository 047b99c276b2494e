package class

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions"
	"bandscope/sessions/classroom"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// maxPromptRows is the height of a question in rows at most.
const maxPromptRows = 4

// prompt is the text of a question.
func prompt(st theme.Style, q classroom.Question, w int) *layout.Box {
	return layout.Sentence(st, st.Title, sanitize.Text(q.Text), w, maxPromptRows).
		Prose("the question", "", "The class is asked: “"+strings.TrimSuffix(quote(q.Text, maxQuoted), ".")+"”.")
}

// optionsBox is the options of a question with their numbers; answer is the option that the person chose, 0 for none.
func optionsBox(st theme.Style, options []string, answer, w int) *layout.Box {
	all := layout.Column(layout.Space(w, 0))
	for i, o := range options {
		text := fmt.Sprintf("  %d  %s", i+1, o)
		color := st.Text
		says := ""
		if i+1 == answer {
			text = fmt.Sprintf("%s %d  %s", st.Pointer(), i+1, o)
			color = st.Accent
			says = " It is your answer."
		}
		line := number(st, w, color, text, fmt.Sprintf("option %d", i+1),
			fmt.Sprintf("Option %d: “%s”. The key %d answers with it.%s", i+1, quote(o, maxQuoted), i+1, says))
		line.Press = fmt.Sprint(i + 1)
		all.Below(line)
	}
	return all
}

// pairBox is two outcomes side by side, with the options below; in a large window the outcomes are also on a plot.
func pairBox(st theme.Style, p classroom.OutcomePair, results [][]float64, index, w, h int) *layout.Box {
	half := w / 2
	table := layout.Row(outcomeBox(st, p, 0, half), outcomeBox(st, p, 1, w-half))
	all := layout.Column(table, layout.Space(1, 1), optionsBox(st, classroom.PairOptions, index, w))
	if rest := h - all.H; rest >= 8 && len(p.Objectives) == 2 {
		all.Below(pairPlot(st, p, results, w, rest))
	}
	return all
}

// outcomeBox is one of two outcomes: its step and its values, with a mark at those that are better than the other's.
func outcomeBox(st theme.Style, p classroom.OutcomePair, i, w int) *layout.Box {
	o := p.First
	other := p.Second
	name := "the first"
	if i == 1 {
		o = p.Second
		other = p.First
		name = "the second"
	}
	all := layout.Column(number(st, w, st.Title, fmt.Sprintf("%d  %s: step %d", i+1, name, o.Step), name,
		fmt.Sprintf("Outcome %d is the result of step %d of the session.", i+1, o.Step)))
	for k, obj := range p.Objectives {
		mark := "  "
		color := st.Text
		says := "It is not better than the other one."
		if obj.Direction.Sign()*o.Values[k] < obj.Direction.Sign()*other.Values[k] {
			mark = st.Glyph(theme.GlyphStar) + " "
			color = st.Good
			says = "It is better than the other one."
		}
		value := widget.Number(o.Values[k])
		if obj.Unit != "" {
			value += " " + obj.Unit
		}
		all.Below(number(st, w, color, "   "+mark+cell(st, objectiveName(obj), min(24, w/2))+" "+value,
			name+" "+obj.Name,
			fmt.Sprintf("%s of %s is %s (%s). %s", quote(obj.Name, 6), name, quote(value, 4), direction(obj), says)))
	}
	return all
}

func direction(o functions.Objective) string {
	if o.Direction == functions.Maximize {
		return "more is better"
	}
	return "less is better"
}

func objectiveName(o functions.Objective) string { return o.Name + ", " + direction(o) }

// resultsName names the other results of the session in a plot of two outcomes.
const resultsName = "results"

// pairPlot draws two outcomes in the space of two objectives, among the results of the session.
func pairPlot(st theme.Style, p classroom.OutcomePair, results [][]float64, w, h int) *layout.Box {
	all := chart.Points{Shape: theme.GlyphHollow, Color: st.Dim, Back: true, Name: resultsName}
	for _, y := range results {
		all.X, all.Y = append(all.X, y[0]), append(all.Y, y[1])
	}
	axis := func(k int) chart.Axis {
		values := []float64{p.First.Values[k], p.Second.Values[k]}
		for _, y := range results {
			values = append(values, y[k])
		}
		lo, hi := chart.Extent(values)
		pad := max((hi-lo)/8, math.Abs(hi)*0.01)
		lo, hi = chart.Pad(lo-pad, hi+pad)
		return chart.Axis{Label: objectiveName(p.Objectives[k]), Min: lo, Max: hi}
	}
	mark := func(o classroom.Outcome, shape theme.Glyph, color theme.Color, name string) chart.Layer {
		return chart.Points{X: o.Values[:1], Y: o.Values[1:2], Shape: shape, Color: color, Name: name}
	}
	c := chart.Chart{X: axis(0), Y: axis(1), Gutter: 8, Labels: true, Layers: []chart.Layer{all,
		mark(p.First, theme.GlyphFilled, st.Series[0], "1 the first"),
		mark(p.Second, theme.GlyphSquare, st.Series[1], "2 the second")}}
	axisText := func(a chart.Axis, k int) string {
		return fmt.Sprintf("Axis: %s, %s to %s here; %s.", quote(p.Objectives[k].Name, 6), widget.Number(a.Min),
			widget.Number(a.Max), direction(p.Objectives[k]))
	}
	return c.WithLegend(w, h, 1, st, chart.Description{X: axisText(c.X, 0), Y: axisText(c.Y, 1),
		Marks: func(name string) (string, string) {
			if name == resultsName {
				return fmt.Sprintf("The %d results of the session, among them these two.", len(results)), ""
			}
			o := p.First
			if strings.HasPrefix(name, "2") {
				o = p.Second
			}
			return fmt.Sprintf("Outcome %s, the result of step %d: %s and %s.", name[2:], o.Step,
				widget.Number(o.Values[0]),
				widget.Number(o.Values[1])), "objective"
		}})
}

// sharesBox is the distribution of the answers over the options: a bar for each.
func sharesBox(st theme.Style, r classroom.Result, index, w int) *layout.Box {
	all := layout.Column(layout.Space(w, 0))
	names := min(34, w/3)
	for i, o := range r.Choices() {
		share := r.Share(i + 1)
		mark := "  "
		color := st.Text
		says := ""
		if i+1 == r.Correct {
			mark = st.Plain("✓") + " "
			color = st.Good
			says = " It is right."
		}
		if i+1 == index {
			says += " It is your answer."
			mark = st.Pointer() + strings.TrimSpace(mark)
			mark += strings.Repeat(" ", max(2-ansi.StringWidth(mark), 0))
		}
		count := fmt.Sprintf("%d (%s %%)", r.Counts[i], widget.Number(math.Round(100*share)))
		room := max(w-names-14-5, 4)
		text := mark + cell(st, fmt.Sprintf("%d  %s", i+1, o), names) + " " + bar(st, share, room) + " " + count
		all.Below(number(st, w, color, text, fmt.Sprintf("option %d", i+1), fmt.Sprintf("%d of %d answered “%s”.%s",
			r.Counts[i], len(r.Answers), quote(o, 12), says)))
	}
	return all
}

// bar is a share as a bar of w cells.
func bar(st theme.Style, share float64, w int) string {
	full, empty := "▄", "▁"
	if st.ASCII {
		full, empty = "#", "."
	}
	n := int(math.Round(share * float64(w)))
	if share > 0 {
		n = max(n, 1)
	}
	return strings.Repeat(full, n) + strings.Repeat(empty, w-n)
}
