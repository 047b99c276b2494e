package explore

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explore/modes"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// mouse handles the mouse: the active mode does; otherwise a click goes to a place on the timeline, or starts choosing
// a point or a box at that place of the plot.
func (m *Model) mouse(hit widget.Hit) tea.Cmd {
	_, clicked := hit.MouseMsg.(tea.MouseClickMsg)
	_, dragged := hit.MouseMsg.(tea.MouseMotionMsg)
	if m.Modes.Active != nil || !clicked && !dragged {
		return player.Send(m, hit)
	}
	if next, taken := m.Click(hit, player.BarName, m.Bar(m.layout().main)); taken || dragged {
		return player.Do(m, next)
	}
	_, values := hit.Value()
	switch {
	case values == nil:
		return nil
	case m.frontShown():
		return tea.Batch(player.Start(m, modes.NewBoxMode), player.Send(m, hit))
	}
	return tea.Batch(player.Start(m, modes.NewPointMode), player.Send(m, hit))
}
