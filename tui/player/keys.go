package player

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explore/mode"
	"bandscope/tui/widget"
)

// command is a key of the player as data.
type command = widget.Command[*Player]

// RunKey runs and pauses.
var RunKey = widget.Bind("r", "run", "r")

// Moves are the commands that go back and along, of a screen of which of is the player; about is what some do at more
// length, by their keys.
func Moves[M any](of func(M) *Player, about map[string]string) []widget.Command[M] {
	return lift(of, about, []command{
		widget.Do(widget.Bind("b", "back", "b", "left"), (*Player).atStart, func(p *Player) tea.Cmd {
			return p.Move(func() { p.record.Back() })
		}),
		widget.Do(widget.Bind("g", "first", "g", "home"), (*Player).atStart, func(p *Player) tea.Cmd {
			return p.Move(p.record.First)
		}).Long("the first place"),
		widget.Do(widget.Bind("G", "last", "G", "end"), (*Player).atEnd, func(p *Player) tea.Cmd {
			return p.Move(p.record.Last)
		}).Long("the last"),
		widget.Do(RunKey, func(p *Player) string { return p.screen.NoRun() }, (*Player).toggle).Long("run and pause"),
		widget.Do(widget.Bind(",", "slower", ",", "<"), nil, func(p *Player) tea.Cmd { return p.faster(-1) }),
		widget.Do(widget.Bind(".", "faster", ".", ">"), nil, func(p *Player) tea.Cmd { return p.faster(+1) }),
	})
}

// Notes are the commands that find, read and write notes.
func Notes[M any](of func(M) *Player, about map[string]string) []widget.Command[M] {
	return lift(of, about, []command{
		widget.Do(widget.Bind(":", "go to a step", ":"), nil, (*Player).askStep),
		widget.Do(widget.Bind("N", "next note", "N"), nil, func(p *Player) tea.Cmd { return p.nextNote(+1) }),
		widget.Do(widget.Bind("P", "previous note", "P"), nil, func(p *Player) tea.Cmd { return p.nextNote(-1) }),
		widget.Do(widget.Bind("n", "note", "n"), nil, (*Player).writeNote),
		widget.Do(widget.Bind("M", "mark the step", "M"), nil, (*Player).mark),
		widget.Do(widget.Bind("h", "notes beside the plot, or not", "h"), (*Player).noNotes, func(p *Player) tea.Cmd {
			p.Beside.Hidden = !p.Beside.Hidden
			return nil
		}),
		widget.Do(widget.Bind("'", "pause at notes, or play past them", "'"), nil, func(p *Player) tea.Cmd {
			p.past = !p.past
			p.Tell(map[bool]string{false: "playing pauses at notes", true: "playing goes on at notes"}[p.past])
			return nil
		}),
		widget.Do(widget.Bind("pgup/pgdn", "scroll a long note", "pgdown"), (*Player).noScroll,
			func(p *Player) tea.Cmd {
				return p.scroll(+5)
			}),
		widget.Do(widget.Bind("", "scroll a long note", "pgup"), (*Player).noScroll, func(p *Player) tea.Cmd {
			return p.scroll(-5)
		}),
	})
}

// Saves are the commands that save the session, and leave it for another one.
func Saves[M any](of func(M) *Player) []widget.Command[M] {
	return lift(of, map[string]string{
		"w": "save under a name", "R": "resume the last session; of a lesson go on at the page where you were",
	}, []command{
		widget.Do(widget.Bind("w", "save", "w"), nil, (*Player).askPath),
		{Binding: widget.Bind("R", "resume last session", "R"), Off: (*Player).noResume, Do: (*Player).resume},
	})
}

// VerifyKey computes the record again.
var VerifyKey = widget.Bind("V", "verify: recompute the record", "V")

// AnswerKey answers what a lesson asks.
var AnswerKey = widget.Bind("1-9", "answer: what a lesson asks", "1", "2", "3", "4", "5", "6", "7", "8", "9")

func lift[M any](of func(M) *Player, about map[string]string, list []command) []widget.Command[M] {
	all := widget.Lift(of, list)
	for i := range all {
		if text, ok := about[all[i].Help().Key]; ok {
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

// Do does what a mode wants, in that order.
func (p *Player) Do(actions []widget.Action) tea.Cmd {
	var cmds []tea.Cmd
	for _, a := range actions {
		switch a := a.(type) {
		case mode.Enter:
			p.Modes.Doing = a.Mode
			p.Halt()
		case mode.Leave:
			p.Modes.Doing = nil
		case mode.Say:
			p.Say(a.Text, a.Bad)
			continue
		}
		cmds = append(cmds, p.screen.Want(a))
	}
	return tea.Batch(cmds...)
}

// Give gives a message to the mode that has the keys.
func (p *Player) Give(msg tea.Msg) tea.Cmd {
	cmd, actions := p.Modes.Tell(p.screen.Scene, msg)
	return tea.Batch(cmd, p.Do(actions))
}

// Pass gives a message that is not the screen's to the modes: one knows its own, which can come when it was left.
func (p *Player) Pass(msg tea.Msg) tea.Cmd {
	cmd, actions := p.Modes.Pass(p.screen.Scene, msg)
	return tea.Batch(cmd, p.Do(actions))
}

// Here tells what the keys do now.
func (p *Player) Here() widget.Here {
	h := widget.Here{Title: p.Title, Typing: p.Typing()}
	if p.Modes.Doing == nil {
		h.Keys = p.screen.Keys()
		return h
	}
	h.Title, h.Keys = p.Modes.Doing.Title(), p.Modes.Keys(p.screen.Scene, widget.Keys(p, widget.Anywhere[*Player]()))
	h.Text = func(msg tea.KeyPressMsg) bool { return p.Modes.Text(p.screen.Scene, msg) }
	return h
}

// Typing reports whether keys are text.
func (p *Player) Typing() bool {
	return p.Status.Open() || p.Modes.Doing != nil && p.Modes.Doing.Typing()
}

// Key gives a key press to the prompt while it is open, to the mode that has the keys, or to a command of a screen.
func Key[M any](screenOf M, p *Player, commands func() []widget.Command[M], msg tea.KeyPressMsg) tea.Cmd {
	if p.Modes.Doing == nil || p.Status.Open() {
		cmd, _ := widget.Take(screenOf, &p.Status, commands(), msg)
		return cmd
	}
	p.Tell("")
	if !p.Modes.Text(p.screen.Scene, msg) {
		if cmd, _, taken := widget.Press(p, widget.Anywhere[*Player](), msg); taken {
			return cmd
		}
	}
	return p.Give(msg)
}

// Paste takes pasted text wherever text is being entered.
func (p *Player) Paste(msg tea.PasteMsg) tea.Cmd {
	switch {
	case p.Status.Open():
		return p.Status.Type(msg)
	case p.Modes.Pastes(p.screen.Scene):
		return p.Give(msg)
	}
	p.Tell("pasted text goes nowhere here: open a field first, as n does for a note")
	return nil
}
