package tui

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explain"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// startExplainer starts the explanation of the current page.
func (a *app) startExplainer() {
	a.explainer = explain.New(layout.Arrange(a.frame(), a.width, a.height))
}

// explainerKey takes a key press in the explanation. A word is looked up in the help, which then leads back.
func (a *app) explainerKey(msg tea.KeyPressMsg) tea.Cmd {
	cmd := a.explainer.Press(msg)
	if term := a.explainer.Term; term != "" {
		a.explainer.Term = ""
		a.openTerm(term)
	}
	if a.explainer.Done {
		a.explainer = nil
	}
	return cmd
}

// explainerMouse takes a click on the part to explain; the wheel goes through the parts.
func (a *app) explainerMouse(msg tea.MouseMsg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		a.explainer.Click(msg.X, msg.Y)
		if msg.Button == tea.MouseRight {
			return a.openMenu()
		}
	case tea.MouseWheelMsg:
		return a.explainerKey(widget.KeyPress(map[bool]string{true: "up", false: "down"}[msg.Button == tea.MouseWheelUp]))
	}
	return nil
}
