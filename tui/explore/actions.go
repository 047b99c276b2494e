package explore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/belief"
	"bandscope/tui/screen"
)

// key takes a key press in the current mode.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if key.Matches(msg, keys.Susp) {
		return tea.Suspend
	}
	if m.prompt.Open() {
		return m.prompt.Key(msg)
	}
	if !m.Typing() {
		m.notice = notice{}
		if key.Matches(msg, keys.Quit) {
			m.Stop()
			return send(QuitMsg{})
		}
		if off, _ := screen.Off(m, commands[m.mode], msg); off != "" {
			m.say(off)
			return nil
		}
	}
	switch m.mode {
	case noting:
		return m.noteKey(msg)
	case boxing:
		return m.boxKey(msg)
	case preferring:
		return m.preferKey(msg)
	case editing:
		return m.editKey(msg)
	case querying:
		return m.queryKey(msg)
	}
	return m.stepKey(msg)
}

// stepKey takes a key press while nothing is being edited.
func (m *Model) stepKey(msg tea.KeyPressMsg) tea.Cmd {
	sure := m.sure == msg.String()
	m.sure = ""
	switch {
	case m.asking() && key.Matches(msg, keys.Truth, keys.Compare, keys.Export):
		m.say("that would give the answer away: x chooses your point, space passes over")
	case key.Matches(msg, keys.Step):
		if m.reading() && m.ahead() && !m.jobs.Busy() {
			m.running = false
			return m.page()
		}
		return m.wantStep()
	case key.Matches(msg, keys.Back):
		return m.move(m.session.Back, "this is the start: there is nothing to go back to")
	case key.Matches(msg, keys.First):
		return m.move(func() bool { m.session.First(); return true }, "")
	case key.Matches(msg, keys.Last):
		return m.move(func() bool { m.session.Last(); return true }, "")
	case key.Matches(msg, keys.Run):
		return m.toggleRun()
	case key.Matches(msg, keys.Slower):
		return m.setSpeed(m.speed - 1)
	case key.Matches(msg, keys.Faster):
		return m.setSpeed(m.speed + 1)
	case key.Matches(msg, keys.Stop):
		m.stop()
	case key.Matches(msg, keys.Edit):
		m.startEdit()
	case key.Matches(msg, keys.Query):
		return m.startQuery()
	case key.Matches(msg, keys.Open):
		m.Stop()
		return send(OpenMsg{m.state.Config})
	case key.Matches(msg, keys.Compare):
		m.Stop()
		return send(CompareMsg{})
	case key.Matches(msg, keys.Save):
		return m.askPath()
	case key.Matches(msg, keys.Note):
		return m.startNote()
	case key.Matches(msg, keys.Resume):
		return m.resume(sure)
	default:
		if cmd, taken := m.recordKey(msg); taken {
			return cmd
		}
		return m.lookKey(msg)
	}
	return nil
}

// lookKey takes the keys that change what is looked at.
func (m *Model) lookKey(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, keys.Truth):
		m.reveal = !m.reveal
	case key.Matches(msg, keys.Trace):
		if m.several() && !m.view.Theory {
			m.steer.trace = (m.steer.trace + 1) % steerTraces
		} else if m.view.Theory {
			m.theory = (m.theory + 1) % belief.TheoryKinds
		} else {
			m.trace = m.nextTrace(m.trace)
		}
	case key.Matches(msg, keys.Theory):
		m.view.Theory = !m.view.Theory
		if m.view.Theory {
			return m.look()
		}
	case key.Matches(msg, keys.Redraw):
		return m.resample(m.view.Samples, m.view.Draw+1)
	case key.Matches(msg, keys.Fewer):
		return m.resample(m.view.Samples-1, m.view.Draw)
	case key.Matches(msg, keys.More):
		return m.resample(m.view.Samples+1, m.view.Draw)
	case key.Matches(msg, keys.PrevVar):
		return m.turn(-1)
	case key.Matches(msg, keys.NextVar):
		return m.turn(+1)
	}
	return m.planeKey(msg)
}

func send(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// wantStep steps, or queues a step behind the one that is under way; a picture that is still being filled in gives way.
func (m *Model) wantStep() tea.Cmd {
	m.running = false
	if m.jobs.Busy() && (m.acting || m.known == nil || m.known.head != m.state.Head) {
		m.queued = min(m.queued+1, 100)
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
	if m.running {
		m.running = false
		m.say("paused")
		return nil
	}
	m.running = true
	m.runs++
	m.say("running, " + m.speedName() + "; r pauses")
	if m.jobs.Busy() {
		return nil // it steps when the picture has come
	}
	return m.step()
}

func (m *Model) setSpeed(i int) tea.Cmd {
	m.speed = min(max(i, 0), len(speeds)-1)
	m.say("speed: " + m.speedName())
	return nil
}

func (m *Model) speedName() string {
	if speeds[m.speed] == 0 {
		return "as fast as it goes"
	}
	return fmt.Sprintf("%g a second", speeds[m.speed])
}

// stop ends the computation under way, and says so.
func (m *Model) stop() {
	busy := m.jobs.Busy()
	m.Stop()
	if busy {
		m.say("stopped; space goes on")
	}
	m.state = m.session.State()
}

func (m *Model) resample(count int, draw uint64) tea.Cmd {
	m.view.Samples, m.view.Draw = min(max(count, 0), maxSamples), draw
	m.plane.view.Draw = draw
	if m.planar {
		m.say(fmt.Sprintf("sample %d; 0 is the function that chooses, where there is one", draw))
		return m.look()
	}
	m.say(fmt.Sprintf("%d surrogate samples, draw %d", m.view.Samples, draw+1))
	return m.look()
}

// turn chooses the variable along the x axis.
func (m *Model) turn(by int) tea.Cmd {
	if m.steering {
		n := len(m.state.Problem.Objectives)
		m.steer.first = (m.steer.first + by + n) % n
		return nil
	}
	d := m.state.Problem.Dim()
	m.view.Variable = (m.view.Variable + by + d) % d
	m.turnPlane(by)
	return m.look()
}

// edit changes a parameter of the optimizer, as an event of the session.
func (m *Model) edit(name, text string) tea.Cmd {
	s, dir := m.session, m.dir
	return m.change("editing "+name, func(context.Context, func(string, int, int)) (string, error) {
		if err := s.Edit(name, text); err != nil {
			return "", err
		}
		return fmt.Sprintf("%s is now %s", name, text), s.Keep(dir)
	})
}

// evaluate queries the point that the person chose.
func (m *Model) evaluate(x []float64) tea.Cmd {
	s, dir, problem := m.session, m.dir, m.state.Problem
	return m.change("evaluating", func(ctx context.Context, _ func(string, int, int)) (string, error) {
		it, err := s.Query(ctx, x)
		if err != nil {
			return "", err
		}
		return describe(problem, it), s.Keep(dir)
	})
}

// resume leaves this session for the last one; if anything was done here, it asks first.
func (m *Model) resume(sure bool) tea.Cmd {
	if n := len(m.state.Iterations) + m.state.Ahead; n > 0 && !sure {
		kept := "which is saved"
		if !m.state.Saved {
			kept = "which is not saved"
		}
		m.sure = "R"
		m.Say(fmt.Sprintf("R again leaves this session of %d steps, %s, for %s · %s at step %d; any other key stays", n, kept, m.last.Problem, m.last.Optimizer, m.last.Steps), false)
		return nil
	}
	m.Stop()
	return send(ResumeMsg{m.last.Path})
}

// askPath asks for the file to save the session to.
func (m *Model) askPath() tea.Cmd {
	cfg, begun := m.state.Config, m.session.Started()
	start := sessions.NameFor(m.dir, cfg, begun)
	return m.prompt.Ask("save as", start, func(text string) tea.Cmd {
		path, err := expand(text)
		if err != nil {
			return m.prompt.Again(err.Error())
		}
		if !strings.HasSuffix(path, ".jsonl") {
			path += ".jsonl"
		}
		s, dir := m.session, m.dir
		return m.changeTyped("saving", func(context.Context, func(string, int, int)) (string, error) {
			if path == start { // as it was offered: if a file has that name, the next one that is free
				path = sessions.NewPath(dir, cfg, begun)
			}
			if err := s.SaveAs(path); err != nil {
				return "", err
			}
			return "saved as " + path, nil
		})
	})
}

// expand makes a typed path whole: ~ is the home folder.
func expand(text string) (string, error) {
	path := strings.TrimSpace(text)
	if path == "" {
		return "", fmt.Errorf("a file name is needed, such as run.jsonl")
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("finding the home folder: %w", err)
		}
		path = filepath.Join(home, rest)
	}
	return path, nil
}

// paste takes pasted text wherever text is being entered.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	if m.prompt.Open() {
		return m.prompt.Type(msg)
	}
	var cmd tea.Cmd
	switch {
	case m.mode == noting:
		return m.typeNote(msg)
	case m.mode == editing && m.editor.typing:
		m.editor.input, cmd = m.editor.input.Update(msg)
	case m.mode == querying && m.query.typing:
		m.query.input, cmd = m.query.input.Update(msg)
	default:
		m.say("pasted text goes nowhere here: open a field first, as n does for a note")
	}
	return cmd
}
