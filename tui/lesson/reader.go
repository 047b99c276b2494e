package lesson

import (
	"fmt"
	"maps"

	"bandscope/sessions/recorder"
	"bandscope/tui/theme"
)

// Reader is what the reader of a lesson on a session was asked, and said.
type Reader struct {
	Point      Question
	Choice     Choice
	OpenAnswer string // how a question without answers to choose from is answered

	viewed string // the page whose view is shown, by its note; empty where none has one
}

// Answers tell of every page that was answered, by their numbers from 1, whether what was answered last is right.
func (r *Reader) Answers() map[int]bool {
	all := maps.Clone(r.Point.asked.Answers())
	if all == nil {
		return r.Choice.Answers()
	}
	maps.Copy(all, r.Choice.Answers())
	return all
}

// Asking reports whether the reader is asked for a point, and has not said yet: what gives it away is hidden.
func (r *Reader) Asking(p Page) bool {
	return len(p.Note.Choices) == 0 && r.Point.Open(p)
}

// Choosing reports whether the reader is asked for a choice, and has not said yet.
func (r *Reader) Choosing(p Page) bool {
	return len(p.Note.Choices) > 0 && r.Choice.Open(p.Line)
}

// Asks reports whether the reader is asked for either.
func (r *Reader) Asks(p Page) bool { return r.Asking(p) || r.Choosing(p) }

// How tells how what is asked is answered.
func (r *Reader) How(p Page) string {
	if len(p.Note.Choices) > 0 {
		return "type a number to answer"
	}
	return r.OpenAnswer
}

// Pass passes over what is asked, if it was asked to before on this page; otherwise it says how to answer.
func (r *Reader) Pass(p Page) (said string) {
	q := p.Note
	if r.Asking(p) && !r.Point.Pass(p) || r.Choosing(p) && !r.Choice.Pass(p.Line, q.Question) {
		return r.How(p) + "; press space again to skip the question"
	}
	return ""
}

// Choose takes the choice with a number, from 1; where there is none it says so.
func (r *Reader) Choose(p Page, number int) (said string) {
	if q := p.Note.Question; !r.Choice.Answer(p.Line, q, number-1) {
		return fmt.Sprintf("choose a number from 1 to %d", len(q.Choices))
	}
	return ""
}

// Explains reports whether the page says why its reader's answer is wrong, before it is turned.
func (r *Reader) Explains(p Page) bool { return r.Choice.explains(p.Line) }

// Text is the page where the reader stands, below what came of the question before it; after a wrong answer that has a
// reason, the page that asked with the reason in the place of its choices.
func (r *Reader) Text(p Page, st theme.Style) string {
	if r.Explains(p) {
		return p.Note.Text + "\n\n" + r.Choice.verdict(st)
	}
	said := r.Point.Verdict(p, st)
	if said == "" {
		said = r.Choice.Verdict(p.Line, st)
	}
	return Text(p.Note, said)
}

// View is what is to be seen beside the page where the reader stands; ok is false where that is what is seen already,
// or what the reader chose.
func (r *Reader) View(p Page) (v View, ok bool, err error) {
	n := p.Note
	if n.ID == r.viewed || n.View == "" && r.viewed == "" {
		return View{}, false, nil
	}
	if r.viewed = n.ID; n.View == "" {
		r.viewed = ""
	}
	v, err = ParseView(n.View, p.State.Problem)
	return v, true, err
}

// Text is a page with what it asks, below what came of the question before it.
func Text(n recorder.Note, said string) string {
	text := n.Text
	for i, choice := range n.Choices {
		text += fmt.Sprintf("\n\n`%d` %s", i+1, choice)
	}
	if said != "" {
		text = said + "\n\n" + text
	}
	return text
}
