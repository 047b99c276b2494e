package player

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/modes"
	"bandscope/tui/widget"
)

// command is a key of the player as data.
type command = widget.Command[*Player]

// RunKey runs and pauses.
var RunKey = widget.Bind("r", "run", "r")

// Moves are the commands that move along the record of a screen, which has a player; about has longer
// descriptions of some, by their keys.
func Moves[M any](playerFor func(M) *Player, about map[string]string) []widget.Command[M] {
	return lift(playerFor, about, []command{
		widget.NewCommand(widget.Bind("b", "back", "b", "left"), (*Player).atStart, func(p *Player) tea.Cmd {
			return p.Move(func() { p.record.Back() })
		}),
		widget.NewCommand(widget.Bind("g", "first", "g", "home"), (*Player).atStart, func(p *Player) tea.Cmd {
			return p.Move(p.record.First)
		}).Long("go to the start"),
		widget.NewCommand(widget.Bind("G", "last", "G", "end"), (*Player).atEnd, func(p *Player) tea.Cmd {
			return p.Move(p.record.Last)
		}).Long("go to the end"),
		widget.NewCommand(RunKey, func(p *Player) string { return p.screen.NoRun() }, (*Player).toggle).
			Long("run or pause"),
		widget.NewCommand(widget.Bind(",", "slower", ",", "<"), nil, func(p *Player) tea.Cmd { return p.faster(-1) }),
		widget.NewCommand(widget.Bind(".", "faster", ".", ">"), nil, func(p *Player) tea.Cmd { return p.faster(+1) }),
	})
}

// Notes are the commands that find, read and write notes.
func Notes[M any](apply func(M) *Player, about map[string]string) []widget.Command[M] {
	return lift(apply, about, []command{
		widget.NewCommand(widget.Named("go to a step"), nil, (*Player).askStep),
		widget.NewCommand(widget.Bind("N", "next note", "N"), nil, func(p *Player) tea.Cmd { return p.nextNote(+1) }),
		widget.NewCommand(widget.Named("previous note"), nil, func(p *Player) tea.Cmd {
			return p.nextNote(-1)
		}),
		widget.NewCommand(widget.Bind("n", "note", "n"), nil, (*Player).writeNote),
		widget.NewCommand(widget.Bind("*", "mark the step", "*"), nil, (*Player).mark),
		widget.NewCommand(widget.Bind("h", "notes, on or off", "h"), (*Player).noNotes,
			func(p *Player) tea.Cmd {
				p.NotesPanel.Hidden = !p.NotesPanel.Hidden
				return nil
			}),
		widget.NewCommand(widget.Bind("'", "pause at notes, or not", "'"), nil, func(p *Player) tea.Cmd {
			p.passNotes = !p.passNotes
			p.Notify(map[bool]string{false: "runs pause at notes", true: "runs do not pause at notes"}[p.passNotes])
			return nil
		}),
		widget.NewCommand(widget.Bind("pgup/pgdn", "scroll a long note", "pgdown"), (*Player).noScroll,
			func(p *Player) tea.Cmd {
				return p.scroll(+5)
			}),
		widget.NewCommand(widget.Bind("", "scroll a long note", "pgup"), (*Player).noScroll, func(p *Player) tea.Cmd {
			return p.scroll(-5)
		}),
	})
}

// Saves are the commands that save the session, and leave it for another one.
func Saves[M any](apply func(M) *Player) []widget.Command[M] {
	return lift(apply, map[string]string{
		"ctrl+s": "save under a name", "ctrl+l": "resume the last session, or the lesson at your last page",
	}, []command{
		widget.NewCommand(widget.Bind("ctrl+s", "save", "ctrl+s"), nil, (*Player).askPath),
		{Binding: widget.Bind("ctrl+l", "resume", "ctrl+l"), DisabledReason: (*Player).noResume,
			Do: (*Player).resume},
	})
}

// VerifyKey recomputes the record.
var VerifyKey = widget.Named("verify")

// AnswerKey answers a question of a lesson.
var AnswerKey = widget.Bind("1-9", "answer, in a lesson", "1", "2", "3", "4", "5", "6", "7", "8", "9")

func lift[M any](apply func(M) *Player, about map[string]string, list []command) []widget.Command[M] {
	all := widget.Lift(apply, list)
	for i := range all {
		if text, ok := about[cmp.Or(all[i].Help().Key, all[i].Help().Desc)]; ok {
			all[i].About = text
		}
	}
	return all
}

// Start begins a mode, as it was left if it was begun before.
func (p *Player) Start(fresh func() mode.Mode) tea.Cmd {
	cmd, actions := p.Modes.Begin(p.screen.Scene, fresh)
	return tea.Batch(cmd, p.Do(actions))
}

// Do performs the actions of a mode, in order.
func (p *Player) Do(actions []widget.Action) tea.Cmd {
	var cmds []tea.Cmd
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
		cmds = append(cmds, p.screen.Request(a))
	}
	return tea.Batch(cmds...)
}

// Reset closes the prompt, and leaves the mode that has the keys.
func (p *Player) Reset() tea.Cmd {
	p.Status.Cancel()
	if p.Modes.Active == nil {
		return nil
	}
	return p.Do([]widget.Action{mode.Leave{}})
}

// GoToStep goes to the last place of the record at a step, or before it.
func (p *Player) GoToStep(n int) tea.Cmd {
	place := 0
	for i, stop := range p.Line.Stops {
		if stop.Step <= n {
			place = i
		}
	}
	return p.GoTo(place)
}

// EditParameter opens the editor at the parameter of a key; typing also opens its field.
func (p *Player) EditParameter(key string, typing bool) tea.Cmd {
	return tea.Batch(p.Start(modes.NewParameterMode), p.SendToMode(modes.SelectParameter{Key: key, Type: typing}))
}

// SendToMode gives a message to the mode that has the keys.
func (p *Player) SendToMode(msg tea.Msg) tea.Cmd {
	cmd, actions := p.Modes.Send(p.screen.Scene, msg)
	return tea.Batch(cmd, p.Do(actions))
}

// SendToModes gives a message that is not the screen's to the modes: each knows its own, which can come after it was
// left.
func (p *Player) SendToModes(msg tea.Msg) tea.Cmd {
	cmd, actions := p.Modes.Pass(p.screen.Scene, msg)
	return tea.Batch(cmd, p.Do(actions))
}

// KeyMap lists the keys with what they do now.
func (p *Player) KeyMap() widget.KeyMap {
	h := widget.KeyMap{Title: p.Title, Typing: p.Typing()}
	if p.Modes.Active == nil {
		h.Keys = p.screen.Keys()
		return h
	}
	h.Title, h.Keys = p.Modes.Active.Title(),
		p.Modes.Keys(p.screen.Scene, widget.Keys(p, widget.GlobalCommands[*Player]()))
	h.Text = func(msg tea.KeyPressMsg) bool { return p.Modes.Text(p.screen.Scene, msg) }
	return h
}

// Typing reports whether keys are text.
func (p *Player) Typing() bool {
	return p.Status.Open() || p.Modes.Active != nil && p.Modes.Active.Typing()
}

// Key gives a key press to the prompt while it is open, to the mode that has the keys, or to a command of a screen.
func Key[M any](screenOf M, p *Player, commands func() []widget.Command[M], msg tea.KeyPressMsg) tea.Cmd {
	if p.Modes.Active == nil || p.Status.Open() {
		cmd, _ := widget.Take(screenOf, &p.Status, commands(), msg)
		return cmd
	}
	p.Notify("")
	if !p.Modes.Text(p.screen.Scene, msg) {
		if cmd, _, taken := widget.Press(p, widget.GlobalCommands[*Player](), msg); taken {
			return cmd
		}
	}
	return p.SendToMode(msg)
}

// Paste takes pasted text wherever text is being entered.
func (p *Player) Paste(msg tea.PasteMsg) tea.Cmd {
	switch {
	case p.Status.Open():
		return p.Status.Type(msg)
	case p.Modes.Pastes(p.screen.Scene):
		return p.SendToMode(msg)
	}
	p.Notify("no field for the pasted text; open one first, such as n for a note")
	return nil
}
