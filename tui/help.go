package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/guide"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// help shows what can be done now on the current screen, on one page. A filter finds all keys of the screen, with the
// reason if one can do nothing now, those of all screens, and terms of the glossary. It also shows guides. It does not use the help of Bubbles, which breaks no text into lines, has no headings, and leaves out
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
	filter textinput.Model
	all    bool // the filter is open
	single bool // it was opened for a word, and closes with it
}

// helpLayout is the style and the size that the help is laid out for.
type helpLayout struct {
	style         theme.Style
	width, height int
	filter        string
	all           bool
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
		widget.NewCommand(widget.Bind("/", "filter all keys and terms", "/"), nil, (*help).openFilter),
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
	switch {
	case h.words.shown:
		return h.word(msg)
	case h.all:
		return h.filterKey(msg)
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

// helpColumn is the least width of a column of the help, and helpKey that of the keys in it; nowKey is that of the keys
// that work now, and maxGuide is the widest line of a guide.
const helpColumn, helpKey, nowKey, maxGuide = 38, 12, 12, 100

// frame is the help in the window.
func (h *help) frame(st theme.Style, w, height int) *layout.Box {
	if h.words.shown {
		return h.wordsFrame(st, w, height)
	}
	inner, rows := layout.Inner(w, height)
	h.view.SetWidth(inner)
	if h.all {
		rows--
	}
	h.view.SetHeight(rows)
	h.updateLayout(st, w, height)
	h.view.SetYOffset(h.view.YOffset())
	title, foot := "help: / filters all keys and terms, : finds anything, esc leaves", ""
	subject, says, about := "list of keys", "The keys that work now in "+h.keyMap.Title+".",
		"The keys of the screen; / filters all keys and terms, : finds commands by their names."
	switch {
	case h.guide != nil:
		title = "guide: " + h.guide.Title
		subject, says, about = "guide", h.guide.About, "A guide of the program."
	case h.all:
		title = "help: type a key or words, enter looks up a word, esc goes back"
		says = "The keys of all screens that match, with the reason if one can do nothing now, and terms of the glossary."
	}
	if first, all := h.view.YOffset(), h.view.TotalLineCount(); all > h.view.Height() {
		foot = st.Paint(st.Title, fmt.Sprintf("lines %d to %d of %d", first+1, first+h.view.VisibleLineCount(), all))
	} else if h.guide == nil && !h.all {
		foot = st.Paint(st.Title, "i explains the screen, q quits")
	}
	body := layout.Text(inner, strings.Split(h.view.View(), "\n")...).Prose(subject, "", says)
	if h.all {
		body = layout.Column(layout.Row(layout.Line(" "+st.Paint(st.Accent, "filter ")),
			widget.InputBox(h.filter, inner-9, "")).Prose("filter", "", "The filter: type a key or words."), body)
	}
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
		layout.Foot(st, panel, other).Number("lines", "", "The lines of the help that are visible, or further keys.")
	}
}

// updateLayout lays the keys out in as many columns as fit, once for a style, a size and a filter.
func (h *help) updateLayout(st theme.Style, w, height int) {
	now := helpLayout{st, w, height, h.filter.Value(), h.all}
	if h.layout == now {
		return
	}
	h.layout = now
	if h.guide != nil {
		h.view.SetContentLines(h.guide.Render(st, min(w-4, maxGuide)))
		return
	}
	count := max(1, (w-4)/helpColumn)
	var body []string
	if h.all {
		body = flow(h.allBlocks(st, now.filter), count, helpColumn)
		body = append(body, termLines(st, now.filter, w-6)...)
		h.view.SetYOffset(0)
	} else {
		count = min(count, 3)
		body = append(body, st.PaintBold(st.Accent, st.Plain("In "+h.keyMap.Title+" now")), "")
		body = append(body, flow(h.nowBlocks(st, (w-4)/count), count, (w-4)/count)...)
	}
	for i := range body {
		body[i] = " " + body[i]
	}
	h.view.SetContentLines(body)
}

// The keys of a screen on one page: how many do something, change the picture, and keep a record.
const maxDo, maxLook, maxRecord = 8, 8, 6

// Keys by what they are for, on every screen; all others do something.
const (
	lookKeys   = "w u i v t s 1-7 1-3 d y tab + - 0 ( ) ctrl+t [ ] l # h N"
	recordKeys = "n f F delete ctrl+e ctrl+s ctrl+l * ctrl+r ctrl+y ctrl+d ctrl+u"
)

// nowBlocks are the keys of the current screen that can do something now, a block a heading, with at most as many rows
// as a heading may have. Commands without a key are in the palette.
func (h *help) nowBlocks(st theme.Style, w int) (blocks [][]string) {
	look, record := strings.Fields(lookKeys), strings.Fields(recordKeys)
	var groups [3][]widget.Key
	for _, k := range h.keyMap.Keys {
		shown := k.Help().Key
		switch {
		case shown == "" || k.DisabledReason() != "" || key.Matches(tea.KeyPressMsg(tea.Key{Code: '?', Text: "?"}), k.Binding):
		case slices.Contains(look, shown):
			groups[1] = append(groups[1], k)
		case slices.Contains(record, shown):
			groups[2] = append(groups[2], k)
		default:
			groups[0] = append(groups[0], k)
		}
	}
	rank := func(list []string) func(a, b widget.Key) int {
		place := func(k widget.Key) int {
			if i := slices.Index(list, k.Help().Key); i >= 0 {
				return i
			}
			return len(list)
		}
		return func(a, b widget.Key) int { return place(a) - place(b) }
	}
	for i, g := range []struct {
		title string
		order []string
		most  int
	}{{"Do", strings.Fields(widget.DailyKeys), maxDo}, {"Look", look, maxLook}, {"Record", record, maxRecord}} {
		keys := groups[i]
		slices.SortStableFunc(keys, rank(g.order))
		block := []string{st.Paint(st.Title, g.title)}
		for _, k := range keys[:min(len(keys), g.most)] {
			block = append(block, nowLine(st, k, w))
		}
		if len(block) > 1 {
			blocks = append(blocks, append(block, ""))
		}
	}
	return blocks
}

// nowLine is a key with what it does, in one line of w columns: the first clause of the long description, where it fits.
func nowLine(st theme.Style, k widget.Key, w int) string {
	clause := func(text, ends string) string {
		if i := strings.IndexAny(text, ends); i > 0 {
			text = strings.TrimSpace(text[:i])
		}
		return text
	}
	room := w - nowKey - 1
	does := clause(k.About, ";:(,")
	if does == "" || ansi.StringWidth(st.Plain(does)) > room {
		does = clause(k.Help().Desc, ";:(,")
	}
	return layout.Fit(" "+st.PaintBold(st.Accent, st.Plain(k.Help().Key)), nowKey) +
		st.Paint(st.Text, layout.ShortenIn(st, st.Plain(does), room))
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
