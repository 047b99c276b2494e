package studypage

import (
	"fmt"
	"math"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/sessions/study/stats"
	"bandscope/tui/layout"
	"bandscope/tui/studyreport"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// printedFor is the number that the paper prints for a problem and a method at the end; nil where there is none.
func (m *Model) printedFor(f *figure, problem int, method string) *study.PublishedNumber {
	for i := range m.board.printed {
		if p := &m.board.printed[i]; studyreport.PrintedOn(*p, f.runs.Problems[problem]) && p.Method == method &&
			p.Evaluations == 0 {
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

// finals is the table of results at the ends of the budgets, with the printed numbers beside them.
func (m *Model) finals(f *figure, w, h int) *layout.Box {
	st := m.Style
	name := min(m.longest()+2, max(w-53, 10))
	subject := "median [quartiles]"
	if m.shown.other {
		subject = "mean ± 95 % interval"
	}
	body := newListing(st, w, h)
	body.line(" " + st.Paint(st.Dim, layout.Fit("method", name)+layout.Fit("runs", 6)+
		layout.Fit(st.Plain(subject), samples)+"printed"))
	best := m.best(f, f.problem)
	sign := f.runs.Problems[f.problem].Sign
	for k, s := range f.finals[f.problem] {
		line := layout.Fit(st.Paint(m.methodStyle().Color(k), layout.ShortenIn(st, st.Plain(m.methodName(k)), name-1)),
			name) + st.Paint(st.Dim, layout.Fit(fmt.Sprint(s.N), 6))
		text := m.sampleText(s, sign)
		says := fmt.Sprintf("%s, %s done, %s: %s", sanitize.Text(f.runs.Methods[k]), widget.Count(s.N, "run"), subject,
			text)
		mark := "  "
		if k == best {
			mark = st.PaintBold(st.Best, st.Glyph(theme.GlyphStar)) + " "
		}
		line += layout.Fit(mark+st.Paint(st.Text, text), samples)
		if p := m.printedFor(f, f.problem, f.runs.Methods[k]); p != nil {
			line += st.Paint(st.Used, printedText(p))
			says += "; printed in the paper: " + printedText(p)
		}
		pointer := " "
		if k == m.cursor.method {
			pointer = st.PaintBold(st.Accent, st.Pointer())
		}
		body.line(pointer+line).Number(m.methodName(k), "", says+".")
	}
	body.line("")
	says := "One row per method: the number of finished runs, their result, and the number printed in the paper."
	if p := m.printedFor(f, f.problem, f.runs.Methods[m.cursor.method]); p != nil {
		says += " For the chosen method, the paper prints " + printedText(p) + " (" + layout.Excerpt(p.Source, 8) + ")."
		text := fmt.Sprintf("printed for %s: %s, %s", studyreport.Letter(m.cursor.method), printedText(p), p.Source)
		if p.Note != "" {
			text += ". " + p.Note
		}
		body.say(st.Text, text)
	}
	if m.board.declaration.Source != "" {
		body.say(st.Dim, "source: "+m.board.declaration.Source)
	}
	return body.Number("table", "", says)
}

// finalGrid is the table of results of all problems: problems down, methods across.
func (m *Model) finalGrid(f *figure, w, h int) *layout.Box {
	st := m.Style
	name := min(m.labels(), w/4)
	each := 10
	shown := min(len(f.runs.Methods), max((w-name-2)/each, 1))
	from := min(max(m.cursor.method-shown/2, 0), len(f.runs.Methods)-shown)
	body := newListing(st, w, h)
	body.Below(m.methodsLine(w, 2))
	head := layout.Fit("", name+2)
	for k := from; k < from+shown; k++ {
		head += st.Paint(m.methodStyle().Color(k), layout.Fit(studyreport.Letter(k), each))
	}
	body.line(head)
	top := min(m.cursor.top, max(len(f.finals)-(h-body.H-1), 0))
	for p := top; p < len(f.finals) && body.H < h-1; p++ {
		line := " " + st.Paint(st.Text, layout.Fit(
			layout.ShortenIn(st, st.Plain(sanitize.Text(f.runs.Problems[p].Name)), name), name)) + " "
		best := m.best(f, p)
		for k := from; k < from+shown; k++ {
			s, text := f.finals[p][k], "-"
			if s.N > 0 {
				text = widget.NumberIn(f.runs.Problems[p].Sign*m.middle(s), each-3)
			}
			if k == best {
				line += layout.Fit(st.PaintBold(st.Best, st.Glyph(theme.GlyphStar)+text), each)
			} else {
				line += layout.Fit(" "+st.Paint(st.Text, text), each)
			}
		}
		body.line(line)
	}
	subject := "final medians over the finished seeds"
	if m.shown.other {
		subject = "final means over the finished seeds"
	}
	body.line(" " + st.Paint(st.Dim, layout.ShortenIn(st, subject+", "+st.Glyph(theme.GlyphStar)+" best", w-2)))
	return body.Number("table", "", "One row per problem, one column per method.")
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

// sampleText writes the statistics of a sample, in the measure's own direction.
func (m *Model) sampleText(s stats.Sample, sign float64) string {
	if s.N == 0 {
		return "-"
	}
	if m.shown.other {
		text := widget.Number(sign * s.Mean)
		if !math.IsNaN(s.Student) {
			text += " ± " + widget.NumberIn(s.Student, 7)
		}
		return m.Style.Plain(text)
	}
	low, high := sign*s.Low, sign*s.High
	return fmt.Sprintf("%s [%s, %s]", widget.NumberIn(sign*s.Median, 8), widget.NumberIn(min(low, high), 7),
		widget.NumberIn(max(low, high), 7))
}

// printedText writes a number that a paper prints.
func printedText(p *study.PublishedNumber) string {
	text := widget.Number(p.Value)
	if p.Interval != nil {
		text += " ± " + widget.Number(*p.Interval)
	}
	if p.Statistic != "" {
		text = p.Statistic + " " + text
	}
	return text
}
