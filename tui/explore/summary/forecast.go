package summary

import (
	"fmt"
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/diagnostics"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// forecast are the blocks of the forecast of further runs: a heading, the next run, some numbers of runs, and the
// advice.
func (t describer) forecast(d detail) []block {
	st, f := t.style, t.f
	switch {
	case t.state.Spec.NoBand:
		return nil
	case f == nil:
		return []block{{about: stoppingRule, lines: t.faint("simulating further runs…")}}
	case f.Unavailable != "":
		return []block{{about: stoppingRule, lines: t.wrapped(st.Warn, layout.Excerpt(f.Advice(), 40))}}
	}
	color := st.Mean
	if f.Caveat != "" {
		color = st.Dim
	}
	var blocks []block
	if d < brief {
		blocks = append(blocks, block{about: stoppingRule, lines: []string{t.heading()}},
			block{about: nextRun, lines: []string{t.row("next run", "+"+t.amount(f.Next.Improvement)+" ("+
				t.amount(f.Next.Low)+"–"+t.amount(f.Next.High)+")", "", chance(f.Next.Worthwhile.Value), color)}})
	}
	for i, a := range f.After {
		if d == shortest && a.Runs != f.Horizon() {
			continue
		}
		label := fmt.Sprintf("+%d runs", a.Runs)
		if a.Runs == 1 {
			label = "+1 run"
		}
		blocks = append(blocks, block{about: furtherRuns, row: i, lines: []string{t.row(label,
			t.interval(label, a), "", chance(a.Worthwhile.Value), color)}})
	}
	return append(blocks, block{about: stoppingRule, lines: t.advice()})
}

// interval is an expected value with its interval, whose ends have as many digits, from 4 down to 2, as leave space for
// the probability in the row.
func (t describer) interval(label string, a diagnostics.RunsForecast) (text string) {
	room := t.w - t.behind(label) - len(chance(a.Worthwhile.Value)) - 1
	for digits := 4; digits >= 2; digits-- {
		text = fmt.Sprintf("%s (%s–%s)", widget.Number(a.Value), rounded(a.Low, digits), rounded(a.High, digits))
		if ansi.StringWidth(text) <= room {
			break
		}
	}
	return text
}

// rounded formats a number with at most so many digits.
func rounded(v float64, digits int) string {
	if short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64); err == nil {
		v = short
	}
	return widget.Number(v)
}

// chance is a probability in percent.
func chance(p float64) string {
	switch {
	case p > 0 && p < 0.005:
		return "< 1 %"
	case p < 1 && p > 0.995:
		return "> 99 %"
	}
	return fmt.Sprintf("%.0f %%", 100*p)
}

// heading is over the rows: which value they expect, and which improvement the probabilities at the right are of.
func (t describer) heading() string {
	st := t.style
	amount := "better by ≥ δ"
	if len(t.a.Objectives) == 1 {
		amount = "better by ≥ " + t.f.WorthwhileAmount()
	}
	subject := "expected best"
	if len(t.a.Objectives) > 1 {
		subject = "expected hypervolume"
	}
	return layout.ShortenIn(st, st.Paint(st.Dim, st.Plain(subject+", "+amount)), t.w)
}

// amount formats an improvement of the value of the forecast.
func (t describer) amount(v float64) string {
	if len(t.a.Objectives) > 1 {
		return widget.Number(v)
	}
	return t.a.Objectives[0].Transform().FormatDifference(v, widget.Number)
}

// advice is the advice on stopping, or why there is none.
func (t describer) advice() []string {
	color := t.style.Good
	if t.f.Caveat != "" {
		color = t.style.Warn
	}
	return t.wrapped(color, t.f.Advice())
}

// describeForecast describes a block of the forecast.
func (t describer) describeForecast(b block) (name, term, says string) {
	f := t.f
	switch {
	case f == nil:
		return "forecast", "EI", "The forecast of further runs, which is being simulated."
	case f.Unavailable != "" || b.about == stoppingRule && f.Caveat != "":
		return "no stopping advice", "standardized residual",
			"There is no stopping advice here: " + layout.Excerpt(f.Why(), 45) + "."
	case b.about == nextRun:
		return "next run", "EI", t.describeNextRun()
	case b.about == furtherRuns:
		return t.describeRuns(f.After[b.row])
	}
	text := fmt.Sprintf(
		"The advice is to stop if the probability of a worthwhile improvement in %d more runs is at most 5 %%. In %d draws of the model, %s.",
		f.Horizon(), f.Draws, layout.Excerpt(f.Method, 20))
	return "stopping advice", "EI", text
}

// describeNextRun describes what the next run can gain.
func (t describer) describeNextRun() string {
	f := t.f
	text := fmt.Sprintf(
		"The expected improvement of the best next point: %s. In 80 %% of cases the improvement is between %s and %s.",
		t.amount(f.Next.Improvement), t.amount(f.Next.Low), t.amount(f.Next.High))
	text += fmt.Sprintf(" A worthwhile improvement has a probability of %s.", chance(f.Next.Worthwhile.Value))
	if f.Next.Feasible < 1 {
		text += fmt.Sprintf(" The point is within all limits with a probability of %s.", chance(f.Next.Feasible))
	}
	return text
}

// describeRuns describes the value after some runs.
func (t describer) describeRuns(a diagnostics.RunsForecast) (name, term, says string) {
	quantity := "best value"
	term = "EI"
	if len(t.a.Objectives) > 1 {
		quantity = "hypervolume"
		term = "hypervolume"
	}
	says = fmt.Sprintf(
		"The expected %s after %s: %s, with a Monte Carlo error of %s. In 80 %% of the draws it is between %s and %s. A worthwhile improvement has a probability of %s (%.0f to %.0f %%).",
		quantity, widget.Count(a.Runs, "more run"), widget.Number(a.Value), widget.Number(a.SE), widget.Number(a.Low),
		widget.Number(a.High), chance(a.Worthwhile.Value), 100*a.Worthwhile.Low, 100*a.Worthwhile.High)
	return "after " + widget.Count(a.Runs, "more run"), term, says
}
