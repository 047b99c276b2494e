package tui

import (
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/layout"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// help shows the keys of the screen and mode that one is in, and then those of all screens, made from the bindings themselves.
type help struct {
	shown  bool
	here   screen.Here // as it was when the help was opened
	scroll int
	lines  int // of all there is, as it was drawn last
	page   int // of those that the window shows, at most all
	status screen.Status
	words  words
	single bool // it was opened for a word, and is left with that
}

// helpCommands are what the keys do in the help.
func helpCommands() []screen.Command[*help] {
	scroll := func(off func(*help) string, by func(*help) int, b key.Binding) screen.Command[*help] {
		return screen.Do(b, off, func(h *help) tea.Cmd { return h.move(by(h)) })
	}
	return []screen.Command[*help]{
		scroll((*help).atTop, func(*help) int { return -1 }, screen.Bind("up/down", "scroll", "up", "k")),
		scroll((*help).atEnd, func(*help) int { return +1 }, screen.Bind("", "scroll", "down", "j")),
		scroll((*help).atTop, func(h *help) int { return -max(h.page-1, 1) }, screen.Bind("pgup/pgdn", "scroll a page", "pgup")),
		scroll((*help).atEnd, func(h *help) int { return max(h.page-1, 1) }, screen.Bind("", "scroll a page", "pgdown")),
		scroll((*help).atTop, func(h *help) int { return -h.lines }, screen.Bind("g, G", "to the beginning, the end", "g", "home")),
		scroll((*help).atEnd, func(h *help) int { return h.lines }, screen.Bind("", "to the beginning, the end", "G", "end")),
		{Binding: screen.Bind("wheel", "scroll")},
		screen.Do(screen.Bind("/", "what a word means", "/"), nil, func(h *help) tea.Cmd { return h.lookUp("") }),
		screen.Do(screen.Bind("esc, ?", "leave", "esc", "?", "f1"), nil, func(h *help) tea.Cmd {
			h.shown = false
			return nil
		}),
		screen.Wants[*help](screen.Bind("q", "quit", "q", "ctrl+c"), screen.Quit{}),
	}
}

func (h *help) atTop() string {
	if h.scroll == 0 {
		return "this is the beginning"
	}
	return ""
}

func (h *help) atEnd() string {
	if h.scroll == h.lines-h.page {
		return "this is the end"
	}
	return ""
}

// move scrolls by as many lines.
func (h *help) move(by int) tea.Cmd {
	h.scroll = max(min(h.scroll+by, h.lines-h.page), 0)
	return nil
}

func (h *help) key(msg tea.KeyPressMsg) tea.Cmd {
	if h.words.shown {
		return h.word(msg)
	}
	cmd, taken := screen.Take(h, &h.status, helpCommands(), msg)
	if !taken {
		h.status.Say(msg.String()+" does nothing in the help; esc leaves it", false)
	}
	return cmd
}

// mouse scrolls by the wheel.
func (h *help) mouse(msg tea.MouseMsg) {
	if h.words.shown {
		return
	}
	switch msg.Mouse().Button {
	case tea.MouseWheelUp:
		h.move(-3)
	case tea.MouseWheelDown:
		h.move(+3)
	}
}

// helpColumn is the width of a column of the help, and helpKey that of the keys in it.
const helpColumn, helpKey = 38, 12

// render lays the keys out in as many columns as fit.
func (h *help) render(st theme.Style, w, height int) []string {
	if h.words.shown {
		return h.renderWords(st, w, height)
	}
	count := max(1, (w-4)/helpColumn)
	body := []string{st.PaintBold(st.Accent, st.Plain("In "+h.here.Title)), ""}
	body = append(body, flow(h.hereBlocks(st), count)...)
	body = append(body, "", st.PaintBold(st.Accent, "On all screens"), "")
	body = append(body, flow(groupBlocks(st), count)...)

	h.lines, h.page = len(body), max(min(height-2, len(body)), 1)
	h.scroll = max(min(h.scroll, len(body)-h.page), 0)
	title, foot := "help: / tells what a word means, esc leaves it", ""
	if len(body) > h.page {
		title = "help: pgdn, pgup, arrows or wheel scroll, / a word, esc leaves it"
		foot = fmt.Sprintf("%d to %d of %d lines", h.scroll+1, min(h.scroll+h.page, len(body)), len(body))
	}
	if said, _ := h.status.Said(); said != "" {
		foot = st.Paint(st.Text, said)
	}
	for i := range body {
		body[i] = " " + body[i]
	}
	lines := screen.Panel(st, title, body[h.scroll:], w, height, true)
	if len(lines) > 0 {
		lines[len(lines)-1] = screen.Bottom(st, st.Plain(foot), w)
	}
	return lines
}

// hereBlocks are the keys of where one is, a block a key; of those that can do nothing now the reason stands with them.
func (h *help) hereBlocks(st theme.Style) [][]string {
	var blocks [][]string
	for _, k := range h.here.Keys {
		if k.Help().Key == "" {
			continue
		}
		block := entry(st, k.Help().Key, k.Help().Desc, st.Text)
		if k.Off != "" {
			block = entry(st, k.Help().Key, k.Help().Desc, st.Dim)
			block = append(block, entry(st, "", "now: "+k.Off, st.Faint)...)
		}
		blocks = append(blocks, block)
	}
	return blocks
}

// groupBlocks are the bindings of all screens, a block a group.
func groupBlocks(st theme.Style) [][]string {
	var blocks [][]string
	for _, g := range groups() {
		block := []string{st.Paint(st.Title, g.Title)}
		for _, b := range g.Bindings {
			if b.Help().Key != "" {
				block = append(block, entry(st, b.Help().Key, b.Help().Desc, st.Text)...)
			}
		}
		blocks = append(blocks, append(block, ""))
	}
	return blocks
}

// entry is a key with what it does, in as many lines as that needs.
func entry(st theme.Style, shown, does string, color theme.Color) []string {
	var lines []string
	shown = st.Plain(shown)
	for _, l := range layout.Wrap(st.Plain(does), helpColumn-helpKey-2) {
		lines = append(lines, layout.Fit(" "+st.Paint(st.Accent, shown), helpKey)+st.Paint(color, l))
		shown = ""
	}
	return lines
}

// flow sets blocks into columns, in their order and as even in height as they can be without breaking one.
func flow(blocks [][]string, count int) []string {
	tallest := 0
	for _, b := range blocks {
		tallest = max(tallest, len(b))
	}
	for !fits(blocks, count, tallest) {
		tallest++
	}
	rows, column, at := make([]string, tallest), 0, 0
	for _, block := range blocks {
		if at+len(block) > tallest {
			column, at = column+1, 0
		}
		for _, line := range block {
			rows[at] = layout.Fit(rows[at], column*helpColumn) + line
			at++
		}
	}
	return rows
}

// fits reports whether blocks fit into columns of a height.
func fits(blocks [][]string, count, height int) bool {
	column, at := 1, 0
	for _, b := range blocks {
		if at+len(b) > height {
			column, at = column+1, 0
		}
		at += len(b)
	}
	return column <= count
}
