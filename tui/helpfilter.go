package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/lesson/glossary"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// openFilter opens the filter over all keys and terms.
func (h *help) openFilter() tea.Cmd {
	h.filter, h.all = textinput.New(), true
	h.filter.CharLimit = maxTyped
	h.filter.SetVirtualCursor(false)
	return h.filter.Focus()
}

// filterCommands are the keys of the filter; all others are text.
func filterCommands() []widget.Command[*help] {
	all := []widget.Command[*help]{
		{Binding: widget.Bind("type", "a key, or words")},
		widget.NewCommand(widget.Bind("enter", "look up the word in the glossary", "enter"), nil, func(h *help) tea.Cmd {
			h.all = false
			return h.lookUp(h.filter.Value())
		}),
		widget.NewCommand(widget.Bind("esc", "go back", "esc"), nil, func(h *help) tea.Cmd {
			h.all = false
			return nil
		}),
		widget.NewRequestCommand[*help](widget.Bind("", "quit", "ctrl+c"), widget.Quit{}),
	}
	for _, c := range helpCommands() {
		if names := c.Keys(); len(names) > 0 && slices.Contains([]string{"up", "down", "pgup", "pgdown"}, names[0]) {
			c.SetKeys(names[0]) // letters are text
			all = append(all, c)
		}
	}
	return all
}

// filterKey takes a key press while the filter is open.
func (h *help) filterKey(msg tea.KeyPressMsg) tea.Cmd {
	cmd, taken := widget.Take(h, &h.status, filterCommands(), msg)
	if !taken {
		h.filter, _ = h.filter.Update(msg) // its command would go to the page below
	}
	return cmd
}

// allBlocks are the keys of the current screen, with the reason if one can do nothing now, those of all screens and the
// terms of the glossary, a block each, as far as they match all words of a filter.
func (h *help) allBlocks(st theme.Style, filter string) [][]string {
	words := strings.Fields(strings.ToLower(filter))
	matches := func(texts ...string) bool {
		all := strings.ToLower(strings.Join(texts, " "))
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(all, w) })
	}
	var blocks [][]string
	for _, k := range h.keyMap.Keys {
		shown, does := widget.Shown(k.Binding), k.Help().Desc
		if shown == "" || !matches(shown, does, k.About, h.keyMap.Title) {
			continue
		}
		if k.About != "" {
			does = k.About
		}
		block := entry(st, shown, does, st.Text)
		if k.DisabledReason() != "" {
			block = entry(st, shown, does, st.Dim)
			block = append(block, entry(st, "", "unavailable: "+k.DisabledReason(), st.Faint)...)
		}
		blocks = append(blocks, block)
	}
	for _, g := range groups() {
		block := []string{"", st.Paint(st.Title, g.Title)}
		for _, b := range g.Bindings {
			shown, does := widget.Shown(b), b.Help().Desc
			if shown != "" && matches(shown, does, g.Long[does], g.Title) {
				block = append(block, entry(st, shown, does, st.Text)...)
			}
		}
		if len(block) > 2 {
			blocks = append(blocks, block)
		}
	}
	return blocks
}

// termLines are the terms of the glossary that match a filter, each with the first sentence of its definition.
func termLines(st theme.Style, filter string, w int) []string {
	found := glossary.Search(filter)
	if len(found) == 0 {
		return nil
	}
	lines := []string{"", st.Paint(st.Title, "Glossary")}
	for _, t := range found {
		for i, l := range layout.Wrap(plainly(st, t.Name+": "+t.First()), w-2) {
			if i > 0 {
				l = " " + l
			}
			lines = append(lines, " "+st.Paint(st.Text, l))
		}
	}
	return lines
}
