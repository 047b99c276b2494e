package labs

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/training"
	"bandscope/tui/labs/panel"
	"bandscope/tui/lessonpage"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// command is a key of this screen as data.
type command = widget.Command[*Model]

var can, unless = widget.Can[*Model], widget.Unless[*Model]

// screenCommands are the commands of the screen while no mode is active, without those of its picture.
func screenCommands() []command {
	return slices.Concat(stepCommands(), recordCommands(), actCommands(), widget.GlobalCommands[*Model]())
}

// commands are the current ones, with the picture's behind those that step.
func (m *Model) commands() []command {
	return slices.Concat(stepCommands(), m.pictureCommands(), recordCommands(), actCommands(),
		widget.GlobalCommands[*Model]())
}

// pictureCommands are the keys of the picture as commands of the screen.
func (m *Model) pictureCommands() []command {
	list := m.picture.Commands()
	all := make([]command, len(list))
	for i, c := range list {
		all[i] = command{Binding: c.Binding, About: c.About, Do: func(m *Model, msg tea.KeyPressMsg) tea.Cmd {
			t := &panel.Turn{Scene: m.place()}
			return tea.Batch(c.Do(t, msg), m.applyTurn(t))
		}}
		if c.DisabledReason != nil {
			all[i].DisabledReason = func(m *Model) string { return c.DisabledReason(&panel.Turn{Scene: m.place()}) }
		}
	}
	return all
}

// applyTurn does what a key of the picture wanted.
func (m *Model) applyTurn(t *panel.Turn) tea.Cmd {
	m.changes++
	if t.Said != "" {
		m.Notify(t.Said)
	}
	switch {
	case !t.Again:
		return nil
	case m.Jobs.Busy() && m.Acting: // the picture is computed after the act anyway
		return nil
	case m.Jobs.Busy() && m.Running:
		m.stale = true
		return nil
	}
	return m.UpdatePicture()
}

// hints are the keys of the bottom line, the most needed first: those that step, then the picture's first one, which in
// a small window leads to its other views, then those that change the training, and the others of the picture.
const hints, changingHints, moreHints = "space r", "e c", "i n o : ? q b"

func (m *Model) hinted() []key.Binding {
	pictured := widget.BindingsFor(m.pictureCommands(), m.picture.Hints())
	first := pictured[:min(len(pictured), 1)]
	if m.Reads() && m.Ahead() {
		return slices.Concat(widget.BindingsFor(screenCommands(), m.readingHints()), first,
			widget.BindingsFor(screenCommands(), "N h"),
			pictured[len(first):], widget.BindingsFor(screenCommands(), "F o : ? q"))
	}
	begins := hints
	if m.ReadingPosition.NoNext(m.Line) == "" {
		begins = "space " + lessonpage.NextKey.Help().Key + " " + strings.TrimPrefix(hints, "space ")
	}
	return slices.Concat(widget.BindingsFor(screenCommands(), begins), first,
		widget.BindingsFor(screenCommands(), changingHints), pictured[len(first):],
		widget.BindingsFor(screenCommands(), moreHints))
}

// readingHints are the first keys of the bottom line where a record is read.
func (m *Model) readingHints() string {
	if m.NoQuestion() == "" {
		return "1-9 " + hints
	}
	return hints
}

// Groups lists every binding of this screen and of its pictures for the help.
func Groups() []widget.Group {
	groups := []widget.Group{widget.NewGroup("Labs (o)", screenCommands()).In("a training")}
	for _, l := range training.Specs() {
		groups = append(groups, widget.NewGroup("In the lab "+l.Name, pictures[l.Name]().Commands()).In("the training "+l.Name))
	}
	return groups
}

// Init starts the first picture.
func (m *Model) Init() tea.Cmd { return m.UpdatePicture() }

// Reset closes the prompt, and leaves the mode that has the keys.
func (m *Model) Reset() tea.Cmd { return player.Reset(m) }

// KeyMap lists the keys with what they do now.
func (m *Model) KeyMap() widget.KeyMap {
	return m.Player.KeyMap(func() []widget.Key { return widget.Keys(m, m.commands()) }, m.Scene)
}
