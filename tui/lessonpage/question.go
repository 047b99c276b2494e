// Package lessonpage is the lesson in the explorer: the questions of pages, the judgement of the reader's answers, and the
// exercise with its goals. It also checks the claims of pages ("band > 2"): it compares quantities of a picture, as the
// explorer draws it in the smallest window, with numbers.
package lessonpage

import (
	"fmt"
	"math"

	"bandscope/sessions"
	"bandscope/sessions/recorder"
	"bandscope/tui/chart"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Page is the current page of a lesson.
type Page struct {
	Note  recorder.Note // of the page
	Line  recorder.Timeline
	State sessions.State // empty for a training
}

// Question is a question for a point, with the answer.
type Question struct {
	asked  QuestionState
	answer *answer // the last answer; nil if there is none, or the question was skipped
}

// answer is a point that the reader chose.
type answer struct {
	step int       // iterations at the question
	x    []float64 // the point and its value
	y    float64

	// expected improvements of the point and of the recorded point, as shares of the greatest; NaN without a band
	relativeEI, methodEI float64
}

// Open reports whether the reader is asked for a point and has not answered.
func (q *Question) Open(p Page) bool { return q.asked.Open(p.Line) }

// Pass skips the question, if the reader already knows how to answer.
func (q *Question) Pass(p Page) bool {
	if !q.asked.Pass(p.Line) {
		return false
	}
	q.answer = nil
	return true
}

// Answer takes the reader's point, with the relative expected improvement on the picture, and that of the recorded next
// point if it is known.
func (q *Question) Answer(p Page, promised RelativeEI, x, next []float64) error {
	y, err := p.State.Problem.TrueValues(x)
	if err != nil {
		return err
	}
	q.asked.Close(p.Line)
	q.answer = &answer{step: len(p.State.Iterations), x: x, y: y[0], relativeEI: promised(x), methodEI: math.NaN()}
	if next != nil {
		q.answer.methodEI = promised(next)
	}
	if !math.IsNaN(q.answer.relativeEI) {
		q.asked.setCorrect(p.Line, q.answer.relativeEI >= minRelativeEI)
	}
	return nil
}

// minRelativeEI is the share of the best expected improvement from which a point is a right answer.
const minRelativeEI = 0.5

// Answered reports whether this is the page after a question that the reader answered with a point.
func (q *Question) Answered(p Page) bool {
	a := q.answer
	return a != nil && q.asked.JustAnswered(p.Line) && a.step < len(p.State.Iterations)
}

// Verdict judges the reader's point on the page after the question, by its expected improvement when it was chosen,
// because the value itself is partly luck. It is empty on other pages.
func (q *Question) Verdict(p Page, st theme.Style) string {
	if !q.Answered(p) {
		return ""
	}
	a := q.answer
	o := p.State.Problem.Objectives[0]
	domain := p.State.Problem.Domain
	it := p.State.Iterations[a.step]
	theirs := it.Points[0].Judged()[0]
	for _, pt := range it.Points {
		y := pt.Judged()
		if o.Transform().Apply(y[0]) < o.Transform().Apply(theirs) {
			theirs = y[0]
		}
	}
	share := func(format string, v float64) string {
		if math.IsNaN(v) {
			return ""
		}
		return fmt.Sprintf(format, 100*v)
	}
	return fmt.Sprintf("%s **Your point** %s%s gives %s = %s. %s chose %s%s, which gives %s.", st.Glyph(mark(p.State)),
		widget.Point(domain, a.x), share(" has %.0f %% of the best expected improvement and", a.relativeEI), o.Name,
		widget.Number(a.y), it.By, widget.Point(domain, it.Points[0].X), share(" (%.0f %%)", a.methodEI), widget.Number(theirs))
}

// mark is the mark of the reader's point. Over two variables the optimum is a triangle, so it is another one.
func mark(st sessions.State) theme.Glyph {
	if st.Problem.Dim() > 1 {
		return theme.GlyphDown
	}
	return theme.GlyphTriangle
}

// Marks draws the reader's point along a variable, on the page after the question.
func (q *Question) Marks(p Page, variable int, st theme.Style) []chart.Layer {
	if !q.Answered(p) {
		return nil
	}
	return []chart.Layer{chart.Points{X: []float64{q.answer.x[variable]},
		Y: []float64{p.State.Problem.Objectives[0].Transform().Clamp(q.answer.y)}, Shape: mark(p.State),
		Color: st.Cursor}}
}

// MarksOver draws the reader's point over two variables.
func (q *Question) MarksOver(p Page, x, y int) []chart.Layer {
	if !q.Answered(p) {
		return nil
	}
	return []chart.Layer{chart.Points{X: []float64{q.answer.x[x]}, Y: []float64{q.answer.x[y]}, Shape: mark(p.State),
		Ink: true, Name: "your point"}}
}
