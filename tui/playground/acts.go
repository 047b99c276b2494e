package playground

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/tui/player"
)

// chain is the acts that are being recorded: one after the other, in their order, each on a goroutine of its own. None
// is dropped if another follows, or if the screen is left.
type chain struct {
	last        chan struct{} // is closed when the last act is done; nil before the first
	outstanding int           // acts whose result the screen has not seen
}

// wait returns when all acts are done.
func (c *chain) wait() {
	if c.last != nil {
		<-c.last
	}
}

// recordedMsg is the result of an act.
type recordedMsg struct {
	of       *Model
	said     string
	err, aid error // what went wrong, and why the session is not on disk
	act      bool  // it is one of the player
}

// record does an act on the session after those before it, and keeps the session on disk.
func (m *Model) record(doing string, do func(*sessions.Session) (text string, err error)) tea.Cmd {
	s := m.session
	act := player.Act{Doing: doing, Records: true, Do: func(context.Context, sessions.Progress) (string, error) {
		return do(s)
	}}
	if cmd, asks := player.Guard(m, act); asks {
		return cmd
	}
	return m.enqueue(doing, true, false, do)
}

func (m *Model) enqueue(doing string, keep, act bool, do func(*sessions.Session) (string, error)) tea.Cmd {
	before, done := m.chain.last, make(chan struct{})
	m.chain.last = done
	m.chain.outstanding++
	s, dir := m.session, m.Dir
	return func() tea.Msg {
		defer close(done)
		if before != nil {
			<-before
		}
		msg := recordedMsg{of: m, act: act}
		if p := parallel.Catch(func() {
			msg.said, msg.err = do(s)
			if keep {
				msg.aid = library.Save(s, dir)
			}
		}); p != nil {
			msg.err = fmt.Errorf("internal error while %s: %v; the session is safe", doing, p.Value)
		}
		return msg
	}
}

// recorded takes the result of an act. When none is outstanding, the session's state is shown.
func (m *Model) recorded(msg recordedMsg) tea.Cmd {
	if msg.of != m {
		return nil
	}
	m.chain.outstanding--
	var cmd tea.Cmd
	if msg.act || msg.err != nil || msg.aid != nil {
		cmd = player.ActDone(m, msg.said, msg.err, msg.aid)
	}
	for _, it := range m.items {
		it.recorded = it.recorded || m.chain.outstanding == 0 && it.result.Step > 0
	}
	m.Refresh()
	return tea.Batch(cmd, m.compute())
}

// Apply does an act of the player.
func (m *Model) Apply(a player.Act) tea.Cmd {
	if cmd, asks := player.Guard(m, a); asks {
		return cmd
	}
	m.Begin(a)
	return m.enqueue(a.Doing, a.Records, true, func(*sessions.Session) (string, error) {
		return a.Do(context.Background(), func(string, int, int) {})
	})
}

// moveTo moves along the record.
func (m *Model) moveTo(doing string, apply func(*sessions.Session)) tea.Cmd {
	m.chosen = selection{}
	return m.enqueue(doing, false, false, func(s *sessions.Session) (string, error) { apply(s); return "", nil })
}

func (m *Model) atStart() string {
	if m.Line.At > 0 || m.chain.outstanding > 0 || m.draft.open() {
		return ""
	}
	return "there is nothing to undo"
}

func (m *Model) atEnd() string {
	if m.Ahead() || m.chain.outstanding > 0 {
		return ""
	}
	return "there is nothing to redo"
}
