package study

import (
	"fmt"
	"math"
	"strings"

	"bandscope/sessions/glossary"
	"bandscope/sessions/safe"
	"bandscope/sessions/study/stats"
	"bandscope/tui/explain"
	"bandscope/tui/plot/scale"
	"bandscope/tui/screen"
	"bandscope/tui/study/charts"
)

// aboutView is what the statistics say of a view.
func (m *Model) aboutView() stats.View {
	switch m.shown.view {
	case ranksView:
		return stats.Ranked
	case reachedView:
		return stats.Reached
	case profilesView:
		if m.shown.other {
			return stats.Data
		}
		return stats.Performance
	case pairsView:
		return stats.Pairwise
	case criticalView:
		return stats.Differences
	}
	return stats.Curves
}

// term is the word of the glossary for what is shown.
func (m *Model) term(f *figure) string {
	switch f.view {
	case ranksView:
		return "mean rank"
	case reachedView:
		return "ECDF of targets"
	case profilesView:
		if m.shown.other {
			return "data profile"
		}
		return "performance profile"
	case pairsView:
		return "signed-rank test"
	case criticalView:
		return "critical difference"
	}
	if f.problem >= 0 {
		if measure := string(f.runs.Problems[f.problem].Measure); known(measure) {
			return measure
		}
	}
	return "study"
}

// known reports whether the glossary has a word.
func known(word string) bool {
	_, err := glossary.Find(word)
	return err == nil
}

// tellFigure tells what the numbers say.
func (m *Model) tellFigure(p *explain.Part, book *explain.Book) []explain.Element {
	shows, rests := stats.About(m.aboutView())
	f := m.ready()
	switch {
	case f == nil:
		return []explain.Element{p.Panel("", shows), p.Prose("waiting", "", "The statistics are being put together.", 0, len(p.Lines))}
	case m.shown.view == finalsView:
		return m.tellFinals(p, f)
	}
	list := []explain.Element{p.Panel(m.term(f), shows)}
	charts := book.In(p)
	if len(charts) == 0 || f.view == curvesView && f.problem < 0 {
		says := rests
		if f.view == curvesView {
			says = "The curves of as many problems as there is room for, each with axes of its own: evaluations from left to right, its measure at the left."
		}
		return append(list, number(p.Prose("numbers", "", firstWords(says), 0, len(p.Lines))))
	}
	c := charts[0]
	list = append(list, c.Layers(func(name string) (string, string) { return m.tellLine(f, name) })...)
	list = append(list, c.Axes(m.tellAxis(f), m.tellUnder(f))...)
	below := c.Top + c.H - p.Top - 1
	if below < len(p.Lines) && strings.TrimSpace(strings.Join(p.Lines[below:], "")) != "" {
		list = append(list, number(p.Prose("what it rests on", "", firstWords(rests), below, len(p.Lines))))
	}
	return list
}

// firstWords keeps a text within what is told at once: its first sentences.
func firstWords(text string) string {
	const most = 55
	for len(strings.Fields(text)) > most {
		i := strings.LastIndex(strings.TrimSuffix(text, "."), ". ")
		if i < 0 {
			return explain.Brief(text, most) + "."
		}
		text = text[:i+1]
	}
	return text
}

// tellLine tells an entry of a chart's legend.
func (m *Model) tellLine(f *figure, name string) (says, term string) {
	if name == charts.PrintedName {
		return "Numbers that the paper prints for this problem, in the colours of their methods.", ""
	}
	for k := range f.runs.Methods {
		if name == m.methodName(k) {
			return m.tellSeries(f, k), ""
		}
	}
	if strings.Contains(name, "seed") {
		return "The run of the chosen cell: one seed among those that the curve puts together.", "seed"
	}
	return "", ""
}

// tellSeries tells a method's curve: where it ends.
func (m *Model) tellSeries(f *figure, k int) string {
	name := safe.Text(f.runs.Methods[k])
	switch f.view {
	case curvesView:
		b := f.bands[f.problem][k]
		sign := f.runs.Problems[f.problem].Sign
		mid, lo, hi, what := b.Median, b.Low, b.High, "median"
		if m.shown.other {
			mid, what = b.Mean, "mean"
			lo, hi = charts.Around(b.Mean, b.Student)
		}
		for i := len(mid) - 1; i >= 0; i-- {
			if scale.Finite(mid[i]) {
				low, high := sign*lo[i], sign*hi[i]
				text := fmt.Sprintf("%s: its %s over %s ends at %s", name, what, screen.Counted(b.N[i], "seed"), screen.Number(sign*mid[i]))
				if scale.Finite(low) && scale.Finite(high) {
					text += fmt.Sprintf(", in a band from %s to %s", screen.Number(min(low, high)), screen.Number(max(low, high)))
				}
				return text + "."
			}
		}
	case ranksView:
		if n := len(f.rankings); n > 0 && !math.IsNaN(f.rankings[n-1].Mean[k]) {
			return fmt.Sprintf("%s: its mean rank at the end is %.2f of %d.", name, f.rankings[n-1].Mean[k], len(f.runs.Methods))
		}
	default:
		steps := f.steps[0]
		if f.view == profilesView && m.shown.other {
			steps = f.steps[1]
		}
		for _, s := range steps {
			if s.Method == k && len(s.Share) > 0 {
				return fmt.Sprintf("%s: it ends at a share of %.2f, over %s.", name, s.Share[len(s.Share)-1], screen.Counted(s.Blocks, "block"))
			}
		}
	}
	return name + ": nothing is known of it here yet."
}

// tellAxis tells the axis at the left.
func (m *Model) tellAxis(f *figure) string {
	switch f.view {
	case curvesView:
		what := f.runs.Problems[f.problem].Measure
		if charts.Logarithmic(what) {
			return fmt.Sprintf("The %s at the left, by factors; lower is better.", what)
		}
		return fmt.Sprintf("The %s at the left.", what)
	case ranksView:
		return "Mean ranks at the left, the best one above."
	case reachedView:
		return "Shares of targets at the left, all of them above."
	}
	return "Shares of blocks at the left, all of them above."
}

// tellUnder tells the axis below.
func (m *Model) tellUnder(f *figure) string {
	switch f.view {
	case curvesView:
		return fmt.Sprintf("From left to right %s, to the end of the budget.", f.runs.Problems[f.problem].Axis)
	case ranksView:
		return "Parts of the budget from left to right, in percent."
	case reachedView:
		return "Evaluations per dimension from left to right, by factors."
	}
	if m.shown.other {
		return "Evaluations over one more than the dimension from left to right, by factors."
	}
	return "How many times the evaluations of the fastest method, from left to right, by factors."
}

// tellFinals tells the table of results.
func (m *Model) tellFinals(p *explain.Part, f *figure) []explain.Element {
	what := "medians with their quartiles"
	if m.shown.other {
		what = "means with their intervals at 95 %"
	}
	list := []explain.Element{p.Panel(m.term(f), fmt.Sprintf("What the runs had reached at the ends of their budgets: %s over the seeds that are done. A star is the best.", what))}
	says := "One row a problem, one column a method by its letter."
	if f.problem >= 0 {
		says = "One row a method: how many runs are done, what they reached, and what the paper prints."
		if pr := m.printedFor(f, f.problem, f.runs.Methods[m.cursor.method]); pr != nil {
			says += " For the chosen one that is " + printedText(pr) + " (" + explain.Brief(pr.Where, 8) + ")."
		}
	}
	return append(list, number(p.Prose("table", "", says, 0, len(p.Lines))))
}
