package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/guide"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// help shows what can be done now on the current screen, on one page; below it are all keys of the screen, with the
// reason if one can do nothing now, and those of all screens, made from the bindings. It also shows guides and terms of
// the glossary. It does not use the help of Bubbles, which breaks no text into lines, has no headings, and leaves out
// entries that do not fit into its columns.
type help struct {
	shown  bool
	guide  *guide.Topic   // shown in place of the keys; nil for none
	find   func() tea.Cmd // opens the palette
	keyMap widget.KeyMap  // as it was when the help was opened
	view   viewport.Model
	layout helpLayout // what its content was made for
	status widget.Status
	words  words
	single bool // it was opened for a word, and closes with it
}

// helpLayout is the style and the size that the help is laid out for.
type helpLayout struct {
	style         theme.Style
	width, height int
}

// helpCommands are the keys of the help.
func helpCommands() []widget.Command[*help] {
	scroll := func(off func(*help) string, lines func(*help) int, b key.Binding) widget.Command[*help] {
		return widget.NewCommand(b, off, func(h *help) tea.Cmd {
			h.view.SetYOffset(h.view.YOffset() + lines(h))
			return nil
		})
	}
	page := func(h *help) int { return max(h.view.Height()-1, 1) }
	all := func(h *help) int { return h.view.TotalLineCount() }
	return []widget.Command[*help]{
		scroll((*help).atTop, func(*help) int { return -1 }, widget.Bind("up/down", "scroll", "up", "k")),
		scroll((*help).atEnd, func(*help) int { return +1 }, widget.Bind("", "scroll", "down", "j")),
		scroll((*help).atTop, func(h *help) int { return -page(h) }, widget.Bind("pgup/pgdn", "scroll a page", "pgup")),
		scroll((*help).atEnd, page, widget.Bind("", "scroll a page", "pgdown")),
		scroll((*help).atTop, func(h *help) int { return -all(h) },
			widget.Bind("g, G", "first, last", "g", "home")),
		scroll((*help).atEnd, all, widget.Bind("", "first, last", "G", "end")),
		{Binding: widget.Bind("wheel", "scroll")},
		widget.NewCommand(widget.Bind("/", "look up a word", "/"), nil, func(h *help) tea.Cmd {
			return h.lookUp("")
		}),
		widget.NewCommand(widget.Bind(":", "find", ":", "ctrl+p"), nil, func(h *help) tea.Cmd {
			h.shown = false
			return h.find()
		}),
		widget.NewCommand(widget.Bind("esc, ?", "leave", "esc", "?", "f1"), nil, func(h *help) tea.Cmd {
			h.shown = false
			return nil
		}),
		widget.NewRequestCommand[*help](widget.Bind("q", "quit", "q", "ctrl+c"), widget.Quit{}),
	}
}

func (h *help) atTop() string {
	if h.view.AtTop() {
		return "this is the beginning"
	}
	return ""
}

func (h *help) atEnd() string {
	if h.view.AtBottom() {
		return "this is the end"
	}
	return ""
}

func (h *help) key(msg tea.KeyPressMsg) tea.Cmd {
	if h.words.shown {
		return h.word(msg)
	}
	cmd, taken := widget.Take(h, &h.status, helpCommands(), msg)
	if !taken {
		h.status.Say(msg.String()+" does nothing in the help; press esc to leave", false)
	}
	return cmd
}

// mouse scrolls by the wheel.
func (h *help) mouse(msg tea.MouseMsg) {
	if !h.words.shown {
		h.view, _ = h.view.Update(msg)
	}
}

// helpColumn is the width of a column of the help, and helpKey that of the keys in it; nowColumn and nowKey are those of
// the keys that work now, and maxGuide is the widest line of a guide.
const helpColumn, helpKey, nowColumn, nowKey, maxGuide = 38, 12, 25, 10, 100

// frame is the help in the window.
func (h *help) frame(st theme.Style, w, height int) *layout.Box {
	if h.words.shown {
		return h.wordsFrame(st, w, height)
	}
	inner, rows := layout.Inner(w, height)
	h.view.SetWidth(inner)
	h.view.SetHeight(rows)
	h.updateLayout(st, w, height)
	h.view.SetYOffset(h.view.YOffset())
	title, foot := "help: : finds anything, / looks up a word, esc leaves", ""
	if h.guide != nil {
		title = "guide: " + h.guide.Title
	}
	if first, all := h.view.YOffset(), h.view.TotalLineCount(); all > rows {
		if h.guide == nil {
			title = "help: pgdn shows more, : finds anything, / looks up a word, esc leaves"
		}
		foot = st.Paint(st.Title, fmt.Sprintf("lines %d to %d of %d", first+1, first+h.view.VisibleLineCount(), all))
	}
	subject, says := "list of keys", "The keys: those that work now in "+h.keyMap.Title+" first, then all of them, with the reason if one can do nothing now, then those on all screens."
	about := "The keys of the program; : finds commands by their names, / looks up a word."
	if h.guide != nil {
		subject = "guide"
		says = h.guide.About
		about = "A guide of the program."
	}
	body := layout.Text(inner, strings.Split(h.view.View(), "\n")...).Prose(subject, "", says)
	panel := layout.Panel(st, title, body, w, height, true).Section(title, "", about)
	h.said(st, panel, foot)
	return panel
}

// said puts the message of the last key into the lower edge of a panel, or another text if there is none.
func (h *help) said(st theme.Style, panel *layout.Box, other string) {
	if message, _ := h.status.Message(); message != "" {
		layout.Foot(st, panel, st.Paint(st.Text, st.Plain(message))).
			Prose("said", "", "The result of the last command: "+message+".")
	} else if other != "" {
		layout.Foot(st, panel, other).Number("lines", "", "The lines of the help that are visible.")
	}
}

// updateLayout lays the keys out in as many columns as fit, once for a style and a width.
func (h *help) updateLayout(st theme.Style, w, height int) {
	if h.layout == (helpLayout{st, w, height}) {
		return
	}
	h.layout = helpLayout{st, w, height}
	if h.guide != nil {
		h.view.SetContentLines(h.guide.Render(st, min(w-4, maxGuide)))
		return
	}
	count := max(1, (w-4)/helpColumn)
	heading := func(text string) []string { return []string{st.PaintBold(st.Accent, st.Plain(text)), ""} }
	body := heading("In " + h.keyMap.Title + " now")[:1]
	body = append(body, flow(h.nowBlocks(st), max(1, (w-4)/nowColumn), nowColumn)...)
	body = append(body, make([]string, max(height-2-len(body), 1))...) // all keys begin on the next page
	body = append(body, heading("All keys in "+h.keyMap.Title)...)
	body = append(body, flow(h.hereBlocks(st), count, helpColumn)...)
	body = append(append(body, ""), heading("On all screens")...)
	body = append(body, flow(groupBlocks(st), count, helpColumn)...)
	for i := range body {
		body[i] = " " + body[i]
	}
	h.view.SetContentLines(body)
}

// nowBlocks are the keys of the current screen that can do something, a line a key: the daily ones, and
// then the others, a block a heading.
func (h *help) nowBlocks(st theme.Style) (blocks [][]string) {
	last := strings.Count(widget.DailyKeys, " ") + 1
	keys := slices.DeleteFunc(slices.Clone(h.keyMap.Keys), func(k widget.Key) bool {
		return widget.Shown(k.Binding) == "" || k.DisabledReason() != ""
	})
	slices.SortStableFunc(keys, func(a, b widget.Key) int { return daily(a.Help().Key) - daily(b.Help().Key) })
	before := ""
	for _, k := range keys {
		title := k.Group
		if daily(k.Help().Key) < last {
			title = "Every day"
		}
		if title != before || len(blocks) == 0 {
			before, blocks = title, append(blocks, nil)
			if title != "" {
				blocks[len(blocks)-1] = []string{st.Paint(st.Title, st.Plain(title))}
			}
		}
		does := k.Help().Desc
		if i := strings.IndexAny(does, ",:("); i > 0 {
			does = strings.TrimSpace(does[:i])
		}
		line := layout.Fit(" "+st.PaintBold(st.Accent, st.Plain(widget.Shown(k.Binding))), nowKey) +
			st.Paint(st.Text, layout.ShortenIn(st, st.Plain(does), nowColumn-nowKey-1))
		blocks[len(blocks)-1] = append(blocks[len(blocks)-1], line)
	}
	return blocks
}

// hereBlocks are the keys of the current screen, a block a key, with the reason if one can do nothing now.
func (h *help) hereBlocks(st theme.Style) [][]string {
	var blocks [][]string
	for _, k := range h.keyMap.Keys {
		shown, does := widget.Shown(k.Binding), k.Help().Desc
		if shown == "" {
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
	return blocks
}

// groupBlocks are the bindings of all screens, a block a group.
func groupBlocks(st theme.Style) [][]string {
	var blocks [][]string
	for _, g := range groups() {
		block := []string{st.Paint(st.Title, g.Title)}
		for _, b := range g.Bindings {
			if shown := widget.Shown(b); shown != "" {
				block = append(block, entry(st, shown, b.Help().Desc, st.Text)...)
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

// flow sets blocks into columns of a width, in their order and as even in height as they can be without breaking one.
func flow(blocks [][]string, count, width int) []string {
	tallest := 0
	for _, b := range blocks {
		tallest = max(tallest, len(b))
	}
	for !fits(blocks, count, tallest) {
		tallest++
	}
	rows := make([]string, tallest)
	column := 0
	row := 0
	for _, block := range blocks {
		if row+len(block) > tallest {
			column, row = column+1, 0
		}
		for _, line := range block {
			rows[row] = layout.Fit(rows[row], column*width) + line
			row++
		}
	}
	return rows
}

// fits reports whether blocks fit into columns of a height.
func fits(blocks [][]string, count, height int) bool {
	column, row := 1, 0
	for _, b := range blocks {
		if row+len(b) > height {
			column, row = column+1, 0
		}
		row += len(b)
	}
	return column <= count
}
