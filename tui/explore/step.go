package explore

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explore/acts"
	"bandscope/tui/screen"
)

// pace is whether steps are taken by themselves, and how fast.
type pace struct {
	screen.Pace
	speed screen.Speed
}

// fastest reports whether the next step is taken as soon as it can be.
func (p *pace) fastest() bool { return p.Running && p.speed == screen.Fastest }

// wait brings the time of the next step, if one is to be taken.
func (p *pace) wait() tea.Cmd { return p.After(p.speed.Pause()) }

// stepCommands go on, back and along.
func stepCommands() []command {
	return []command{
		can(screen.Bind("space", "step", "space"), (*Model).onward).Long("one iteration on, or one place of what is on record"),
		{Binding: screen.Bind("1-9", "answer: what a lesson asks", "1", "2", "3", "4", "5", "6", "7", "8", "9"), Off: (*Model).noChoice, Do: (*Model).choose},
		unless((*Model).noAsking, screen.Bind("S", "ask for several", "S"), (*Model).askTogether).Long("ask for several points at once, which share a value or are apart, where a person evaluates"),
		can(screen.Bind("b", "back", "b", "left"), func(m *Model) tea.Cmd {
			return m.move(m.session.Back, "this is the start: there is nothing to go back to")
		}).Long("one back"),
		unless((*Model).atStart, screen.Bind("g", "first", "g", "home"), func(m *Model) tea.Cmd {
			return m.move(func() bool { m.session.First(); return true }, "")
		}).Long("the first place"),
		unless((*Model).atEnd, screen.Bind("G", "last", "G", "end"), func(m *Model) tea.Cmd {
			return m.move(func() bool { m.session.Last(); return true }, "")
		}).Long("the last"),
		unless((*Model).noRun, runKey, (*Model).toggleRun).Long("run and pause"),
		can(screen.Bind(",", "slower", ",", "<"), func(m *Model) tea.Cmd { return m.setSpeed(-1) }),
		can(screen.Bind(".", "faster", ".", ">"), func(m *Model) tea.Cmd { return m.setSpeed(+1) }),
		unless((*Model).nothingToStop, screen.Bind("esc", "stop", "esc"), (*Model).escape).Long("stop what is being computed; of a cell of a study go back to that"),
	}
}

var runKey = screen.Bind("r", "run", "r")

// onward takes a step, or turns a page of what is on record.
func (m *Model) onward() tea.Cmd {
	if m.reading() && m.ahead() && !m.jobs.Busy() {
		m.Running = false
		return m.readOn()
	}
	return m.wantStep()
}

func (m *Model) atStart() string {
	if m.line.At > 0 || m.Busy() {
		return ""
	}
	return "this is the first place"
}

func (m *Model) atEnd() string {
	if m.ahead() || m.Busy() {
		return ""
	}
	return "this is the last place; space goes on"
}

// nothingToStop is why esc does nothing.
func (m *Model) nothingToStop() string {
	if m.above != "" {
		return ""
	}
	return m.idle()
}

// escape stops what is being computed; where nothing is, a cell is left for its study.
func (m *Model) escape() tea.Cmd {
	if m.above != "" && m.idle() != "" {
		return m.leave(screen.Study{})
	}
	return m.stop()
}

func (m *Model) idle() string {
	if m.Busy() || m.Running || m.Queued > 0 {
		return ""
	}
	return "nothing is being computed: there is nothing to stop"
}

// wantStep steps, or queues a step behind the one that is under way; a picture that is still being filled in gives way.
func (m *Model) wantStep() tea.Cmd {
	m.Running = false
	if m.jobs.Busy() && (m.acting || m.told == nil || m.told.Head != m.state.Head) {
		m.Queue()
		return nil
	}
	return m.step()
}

// move goes elsewhere in the session; where it cannot, it says why.
func (m *Model) move(to func() bool, why string) tea.Cmd {
	m.Stop()
	if !to() {
		m.say(why)
	}
	return m.look()
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
	return m.step()
}

func (m *Model) setSpeed(by int) tea.Cmd {
	m.speed = m.speed.By(by)
	m.say("speed: " + m.speed.String())
	return nil
}

// stop ends the computation under way, and says so.
func (m *Model) stop() tea.Cmd {
	busy, acting := m.jobs.Busy(), m.acting
	m.Stop()
	if busy {
		m.say("stopped; space goes on")
	}
	m.stand(m.snapshot())
	if busy && acting { // the model stands where it stood before
		return m.judge()
	}
	return nil
}

// step does one iteration, or turns a page of what is on record.
func (m *Model) step() tea.Cmd {
	if m.reading() && m.ahead() {
		return m.turnPage()
	}
	if m.reading() && m.Running {
		m.Running = false
		m.say("this is the end of the record; space goes on from here")
		m.jobs.Finish()
		return nil
	}
	if over := m.state.Over(); m.Running && m.state.Ahead == 0 && over != "" {
		m.Running = false
		m.say(over + "; space goes on all the same")
		if m.told != nil && m.told.Partial {
			return m.look()
		}
		m.jobs.Finish()
		return nil
	}
	if m.asksForNext() {
		m.Running = false
		return m.alter(acts.Ask{})
	}
	return m.alter(acts.Step{Problem: m.state.Problem})
}
