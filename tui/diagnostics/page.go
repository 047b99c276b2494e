package diagnostics

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// page is the common part of both screens: a snapshot of a session, a report on it that is made off the update loop,
// and a list with one selected entry.
type page[R any] struct {
	widget.Base

	session *sessions.Session
	at      sessions.Snapshot
	state   sessions.State
	report  *R     // nil while the first one is made
	failed  string // why there is no report
	chosen  int    // the selected entry of the list
	jobs    widget.Jobs
}

func newPage[R any](s *sessions.Session) page[R] {
	at := s.Snapshot()
	return page[R]{Base: widget.NewBase(), session: s, at: at, state: at.State()}
}

// resultMsg brings what a job made: apply shows it, on the update loop.
type resultMsg struct {
	apply func() tea.Cmd
	err   error
}

// start runs a job off the update loop; what it returns is run on it.
func (p *page[R]) start(what string, job func(context.Context, sessions.Progress) (apply func() tea.Cmd,
	err error)) tea.Cmd {
	return p.jobs.Start(what, func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		apply, err := job(ctx, progress)
		return resultMsg{apply, err}
	})
}

// Stop cancels the running job.
func (p *page[R]) Stop() { p.jobs.Stop() }

// update takes a message of the page m with these commands.
func update[M any, R any](m M, p *page[R], commands []widget.Command[M], msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case widget.DoneMsg:
		if inner, ok := p.jobs.Take(msg); ok {
			p.jobs.Finish()
			return p.done(inner)
		}
	case widget.TickMsg:
		return p.jobs.Tick(msg)
	case tea.KeyPressMsg:
		cmd, _ := widget.Take(m, &p.Status, commands, msg)
		return cmd
	}
	return nil
}

// done takes the result of a job. The current report stays if another one fails.
func (p *page[R]) done(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case resultMsg:
		if msg.err == nil {
			return msg.apply()
		}
		if p.report == nil {
			p.failed = msg.err.Error()
		}
		p.Status.Fail(msg.err)
	case widget.PanicMsg:
		p.Status.Fail(fmt.Errorf("internal error: %s; no data is lost", msg.Reason))
	}
	return nil
}

// leave goes back to the explorer; while a report is shown, esc first stops a running job.
func (p *page[R]) leave(press tea.KeyPressMsg) tea.Cmd {
	if press.String() == "esc" && p.jobs.Stop() && p.report != nil {
		p.Say("stopped", false)
		return nil
	}
	return widget.Request(widget.Close{})
}

// busy is why no job can start, with the reason where there is no report.
func (p *page[R]) busy(without string) string {
	switch {
	case p.jobs.Busy():
		return "a computation is running; esc stops it"
	case p.report == nil:
		return without
	}
	return ""
}

func (p *page[R]) atTop() string {
	if p.report == nil || p.chosen == 0 {
		return "this is the first entry"
	}
	return ""
}

// move are the commands that select the entry above and below, up to the last one. The hint is shown while there is an
// entry in its direction, −1 or 1.
func move[M any, R any](of func(M) *page[R], last func(M) int, hint int, does, long string) []widget.Command[M] {
	off := map[int]func(M) string{
		-1: func(m M) string { return of(m).atTop() },
		1: func(m M) string {
			if p := of(m); p.report == nil || p.chosen >= last(m) {
				return "this is the last entry"
			}
			return ""
		},
	}
	keys := map[int][]string{-1: {"up", "k"}, 1: {"down", "j"}}
	step := func(shown string, by int) widget.Command[M] {
		return widget.NewCommand(widget.Bind(shown, does, keys[by]...), off[by], func(m M) tea.Cmd {
			of(m).chosen += by
			return nil
		})
	}
	return []widget.Command[M]{step("up/down", hint).Long(long), step("", -hint)}
}

// missingReason is why there is no report; empty where there is one.
func (p *page[R]) missingReason() string {
	switch {
	case p.failed != "":
		return sanitize.Text(p.failed)
	case p.report == nil:
		return "computing the report…"
	}
	return ""
}

// frame is a body above the status line, which shows a message, the progress or else own, and the keys that are
// enabled; says and term describe own.
func frame[M any, R any](m M, p *page[R], commands []widget.Command[M], body *layout.Box, own, says,
	term string) *layout.Box {
	switch said, _ := p.Status.Message(); {
	case said != "":
		says = "The answer to the last key: " + said + "."
	case p.jobs.Busy():
		says = "A computation is running; esc stops it, and the current report stays."
	}
	line := layout.Text(p.Width, p.Status.Line(p.Style, p.jobs.Status(p.Style.ASCII), own))
	if says != "" {
		line.Prose("status", term, says)
	}
	off := func(c widget.Command[M]) bool { return c.DisabledReason != nil && c.DisabledReason(m) != "" }
	keys := widget.Bindings(slices.DeleteFunc(commands, off))
	return layout.Column(body, line, widget.KeysBox(p.Style, keys, p.Width))
}
