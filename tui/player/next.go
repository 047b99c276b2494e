package player

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/note"
	"bandscope/tui/widget"
)

// Next is what a screen does next, as a value; Do does it, in the order of the fields.
type Next struct {
	Stop    bool    // end computations, a run, and queued steps
	Move    func()  // on the record
	Ask     *Prompt // ask for a line of text
	Act     *Act    // perform an act, and compute the picture of the result
	Advance bool    // take a step
	Picture bool    // compute the picture of the current place
	Cmd     tea.Cmd // nil for none
}

// Prompt asks for a line of text in the status line.
type Prompt struct {
	Label string
	Text  string // the first text
	Hint  string
	Then  func(text string) Next
}

// Screen is a screen that embeds a player.
type Screen interface {
	Stop()
	Refresh() // takes the state of the session
	Apply(Act) tea.Cmd
	Advance() tea.Cmd
	UpdatePicture() tea.Cmd
	Scene() mode.Scene             // what a mode sees
	Request(widget.Action) tea.Cmd // does what a mode wants
	Notes() note.Page              // at the current place
	NotesSize() (w, h int)         // of the panel in which they are read, in cells
	player() *Player
}

// player is the player of the screen that embeds it.
func (p *Player) player() *Player { return p }

// Do does on a screen what its player returned.
func Do(m Screen, n Next) tea.Cmd {
	if n.Stop {
		m.Stop()
	}
	if n.Move != nil {
		n.Move()
	}
	switch status := &m.player().Status; {
	case n.Ask != nil:
		cmd := status.Ask(n.Ask.Label, n.Ask.Text, func(text string) tea.Cmd { return Do(m, n.Ask.Then(text)) })
		status.Hint(n.Ask.Hint)
		return cmd
	case n.Act != nil:
		return m.Apply(*n.Act)
	case n.Advance:
		return m.Advance()
	case n.Picture:
		return m.UpdatePicture()
	}
	return n.Cmd
}

// Leave stops the computations, and requests an action that leaves the screen.
func Leave(m Screen, want widget.Action) tea.Cmd {
	m.Stop()
	m.player().leaving = true
	return widget.Request(want)
}

// Start begins a mode, as it was left if it was begun before.
func Start(m Screen, fresh func() mode.Mode) tea.Cmd {
	cmd, actions := m.player().Modes.Begin(m.Scene, fresh)
	return Perform(m, cmd, actions)
}

// Send gives a message to the mode that has the keys.
func Send(m Screen, msg tea.Msg) tea.Cmd {
	cmd, actions := m.player().Modes.Send(m.Scene, msg)
	return Perform(m, cmd, actions)
}

// Perform does what a mode returned: a command, and actions in their order.
func Perform(m Screen, cmd tea.Cmd, actions []widget.Action) tea.Cmd {
	p := m.player()
	cmds := []tea.Cmd{cmd}
	for _, a := range actions {
		switch a := a.(type) {
		case mode.Enter:
			p.Modes.Active = a.Mode
			p.Halt()
		case mode.Leave:
			p.Modes.Active = nil
		case mode.Say:
			p.Say(a.Text, a.Bad)
			continue
		}
		cmds = append(cmds, m.Request(a))
	}
	return tea.Batch(cmds...)
}

// Reset closes the prompt, and leaves the mode that has the keys.
func Reset(m Screen) tea.Cmd {
	p := m.player()
	p.Status.Cancel()
	if p.Modes.Active == nil {
		return nil
	}
	return Perform(m, nil, []widget.Action{mode.Leave{}})
}

// Update takes a message that the screen does not take itself. One that nobody knows goes to all modes that were
// started: each knows its own, which can come after it was left.
func Update[M Screen](m M, commands func() []widget.Command[M], msg tea.Msg) tea.Cmd {
	p := m.player()
	switch msg := msg.(type) {
	case ArrivedMsg:
		p.arrived(msg)
		return nil
	case FollowMsg:
		p.FollowTick(msg)
		return nil
	case widget.RunMsg:
		return Do(m, p.runTick(msg))
	case tea.KeyPressMsg:
		return press(m, commands, msg)
	case tea.PasteMsg:
		return paste(m, msg)
	}
	cmd, actions := p.Modes.Pass(m.Scene, msg)
	return Perform(m, cmd, actions)
}

// press gives a key press to the prompt while it is open, to the mode that has the keys, or to a command.
func press[M Screen](m M, commands func() []widget.Command[M], msg tea.KeyPressMsg) tea.Cmd {
	p := m.player()
	if p.Modes.Active == nil || p.Status.Open() {
		cmd, _ := widget.Take(m, &p.Status, commands(), msg)
		return cmd
	}
	p.Notify("")
	if !p.Modes.Text(m.Scene, msg) {
		if cmd, _, taken := widget.Press(p, widget.GlobalCommands[*Player](), msg); taken {
			return cmd
		}
	}
	return Send(m, msg)
}

// paste takes pasted text wherever text is being entered.
func paste(m Screen, msg tea.PasteMsg) tea.Cmd {
	p := m.player()
	switch {
	case p.Status.Open():
		return p.Status.Type(msg)
	case p.Modes.Pastes(m.Scene):
		return Send(m, msg)
	}
	p.Notify("no field for the pasted text; open one first, such as n for a note")
	return nil
}

// KeyMap lists the keys with what they do now; keys are those of the screen while no mode has them.
func (p *Player) KeyMap(keys func() []widget.Key, scene func() mode.Scene) widget.KeyMap {
	h := widget.KeyMap{Title: p.Title, Typing: p.Typing(), Choosing: p.Status.Choosing()}
	if p.Modes.Active == nil {
		h.Keys = keys()
		return h
	}
	h.Title = p.Modes.Active.Title()
	h.Keys = p.Modes.Keys(scene, widget.Keys(p, widget.GlobalCommands[*Player]()))
	h.Text = func(msg tea.KeyPressMsg) bool { return p.Modes.Text(scene, msg) }
	return h
}

// Typing reports whether keys are text.
func (p *Player) Typing() bool {
	return p.Status.Open() || p.Modes.Active != nil && p.Modes.Active.Typing()
}
