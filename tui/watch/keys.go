package watch

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/lab"
	"bandscope/tui/screen"
	"bandscope/tui/watch/picture"
)

// command is a key of this screen as data.
type command = screen.Command[*Model]

// can is a command that always can, or says itself why not; unless one that can where off is empty.
func can(b key.Binding, do func(*Model) tea.Cmd) command { return unless(nil, b, do) }

func unless(off func(*Model) string, b key.Binding, do func(*Model) tea.Cmd) command {
	return screen.Do(b, off, do)
}

// own are the commands of the screen while no mode is on, those of its picture left out.
func own() []command {
	return slices.Concat(stepCommands(), recordCommands(), actCommands(), screen.Anywhere[*Model]())
}

// commands are those that hold now, with the picture's behind those that step.
func (m *Model) commands() []command {
	return slices.Concat(stepCommands(), m.pictured(), recordCommands(), actCommands(), screen.Anywhere[*Model]())
}

// pictured are the keys of the picture as commands of the screen.
func (m *Model) pictured() []command {
	list := m.picture.Commands()
	all := make([]command, len(list))
	for i, c := range list {
		all[i] = command{Binding: c.Binding, About: c.About, Do: func(m *Model, msg tea.KeyPressMsg) tea.Cmd {
			t := &picture.Turn{Place: m.place()}
			return tea.Batch(c.Do(t, msg), m.took(t))
		}}
		if c.Off != nil {
			all[i].Off = func(m *Model) string { return c.Off(&picture.Turn{Place: m.place()}) }
		}
	}
	return all
}

// took does what a key of the picture wanted.
func (m *Model) took(t *picture.Turn) tea.Cmd {
	m.changes++
	if t.Said != "" {
		m.say(t.Said)
	}
	switch {
	case !t.Again:
		return nil
	case m.jobs.Busy() && m.acting: // the picture of what comes of it has the choice
		return nil
	case m.jobs.Busy() && m.Running:
		m.other = true
		return nil
	}
	return m.look()
}

// hints are the keys of the bottom line, the most needed first: those that step, then the picture's first one, which in a small window leads to what there is
// no room for, and the others of the picture behind those that change the training.
const hints, changingHints, moreHints = "space b r", "e c", "n o w ? q"

func (m *Model) hinted() []key.Binding {
	pictured := screen.Named(m.pictured(), m.picture.Hints())
	first := pictured[:min(len(pictured), 1)]
	if m.reading() {
		return slices.Concat(screen.Named(own(), m.readingHints()), first, screen.Named(own(), "N h"), pictured[len(first):], screen.Named(own(), ": T o ? q"))
	}
	return slices.Concat(screen.Named(own(), hints), first, screen.Named(own(), changingHints), pictured[len(first):], screen.Named(own(), moreHints))
}

// readingHints are the first keys of the bottom line where a record is read.
func (m *Model) readingHints() string {
	if m.noQuestion() == "" {
		return "1-9 " + hints
	}
	return hints
}

// Groups lists every binding of this screen and of its pictures for the help.
func Groups() []screen.Group {
	groups := []screen.Group{screen.GroupOf("Labs (o)", own())}
	for _, l := range lab.Labs() {
		groups = append(groups, screen.GroupOf("In the lab "+l.Name, pictureOf(l).Commands()))
	}
	return groups
}

// Here tells what the keys do now.
func (m *Model) Here() screen.Here {
	if m.modes.Doing == nil {
		return screen.Here{Title: "a lab", Keys: screen.Keys(m, m.commands()), Typing: m.Status.Open()}
	}
	return screen.Here{Title: m.modes.Doing.Title(), Keys: m.modes.Keys(m.scene, screen.Keys(m, screen.Anywhere[*Model]())), Typing: m.Status.Open() || m.modes.Doing.Typing(),
		Text: func(msg tea.KeyPressMsg) bool { return m.modes.Text(m.scene, msg) }}
}

// key takes a key press: the prompt while it is open, the mode that has the keys, or a command.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if m.modes.Doing != nil && !m.Status.Open() {
		return m.modeKey(msg)
	}
	cmd, _ := screen.Take(m, &m.Status, m.commands(), msg)
	return cmd
}
