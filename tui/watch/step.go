package watch

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/lab"
	"bandscope/tui/screen"
)

// sizes are the updates that a step can have, and usual is the one that it has first: that of the updates between which models are judged. A step of more is
// taken in places of so many, each of which is seen.
var sizes = [...]int{1, 2, 5, 10, 20, 50, 100}

const usual = 3

// pace is how many updates a step has, and whether steps are taken by themselves, and how fast.
type pace struct {
	screen.Pace
	speed screen.Speed
	size  int // among the sizes
}

// stepCommands go on, back and along.
func stepCommands() []command {
	return []command{
		can(screen.Bind("space", "step", "space"), (*Model).onward).Long("so many updates on, or one place of what is on record"),
		unless((*Model).smallest, screen.Bind("- +", "fewer, more updates a step", "-", "_"), func(m *Model) tea.Cmd { return m.resize(-1) }).Long("fewer, more updates a step, each ten of which are a place on record"),
		unless((*Model).largest, screen.Bind("", "fewer, more updates a step", "+", "="), func(m *Model) tea.Cmd { return m.resize(+1) }),
		unless((*Model).atStart, screen.Bind("b", "back", "b", "left"), func(m *Model) tea.Cmd { return m.move((*lab.Session).Back) }).Long("one place back"),
		unless((*Model).atStart, screen.Bind("g", "first", "g", "home"), func(m *Model) tea.Cmd {
			return m.move(func(s *lab.Session) bool { s.First(); return true })
		}).Long("the first place"),
		unless((*Model).atEnd, screen.Bind("G", "last", "G", "end"), func(m *Model) tea.Cmd {
			return m.move(func(s *lab.Session) bool { s.Last(); return true })
		}).Long("the last"),
		can(runKey, (*Model).toggleRun).Long("run and pause"),
		can(screen.Bind(",", "slower", ",", "<"), func(m *Model) tea.Cmd { return m.setSpeed(-1) }),
		can(screen.Bind(".", "faster", ".", ">"), func(m *Model) tea.Cmd { return m.setSpeed(+1) }),
		{Binding: screen.Bind("esc", "stop, or leave", "esc"), Do: (*Model).escape},
	}
}

var runKey = screen.Bind("r", "run", "r")

// onward trains, or turns a page of what is on record.
func (m *Model) onward() tea.Cmd {
	m.Running = false
	if m.jobs.Busy() && (m.acting || m.knownOf != m.state.Head) {
		m.Queue()
		m.queueRest()
		return nil
	}
	if m.asking() && !m.passOver() {
		m.say(m.askingSays() + "; space again passes over")
		return nil
	}
	m.queueRest()
	return m.step()
}

// queueRest queues the other places of a step; of what is on record one is gone over at once.
func (m *Model) queueRest() {
	for range sizes[m.size]/sizes[usual] - 1 {
		if m.state.Ahead == 0 {
			m.Queue()
		}
	}
}

// step trains, or goes to the next place on record.
func (m *Model) step() tea.Cmd {
	if m.Running && m.asking() {
		m.Running = false
		m.say(m.askingSays() + "; space passes over")
		m.jobs.Finish()
		return nil
	}
	if m.Running && m.replay && m.state.Ahead == 0 {
		m.Running, m.replay = false, false
		m.say("this is the end of the record; space goes on from here")
		m.jobs.Finish()
		return nil
	}
	if over := m.over(); over != "" {
		m.Halt()
		m.jobs.Finish()
		m.say(over)
		return nil
	}
	m.beside.Rewind()
	n, trains := min(sizes[m.size], sizes[usual]), m.state.Ahead == 0 // to turn a page puts nothing on record
	return m.alter(act{doing: "training", keeps: trains, do: func(ctx context.Context, s *lab.Session, progress sessions.Progress) (string, error) {
		_, err := s.Step(ctx, n, progress)
		return "", err
	}})
}

// over says why there is no next place; empty where there is one.
func (m *Model) over() string {
	if m.state.Ahead > 0 {
		return ""
	}
	return m.state.Ended()
}

func (m *Model) smallest() string {
	if m.size == 0 {
		return "a step is one update: there is no smaller one"
	}
	return ""
}

func (m *Model) largest() string {
	if m.size == len(sizes)-1 {
		return fmt.Sprintf("a step is %d updates at most; r runs", sizes[m.size])
	}
	return ""
}

// resize gives a step another size.
func (m *Model) resize(by int) tea.Cmd {
	m.size += by
	m.say("a step: " + updates(sizes[m.size]))
	return nil
}

func updates(n int) string { return screen.Counted(n, "update") }

func (m *Model) atStart() string {
	if m.line.At > 0 || m.jobs.Busy() {
		return ""
	}
	return "this is the start: there is nothing to go back to"
}

func (m *Model) atEnd() string {
	if m.state.Ahead > 0 || m.jobs.Busy() {
		return ""
	}
	if over := m.over(); over != "" {
		return over
	}
	return "this is the last place; space goes on"
}

// move goes elsewhere in the session.
func (m *Model) move(to func(*lab.Session) bool) tea.Cmd {
	m.Stop()
	m.beside.Rewind()
	return m.alter(act{doing: "going there", do: func(_ context.Context, s *lab.Session, _ sessions.Progress) (string, error) {
		to(s)
		return "", nil
	}})
}

func (m *Model) toggleRun() tea.Cmd {
	if !m.Toggle() {
		m.say("paused")
		return nil
	}
	m.say("running, " + m.speed.String() + "; r pauses")
	if m.jobs.Busy() {
		return nil // it steps when the picture has come
	}
	m.queueRest()
	return m.step()
}

func (m *Model) setSpeed(by int) tea.Cmd {
	m.speed = m.speed.By(by)
	m.say("speed: " + m.speed.String())
	return nil
}

// escape stops what is computed; if nothing is, it leaves for the explorer, when it is asked to again.
func (m *Model) escape(msg tea.KeyPressMsg) tea.Cmd {
	if m.jobs.Busy() || m.Running || m.Queued > 0 {
		m.Stop()
		m.say("stopped; space goes on")
		return m.look()
	}
	if !m.Status.Of(msg) {
		kept := "which is saved"
		if !m.state.Saved {
			kept = "which is not saved"
		}
		m.say("esc again leaves this lab, " + kept + ", for the explorer; else it stays")
		return nil
	}
	return m.leave(screen.Close{})
}
