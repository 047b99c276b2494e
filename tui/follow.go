package tui

import tea "charm.land/bubbletea/v2"

// The screens of open sessions follow the files of these: other programs, such as commands, pipes and other windows,
// can write to them.

// follow waits for what other programs record in each open session, as long as the program runs.
func (a *app) follow() tea.Cmd {
	if !a.following {
		return nil
	}
	cmds := []tea.Cmd{a.explore.Follow()}
	if a.layer != nil {
		cmds = append(cmds, a.layer.Follow())
	}
	return tea.Batch(cmds...)
}

// followed gives a message about what other programs recorded to the screen that it is for.
func (a *app) followed(msg tea.Msg) tea.Cmd {
	cmds := []tea.Cmd{a.explore.Update(msg)}
	if a.layer != nil {
		cmds = append(cmds, a.layer.Update(msg))
	}
	return tea.Batch(cmds...)
}
