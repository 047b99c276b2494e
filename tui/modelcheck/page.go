package modelcheck

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// page is the common part of both screens: a snapshot of a session, a report on it that is made off the update loop,
// a list with one selected entry, and the views of a window that is too small for all of them at once.
type page[R any] struct {
	widget.Base

	session *sessions.Session
	at      sessions.Snapshot
	state   sessions.State
	report  *R     // nil while the first one is made
	failed  string // why there is no report
	chosen  int    // the selected entry of the list
	view    int    // of those of a small window
	jobs    widget.Jobs
}

func newPage[R any](s *sessions.Session) page[R] {
	snapshot := s.Snapshot()
	return page[R]{Base: widget.NewBase(), session: s, at: snapshot, state: snapshot.State()}
}

// resultMsg brings what a job made: apply shows it, on the update loop.
type resultMsg struct {
	apply func() tea.Cmd
	err   error
}

// start runs a job off the update loop; what it returns is run on it.
func (p *page[R]) start(doing string, job func(context.Context, sessions.Progress) (apply func() tea.Cmd,
	err error)) tea.Cmd {
	return p.jobs.Start(doing, func(ctx context.Context, progress func(string, int, int)) tea.Msg {
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
		p.Status.Fail(msg)
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

// entries are the commands that select the entry above and below, up to the last one.
func entries[M any, R any](pageFor func(M) *page[R], last func(M) int, list widget.List[M]) []widget.Command[M] {
	list.Shown = "up/down"
	list.Up = "up k"
	list.Down = "down j"
	list.Ends = [2]string{"this is the first entry", "this is the last entry"}
	list.Row = func(m M) (*int, int) {
		if p := pageFor(m); p.report == nil {
			return &p.chosen, 0
		}
		return &pageFor(m).chosen, last(m) + 1
	}
	return list.Commands()
}

// minWide and minHigh are the size of a window from which on it shows all views at once.
const minWide, minHigh = 100, 30

// small reports whether the window shows one view at a time.
func (p *page[R]) small() bool { return p.Width < minWide || p.Height < minHigh }

// turnView are the commands that show another of n views.
func turnView[M any, R any](pageFor func(M) *page[R], n int) []widget.Command[M] {
	off := func(m M) string {
		if !pageFor(m).small() {
			return "all views are shown in this window"
		}
		return ""
	}
	step := func(shown string, step int, keys string) widget.Command[M] {
		return widget.NewCommand(widget.Bind(shown, "next view", keys), off, func(m M) tea.Cmd {
			pageFor(m).view = (pageFor(m).view + step + n) % n
			return nil
		})
	}
	return []widget.Command[M]{step("tab", 1, "tab").Long("the next view, in a window that is too small for all of them"),
		step("", -1, "shift+tab")}
}

// noBreak is a space at which no line is broken, and together puts it between what belongs together.
const noBreak = "\u00a0"

var together = strings.NewReplacer(" ± ", noBreak+"±"+noBreak, " = ", noBreak+"="+noBreak, " %", noBreak+"%")

// forecast simulates further runs off the update loop, for the advice on stopping; nil if that is known or has no model.
func (p *page[R]) forecast() tea.Cmd {
	if p.state.Spec.NoBand || len(p.state.Iterations) == 0 || diagnostics.CachedForecast(p.state) != nil {
		return nil
	}
	snapshot := p.at
	return p.start("simulating further runs", func(ctx context.Context, progress sessions.Progress) (func() tea.Cmd,
		error) {
		_, err := diagnostics.StoppingAdvice(ctx, snapshot, progress) // which caches the forecast
		return func() tea.Cmd { return nil }, err
	})
}

// stopping is the advice on stopping below the answer, without rows until it is known.
func (p *page[R]) stopping(w int) *layout.Box {
	f := diagnostics.CachedForecast(p.state)
	if f == nil || p.report == nil {
		return layout.New(w, 0)
	}
	color, says := p.Style.Good, fmt.Sprintf(
		"The advice on stopping. It depends on a simulation of %d further runs on draws of the model: stop if a worthwhile improvement has a probability of at most 5 %%.",
		f.Horizon())
	if why := f.Why(); why != "" {
		color, says = p.Style.Warn, "Why there is no advice on stopping: "+layout.Excerpt(why, maxWords)+"."
	}
	lines := p.paragraph(layout.Excerpt(f.Advice(), maxWords), color, w)
	if p.small() && len(lines) > 1 { // in one row
		lines = p.paragraph(layout.ShortenIn(p.Style, layout.Excerpt(f.Advice(), maxWords), w-2), color, w)
	}
	return layout.Text(w, lines...).
		Prose("stopping advice", "EI", says)
}

// paragraph is text in lines of a width; the part before the colon is emphasized.
func (p *page[R]) paragraph(text string, color theme.Color, w int) []string {
	st := p.Style
	lines := layout.Wrap(together.Replace(st.Plain(sanitize.Text(text))), max(w-2, 1))
	head, _, colon := strings.Cut(lines[0], ":")
	for i, l := range lines {
		l = strings.ReplaceAll(l, noBreak, " ")
		lines[i] = " " + st.Paint(st.Text, l)
		if i == 0 && colon {
			lines[i] = " " + st.PaintBold(color, head+":") + st.Paint(st.Text, l[len(head)+1:])
		}
	}
	return lines
}

// answer is the panel with the sentence that the screen begins with, and with the advice on stopping. The text before
// the colon is emphasized.
func (p *page[R]) answer(title, text string, color theme.Color, term, says string) *layout.Box {
	st, w := p.Style, p.Width
	body := layout.Column(layout.Text(w-2, p.paragraph(text, color, w-2)...).Prose("answer", term, says).
		Important(layout.ImportanceMain), p.stopping(w-2))
	return layout.Panel(st, st.Plain(sanitize.Text(title)), body, w, body.H+2, true).
		Section(title, term, "The answer in one sentence, before the pictures that it comes from.")
}

// noAnswer is the panel in place of the answer while there is no report; text names the running computation.
func (p *page[R]) noAnswer(title, text, term string) *layout.Box {
	if p.failed != "" {
		text = "There is no answer: " + strings.TrimSuffix(p.failed, ".") + "."
	}
	return p.answer(title, text, p.Style.Dim, term, "The answer is not known yet.")
}

// keyFor is how the key of a command is shown that does this.
func keyFor[M any](commands []widget.Command[M], does string) string {
	for _, c := range commands {
		if c.Help().Desc == does {
			return c.Help().Key
		}
	}
	return does
}

// stoppedText is why a panel is empty whose computation was stopped.
const stoppedText = "the computation was stopped"

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

// frame is a body above the status line, which shows a message, the progress or else status, and the keys that are
// enabled; says and term describe status.
func frame[M any, R any](m M, p *page[R], commands []widget.Command[M], body *layout.Box, status, says,
	term string) *layout.Box {
	switch message, _ := p.Status.Message(); {
	case message != "":
		says = "The answer to the last key: " + message + "."
	case p.jobs.Busy():
		says = "A computation is running; esc stops it, and the current report stays."
	}
	line := layout.Text(p.Width, p.Status.Line(p.Style, p.jobs.Status(p.Style.ASCII), status))
	if says != "" {
		line.Prose("status", term, says)
	}
	off := func(c widget.Command[M]) bool { return c.DisabledReason != nil && c.DisabledReason(m) != "" }
	keys := widget.Bindings(slices.DeleteFunc(commands, off))
	return layout.Column(body, line, widget.KeysBox(p.Style, keys, p.Width))
}
