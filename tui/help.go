package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/compare"
	"bandscope/tui/explore"
	"bandscope/tui/history"
	"bandscope/tui/open"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// help shows the keys of the screen and mode that one is in, and then those of all screens, made from the bindings themselves.
type help struct {
	shown  bool
	here   screen.Here // as it was when the help was opened
	scroll int
	lines  int    // of all there is, as it was drawn last
	page   int    // of those that the window shows, at most all
	said   string // why a key did nothing
}

var helpKeys = struct{ Up, Down, PageUp, PageDown, Top, Bottom, Close, Quit key.Binding }{
	Up:       screen.Bind("up/down", "scroll", "up", "k"),
	Down:     screen.Bind("", "scroll", "down", "j"),
	PageUp:   screen.Bind("pgup/pgdn", "scroll a page", "pgup"),
	PageDown: screen.Bind("", "scroll a page", "pgdown"),
	Top:      screen.Bind("g, G", "to the beginning, the end", "g", "home"),
	Bottom:   screen.Bind("", "to the beginning, the end", "G", "end"),
	Close:    screen.Bind("esc, ?", "leave", "esc", "?", "f1"),
	Quit:     screen.Bind("q", "quit", "q", "ctrl+c"),
}

// helpGroup lists the keys of the help itself.
func helpGroup() screen.Group {
	k := helpKeys
	return screen.Group{Title: "In the help (?)", Bindings: []key.Binding{k.Up, k.Down, k.PageUp, k.PageDown, k.Top, k.Bottom,
		screen.Bind("wheel", "scroll"), k.Close, k.Quit}}
}

// groups are the bindings of all screens, under headings.
func groups() []screen.Group {
	return slices.Concat(explore.Groups(), history.Groups(), compare.Groups(), open.Groups(), []screen.Group{helpGroup()})
}

func (h *help) key(msg tea.KeyPressMsg) tea.Cmd {
	h.said = ""
	switch {
	case h.scroll == 0 && key.Matches(msg, helpKeys.Up, helpKeys.PageUp, helpKeys.Top):
		h.said = "this is the beginning"
	case h.scroll == h.lines-h.page && key.Matches(msg, helpKeys.Down, helpKeys.PageDown, helpKeys.Bottom):
		h.said = "this is the end"
	}
	switch {
	case key.Matches(msg, helpKeys.Up):
		h.scroll = max(h.scroll-1, 0)
	case key.Matches(msg, helpKeys.Down):
		h.scroll = min(h.scroll+1, max(h.lines-h.page, 0))
	case key.Matches(msg, helpKeys.PageUp):
		h.scroll = max(h.scroll-max(h.page-1, 1), 0)
	case key.Matches(msg, helpKeys.PageDown):
		h.scroll = min(h.scroll+max(h.page-1, 1), max(h.lines-h.page, 0))
	case key.Matches(msg, helpKeys.Top):
		h.scroll = 0
	case key.Matches(msg, helpKeys.Bottom):
		h.scroll = max(h.lines-h.page, 0)
	case key.Matches(msg, helpKeys.Close):
		h.shown = false
	case key.Matches(msg, helpKeys.Quit):
		return screen.Want(screen.Quit{})
	default:
		h.said = sessions.Sanitize(msg.String()) + " does nothing in the help; esc leaves it"
	}
	return nil
}

// mouse scrolls by the wheel.
func (h *help) mouse(msg tea.MouseMsg) {
	switch msg.Mouse().Button {
	case tea.MouseWheelUp:
		h.scroll = max(h.scroll-3, 0)
	case tea.MouseWheelDown:
		h.scroll = min(h.scroll+3, max(h.lines-h.page, 0))
	}
}

// helpColumn is the width of a column of the help, and helpKey that of the keys in it.
const helpColumn, helpKey = 38, 12

// render lays the keys out in as many columns as fit.
func (h *help) render(st theme.Style, w, height int) []string {
	count := max(1, (w-4)/helpColumn)
	body := []string{st.PaintBold(st.Accent, st.Plain("In "+h.here.Title)), ""}
	body = append(body, flow(h.hereBlocks(st), count)...)
	body = append(body, "", st.PaintBold(st.Accent, "On all screens"), "")
	body = append(body, flow(groupBlocks(st), count)...)

	h.lines, h.page = len(body), max(min(height-2, len(body)), 1)
	h.scroll = max(min(h.scroll, len(body)-h.page), 0)
	title, foot := "help: esc leaves it", ""
	if len(body) > h.page {
		title = "help: pgdn, pgup, arrows or the wheel scroll, esc leaves it"
		foot = fmt.Sprintf("%d to %d of %d lines", h.scroll+1, min(h.scroll+h.page, len(body)), len(body))
	}
	if h.said != "" {
		foot = st.Paint(st.Text, h.said)
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
	for _, l := range screen.Wrap(st.Plain(does), helpColumn-helpKey-2) {
		lines = append(lines, screen.Fit(" "+st.Paint(st.Accent, shown), helpKey)+st.Paint(color, l))
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
			rows[at] = screen.Fit(rows[at], column*helpColumn) + line
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

// pressed takes a key press before the page does: the keys of the help, and those that do nothing where one is, which it says.
func (a *app) pressed(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if a.help.shown {
		return a.help.key(msg), true
	}
	here := a.current.Here()
	text := here.Takes(msg)
	if a.stray(msg, here.Typing) {
		a.current.Say(fmt.Sprintf("%q was typed after the field was left: it ran nothing; keys are commands again after a pause", sessions.Sanitize(a.strayed)), false)
		return nil, true
	}
	if msg.String() == "f1" || !text && key.Matches(msg, screen.HelpKey) {
		a.help = help{shown: true, here: here}
		return nil, true
	}
	if text || slices.ContainsFunc(here.Keys, func(k screen.Key) bool { return key.Matches(msg, k.Binding) }) {
		return nil, false
	}
	a.current.Say(nothing(msg, here.Title), false)
	return nil, true
}

// pause is how long after the last key of a field typed characters still belong to it: a person who types on, or a terminal that pastes without
// saying so, is faster, and one who means a command is slower.
const pause = 400 * time.Millisecond

// stray reports whether a key press is the rest of a text whose field was left, such as its second line, rather than a command.
func (a *app) stray(msg tea.KeyPressMsg, typing bool) bool {
	now := a.now()
	switch {
	case typing:
		a.typed, a.strayed = now, ""
		return false
	case msg.Text == "" || now.Sub(a.typed) >= pause:
		a.typed, a.strayed = time.Time{}, ""
		return false
	}
	a.typed = now
	a.strayed += msg.Text
	return true
}

// nothing says that a key does nothing where one is, and what it does elsewhere.
func nothing(msg tea.KeyPressMsg, here string) string {
	said := fmt.Sprintf("%s does nothing in %s", sessions.Sanitize(msg.String()), here)
	for _, g := range groups() {
		for _, b := range g.Bindings {
			if key.Matches(msg, b) {
				where := strings.ToLower(g.Title[:1]) + g.Title[1:]
				return fmt.Sprintf("%s (%s: %s); ? shows the keys", said, where, b.Help().Desc)
			}
		}
	}
	return said + "; ? shows the keys"
}
