package lessonpage

import (
	"fmt"
	"maps"

	"bandscope/sessions/recorder"
	"bandscope/tui/theme"
)

// Reader holds the questions to the reader of a lesson, and the answers.
type Reader struct {
	Point      Question
	Choice     Choice
	OpenAnswer string // how to answer a question without choices

	viewed string // ID of the note whose view is shown; empty for none
}

// Answers maps the pages that were answered, from 1, to whether the last answer is right.
func (r *Reader) Answers() map[int]bool {
	all := maps.Clone(r.Point.asked.Answers())
	if all == nil {
		return r.Choice.Answers()
	}
	maps.Copy(all, r.Choice.Answers())
	return all
}

// Asking reports whether the reader is asked for a point and has not answered; the answer is hidden.
func (r *Reader) Asking(p Page) bool {
	return len(p.Note.Choices) == 0 && r.Point.Open(p)
}

// Choosing reports whether the reader is asked for a choice and has not answered.
func (r *Reader) Choosing(p Page) bool {
	return len(p.Note.Choices) > 0 && r.Choice.Open(p.Line)
}

// Asks reports whether a question is open.
func (r *Reader) Asks(p Page) bool { return r.Asking(p) || r.Choosing(p) }

// How says how to answer the question.
func (r *Reader) How(p Page) string {
	if len(p.Note.Choices) > 0 {
		return "press a number to answer"
	}
	return r.OpenAnswer
}

// Pass skips the question at the second call on a page; at the first it says how to answer.
func (r *Reader) Pass(p Page) (text string) {
	q := p.Note
	if r.Asking(p) && !r.Point.Pass(p) || r.Choosing(p) && !r.Choice.Pass(p.Line, q.Question) {
		return r.How(p) + "; press space again to skip"
	}
	return ""
}

// Choose takes the choice with a number, from 1; it says so if there is no such choice.
func (r *Reader) Choose(p Page, number int) (text string) {
	if q := p.Note.Question; !r.Choice.Answer(p.Line, q, number-1) {
		return fmt.Sprintf("choose a number from 1 to %d", len(q.Choices))
	}
	return ""
}

// Text returns the text of the page. After an answer its choices are marked, right and wrong; the page after a question
// for a point has the verdict on it.
func (r *Reader) Text(p Page, st theme.Style) string {
	if r.Choice.judged(p.Line) {
		return p.Note.Text + "\n\n" + r.Choice.verdict(st)
	}
	text := r.Point.Verdict(p, st)
	if text == "" {
		text = r.Choice.Solution(p.Line, st)
	}
	return Text(p.Note, text)
}

// View returns the view of the page; ok is false if it is shown already, or the reader chose another.
func (r *Reader) View(p Page) (v View, ok bool, err error) {
	n := p.Note
	if n.ID == r.viewed || n.View == "" && r.viewed == "" {
		return View{}, false, nil
	}
	r.viewed = n.ID
	if n.View == "" {
		r.viewed = ""
	}
	v, err = ParseView(n.View, p.State.Problem)
	return v, true, err
}

// Text returns the text of a page with its choices, below the verdict on the previous question.
func Text(n recorder.Note, message string) string {
	text := n.Text
	for i, choice := range n.Choices {
		text += fmt.Sprintf("\n\n`%d` %s", i+1, choice)
	}
	if message != "" {
		text = message + "\n\n" + text
	}
	return text
}
