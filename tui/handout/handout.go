// Package handout writes a lesson as one self-contained HTML file, to read and to print: the pages with their pictures
// and questions, the exercise, and the answers at the end. The position in the session does not change. Package
// tui/lessonpage draws the pictures; texts are data and escaped.
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
	"bandscope/tui/lessonpage"
)

// contents is the data of the template.
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
	Values  []value // of a training
	Ask     bool    // for a point
	Choices []string
}

// value is the last value of a column.
type value struct {
	Name, Help string
	Runs       []string
}

// answer is the answer to a question.
type answer struct {
	Page         int
	Title, Right string
	Wrong        []string // why the other choices are wrong
}

// exercise is the exercise at the end of the lesson.
type exercise struct {
	Text  template.HTML
	On    string
	Goals []string
	Begin string
}

//go:embed page.html
var text string

var filled = template.Must(template.New("handout").Parse(text))

// Session writes the lesson of a session. progress, which may be nil, is called for each page.
func Session(ctx context.Context, w io.Writer, s *sessions.Session, name string, progress sessions.Progress) error {
	l := s.Lesson()
	c := about(l)
	var before *recorder.Note // the previous page, if it has a question
	first := true
	err := lessonpage.Pages(ctx, s, paper(), progress, func(d lessonpage.PageDrawing) error {
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

// about returns the title and the facts of a lesson.
func about(l *sessions.Lesson) *contents {
	return &contents{Title: sanitize.Text(l.Title), About: sanitize.Text(l.About), Part: sanitize.Text(l.Part),
		Version: sessions.ProgramVersion()}
}

// turn returns the page of a note.
func (c *contents) turn(n recorder.Note) (p pageContent, err error) {
	p.Number, p.Ask = len(c.Pages)+1, n.Ask && len(n.Choices) == 0
	for _, choice := range n.Choices {
		p.Choices = append(p.Choices, sanitize.Text(choice))
	}
	p.Text, err = export.Markdown(n.Text)
	return p, err
}

// answer adds the answer to the question of the last page.
func (c *contents) answer(n recorder.Note, came string) {
	a := answer{Page: len(c.Pages), Title: sanitize.Text(recorder.FirstLine(n.Text)), Right: came}
	if len(n.Choices) > 0 {
		a.Right = right(n.Question)
		for i, reason := range n.Reasons {
			if reason != "" {
				a.Wrong = append(a.Wrong, fmt.Sprintf("Not %d: %s", i+1, sanitize.Text(reason)))
			}
		}
	}
	if a.Right != "" {
		c.Answers = append(c.Answers, a)
	}
}

// right returns the right choice with its number.
func right(q page.Question) string {
	return fmt.Sprintf("%d, %s", q.Correct+1, sanitize.Text(q.Choices[q.Correct]))
}

// describeResult describes the point that was evaluated after a number of steps, and its result.
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
	text := fmt.Sprintf("%s chose %s", it.By, domain.Text(it.Points[0].X))
	if values != nil {
		text += ", which gave " + strings.Join(values, ", ")
	}
	return sanitize.Text(text + "; any point with as large an expected improvement is as good")
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
