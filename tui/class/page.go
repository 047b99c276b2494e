// Package class has the pages of a class: where a student answers and sees the answers of all, the race against
// methods with its board, the teacher's panel, and the progress in lessons. A page shows the state of the class, which
// messages bring, and acts by an interface; it knows no connection, and which person it is for only by an ID. What a
// question is about is drawn by package picture, without what would give the answer away.
package class

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/classroom"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Student is what the pages of a student ask of the class; *classroom.Class is one.
type Student interface {
	State() classroom.State
	// Answer records the answer of a person, and returns when it is on disk
	Answer(question int, person string, v classroom.Value) error
	// Evaluate evaluates the function of a race for a person
	Evaluate(race int, person string, x []float64) (y float64, left int, err error)
}

// StateMsg brings a new state of the class to a page.
type StateMsg struct{ State classroom.State }

// BeliefMsg brings the belief that a question is about to a page; nil if there is none.
type BeliefMsg struct{ Belief *Belief }

// page is what all pages have: the state of the class, and one act at a time.
type page struct {
	widget.Base
	jobs  widget.Jobs
	state classroom.State
}

// actedMsg is the result of an act.
type actedMsg struct {
	err  error
	text string        // for the status line; empty for none
	then widget.Action // asked of the window afterwards; nil for none
}

// newPage is a page with the current state of a class.
func newPage(st classroom.State) page { return page{Base: widget.NewBase(), state: st} }

// Stop cancels the act that is running.
func (p *page) Stop() { p.jobs.Stop() }

// Busy reports whether an act is being recorded.
func (p *page) Busy() bool { return p.jobs.Busy() }

// act runs an act off the update loop; the status line describes it by what.
func (p *page) act(doing string, do func() (text string, err error)) tea.Cmd {
	return p.actThen(doing, nil, do)
}

// actThen is act; afterwards it asks an action of the window.
func (p *page) actThen(subject string, then widget.Action, do func() (text string, err error)) tea.Cmd {
	if p.jobs.Busy() {
		p.Say("the last act is still being recorded", false)
		return nil
	}
	return p.jobs.StartAct(subject, func(context.Context) tea.Msg {
		text, err := do()
		return actedMsg{err, text, then}
	})
}

// take takes the messages that all pages have; taken is false for others.
func (p *page) take(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	switch msg := msg.(type) {
	case StateMsg:
		p.state = msg.State
	case widget.TickMsg:
		return p.jobs.Tick(msg), true
	case widget.DoneMsg:
		inner, ok := p.jobs.Take(msg)
		if !ok {
			return nil, true
		}
		p.jobs.Finish()
		switch inner := inner.(type) {
		case actedMsg:
			if inner.err != nil {
				p.Status.Fail(inner.err)
				return nil, true
			}
			p.Notify(inner.text)
			if inner.then != nil {
				return widget.Request(inner.then), true
			}
		case widget.PanicMsg:
			p.Status.Fail(fmt.Errorf("internal error: %s; no data is lost", inner.Reason))
		default:
			return nil, false
		}
	default:
		return nil, false
	}
	return nil, true
}

// minWidth and minHeight are the least window in which a page draws more than its state in words.
const minWidth, minHeight = 40, 12

// frame is a page: its parts over the status line and the keys.
func (p *page) frame(name string, body func(w, h int) *layout.Box, keys *layout.Box) *layout.Box {
	w, h := p.Width, p.Height
	if w < minWidth || h < minHeight {
		text := fmt.Sprintf("too small: this page needs %dx%d, has %dx%d", minWidth, minHeight, w, h)
		return layout.New(w, h, layout.Text(w, layout.Wrap(text, max(w, 1))...).
			Prose("too small", "", "The window is too small for this page."))
	}
	return layout.Column(body(w, h-2), p.status(name), keys)
}

// status is the status line: a prompt, a message, or the page's own text.
func (p *page) status(name string) *layout.Box {
	st := p.Style
	painted := ""
	if name != "" {
		painted = st.Paint(st.Dim, st.Plain(name))
	}
	line := p.Status.Box(st, p.Width, p.jobs.Status(st.ASCII), painted)
	text, _ := p.Status.Message()
	if text == "" {
		text = name
	}
	switch {
	case p.Status.Open():
		return line.Prose("status", "", "The line in which you type.")
	case text == "":
		return line
	}
	return line.Prose("status", "", "The status line: "+quote(text, maxQuoted)+".")
}

// keys is the line of the keys or, while a prompt is open, of what can be typed.
func keys[M any](p *page, commands []widget.Command[M], shown string) *layout.Box {
	if p.Status.Open() {
		return p.Status.ExplainBox(p.Style, p.Width)
	}
	return widget.KeysBox(p.Style, widget.BindingsFor(commands, shown), p.Width)
}

// maxQuoted is the number of words of a text that a description quotes.
const maxQuoted = 30

// quote is the beginning of a text that somebody wrote, for a sentence.
func quote(text string, words int) string {
	return layout.Excerpt(sanitize.Text(strings.Join(strings.Fields(text), " ")), words)
}

// panel is a titled part of a page that is described.
func panel(st theme.Style, title string, body *layout.Box, w, h int, term, says string) *layout.Box {
	return layout.Panel(st, title, body, w, h, false).Section(title, term, says)
}

// number is a line with a number in it that a sentence describes.
func number(st theme.Style, w int, color theme.Color, text, name, says string) *layout.Box {
	line := layout.ShortenIn(st, " "+st.Paint(color, st.Plain(sanitize.Text(text))), w)
	return layout.Text(w, line).Number(name, "", says)
}

// cell is a text in exactly w columns.
func cell(st theme.Style, text string, w int) string {
	return layout.Fit(layout.ShortenIn(st, st.Plain(sanitize.Text(text)), w), w)
}
