// Package palette has the two ways to act without knowing a key: the command palette, a list of everything that the
// program can do, searched by its name, and menus of what can be done with a part of the screen. Both show entries, whose
// functions the window runs; they know no screen.
package palette

import (
	"fmt"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Palette is a search over entries.
type Palette struct {
	Chosen  *Entry // after enter; nil before
	Done    bool   // it is closed
	input   textinput.Model
	all     []searchable
	recent  []string                  // IDs of entries that were used before, the last first
	number  func(n int) (Entry, bool) // the entry of a typed number
	matches []Entry
	list
}

// New is a palette over entries. Those of the recent IDs come first. A typed number is the entry that number
// returns, if it returns one.
func New(entries []Entry, recent []string, number func(n int) (Entry, bool)) *Palette {
	p := &Palette{input: textinput.New(), all: index(entries), recent: recent, number: number}
	p.input.Prompt = ""
	p.input.CharLimit = maxTyped
	p.input.SetVirtualCursor(false)
	p.input.Focus()
	p.find()
	return p
}

// maxTyped is how many characters can be typed.
const maxTyped = 200

// Add adds entries that were found meanwhile, and keeps the chosen one.
func (p *Palette) Add(entries []Entry) {
	chosen := p.at
	p.all = append(p.all, index(entries)...)
	p.find()
	p.choose(chosen)
}

// Type puts a text into the search.
func (p *Palette) Type(text string) {
	p.input.SetValue(text)
	p.input.CursorEnd()
	p.find()
}

// find finds the entries that match the text, and chooses the first.
func (p *Palette) find() {
	p.matches = search(p.all, p.input.Value(), p.recent)
	if n, ok := typedNumber(p.input.Value()); ok && p.number != nil {
		if e, ok := p.number(n); ok {
			p.matches = append([]Entry{e}, p.matches...)
		}
	}
	p.at, p.count = 0, len(p.matches)
}

// Commands are the keys of the palette; all others are text.
func Commands() []widget.Command[*Palette] {
	return append([]widget.Command[*Palette]{
		{Binding: widget.Bind("type", "the name of a command, a method, a function, a session or a term")},
		widget.NewChange(widget.Bind("enter", "do it", "enter"), (*Palette).unmatched, (*Palette).take),
		widget.NewChange(widget.Bind("esc", "leave", "esc", "ctrl+c", "ctrl+p"), nil, func(p *Palette) { p.Done = true }),
	}, listCommands(func(p *Palette) *list { return &p.list })...)
}

func (p *Palette) unmatched() string { return widget.Why(len(p.matches) == 0, "nothing has this name") }

// take chooses the selected entry, unless it can do nothing: then the lines below the list say why.
func (p *Palette) take() {
	if e := p.matches[p.at]; e.Disabled == "" {
		p.Chosen, p.Done = &e, true
	}
}

// Press takes a key press or pasted text.
func (p *Palette) Press(msg tea.Msg) tea.Cmd {
	if press, ok := msg.(tea.KeyPressMsg); ok {
		if cmd, _, taken := widget.Press(p, Commands(), press); taken {
			return cmd
		}
	}
	before := p.input.Value()
	p.input, _ = p.input.Update(msg) // its command would go to the page below
	if p.input.Value() != before {
		p.find()
	}
	return nil
}

// Mouse takes a mouse message with the path of boxes under it: a click on an entry takes it, one beside the palette
// closes it, and the wheel goes through the entries.
func (p *Palette) Mouse(msg tea.MouseMsg, path []layout.PlacedBox) {
	switch row, inside := p.mouse(msg, path); {
	case !inside:
		p.Done = true
	case row >= 0:
		p.choose(row)
		p.take()
	}
}

// The largest size of the palette, in cells, and the rows that are not entries: borders, the text, a line and three
// lines about the chosen entry.
const maxWidth, maxHeight, otherRows = 104, 28, 7

// panelName is the name of the box of the palette or the menu in the frame.
const panelName = "palette"

// Frame is the palette over a window of w×h cells.
func (p *Palette) Frame(st theme.Style, w, h int) *layout.Box {
	wide, high := min(w-4, maxWidth), min(h-2, maxHeight)
	inner, rows := wide-2, high-otherRows
	typed := layout.Row(layout.Line(" "+st.Paint(st.Accent, ": ")),
		widget.InputBox(p.input, inner-4, st.Paint(st.Faint, "type a name, such as compare, gp-ucb, branin or lengthscale"))).
		Prose("search", "", "The text that is searched: the name of a command, a method, a function, a parameter, a session, a lesson or a term, or the number of a step.")
	title := "find"
	if n := len(p.matches); n > 0 {
		title = fmt.Sprintf("find (%d of %d)", p.at+1, n)
	}
	top := &layout.Part{Title: title, Body: layout.Column(typed, p.entries(st, p.matches, inner, rows))}
	below := &layout.Part{Body: p.about(st, inner)}
	panel := layout.SplitPanel(st, wide, high, true, top, below)
	panel.Name = panelName
	top.Box.Section("find", "", "The command palette: what the program can do, by name. Enter does the selected entry.")
	below.Box.Kind, below.Box.Name = layout.Group, ""
	foot := widget.Footer(st, widget.BindingsFor(Commands(), "enter up/down esc"), wide-layout.TitleRoom)
	layout.Foot(st, panel, foot)
	return layout.Opaque(panel).At((w-wide)/2, max((h-high)/3, 0))
}

// aboutRows is how many lines describe the chosen entry.
const aboutRows = 3

// about describes the selected entry: what it does, or why it can do nothing now.
func (p *Palette) about(st theme.Style, w int) *layout.Box {
	text, color := "nothing has this name; try another word for it", st.Dim
	if len(p.matches) > 0 {
		e := p.matches[p.at]
		text, color = e.sentence(), st.Text
		if e.Disabled != "" {
			text, color = "not now: "+e.Disabled, st.Warn
		}
	}
	lines := layout.Paragraph(st, color, text, w-2)
	return layout.Text(w, lines[:min(len(lines), aboutRows)]...).Filled(aboutRows).
		Prose("about", "", "What the selected entry does: "+layout.Excerpt(text, maxQuoted)+".")
}

// maxQuoted is how many words of an entry its explanation quotes.
const maxQuoted = 40
