package compare

import (
	"cmp"
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/tui/widget"
)

// steppedMsg says that a step is done.
type steppedMsg struct {
	said string
	err  error
}

// pause is how long a picture is shown while running.
const pause = 150 * time.Millisecond

// wantStep steps, or queues a step after the running one.
func (m *Model) wantStep() tea.Cmd {
	m.work.Running = false
	if m.work.jobs.Busy() && m.work.acting {
		m.work.Queue()
		return nil
	}
	return m.step()
}

func (m *Model) toggleRun() tea.Cmd {
	if !m.work.Toggle() {
		m.Notify("paused")
		return nil
	}
	m.Notify("running; r pauses")
	if m.work.jobs.Busy() {
		return nil
	}
	return m.step()
}

// step does one iteration: of the session that all share, or in a race of each method that is behind the others. It asks
// first whether the file of a protected session may change.
func (m *Model) step() tea.Cmd {
	if m.arrangement == racing {
		return m.stepRacers()
	}
	if m.base.Protected() && m.base.State().Ahead == 0 {
		m.Stop()
		m.Status.AskToContinue(m.base, library.FreePath(m.base.Path()), m.stepBase, m.updatePictures)
		return nil
	}
	return m.stepBase(func() error { return nil })
}

func (m *Model) stepRacers() tea.Cmd {
	racers := m.behind()
	if st := racers[0].State(); m.work.Running && len(st.Iterations) >= st.Config.Budget {
		m.work.Running = false
		m.Notify(fmt.Sprintf("the budget of %s is spent; space continues anyway",
			widget.Count(st.Config.Budget, "step")))
		return nil
	}
	m.work.acting = true
	return m.work.jobs.Start("stepping", func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		return steppedMsg{err: stepAll(ctx, racers, progress)}
	})
}

// stepBase steps the session that all share, after begin.
func (m *Model) stepBase(begin func() error) tea.Cmd {
	m.work.acting = true
	base := m.base
	dir := m.dir
	return m.work.jobs.Start("stepping", func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		if err := begin(); err != nil {
			return steppedMsg{err: err}
		}
		it, err := base.Step(ctx, progress)
		if err != nil {
			return steppedMsg{err: err}
		}
		return steppedMsg{fmt.Sprintf("step %d: %s evaluated %s", it.Step, it.By,
			widget.Point(base.State().Problem.Domain, it.Points[0].X)), library.Save(base, dir)}
	})
}

// goOn steps again after a while, if it is running.
func (m *Model) goOn() tea.Cmd { return m.work.After(pause) }

// behind are the racers with the fewest iterations: one that was replaced catches up.
func (m *Model) behind() []*sessions.Session {
	least := -1
	var out []*sessions.Session
	for _, p := range m.panes {
		switch n := len(p.racer.State().Iterations); {
		case least < 0 || n < least:
			least, out = n, []*sessions.Session{p.racer}
		case n == least:
			out = append(out, p.racer)
		}
	}
	return out
}

// stepAll steps every racer; the first error is returned.
func stepAll(ctx context.Context, racers []*sessions.Session, progress sessions.Progress) error {
	errs := make([]error, len(racers))
	parallel.Do(len(racers), func(i int) { _, errs[i] = racers[i].Step(ctx, progress) })
	return cmp.Or(errs...)
}

// back goes one step back: the session that all share, or every racer.
func (m *Model) back() tea.Cmd {
	m.Stop()
	moved := false
	if m.arrangement == racing {
		for _, p := range m.panes {
			moved = p.racer.Back() || moved
		}
	} else {
		moved = m.base.Back()
	}
	if !moved {
		m.Notify("this is the start; you cannot go back further")
	}
	return m.updatePictures()
}

// escape stops the computation; if nothing is computed, it leaves.
func (m *Model) escape() tea.Cmd {
	if m.work.jobs.Busy() || m.work.Running || m.decision.jobs.Busy() {
		m.decision.shown = m.decision.shown && !m.decision.jobs.Busy()
		m.Stop()
		m.Notify("stopped; space continues")
		return nil
	}
	return widget.Request(widget.Close{})
}
