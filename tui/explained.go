package tui

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explain"
	"bandscope/tui/layout"
)

// beginWalk begins to tell what is seen on the page that is shown.
func (a *app) beginWalk() {
	a.walk = explain.Begin(layout.Arrange(a.frame(), a.width, a.height))
}

// walkOn takes a key press on the walk. A word that is wanted in full is shown by the help, which then leads back.
func (a *app) walkOn(msg tea.KeyPressMsg) tea.Cmd {
	cmd := a.walk.Press(msg)
	if term := a.walk.Term; term != "" {
		a.walk.Term = ""
		a.help = help{shown: true, single: true, here: a.current.Here()}
		a.help.lookUp(term)
	}
	if a.walk.Left {
		a.walk = nil
	}
	return cmd
}

// walkMouse takes a click: on a thing that is to be told.
func (a *app) walkMouse(msg tea.MouseMsg) {
	if click, ok := msg.(tea.MouseClickMsg); ok {
		a.walk.Click(click.X, click.Y)
	}
}
