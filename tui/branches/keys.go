package branches

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/widget"
)

// list has the branches.
var list = widget.List[*Model]{Shown: "up/down", Does: "choose a branch", Up: "up k", Down: "down j",
	Row:  func(m *Model) (*int, int) { return &m.selected, len(m.rows) },
	Ends: [2]string{"this is the first branch", "this is the last branch"},
	Then: func(m *Model) tea.Cmd { m.say(m.compare()); return nil }}

// commands are the keys of this screen.
func commands() []widget.Command[*Model] {
	return slices.Concat(list.Commands(), []widget.Command[*Model]{
		widget.NewCommand(widget.Bind("enter", "continue from this branch", "enter"), nil, (*Model).open),
		widget.NewChange(widget.Bind("c", "compare with this one", "c"), (*Model).isBase, (*Model).rebase).
			Long("compare the other branches with this one, by regret and by decisions"),
		widget.NewCommand(widget.Bind("C", "compare with another session", "C"), nil, func(m *Model) tea.Cmd {
			return m.Status.Ask("session file to compare with", "", m.add)
		}).
			Long("compare with the branches in the file of another session"),
		widget.NewChange(widget.Bind("v", "another trace", "v"), (*Model).oneTrace, func(m *Model) { m.trace++ }),
		widget.NewChange(widget.Bind("pgup/pgdn", "scroll the differences", "pgdown"), (*Model).allShown,
			func(m *Model) { m.scroll += 5 }),
		widget.NewChange(widget.Bind("", "scroll the differences", "pgup"), (*Model).allShown,
			func(m *Model) { m.scroll = max(m.scroll-5, 0) }),
		widget.NewCommand(widget.Bind("o", "open", "o"), nil, func(m *Model) tea.Cmd {
			return widget.Request(widget.Open{From: m.session.State().Config})
		}).
			Long("another problem, method or session"),
		{Binding: widget.Bind("esc", "leave", "esc", "F"), Do: (*Model).leave},
	}, widget.GlobalCommands[*Model]())
}

func (m *Model) isBase() string {
	return widget.Why(m.selected == m.base, "the other branches are already compared with this one")
}

func (m *Model) oneTrace() string {
	if _, now, _ := traced(m.rows[m.base].branch.State, m.trace); now != "" {
		if _, next, _ := traced(m.rows[m.base].branch.State, m.trace+1); next == now {
			return "there is no other trace to show"
		}
	}
	return ""
}

func (m *Model) allShown() string { return widget.Why(m.overflow == 0, "all decisions are shown") }

func init() {
	widget.Register(widget.SessionPage{
		Binding: widget.Bind("F", "branches", "F"),
		About:   "show the tree of branches, and compare any two by regret and by decisions",
		Groups:  groups,
		New:     func(s *sessions.Session) (widget.Page, error) { return New(s) },
	})
}

// groups lists the bindings of this screen for the help.
func groups() []widget.Group {
	return []widget.Group{widget.NewGroup("Branches (F)", commands()).Through("F")}
}

// KeyMap describes the current keys.
func (m *Model) KeyMap() widget.KeyMap {
	return widget.KeyMap{Title: "the branches", Keys: widget.Keys(m, commands()), Typing: m.Status.Open()}
}

// rebase compares the others with the selected branch.
func (m *Model) rebase() {
	m.base = m.selected
	m.say(m.compare())
}

// leave goes back to the explorer; esc first stops reading a session.
func (m *Model) leave(press tea.KeyPressMsg) tea.Cmd {
	if press.String() == "esc" && m.jobs.Stop() {
		m.Say("stopped", false)
		return nil
	}
	return widget.Request(widget.Close{})
}

// open continues from the selected branch.
func (m *Model) open() tea.Cmd {
	r := m.rows[m.selected]
	if r.of != m.session {
		m.Say("that branch belongs to another session; open that session with o", false)
		return nil
	}
	if err := m.session.Switch(r.branch.ID); err != nil {
		m.say(err)
		return nil
	}
	return widget.Request(widget.Close{})
}
