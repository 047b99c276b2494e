package tui

import (
	"image"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/sanitize"
	"bandscope/tui/guide"
	"bandscope/tui/layout"
	"bandscope/tui/palette"
	"bandscope/tui/widget"
)

// Menus: what can be done with a part of the screen. A right click opens the menu of the boxes under it; the menu key
// that of the part which is being explained, or one of all parts and commands.

// openMenu opens the menu of the explained part, or of the whole screen.
func (a *app) openMenu() tea.Cmd {
	if a.explainer != nil {
		if p, ok := a.explainer.Box(); ok {
			a.showMenu(a.explainer.Frame().PathOf(p), p.Clip.Min)
			return nil
		}
	}
	a.menu = palette.NewMenu("menu", a.screenEntries(), image.Pt(2, a.height))
	return nil
}

// showMenu opens the menu of the innermost boxes of a path; where they have none, that of the whole screen.
func (a *app) showMenu(path []layout.PlacedBox, position image.Point) {
	title, entries := a.boxEntries(path, position)
	if len(entries) == 0 {
		title, entries = "menu", a.screenEntries()
	}
	a.menu = palette.NewMenu(title, entries, position)
}

// menuMsg takes a key press or a mouse message while a menu is open.
func (a *app) menuMsg(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.MouseMsg:
		mouse := msg.Mouse()
		a.menu.Mouse(msg, a.under(mouse.X, mouse.Y))
	case tea.KeyPressMsg:
		cmd = a.menu.Press(msg)
	}
	if !a.menu.Done {
		return cmd
	}
	chosen := a.menu.Chosen
	a.menu = nil
	return tea.Batch(cmd, a.perform(chosen))
}

// boxEntries are what can be done with the boxes of a path, those of the innermost first, and the name of that which
// has any.
func (a *app) boxEntries(path []layout.PlacedBox, position image.Point) (title string, entries []palette.Entry) {
	here := a.current.KeyMap()
	var described *layout.PlacedBox
	for i := range slices.Backward(path) {
		p := &path[i]
		if described == nil && p.Description != nil && p.Kind != layout.Group && p.Description() != "" {
			described = p
		}
		for _, action := range p.Actions {
			e, ok := a.actionEntry(here, path, action, position)
			if ok && !slices.ContainsFunc(entries, func(other palette.Entry) bool { return other.Name == e.Name }) {
				entries = append(entries, e)
			}
		}
	}
	if described == nil {
		return "", nil
	}
	title = sanitize.Text(described.Name)
	if term := described.GlossaryTerm(); term != "" {
		entries = append(entries, palette.Entry{Name: "look up “" + term + "”", About: "show its definition in the glossary",
			Do: func() tea.Cmd { return a.openTerm(term) }})
	}
	box := described.Box
	return title, append(entries, palette.Entry{Name: "explain this", Key: widget.ExplainKey.Help().Key,
		About: "say what it is, with its present values", Do: func() tea.Cmd {
			a.startExplainer()
			a.explainer.Show(box)
			return nil
		}})
}

// actionEntry is an action of a box as an entry; false if the current page cannot do it.
func (a *app) actionEntry(here widget.KeyMap, path []layout.PlacedBox, action layout.Action,
	position image.Point) (palette.Entry, bool) {
	focused := func(do func() tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd { focus(path); return do() }
	}
	switch want := action.Want.(type) {
	case nil:
	case layout.ClickThere:
		return palette.Entry{Name: action.Help, About: want.About, Do: func() tea.Cmd {
			return tea.Batch(a.mouse(tea.MouseClickMsg{X: position.X, Y: position.Y, Button: tea.MouseLeft}),
				a.mouse(tea.MouseReleaseMsg{X: position.X, Y: position.Y, Button: tea.MouseLeft}))
		}}, true
	default:
		return palette.Entry{Name: action.Help, Do: focused(func() tea.Cmd { return a.do(want) })}, true
	}
	i := slices.IndexFunc(here.Keys, func(k widget.Key) bool { return key.Matches(widget.KeyPress(action.Key), k.Binding) })
	if i < 0 {
		return palette.Entry{}, false
	}
	k := here.Keys[i]
	e := palette.Entry{Name: k.Help().Desc, About: k.About, Key: k.Help().Key, Disabled: k.DisabledReason(),
		Do: focused(func() tea.Cmd { return a.presses(widget.KeyPress(action.Key)) })}
	if action.Help != "" {
		e.Name = action.Help
	}
	return e, true
}

// screenEntries are a menu of the whole screen: its commands by their headings, its parts, and the places that can be
// opened.
func (a *app) screenEntries() []palette.Entry {
	var entries []palette.Entry
	groups := map[string][]palette.Entry{}
	for _, e := range a.commandEntries() {
		title := e.Also
		if title == "" {
			title = "Commands"
		}
		if groups[title] == nil {
			entries = append(entries, palette.Entry{Name: title, Sub: func() []palette.Entry { return groups[title] }})
		}
		groups[title] = append(groups[title], e)
	}
	for i := range entries {
		entries[i].About = namesOf(groups[entries[i].Name])
	}
	if parts := a.partEntries(); len(parts) > 0 {
		entries = append(entries, palette.Entry{Name: "Parts of the screen", About: namesOf(parts),
			Sub: func() []palette.Entry { return parts }})
	}
	return append(entries, palette.Entry{Name: "Open", About: namesOf(a.placeEntries()), Sub: a.placeEntries})
}

// namesOf lists the names of entries, as the description of their menu.
func namesOf(entries []palette.Entry) string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	return strings.Join(names, ", ")
}

// partEntries are the titled parts of the screen, each with its menu.
func (a *app) partEntries() []palette.Entry {
	frame := layout.Arrange(a.frame(), a.width, a.height)
	var list []palette.Entry
	for _, p := range frame.DescribedBoxes() {
		if p.Kind != layout.Section {
			continue
		}
		path := frame.PathOf(p)
		if _, entries := a.boxEntries(path, p.Clip.Min); len(entries) > 0 {
			list = append(list, palette.Entry{Name: sanitize.Text(p.Name), About: p.Description(),
				Sub: func() []palette.Entry { return entries }})
		}
	}
	return list
}

// openTerm shows a term of the glossary, over the page.
func (a *app) openTerm(name string) tea.Cmd {
	a.help = help{shown: true, single: true, keyMap: a.current.KeyMap(), find: a.openPalette}
	return a.help.lookUp(name)
}

// openGuide shows a guide, over the page.
func (a *app) openGuide(t guide.Topic) {
	a.help = help{shown: true, guide: &t, keyMap: a.current.KeyMap(), find: a.openPalette}
}
