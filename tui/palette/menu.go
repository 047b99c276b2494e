package palette

import (
	"image"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Menu is a menu of what can be done with a part of the screen, with menus below it.
type Menu struct {
	Chosen *Entry // after enter; nil before
	Done   bool   // it is closed

	place  image.Point // at which it opens, in the window
	levels []level     // the first menu, and those that were opened from it
}

// level is one of the menus.
type level struct {
	title   string
	entries []Entry
	list
}

// NewMenu is a menu with a title that opens at a place of the window.
func NewMenu(title string, entries []Entry, position image.Point) *Menu {
	m := &Menu{place: position}
	m.open(title, entries)
	return m
}

func (m *Menu) open(title string, entries []Entry) {
	m.levels = append(m.levels, level{title: title, entries: entries, list: list{count: len(entries)}})
}

func (m *Menu) top() *level { return &m.levels[len(m.levels)-1] }

// MenuCommands are the keys of a menu. The keys of its entries do what they do without it.
func MenuCommands() []widget.Command[*Menu] {
	return append([]widget.Command[*Menu]{
		widget.NewChange(widget.Bind("enter", "do it", "enter", "right", "space"), nil, (*Menu).take),
		widget.NewChange(widget.Bind("esc", "leave", "esc", "ctrl+c", "m"), nil, func(m *Menu) { m.Done = true }),
		widget.NewChange(widget.Bind("left", "back", "left"), nil, (*Menu).back),
	}, listCommands(func(m *Menu) *list { return &m.top().list })...)
}

// back closes the last menu that was opened, or the whole menu.
func (m *Menu) back() {
	m.Done = len(m.levels) == 1
	if !m.Done {
		m.levels = m.levels[:len(m.levels)-1]
	}
}

// take chooses the selected entry, or opens its menu; one that can do nothing now is not taken.
func (m *Menu) take() {
	if m.top().count == 0 {
		return
	}
	switch e := m.top().entries[m.top().at]; {
	case e.Disabled != "":
	case e.Sub != nil:
		m.open(e.Name, e.Sub())
	default:
		m.Chosen, m.Done = &e, true
	}
}

// Press takes a key press.
func (m *Menu) Press(msg tea.KeyPressMsg) tea.Cmd {
	if cmd, _, taken := widget.Press(m, MenuCommands(), msg); taken {
		return cmd
	}
	if i := slices.IndexFunc(m.top().entries, func(e Entry) bool { return e.Key == msg.String() }); i >= 0 {
		m.top().choose(i)
		m.take()
	}
	return nil
}

// Mouse takes a mouse message with the path of boxes under it, as that of the palette does.
func (m *Menu) Mouse(msg tea.MouseMsg, path []layout.PlacedBox) {
	switch row, inside := m.top().mouse(msg, path); {
	case !inside:
		m.Done = true
	case row >= 0:
		m.top().choose(row)
		m.take()
	}
}

// maxMenu is the widest menu, in cells.
const maxMenu = 72

// Frame is the menu over a window of w×h cells, at its place as far as it fits there.
func (m *Menu) Frame(st theme.Style, w, h int) *layout.Box {
	l := m.top()
	wide := ansi.StringWidth(l.title) + layout.TitleRoom + 2
	names := 0
	for _, e := range l.entries {
		names = max(names, min(ansi.StringWidth(st.Plain(e.short())), nameWidth))
	}
	for _, e := range l.entries {
		about := e.About
		if e.Disabled != "" {
			about = e.Disabled
		}
		wide = max(wide, names+ansi.StringWidth(st.Plain(about))+ansi.StringWidth(e.Key)+ansi.StringWidth(e.Kind.String())+13)
	}
	wide = min(wide, maxMenu, w)
	rows := min(l.count, h-2)
	panel := layout.Panel(st, l.title, l.list.entries(st, l.entries, wide-2, rows), wide, rows+2, true).
		Section(panelName, "", "A menu of what can be done with "+l.title+". Enter does the selected entry.")
	x := max(min(m.place.X, w-wide), 0)
	y := m.place.Y + 1
	if y+panel.H > h {
		y = max(h-panel.H, 0)
	}
	return layout.Opaque(panel).At(x, y)
}
