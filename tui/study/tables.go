package study

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/safe"
	"bandscope/sessions/study"
	"bandscope/sessions/study/stats"
	"bandscope/tui/layout"
	"bandscope/tui/screen"
	"bandscope/tui/study/charts"
	"bandscope/tui/theme"
)

// smallCharts draws the curves of as many problems as there is room for beside and below each other.
func (m *Model) smallCharts(f *figure, w, h int) []string {
	st := m.Style
	body := m.methodsLine(w, 2)
	const least, low = 26, 7 // columns and rows of one
	across := max(w/least, 1)
	down := max((h-len(body)-1)/low, 1)
	n := len(f.bands)
	for across > 1 && down*(across-1) >= n {
		across--
	}
	down = min(down, (n+across-1)/across)
	if n == 0 || down < 1 {
		return append(body, " "+st.Paint(st.Dim, "nothing to draw yet"))
	}
	cw, rows := w/across, (h-len(body)-1)/down
	first := 0
	if p := m.cursor.top; p > 0 && n > across*down {
		first = min(p, n-across*down)
	}
	last := min(first+across*down, n)
	for from := first; from < last; from += across {
		var blocks [][]string
		for p := from; p < min(from+across, last); p++ {
			blocks = append(blocks, m.smallChart(f, p, cw, rows))
		}
		body = append(body, screen.Beside(blocks...)...)
	}
	note := fmt.Sprintf("a problem's measure over evaluations, %s", map[bool]string{true: "means", false: "medians"}[m.shown.other])
	if last-first < len(f.runs.Problems) {
		note += fmt.Sprintf("; problems %d to %d of %d", first+1, last, len(f.runs.Problems))
	}
	for len(body) < h-1 {
		body = append(body, "")
	}
	return append(body, " "+st.Paint(st.Dim, st.Plain(note)))
}

// smallChart is one problem among others: its name above its curves.
func (m *Model) smallChart(f *figure, problem, w, h int) []string {
	st := m.Style
	name := " " + st.Paint(st.Text, layout.ShortenIn(st, st.Plain(safe.Text(f.runs.Problems[problem].Name)), w-2))
	lines := []string{layout.Fit(name, w)}
	c, ok := m.curves(f, problem, false)
	if !ok {
		lines = append(lines, layout.Fit(" "+st.Paint(st.Dim, "no value yet"), w))
	} else {
		lines = append(lines, m.book.Draw(c, w-1, h-1, st)...)
	}
	for i := range lines {
		lines[i] = layout.Fit(lines[i], w)
	}
	for len(lines) < h {
		lines = append(lines, strings.Repeat(" ", w))
	}
	return lines
}

// methodsLine names the methods by their letters and lines, in at most so many rows.
func (m *Model) methodsLine(w, most int) []string {
	st := m.Style
	var layers []string
	for k := range m.board.methods {
		layers = append(layers, st.Paint(m.telling().Color(k), charts.Letter(k))+" "+st.Paint(st.Dim, layout.ShortenIn(st, st.Plain(safe.Text(m.board.methods[k])), 24)))
	}
	rows := layout.Flow(layers, "  ", w-2)
	if len(rows) > most {
		rows = rows[:most]
	}
	for i := range rows {
		rows[i] = " " + rows[i]
	}
	return rows
}

// printedFor is what the paper prints for a problem and a method at the end; nil where it prints nothing.
func (m *Model) printedFor(f *figure, problem int, method string) *study.Printed {
	for i := range m.board.printed {
		if p := &m.board.printed[i]; charts.PrintedOn(*p, f.runs.Problems[problem]) && p.Method == method && p.Evaluations == 0 {
			return p
		}
	}
	return nil
}

// samples is how many columns a sample has.
const samples = 29

// longest is how wide the methods' names are with their letters.
func (m *Model) longest() (most int) {
	for k := range m.board.methods {
		most = max(most, ansi.StringWidth(m.Style.Plain(m.methodName(k))))
	}
	return most
}

// finalLines is the table of results at the ends of the budgets, with the printed numbers beside them.
func (m *Model) finalLines(f *figure, w, h int) []string {
	st := m.Style
	if f.problem < 0 {
		return m.finalGrid(f, w, h)
	}
	name := min(m.longest()+2, max(w-53, 10))
	what := "median [quartiles]"
	if m.shown.other {
		what = "mean ± 95 % interval"
	}
	body := []string{" " + st.Paint(st.Dim, layout.Fit("method", name)+layout.Fit("runs", 6)+layout.Fit(st.Plain(what), samples)+"printed")}
	best := m.best(f, f.problem)
	sign := f.runs.Problems[f.problem].Sign
	for k, s := range f.finals[f.problem] {
		line := layout.Fit(st.Paint(m.telling().Color(k), layout.ShortenIn(st, st.Plain(m.methodName(k)), name-1)), name) + st.Paint(st.Dim, layout.Fit(fmt.Sprint(s.N), 6))
		text := m.sampleText(s, sign)
		mark := "  "
		if k == best {
			mark = st.PaintBold(st.Best, st.Glyph(theme.GlyphStar)) + " "
		}
		line += layout.Fit(mark+st.Paint(st.Text, text), samples)
		if p := m.printedFor(f, f.problem, f.runs.Methods[k]); p != nil {
			line += st.Paint(st.Used, printedText(p))
		}
		pointer := " "
		if k == m.cursor.method {
			pointer = st.PaintBold(st.Accent, st.Pointer())
		}
		body = append(body, pointer+line)
	}
	body = append(body, "")
	if p := m.printedFor(f, f.problem, f.runs.Methods[m.cursor.method]); p != nil {
		text := fmt.Sprintf("printed for %s: %s, %s", charts.Letter(m.cursor.method), printedText(p), p.Where)
		if p.Note != "" {
			text += ". " + p.Note
		}
		body = append(body, layout.Paragraph(st, st.Text, safe.Text(text), w-2)...)
	}
	if m.board.declared.Source != "" {
		body = append(body, layout.Paragraph(st, st.Dim, safe.Text("source: "+m.board.declared.Source), w-2)...)
	}
	if len(body) > h {
		body = body[:h]
	}
	return body
}

// finalGrid is the table of results of all problems: problems down, methods across.
func (m *Model) finalGrid(f *figure, w, h int) []string {
	st := m.Style
	name := min(m.labels(), w/4)
	each := 10
	shown := min(len(f.runs.Methods), max((w-name-2)/each, 1))
	from := min(max(m.cursor.method-shown/2, 0), len(f.runs.Methods)-shown)
	body := m.methodsLine(w, 2)
	head := layout.Fit("", name+2)
	for k := from; k < from+shown; k++ {
		head += st.Paint(m.telling().Color(k), layout.Fit(charts.Letter(k), each))
	}
	body = append(body, head)
	top := min(m.cursor.top, max(len(f.finals)-(h-len(body)-1), 0))
	for p := top; p < len(f.finals) && len(body) < h-1; p++ {
		line := " " + st.Paint(st.Text, layout.Fit(layout.ShortenIn(st, st.Plain(safe.Text(f.runs.Problems[p].Name)), name), name)) + " "
		best := m.best(f, p)
		for k := from; k < from+shown; k++ {
			s, text := f.finals[p][k], "-"
			if s.N > 0 {
				text = screen.NumberIn(f.runs.Problems[p].Sign*m.middle(s), each-3)
			}
			if k == best {
				line += layout.Fit(st.PaintBold(st.Best, st.Glyph(theme.GlyphStar)+text), each)
			} else {
				line += layout.Fit(" "+st.Paint(st.Text, text), each)
			}
		}
		body = append(body, line)
	}
	what := "medians at the ends of the budgets over the seeds that are done"
	if m.shown.other {
		what = "means at the ends of the budgets over the seeds that are done"
	}
	return append(body, " "+st.Paint(st.Dim, layout.ShortenIn(st, what+", "+st.Glyph(theme.GlyphStar)+" the best", w-2)))
}

// middle is the median of a sample, or its mean.
func (m *Model) middle(s stats.Sample) float64 {
	if m.shown.other {
		return s.Mean
	}
	return s.Median
}

// best is the method with the best middle on a problem; −1 where none has ended.
func (m *Model) best(f *figure, problem int) int {
	best := -1
	for k, s := range f.finals[problem] {
		if s.N > 0 && (best < 0 || m.middle(s) < m.middle(f.finals[problem][best])) {
			best = k
		}
	}
	return best
}

// sampleText writes what a sample amounts to, in the measure's own direction.
func (m *Model) sampleText(s stats.Sample, sign float64) string {
	if s.N == 0 {
		return "-"
	}
	if m.shown.other {
		text := screen.Number(sign * s.Mean)
		if !math.IsNaN(s.Student) {
			text += " ± " + screen.NumberIn(s.Student, 7)
		}
		return m.Style.Plain(text)
	}
	low, high := sign*s.Low, sign*s.High
	return fmt.Sprintf("%s [%s, %s]", screen.NumberIn(sign*s.Median, 8), screen.NumberIn(min(low, high), 7), screen.NumberIn(max(low, high), 7))
}

// printedText writes a number that a paper prints.
func printedText(p *study.Printed) string {
	text := screen.Number(p.Value)
	if p.Interval != nil {
		text += " ± " + screen.Number(*p.Interval)
	}
	if p.Statistic != "" {
		text = p.Statistic + " " + text
	}
	return text
}

// pairLines compares the chosen method with every other.
func (m *Model) pairLines(f *figure, w, h int) []string {
	st, k := m.Style, m.cursor.method
	across := 0
	if f.problem < 0 && len(f.runs.Problems) > 1 && w >= 68 {
		across = 9
	}
	name := min(m.longest()+4, max(w-51-across, 10))
	body := []string{" " + st.Paint(m.telling().Color(k), m.Style.Plain(m.methodName(k))) + st.Paint(st.Dim, " against each of the others"), "",
		" " + st.Paint(st.Dim, layout.Fit("", name)+layout.Fit("better same worse", 19)+layout.Fit("effect", 8)+layout.Fit("p", 8)+layout.Fit("Holm", 9)+layout.Fit("across", across)+"beats")}
	for _, p := range f.pairs {
		if p.A != k && p.B != k {
			continue
		}
		other, better, worse, effect, beats := p.B, p.Better, p.Worse, p.Effect, p.Stronger
		if p.B == k {
			other, better, worse, effect, beats = p.A, p.Worse, p.Better, -p.Effect, 1-p.Stronger
		}
		verdict, color := "  ", st.Dim
		switch {
		case p.Differ() && effect > 0:
			verdict, color = "+ ", st.Good
		case p.Differ():
			verdict, color = "- ", st.Warn
		}
		line := " " + layout.Fit(st.PaintBold(color, verdict)+st.Paint(m.telling().Color(other), layout.ShortenIn(st, st.Plain(m.methodName(other)), name-3)), name)
		line += st.Paint(st.Text, layout.Fit(fmt.Sprintf("%6d %4d %5d", better, p.Same, worse), 19)+layout.Fit(signedText(effect), 8)+layout.Fit(m.chance(p.Test.P), 8))
		line += st.Paint(color, layout.Fit(m.chance(p.Holm), 9)) + st.Paint(st.Text, layout.Fit(m.chance(p.AcrossHolm), across)+share(beats))
		body = append(body, line)
	}
	body = append(body, "")
	for _, p := range f.pairs {
		if p.Few() && p.N > 0 {
			body = append(body, layout.Paragraph(st, st.Warn, fmt.Sprintf("With %s no test among %d can reach 0.05.", screen.Counted(p.Test.N, "pair"), p.Tests), w-2)...)
			break
		}
	}
	shows, rests := stats.About(stats.Pairwise)
	for _, text := range []string{"+ and - differ at 5 %. " + shows, rests} {
		body = append(body, layout.Paragraph(st, st.Dim, text, w-2)...)
	}
	return body[:min(len(body), h)]
}

// chance writes a value of a test in the characters of the terminal.
func (m *Model) chance(p float64) string { return m.Style.Plain(stats.Chance(p)) }

// signedText writes an effect with its sign.
func signedText(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%+.2f", v)
}

// share writes a chance in percent.
func share(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*v)
}

// criticalLines is the critical-difference diagram: methods by their mean ranks, and groups of which no two differ.
func (m *Model) criticalLines(f *figure, w, h int) []string {
	st, t := m.Style, f.friedman
	n := len(f.runs.Methods)
	if math.IsNaN(t.Nemenyi) || len(t.Order) == 0 {
		return append([]string{""}, layout.Paragraph(st, st.Dim, "There is no test yet: it takes at least two methods, and two blocks (a seed of a problem) in which every method has ended; "+fmt.Sprintf("%d of %d have.", f.blocks, f.all), w-2)...)
	}
	name := min(m.longest()+2, max(w/2, 12))
	cols := w - name - 10
	col := func(rank float64) int {
		return min(max(int(math.Round((rank-1)/float64(max(n-1, 1))*float64(cols-1))), 0), cols-1)
	}
	bar, end := "━", "┃"
	if st.ASCII {
		bar, end = "=", "|"
	}
	wide := min(max(col(1+t.Nemenyi), 1), cols-1)
	body := []string{" " + layout.Fit(st.Paint(st.Dim, "critical difference "+fmt.Sprintf("%.2f", t.Nemenyi)), name+8) + " " + st.Paint(st.Accent, end+strings.Repeat(bar, max(wide-1, 0))+end)}
	scale := []rune(strings.Repeat(" ", cols+2))
	for r := 1; r <= n; r++ {
		copy(scale[col(float64(r)):], []rune(fmt.Sprint(r)))
	}
	body = append(body, " "+layout.Fit(st.Paint(st.Dim, "mean rank"), name+8)+" "+st.Paint(st.Dim, strings.TrimRight(string(scale), " ")))
	for _, k := range t.Order {
		pointer, color := " ", m.telling().Color(k)
		if k == m.cursor.method {
			pointer = st.PaintBold(st.Accent, st.Pointer())
		}
		at := col(t.Ranks[k])
		line := pointer + layout.Fit(st.Paint(color, layout.ShortenIn(st, st.Plain(m.methodName(k)), name-1)), name) + st.Paint(st.Text, layout.Fit(fmt.Sprintf("%.2f", t.Ranks[k]), 9))
		body = append(body, line+st.Paint(st.Border, strings.Repeat(st.Dot(), at))+st.PaintBold(color, st.Glyph(theme.GlyphFilled)))
	}
	for _, c := range t.Cliques {
		a, b := col(t.Ranks[t.Order[c[0]]]), col(t.Ranks[t.Order[c[1]]])
		var letters []string
		for _, k := range t.Order[c[0] : c[1]+1] {
			letters = append(letters, charts.Letter(k))
		}
		body = append(body, " "+layout.Fit(st.Paint(st.Dim, layout.ShortenIn(st, "alike: "+strings.Join(letters, " "), name+7)), name+9)+strings.Repeat(" ", a)+st.PaintBold(st.Text, strings.Repeat(bar, max(b-a+1, 1))))
	}
	body = append(body, "")
	shows, rests := stats.About(stats.Differences)
	body = append(body, layout.Paragraph(st, st.Text, t.Words(), w-2)...)
	for _, text := range []string{shows, rests} {
		body = append(body, layout.Paragraph(st, st.Dim, text, w-2)...)
	}
	for i := range body {
		body[i] = ansi.Truncate(body[i], w, "")
	}
	return body[:min(len(body), h)]
}
