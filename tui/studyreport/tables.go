package studyreport

import (
	"fmt"
	"math"

	"bandscope/functions/numfmt"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study/stats"
)

// table is one of the page's tables.
type table struct {
	Head []cell
	Rows [][]cell
}

// cell is a text with smaller ones below it.
type cell struct {
	Text   string
	More   []string
	Number bool // aligned at the right
	Strong bool
	Words  bool // wide enough for a sentence
}

// Class is the cell's class of style.
func (c cell) Class() string {
	class := ""
	switch {
	case c.Number:
		class = "n"
	case c.Words:
		class = "w"
	}
	if c.Strong {
		class += " best"
	}
	return class
}

func words(format string, args ...any) cell {
	return cell{Text: sanitize.Text(fmt.Sprintf(format, args...))}
}

func number(text string, details ...string) cell {
	return cell{Text: text, Number: true, More: details}
}

// value writes a number with four digits; NaN and infinities are a dash.
func value(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	return numfmt.Format(v)
}

// between writes an interval.
func between(low, high float64) string {
	if math.IsNaN(low) || math.IsNaN(high) {
		return ""
	}
	return "[" + numfmt.Format(low) + ", " + numfmt.Format(high) + "]"
}

// finals is the table of results at the ends of the budgets, a row per problem and a column per method.
func (p *writer) finals() {
	p.Finals.Head = []cell{{Text: "problem"}}
	for k, m := range p.runs.Labels {
		p.Finals.Head = append(p.Finals.Head, cell{Text: Letter(k), More: []string{sanitize.Text(m)}, Number: true})
	}
	p.FinalsCut = max(len(p.runs.Problems)-maxRows, 0)
	for i, problem := range p.runs.Problems[:len(p.runs.Problems)-p.FinalsCut] {
		about := problem.Quantity
		if problem.Sign < 0 {
			about += ", greater is better"
		}
		row := []cell{{Text: sanitize.Text(problem.Name), More: []string{about}}}
		best := math.Inf(1)
		samples := make([]stats.Sample, len(p.runs.Methods))
		for k := range samples {
			samples[k] = p.runs.Final(i, k)
			if samples[k].Median < best {
				best = samples[k].Median
			}
		}
		for _, s := range samples {
			c := number("–")
			if s.N > 0 {
				c = sampleCell(s, problem.Sign)
				c.Strong = s.Median == best && len(samples) > 1
			}
			row = append(row, c)
		}
		p.Finals.Rows = append(p.Finals.Rows, row)
	}
}

// sampleCell writes a sample, of which lower is better, in the measure's own direction.
func sampleCell(s stats.Sample, sign float64) cell {
	if s.N == 1 {
		return number(value(sign*s.Median), "n = 1")
	}
	low, high := sign*s.Low, sign*s.High
	mean := "mean " + value(sign*s.Mean)
	if !math.IsNaN(s.Student) {
		mean += " ± " + value(s.Student)
	}
	return number(value(sign*s.Median), between(min(low, high), max(low, high)), mean, fmt.Sprintf("n = %d", s.N))
}

// printed is the table of the paper's numbers beside those of the study.
func (p *writer) printed() {
	list := stats.ComparePublished(p.table)
	if len(list) == 0 {
		return
	}
	p.Printed = &table{Head: []cell{{Text: "problem"}, {Text: "method"}, {Text: "measure"},
		{Text: "printed", Number: true}, {Text: "here", Number: true}, {Text: "runs", Number: true},
		{Text: "agreement"}, {Text: "note", Words: true}}}
	for _, b := range list {
		p.Printed.Rows = append(p.Printed.Rows, p.printedRow(b))
	}
}

func (p *writer) printedRow(b stats.PublishedComparison) []cell {
	measure := string(b.Measure)
	if b.Evaluations > 0 {
		measure += " after " + numfmt.Count(b.Evaluations, "evaluation")
	}
	statistic := b.Statistic
	if statistic == "" {
		statistic = "mean"
	}
	theirs := value(b.Value)
	if b.PublishedNumber.Interval != nil {
		theirs += " ± " + value(*b.PublishedNumber.Interval)
	}
	middle, low, high := b.Interval()
	here := number(value(middle))
	if text := between(low, high); text != "" {
		here.More = []string{text}
	}
	verdict := "–"
	if agrees, ok := b.Agrees(); ok {
		switch {
		case agrees:
			verdict = "agrees"
		case p.better(b, middle):
			verdict = "better here"
		default:
			verdict = "worse here"
		}
	}
	runs := fmt.Sprintf("%d of %d", b.Ours.N, b.Runs)
	if b.Runs == 0 {
		verdict, runs = "not in the study", "–"
	}
	return []cell{words("%s", b.Problem), words("%s", b.Method), words("%s", measure),
		number(theirs, sanitize.Text(statistic+", "+b.Source)), here, number(runs),
		words("%s", verdict), {Text: sanitize.Text(b.Note), Words: true}}
}

// better reports whether a value is better than the printed one.
func (p *writer) better(b stats.PublishedComparison, v float64) bool {
	if b.Measure.GreaterIsBetter(p.table.Declaration, b.Problem) {
		return v > b.Value
	}
	return v < b.Value
}

// pairs is the table of all pairs of methods over all problems.
func (p *writer) pairs() {
	if len(p.runs.Methods) < 2 {
		return
	}
	shows, rests := About(Pairwise)
	p.PairsAbout = []string{shows, rests}
	t := &table{Head: []cell{{Text: "methods"}, {Text: "better"}, {Text: "worse"}, {Text: "same"}, {Text: "effect"},
		{Text: "A₁₂"}, {Text: "p"}, {Text: "Holm"}, {Text: "across problems", More: []string{"p, Holm"}},
		{Text: "summary", Words: true}}}
	for i := range t.Head[1:9] {
		t.Head[i+1].Number = true
	}
	for _, pair := range p.runs.Pairs(stats.All, 1) {
		row := []cell{words("%s – %s", Letter(pair.A), Letter(pair.B))}
		for _, n := range []int{pair.Better, pair.Worse, pair.Same} {
			row = append(row, number(fmt.Sprint(n)))
		}
		effect, stronger := value(pair.Effect), value(pair.A12)
		if pair.N == 0 {
			effect, stronger = "–", "–"
		}
		row = append(row, number(effect), number(stronger), number(stats.FormatP(pair.Test.P)),
			number(stats.FormatP(pair.Holm)), number(stats.FormatP(pair.Across.P), stats.FormatP(pair.AcrossHolm)))
		t.Rows = append(t.Rows, append(row, cell{Text: sanitize.Text(pair.Describe(p.runs.Methods)), Words: true,
			Strong: pair.Significant()}))
	}
	p.Pairs = t
}

// nothing says why there is no comparison yet.
func (p *writer) nothing() string {
	blocks, all := p.runs.Blocks(stats.All, 1)
	return fmt.Sprintf(
		"There is no comparison yet: every method must finish the same problem and seed; %d of %s are complete.",
		len(blocks), numfmt.Count(all, "block"))
}
