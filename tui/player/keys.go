package player

import (
	"cmp"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explore/note"
	"bandscope/tui/widget"
)

// RunKey runs and pauses.
var RunKey = widget.Bind("r", "run", "r")

// VerifyKey recomputes the record.
var VerifyKey = widget.Named("verify")

// AnswerKey answers a question of a lesson.
var AnswerKey = widget.Bind("1-9", "answer, in a lesson", "1", "2", "3", "4", "5", "6", "7", "8", "9")

// does is a command of a player, which the screen does.
func does[M Screen](b key.Binding, off func(*Player) string, next func(*Player) Next) widget.Command[M] {
	c := widget.Command[M]{Binding: b, Do: func(m M, _ tea.KeyPressMsg) tea.Cmd { return Do(m, next(m.player())) }}
	if off != nil {
		c.DisabledReason = func(m M) string { return off(m.player()) }
	}
	return c
}

// described gives commands longer descriptions, by their keys.
func described[M Screen](about map[string]string, list []widget.Command[M]) []widget.Command[M] {
	for i, c := range list {
		list[i].About = cmp.Or(about[cmp.Or(c.Help().Key, c.Help().Desc)], c.About)
	}
	return list
}

// Moves are the commands that move along the record; noRun is why the session cannot run, and about has longer
// descriptions of some, by their keys.
func Moves[M Screen](noRun func(M) string, about map[string]string) []widget.Command[M] {
	last := does[M](widget.Bind("G", "last", "G", "end"), nil, func(p *Player) Next { return p.move(p.record.Last) })
	last.DisabledReason = func(m M) string { return m.player().atEnd(noRun(m)) }
	run := does[M](RunKey, nil, (*Player).toggle)
	run.DisabledReason = noRun
	return described(about, []widget.Command[M]{
		does[M](widget.Bind("b", "back", "b", "left"), (*Player).atStart, func(p *Player) Next {
			return p.move(func() { p.record.Back() })
		}),
		does[M](widget.Bind("g", "first", "g", "home"), (*Player).atStart, func(p *Player) Next { return p.goTo(0) }).
			Long("go to the start"),
		last.Long("go to the end"),
		run.Long("run or pause"),
		does[M](widget.Bind(",", "slower", ","), nil, func(p *Player) Next { return p.faster(-1) }),
		does[M](widget.Bind(".", "faster", "."), nil, func(p *Player) Next { return p.faster(+1) }),
	})
}

// Notes are the commands that find, read and write notes.
func Notes[M Screen](about map[string]string) []widget.Command[M] {
	scrolls := func(shown, name string, delta int) widget.Command[M] {
		return widget.NewCommand(widget.Bind(shown, "scroll a long note", name), func(m M) string { return noScroll(m) },
			func(m M) tea.Cmd { return scroll(m, delta) })
	}
	return described(about, []widget.Command[M]{
		does[M](widget.Named("go to a step"), nil, (*Player).askStep),
		does[M](widget.Bind("N", "next note", "N"), nil, func(p *Player) Next { return p.nextNote(+1) }),
		does[M](widget.Named("previous note"), nil, func(p *Player) Next { return p.nextNote(-1) }),
		widget.NewCommand(widget.Bind("n", "note", "n"), nil, func(m M) tea.Cmd {
			m.Stop() // so that the note belongs to the current place
			return tea.Batch(m.UpdatePicture(), Start(m, note.New))
		}),
		does[M](widget.Bind("*", "mark the step", "*"), nil, (*Player).mark),
		widget.NewChange(widget.Bind("h", "notes, on or off", "h"), func(m M) string { return noNotes(m) },
			func(m M) { m.player().NotesPanel.Hidden = !m.player().NotesPanel.Hidden }),
		does[M](widget.Bind("'", "pause at notes, or not", "'"), nil, (*Player).togglePauses),
		scrolls("pgup/pgdn", "pgdown", +5),
		scrolls("", "pgup", -5),
	})
}

// Saves are the commands that save the session to a file, whose name is offered, and leave it for another one; unsaved
// is the session that would be left, in words, and empty if it is unchanged.
func Saves[M Screen](offered, unsaved func(M) string) []widget.Command[M] {
	return []widget.Command[M]{
		widget.NewCommand(widget.Bind("ctrl+s", "save", "ctrl+s"), nil, func(m M) tea.Cmd {
			return Do(m, m.player().askPath(offered(m)))
		}).Long("save under a name"),
		widget.Command[M]{Binding: widget.Bind("ctrl+l", "resume", "ctrl+l"),
			DisabledReason: func(m M) string { return m.player().noResume() },
			Do:             func(m M, msg tea.KeyPressMsg) tea.Cmd { return resume(m, msg, unsaved(m)) },
		}.Long("resume the last session, or the lesson at your last page"),
	}
}
