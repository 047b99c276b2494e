package compare

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// decisionState is the comparison of the decisions of two panes: the selected one and the next.
type decisionState struct {
	jobs       widget.Jobs
	shown      bool
	refit      bool       // results are left out by training again
	decisions  *decisions // nil while there is none
	key        string     // identifies the inputs of decisions
	pendingKey string     // the same of the one under way
	failed     string     // why there is none
}

// decidedMsg delivers where two panes agree.
type decidedMsg struct {
	made *decisions
	of   string
	err  error
}

// comparedPanes are the panes whose decisions are compared.
func (m *Model) comparedPanes() (a, b int) { return m.selected, (m.selected + 1) % len(m.panes) }

// decide computes where the two panes agree, if that is shown and not up to date.
func (m *Model) decide() tea.Cmd {
	d := &m.decision
	if !d.shown || len(m.panes) < 2 || m.arrangement == racing || m.work.waiting > 0 || m.work.acting {
		return nil
	}
	i, j := m.shown.window.X, m.shown.window.Y
	if !m.shown.planar {
		i, j = m.shown.view.X, -1
	}
	if m.several() && m.base.State().Problem.Dim() > 1 {
		i, j = 0, 1
	}
	a, b := m.comparedPanes()
	key := fmt.Sprintf("%p %p %s %d %d %v", m.panes[a].alt, m.panes[b].alt, m.base.State().Head, i, j, d.refit)
	if d.key == key || d.pendingKey == key {
		return nil
	}
	var sides [2]decisionSide
	for k, index := range []int{a, b} {
		sides[k] = decisionSide{Letter: letter(index), Title: m.paneTitle(m.panes[index]), Color: m.Style.Series[index],
			Line: lines[index], Suggester: m.panes[index].alt}
	}
	d.pendingKey, d.failed = key, ""
	refit := d.refit
	return d.jobs.Start(fmt.Sprintf("comparing %s with %s", letter(a), letter(b)),
		func(ctx context.Context, progress func(string, int, int)) tea.Msg {
			made, err := compareDecisions(ctx, sides, i, j, refit, progress)
			return decidedMsg{made, key, err}
		})
}

// decided takes where two panes agree.
func (m *Model) decided(msg tea.Msg) {
	d := &m.decision
	d.jobs.Finish()
	d.pendingKey = ""
	switch msg := msg.(type) {
	case decidedMsg:
		if errors.Is(msg.err, context.Canceled) {
			return
		}
		d.key = msg.of // it is not asked for again where it failed
		d.decisions = msg.made
		if msg.err != nil {
			d.failed = msg.err.Error()
		}
	case widget.PanicMsg:
		d.shown = false
		m.Status.Fail(msg)
	}
}

// agree shows or hides where the selected pane and the next one agree.
func (m *Model) agree() tea.Cmd {
	d := &m.decision
	d.shown = !d.shown
	if !d.shown {
		d.jobs.Stop()
		d.pendingKey = ""
		return nil
	}
	if m.shown.view.Theory {
		m.shown.view.Theory = false
		return m.updatePictures()
	}
	return nil
}

func (m *Model) noAgreement() string {
	switch {
	case len(m.panes) < 2:
		return onePane
	case m.arrangement == racing:
		return "in a race each method has its own data; R ends it"
	}
	return ""
}

func (m *Model) notAgain() string {
	switch d := &m.decision; {
	case !d.shown || d.decisions == nil:
		return "w shows where two panes agree"
	case d.refit:
		return "both methods were already refitted without each result"
	case d.decisions.MissingReason() == "":
		return "the exact result is shown; refitting is not needed"
	}
	return ""
}

// agreement draws where the two panes agree.
func (m *Model) agreement(w, h int) *layout.Box {
	d, st := &m.decision, m.Style
	if d.failed == "" && d.decisions != nil {
		return m.cache.Box("decisions", fmt.Sprintf("%p %d %d %s", d.decisions, w, h, st.Key()), func() *layout.Box {
			return d.decisions.Panel(st, w, h)
		})
	}
	body := layout.Column(layout.Space(0, 1), layout.Line(" "+st.Paint(st.Dim, st.Plain("computing…"))))
	if d.failed != "" {
		body = layout.Sentence(st, st.Error, d.failed, w-2, h-2).
			Prose("why it is empty", "", "Why nothing is drawn here: "+layout.Excerpt(d.failed, maxWords)+".")
	}
	return layout.Panel(st, "where they agree", body, w, h, false).
		Section("where they agree", "acquisition",
			"Where the selected pane and the next one agree about what to evaluate next.")
}
