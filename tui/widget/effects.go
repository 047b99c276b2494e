package widget

import tea "charm.land/bubbletea/v2"

// Effects are those of a key of a picture.
type Effects struct {
	Said  string
	Again bool // the picture must be computed again
}

// Say shows a sentence. It returns nil, so that a command can end with it.
func (e *Effects) Say(text string) tea.Cmd {
	e.Said = text
	return nil
}

// Recompute requests to compute the picture again.
func (e *Effects) Recompute() tea.Cmd {
	e.Again = true
	return nil
}
