package palette

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// list is a list of entries with a selected one.
type list struct {
	at, count int
	top, rows int // the part that was drawn last
}

// choose selects an entry by its index, or the nearest one.
func (l *list) choose(i int) { l.at = max(min(i, l.count-1), 0) }

// pageRows is how far a page of the list goes before it was drawn.
const pageRows = 10

// listCommands are the keys that go through a list.
func listCommands[M any](listOf func(M) *list) []widget.Command[M] {
	l := widget.List[M]{Shown: "up/down", Does: "choose", Up: "up shift+tab", Down: "down tab", Round: true,
		Row: func(m M) (*int, int) { return &listOf(m).at, listOf(m).count }}
	page := func(m M) int { return max(listOf(m).rows-1, min(pageRows, listOf(m).count)) }
	return append(l.Commands(), l.Pages(page)...)
}

// listName is the name of the box of the entries in the frame.
const listName = "entries"

// mouse takes a mouse message over a list in a panel: the wheel goes through the entries, and the mouse over one selects
// it where the terminal tells. row is the entry that a click is on, −1 for none; inside is false for a click beside the
// panel.
func (l *list) mouse(msg tea.MouseMsg, path []layout.PlacedBox) (row int, inside bool) {
	hit := widget.Hit{MouseMsg: msg, Path: path}
	_, _, index, over := hit.On(listName)
	_, _, _, inside = hit.On(panelName)
	over = over && l.top+index < l.count
	if over {
		row = l.top + index
	} else {
		row = -1
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		switch msg.Button {
		case tea.MouseWheelUp:
			l.choose(l.at - 1)
		case tea.MouseWheelDown:
			l.choose(l.at + 1)
		}
	case tea.MouseMotionMsg:
		if over {
			l.choose(row)
		}
	case tea.MouseClickMsg:
		return row, inside
	}
	return -1, true
}

// nameWidth is the widest column of names.
const nameWidth = 34

// entries are the entries around the selected one, in w columns and so many rows.
func (l *list) entries(st theme.Style, entries []Entry, w, rows int) *layout.Box {
	l.rows = rows
	l.top = max(min(l.top, l.at, len(entries)-rows), l.at-rows+1, 0)
	names := 0
	for _, e := range entries[l.top:min(l.top+rows, len(entries))] {
		names = min(max(names, ansi.StringWidth(st.Plain(e.short()))), nameWidth)
	}
	all := layout.New(w, 0)
	for i := l.top; i < min(l.top+rows, len(entries)); i++ {
		e := entries[i]
		all.Below(layout.Text(w, e.line(st, names, w, i == l.at)).Describe(layout.Prose, e.Name, "", func() string {
			return fmt.Sprintf("Entry %d of %d: %s.", i+1, len(entries), layout.Excerpt(e.Name+", "+e.sentence(), maxQuoted))
		}))
	}
	all = all.Filled(rows)
	all.Name = listName
	return all
}

// line is an entry in a list of w columns, its name in a column of names.
func (e Entry) line(st theme.Style, names, w int, chosen bool) string {
	mark, color := "   ", st.Text
	if e.Disabled != "" {
		color = st.Faint
	}
	if chosen {
		mark, color = " "+st.PaintBold(st.Accent, st.Pointer())+" ", st.Accent
	}
	name := layout.ShortenIn(st, st.Plain(e.short()), names)
	line := mark + st.Paint(color, name)
	if chosen {
		line = mark + st.PaintBold(color, name)
	}
	right := strings.TrimSpace(e.Kind.String() + " " + st.Plain(e.Key))
	line = layout.Fit(line, 3+names+2)
	room := w - ansi.StringWidth(line) - ansi.StringWidth(right) - 3
	about := e.About
	if e.Disabled != "" {
		about = e.Disabled
	}
	line += layout.Fit(st.Paint(st.Dim, layout.ShortenIn(st, st.Plain(about), max(room, 0))), max(room, 0)) + "  "
	return line + st.Paint(st.Faint, e.Kind.String()) + strings.Repeat(" ", min(len(e.Kind.String()), 1)) +
		st.PaintBold(st.Accent, st.Plain(e.Key))
}

// short is the name up to its first comma or colon, where the description says the rest.
func (e Entry) short() string {
	if i := strings.IndexAny(e.Name, ",:("); i > 0 && e.About != "" {
		return strings.TrimSpace(e.Name[:i])
	}
	return e.Name
}

// sentence is what the entry does.
func (e Entry) sentence() string {
	if e.About == "" {
		return e.Name
	}
	return e.About
}

// typedNumber is the number in a text that consists of it and words about going to a step.
func typedNumber(text string) (n int, ok bool) {
	for _, w := range words(text) {
		switch i, err := strconv.Atoi(w); {
		case err == nil && !ok:
			n, ok = i, true
		case err == nil, w != "go" && w != "to" && w != "step" && w != "update" && w != "iteration" && w != "page":
			return 0, false
		}
	}
	return n, ok
}
