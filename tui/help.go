package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/compare"
	"bandscope/tui/explore"
	"bandscope/tui/history"
	"bandscope/tui/open"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// help shows every key binding, made from the bindings themselves.
type help struct {
	shown  bool
	scroll int
}

func (h *help) key(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "up", "k":
		h.scroll = max(h.scroll-1, 0)
	case "down", "j", "space":
		h.scroll++
	case "ctrl+c":
		return func() tea.Msg { return explore.QuitMsg{} }
	default:
		h.shown = false
	}
	return nil
}

// render lays the groups out in as many columns as fit.
func (h *help) render(st theme.Style, w, height int) []string {
	groups := slices.Concat(explore.Groups(), history.Groups(), compare.Groups(), open.Groups())
	const column, keyColumn = 38, 12
	columns := make([][]string, max(1, (w-4)/column))
	for _, g := range groups {
		block := []string{st.Paint(st.Title, g.Title)}
		for _, b := range g.Bindings {
			if b.Help().Key == "" {
				continue
			}
			shown := st.Plain(b.Help().Key)
			for _, l := range screen.Wrap(st.Plain(b.Help().Desc), column-keyColumn-2) {
				block = append(block, screen.Fit(" "+st.Paint(st.Accent, shown), keyColumn)+st.Paint(st.Text, l))
				shown = ""
			}
		}
		block = append(block, "")
		shortest := 0
		for i := range columns {
			if len(columns[i]) < len(columns[shortest]) {
				shortest = i
			}
		}
		columns[shortest] = append(columns[shortest], block...)
	}
	tallest := len(slices.MaxFunc(columns, func(a, b []string) int { return len(a) - len(b) }))
	body := make([]string, tallest)
	for i := range body {
		for _, c := range columns {
			cell := ""
			if i < len(c) {
				cell = c[i]
			}
			body[i] += screen.Fit(cell, column)
		}
	}
	h.scroll = min(h.scroll, max(0, tallest-(height-2)))
	title := "help: any key closes it"
	if tallest > height-2 {
		title = "help: up and down scroll, any other key closes it"
	}
	return screen.Panel(st, title, body[h.scroll:], w, height, true)
}
