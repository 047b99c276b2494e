package tui

import (
	"context"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/functions"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/lesson/glossary"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/tui/extension"
	"bandscope/tui/guide"
	"bandscope/tui/palette"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// The command palette: its entries are made from the tables of commands that dispatch, help and footers use, and from
// the lists of what can be opened. An entry presses the keys that lead to its command, so that the command does what its
// key does.

// openPalette opens the palette over the current page; saved sessions and studies are read meanwhile.
func (a *app) openPalette() tea.Cmd {
	number := func(int) (palette.Entry, bool) { return palette.Entry{}, false }
	if m, ok := a.current.(player.Screen); ok {
		number = func(n int) (palette.Entry, bool) { return player.Number(m, n) }
	}
	a.palette = palette.New(a.entries(), a.remembered.Recent, number)
	return a.finding.Start("reading the folder of sessions", func(ctx context.Context,
		_ func(string, int, int)) tea.Msg {
		return foundMsg{sessionEntries(ctx, a)}
	})
}

// foundMsg brings the entries of saved sessions and of studies.
type foundMsg struct{ entries []palette.Entry }

// paletteMsg takes a key press, pasted text or a mouse message while the palette is open.
func (a *app) paletteMsg(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	if m, ok := msg.(tea.MouseMsg); ok {
		mouse := m.Mouse()
		a.palette.Mouse(m, a.under(mouse.X, mouse.Y))
	} else {
		cmd = a.palette.Press(msg)
	}
	if !a.palette.Done {
		return cmd
	}
	chosen := a.palette.Chosen
	a.palette = nil
	a.finding.Stop()
	return tea.Batch(cmd, a.perform(chosen))
}

// perform does an entry of the palette or of a menu, and remembers it as used.
func (a *app) perform(e *palette.Entry) tea.Cmd {
	if e == nil {
		return nil
	}
	a.explainer = nil
	a.remembered.Use(e.ID())
	return tea.Batch(e.Do(), a.remember())
}

// entries are what the palette offers at once.
func (a *app) entries() []palette.Entry {
	list := a.commandEntries()
	if f, ok := a.current.(palette.Finder); ok {
		list = append(list, f.Entries()...)
	}
	list = append(list, a.offered()...)
	list = append(list, a.placeEntries()...)
	list = append(list, a.elsewhereEntries(list)...)
	return slices.Concat(list, a.functionEntries(), a.lessonEntries(), a.comparisonEntries(), a.termEntries())
}

// commandEntries are the commands of the current page or mode.
func (a *app) commandEntries() []palette.Entry {
	here := a.current.KeyMap()
	var list []palette.Entry
	for _, k := range here.Keys {
		if widget.Shown(k.Binding) == "" || k.Help() == widget.PaletteKey.Help() {
			continue
		}
		list = append(list, palette.Entry{Name: k.Help().Desc, About: k.About, Key: k.Help().Key, Kind: palette.Command,
			Disabled: k.DisabledReason(), Also: k.Group, Do: func() tea.Cmd { return a.pressFor(here, k.Binding) }})
	}
	slices.SortStableFunc(list, func(a, b palette.Entry) int { return daily(a.Key) - daily(b.Key) })
	return list
}

// daily is the place of a key among the daily ones, and behind all of them for other keys.
func daily(shown string) int {
	keys := strings.Fields(widget.DailyKeys)
	if i := slices.Index(keys, shown); i >= 0 {
		return i
	}
	return len(keys)
}

// pressFor presses the key of a command of the current page. In a prompt, where that would be
// text, it closes the prompt first.
func (a *app) pressFor(here widget.KeyMap, b key.Binding) tea.Cmd {
	if len(b.Keys()) == 0 {
		return nil
	}
	press := widget.KeyPress(b.Keys()[0])
	var closed tea.Cmd
	if here.Takes(press) {
		closed = a.current.Reset()
	}
	return tea.Batch(closed, a.presses(press))
}

// presses presses keys, one after the other; those behind one that opens something wait for it.
func (a *app) presses(keys ...tea.KeyPressMsg) tea.Cmd {
	var cmds []tea.Cmd
	for _, k := range keys {
		a.trailing = trailingInput{}
		_, cmd := a.Update(k)
		cmds = append(cmds, cmd)
	}
	return tea.Batch(cmds...)
}

// moving are keys that only move within a screen, leave it or type: from elsewhere they are no commands.
var moving = []string{"up", "down", "left", "right", "tab", "shift+tab", "enter", "esc", "pgup", "pgdown", "g", "G",
	"home", "end", "space", "f1", "ctrl+z"}

// elsewhereEntries are the commands of the explorer and of all other screens and modes that the list does not have: each
// goes to its screen, and presses its key there.
func (a *app) elsewhereEntries(list []palette.Entry) []palette.Entry {
	known := map[string]bool{}
	for _, e := range list {
		known[e.Name] = true
	}
	explorer := map[string]widget.Key{}
	for _, k := range a.explore.Keys() {
		for _, name := range k.Keys() {
			explorer[name] = k
		}
	}
	var entries []palette.Entry
	for _, g := range groups()[1:] {
		for _, b := range g.Bindings {
			name := b.Help().Desc
			if widget.Shown(b) == "" || known[name] || len(b.Keys()) == 0 || slices.Contains(moving, b.Keys()[0]) {
				continue
			}
			known[name] = true
			e := palette.Entry{Name: name, About: strings.ToLower(g.Title[:1]) + g.Title[1:], Key: b.Help().Key,
				Kind: palette.Elsewhere, Do: func() tea.Cmd { return a.travel(g, b) }}
			if long := g.Long[name]; long != "" {
				e.About += ": " + long
			}
			gate, here := explorer[keyNamed(g.Gate)], explorer[b.Keys()[0]]
			switch {
			case g.Where != "":
				e.Disabled = "open " + g.Where + " first"
			case g.Gate != "":
				e.Disabled = gate.DisabledReason()
			case a.current != display(a.explore):
				e.Disabled = here.DisabledReason()
			}
			entries = append(entries, e)
		}
	}
	return entries
}

// keyNamed is the key of a binding for the name of a key, or that of a command without one.
func keyNamed(name string) string {
	if name == "" {
		return ""
	}
	return widget.KeyPress(name).String()
}

// travel goes to the screen of a group, and presses a key there.
func (a *app) travel(g widget.Group, b key.Binding) tea.Cmd {
	var cmds []tea.Cmd
	if a.current != display(a.explore) {
		cmds = append(cmds, a.show(a.explore))
	}
	cmds = append(cmds, a.explore.Reset())
	if g.Gate != "" {
		before := a.current.KeyMap().Title
		cmds = append(cmds, a.presses(widget.KeyPress(g.Gate)))
		opens := a.typeAhead.actionWanted || a.typeAhead.opening || a.help.shown || a.explainer != nil
		if !opens && a.current.KeyMap().Title == before {
			return tea.Batch(cmds...) // it did not open, and says why
		}
	}
	return tea.Batch(append(cmds, a.presses(widget.KeyPress(b.Keys()[0])))...)
}

// asking is an entry that asks the window for an action.
func (a *app) asking(kind palette.Kind, name, also, about string, want widget.Action) palette.Entry {
	return palette.Entry{Name: name, Also: also, About: about, Kind: kind, Do: func() tea.Cmd { return a.leaveFor(want) }}
}

// leaveFor does an action that leaves the current screen.
func (a *app) leaveFor(want widget.Action) tea.Cmd {
	closed := a.current.Reset()
	a.current.Stop()
	return tea.Batch(closed, a.do(want))
}

// placeEntries are the parts of the program that can be opened.
func (a *app) placeEntries() []palette.Entry {
	from := a.explore.Session().State().Config
	list := []palette.Entry{
		a.asking(palette.Place, "take the course", "lessons learn teach tutorial begin start",
			"24 short lessons with questions and exercises, in the program itself", widget.Open{From: from, Lessons: true}),
		a.asking(palette.Place, "your own experiment", "own new declare problem variables",
			"declare your variables and measurements, and optimize them", widget.Declare{From: from}),
		a.asking(palette.Place, "open a test function", "new session function problem method",
			"start a new session: a function, a method, a seed, noise, a budget", widget.Open{From: from}),
		a.asking(palette.Place, "open a saved session", "load sessions resume file folder",
			"open a saved session where you left it", widget.Open{From: from, Sessions: true}),
		a.asking(palette.Place, "gallery", "examples recorded sessions campaign notes open",
			"ten recorded sessions on test problems, with notes on their important steps", widget.Open{From: from, Gallery: true}),
		a.asking(palette.Place, "playground", "play belief kernel drag results new",
			"put results on an empty plot and see what a belief makes of them", widget.Playground{}),
		a.asking(palette.Place, "studies", "open table methods problems seeds benchmark statistics",
			"tables of runs over problems, methods and seeds", widget.Open{From: from, Studies: true}),
	}
	if a.current != display(a.explore) {
		list = append(list, palette.Entry{Name: "explorer", Also: "back to the session main screen", Kind: palette.Place,
			About: "go to the session in the explorer", Do: func() tea.Cmd { return a.show(a.explore) }})
	}
	return list
}

// functionEntries are the test functions: each starts a session with the current method, or the default one where that
// does not support the function.
func (a *app) functionEntries() []palette.Entry {
	from := a.explore.Session().State().Config
	var list []palette.Entry
	for _, f := range functions.Families() {
		list = append(list, palette.Entry{Name: f.Name, Also: f.Title + " function problem", Kind: palette.Function,
			About: "start a session on the " + f.Title + " function: " + f.About,
			Do: func() tea.Cmd {
				cfg, err := configFor(f.Name, from)
				if err != nil {
					a.current.Say(err.Error(), true)
					return nil
				}
				return a.leaveFor(widget.Start{Config: cfg})
			}})
	}
	return list
}

// configFor is the configuration of a new session on a function, with the method of another session where that supports
// the function.
func configFor(name string, from sessions.Config) (sessions.Config, error) {
	p, err := functions.Find(name, from.Seed)
	if err != nil {
		return sessions.Config{}, err
	}
	cfg := sessions.Config{Problem: p.Name, Optimizer: from.Optimizer, Program: from.Program, Seed: from.Seed}
	if !registry.IsProgram(cfg.Optimizer) && !slices.Contains(registry.SupportingNames(len(p.Objectives), p.LimitedOutputs() != nil), cfg.Optimizer) {
		cfg.Optimizer = registry.Default(len(p.Objectives))
	}
	return cfg, nil
}

// lessonEntries are the lessons of the course, and the sessions of the gallery.
func (a *app) lessonEntries() []palette.Entry {
	var list []palette.Entry
	for _, l := range library.Lessons() {
		list = append(list, a.asking(palette.Lesson, l.Name, l.Title+" lesson course",
			"open the lesson “"+l.Title+"”: "+l.About, widget.Lesson{Name: l.Name}))
	}
	for _, l := range library.Gallery() {
		list = append(list, a.asking(palette.Session, l.Name, l.Title+" gallery recorded example",
			"open the recorded session “"+l.Title+"”: "+l.About, widget.Lesson{Name: l.Name}))
	}
	return list
}

// comparisonEntries are the built-in comparisons, and the entries of extensions.
func (a *app) comparisonEntries() []palette.Entry {
	var list []palette.Entry
	for _, c := range library.Comparisons() {
		list = append(list, a.asking(palette.Comparison, c.Name, c.Title+" comparison", c.Title+": "+c.About,
			widget.PublishedStudy{Name: c.Name}))
	}
	for _, e := range extension.All() {
		if e.Entries != nil {
			list = append(list, a.extensionEntries(e.Entries())...)
		}
	}
	return list
}

// termEntries are the terms of the glossary and the guides, which the help shows.
func (a *app) termEntries() []palette.Entry {
	var list []palette.Entry
	for _, t := range guide.Topics() {
		list = append(list, palette.Entry{Name: t.Title, Also: t.Name + " guide documentation manual", About: t.About,
			Kind: palette.Guide, Do: func() tea.Cmd { a.openGuide(t); return nil }})
	}
	for _, t := range glossary.All() {
		list = append(list, palette.Entry{Name: t.Name, Also: strings.Join(t.Synonyms, " "), About: t.First(),
			Kind: palette.Term, Do: func() tea.Cmd { return a.openTerm(t.Name) }})
	}
	return list
}

// sessionEntries are the saved sessions and the studies of the person, as far as they can be read.
func sessionEntries(ctx context.Context, a *app) []palette.Entry {
	var list []palette.Entry
	saved, _ := library.List(ctx, a.options.Rights.Sessions) // the screen on which sessions are opened shows the error
	for _, e := range saved {
		entry := a.asking(palette.Session, sanitize.Text(e.Subject()+" · "+e.Length()), sanitize.Text(e.Name)+" session",
			"open "+sanitize.Text(e.Name)+", saved "+e.Modified.Format("2 January 2006, 15:04"),
			widget.Resume{Path: e.Path})
		entry.Disabled = sanitize.Text(e.Unreadable)
		list = append(list, entry)
	}
	for _, e := range extension.All() {
		if e.Saved != nil {
			list = append(list, a.extensionEntries(e.Saved(ctx, a.options.Rights))...)
		}
	}
	return list
}
