// Package lesson shows a lesson beside the explorer: the question of a page and the reader's answer, what could be
// expected of the point that the reader chose, and the exercise with those of its goals that are met. It also checks
// the claims of pages ("band > 2"): quantities of a picture, as the explorer draws it in the smallest window, compared
// with numbers.
package lesson

import (
	"fmt"
	"math"

	"bandscope/sessions"
	"bandscope/sessions/recorder"
	"bandscope/tui/chart"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Page is where in a lesson the reader stands.
type Page struct {
	Note  recorder.Note // that is read
	Line  recorder.Timeline
	State sessions.State // of an optimization
}

// Question is where a lesson asks its reader to query, with the answer.
type Question struct {
	asked  QuestionState
	answer *answer // the last one; nil if none was given, or the question was passed over
}

// answer is a person's answer to "where would you query?".
type answer struct {
	step int       // the iterations done when it was asked for
	x    []float64 // that was chosen, and what it gives
	y    float64

	// What could be expected of the point and of the record's, as shares of the greatest expected improvement; NaN
	// where the belief has no band.
	relativeEI, methodEI float64
}

// Open reports whether the reader is asked where to query, and has not said yet.
func (q *Question) Open(p Page) bool { return q.asked.Open(p.Line) }

// Pass passes over the question, if it was asked to before on this page.
func (q *Question) Pass(p Page) bool {
	if !q.asked.Pass(p.Line) {
		return false
	}
	q.answer = nil
	return true
}

// Answer takes the reader's point, with what the belief that was seen promised of it, and of the record's next one
// where that is known.
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

// minRelativeEI is the share of the most that could be expected from which on a point is a right answer.
const minRelativeEI = 0.5

// Answered reports whether the page is the one behind a question to which the reader gave a point.
func (q *Question) Answered(p Page) bool {
	a := q.answer
	return a != nil && q.asked.JustAnswered(p.Line) && a.step < len(p.State.Iterations)
}

// Expected is what a belief says of a value of the variable that it is drawn along, as values are counted, and the best
// value so far; ok is false where it has no band, or there is no value yet.
func Expected(st sessions.State, b *picture.Picture, x float64) (mean, sd, best float64, ok bool) {
	_, y, _, found := st.Best()
	if !found || b == nil || len(b.Lower) == 0 {
		return 0, 0, 0, false
	}
	g := st.Problem.Objectives[0].Transform()
	return g.Apply(b.At(b.Mean, x)), (g.ToScale(b.At(b.Upper, x)) - g.ToScale(b.At(b.Lower, x))) / 4, g.Apply(y), true
}

// Verdict tells on the page behind the question what could be expected of the reader's point, and of the record's, and
// what they came to; it is empty elsewhere. A point is judged by what was known when it was chosen: how its value
// turned out is luck as well.
func (q *Question) Verdict(p Page, st theme.Style) string {
	if !q.Answered(p) {
		return ""
	}
	a, o, domain := q.answer, p.State.Problem.Objectives[0], p.State.Problem.Domain
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

// mark is that of the reader's point: over two variables triangles are where the function is least.
func mark(st sessions.State) theme.Glyph {
	if st.Problem.Dim() > 1 {
		return theme.GlyphDown
	}
	return theme.GlyphTriangle
}

// Marks draw the reader's point, along a variable, on the page behind the question.
func (q *Question) Marks(p Page, variable int, st theme.Style) []chart.Layer {
	if !q.Answered(p) {
		return nil
	}
	return []chart.Layer{chart.Points{X: []float64{q.answer.x[variable]},
		Y: []float64{p.State.Problem.Objectives[0].Transform().Clamp(q.answer.y)}, Shape: mark(p.State),
		Color: st.Cursor}}
}

// MarksOver draw the reader's point over two variables.
func (q *Question) MarksOver(p Page, x, y int) []chart.Layer {
	if !q.Answered(p) {
		return nil
	}
	return []chart.Layer{chart.Points{X: []float64{q.answer.x[x]}, Y: []float64{q.answer.x[y]}, Shape: mark(p.State),
		Ink: true, Name: "your point"}}
}
