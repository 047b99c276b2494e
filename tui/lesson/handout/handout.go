// Package handout writes a lesson as one page of HTML that refers to nothing outside of it, to be read and printed: its
// pages with their pictures, what they ask without the answers, the exercise, and the answers at the end. A lesson's
// session goes in and is left where it stands. What is seen on a page is decided where its claims are measured
// (tui/lesson); texts are data and escaped.
package handout

import (
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/lesson/page"
	"bandscope/sessions/recorder"
	"bandscope/sessions/sanitize"
	"bandscope/tui/export"
	"bandscope/tui/lesson"
)

// contents are what the template fills in.
type contents struct {
	Title, About, Part, On, Version string
	Pages                           []pageContent
	Answers                         []answer
	Exercise                        *exercise
}

// pageContent is a page of the lesson.
type pageContent struct {
	Number  int // from 1
	Text    template.HTML
	Picture template.HTML
	Caption string
	Values  []value // beside a picture of a lab
	Ask     bool    // for a point
	Choices []string
}

// value is what was measured last.
type value struct {
	Name, Help string
	Runs       []string
}

// answer is what comes out of a question.
type answer struct {
	Page         int
	Title, Right string
	Wrong        []string // why the other choices are not
}

// exercise is what the reader does in the end.
type exercise struct {
	Text  template.HTML
	On    string
	Goals []string
	Begin string
}

//go:embed page.html
var text string

var filled = template.Must(template.New("handout").Parse(text))

// Session writes the lesson of a session. progress, which may be nil, hears of each page.
func Session(ctx context.Context, w io.Writer, s *sessions.Session, name string, progress sessions.Progress) error {
	l := s.Lesson()
	c := about(l)
	var before *recorder.Note // a page that asks, until the next one is read
	first := true
	err := lesson.Pages(ctx, s, paper(), progress, func(d lesson.PageDrawing) error {
		n := d.State.LastNote()
		if first {
			c.On, first = sanitize.Text(fmt.Sprintf("%s, with %s", d.State.Problem.Name, d.State.Spec.Title)), false
		}
		if before != nil {
			c.answer(*before, describeResult(before.Step, d.State))
			before = nil
		}
		p, err := c.turn(n)
		if err != nil {
			return err
		}
		p.Picture, p.Caption = draw(d, len(c.Pages)+1)
		if n.HasQuestion() {
			before = &n
		}
		c.Pages = append(c.Pages, p)
		return nil
	})
	if err != nil {
		return err
	}
	if before != nil {
		c.answer(*before, "")
	}
	if err := c.task(l, name); err != nil {
		return err
	}
	return filled.Execute(w, c)
}

// about is what a lesson says of itself.
func about(l *sessions.Lesson) *contents {
	return &contents{Title: sanitize.Text(l.Title), About: sanitize.Text(l.About), Part: sanitize.Text(l.Part),
		Version: sessions.ProgramVersion()}
}

// turn is the page of a note.
func (c *contents) turn(n recorder.Note) (p pageContent, err error) {
	p.Number, p.Ask = len(c.Pages)+1, n.Ask && len(n.Choices) == 0
	for _, choice := range n.Choices {
		p.Choices = append(p.Choices, sanitize.Text(choice))
	}
	p.Text, err = export.Markdown(n.Text)
	return p, err
}

// answer adds what comes out of what a page asked, which was the last one.
func (c *contents) answer(n recorder.Note, came string) {
	a := answer{Page: len(c.Pages), Title: sanitize.Text(recorder.FirstLine(n.Text)), Right: came}
	if len(n.Choices) > 0 {
		a.Right = right(n.Question)
		for i, reason := range n.Why {
			if reason != "" {
				a.Wrong = append(a.Wrong, fmt.Sprintf("Not %d: %s", i+1, sanitize.Text(reason)))
			}
		}
	}
	if a.Right != "" {
		c.Answers = append(c.Answers, a)
	}
}

// right is the choice that comes out, with its number.
func right(q page.Question) string {
	return fmt.Sprintf("%d, %s", q.Right+1, sanitize.Text(q.Choices[q.Right]))
}

// describeResult tells the point that was evaluated after so many steps, and what it gave.
func describeResult(step int, st sessions.State) string {
	if step >= len(st.Iterations) {
		return ""
	}
	it, domain := st.Iterations[step], st.Problem.Domain
	var values []string
	for k, o := range st.Problem.Outputs() {
		if k < len(it.Points[0].Y) && !it.Points[0].Failed {
			values = append(values, o.Name+" = "+numfmt.Format(it.Points[0].Y[k]))
		}
	}
	said := fmt.Sprintf("%s chose %s", it.By, domain.Text(it.Points[0].X))
	if values != nil {
		said += ", which gave " + strings.Join(values, ", ")
	}
	return sanitize.Text(said + "; any point with as large an expected improvement is as good")
}

// task adds the exercise.
func (c *contents) task(l *sessions.Lesson, name string) (err error) {
	e := l.Exercise
	if e == nil {
		return nil
	}
	x := &exercise{On: sanitize.Text(fmt.Sprintf("%s, with %s and seed %d", e.Config.Problem, e.Config.Optimizer,
		e.Config.Seed)),
		Begin: sanitize.Text("bandscope lesson " + name)}
	for _, g := range e.Goals {
		x.Goals = append(x.Goals, sanitize.Text(g))
	}
	x.Text, err = export.Markdown(e.Text)
	c.Exercise = x
	return err
}
