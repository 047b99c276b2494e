package playground

import (
	"context"
	"fmt"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/modes"
	"bandscope/tui/explore/note"
	"bandscope/tui/palette"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// preset changes the active belief to the next one of the list, or to the previous one.
func (m *Model) preset(delta int) tea.Cmd {
	list := registry.Presets()
	b := m.beliefs[m.active]
	index := m.presetIndex(list, b.shown())
	if index < 0 && delta < 0 {
		index = 0
	}
	return m.take(list[(index+delta+len(list))%len(list)])
}

// take changes the active belief to a preset.
func (m *Model) take(p registry.Preset) tea.Cmd {
	b := m.beliefs[m.active]
	m.setBelief(b, p)
	m.Notify(fmt.Sprintf("%s: %s", p.Title, m.beliefTitle(b)))
	return tea.Batch(m.recordBeliefs("changing the belief"), m.compute())
}

// Entries are the beliefs and the parameters that can be changed, for the palette.
func (m *Model) Entries() []palette.Entry {
	here := m.beliefs[m.active].shown().Optimizer
	list := palette.Methods(m.state.Problem, here, "show the belief of", func(s optimizers.Spec) tea.Cmd {
		return m.take(registry.Preset{Title: s.Title, Method: s.Name})
	})
	for _, p := range registry.Presets() {
		list = append(list, palette.Entry{Name: p.Title, Also: "belief kernel surrogate", Kind: palette.Command,
			About: "show this belief: " + p.About, Do: func() tea.Cmd { return m.take(p) }})
	}
	return append(list, player.Entries(m)...)
}

// setBelief gives a belief the method and the parameters of a preset.
func (m *Model) setBelief(b *belief, p registry.Preset) {
	b.preview = nil
	b.config = sessions.BeliefConfig{Optimizer: p.Method, Params: maps.Clone(p.Set)}
	b.picture, b.reason = nil, ""
	m.chosen = selection{}
}

// presetIndex is the index of the preset that a belief is, or else of the first one of its method; −1 for none.
func (m *Model) presetIndex(list []registry.Preset, b sessions.BeliefConfig) int {
	changed := func(b sessions.BeliefConfig) map[string]any {
		_, params, err := m.state.ParamsOf(b)
		if err != nil {
			return nil
		}
		return params.Changed()
	}
	now := changed(b)
	same := func(p registry.Preset) bool {
		return p.Method == b.Optimizer && maps.Equal(now, changed(sessions.BeliefConfig{Optimizer: p.Method, Params: p.Set}))
	}
	if i := slices.IndexFunc(list, same); i >= 0 {
		return i
	}
	return slices.IndexFunc(list, func(p registry.Preset) bool { return p.Method == b.Optimizer })
}

func (m *Model) oneBelief() string {
	return widget.Why(len(m.beliefs) < 2, "there is only one belief; c draws it over a second one")
}

// otherBelief lets keys and handles change the other belief.
func (m *Model) otherBelief() tea.Cmd {
	m.active = 1 - m.active
	m.chosen = selection{}
	m.Notify(fmt.Sprintf("keys and handles change belief %s", m.beliefName(m.active)))
	return m.compute()
}

// secondBelief draws the belief over a second one, which keys then change, or removes the second one.
func (m *Model) secondBelief() tea.Cmd {
	m.chosen = selection{}
	if len(m.beliefs) > 1 {
		m.beliefs, m.active = m.beliefs[:1], 0
		m.Notify("the second belief is removed")
		return tea.Batch(m.recordBeliefs("removing the second belief"), m.compute())
	}
	list := registry.Presets()
	second := &belief{}
	m.setBelief(second, list[(m.presetIndex(list, m.beliefs[0].shown())+1)%len(list)])
	m.beliefs, m.active = append(m.beliefs, second), 1
	m.Notify(fmt.Sprintf("keys change belief %s; [ and ] choose another, & goes to the first", m.beliefName(1)))
	return tea.Batch(m.recordBeliefs("adding a second belief"), m.compute())
}

func (m *Model) noResults() string {
	return widget.Why(len(m.items) == 0, "there are no results to search from")
}

// search starts a search that continues from the results, in a session of its own.
func (m *Model) search() tea.Cmd {
	s := m.session
	wait := m.chain.wait
	return player.Leave(m, widget.MakeSession{What: "starting a search from these results",
		Make: func(ctx context.Context, _ func(string, int, int)) (*sessions.Session, error) {
			wait()
			return s.State().NewSearch(ctx)
		}})
}

// Advance goes to the next place on record.
func (m *Model) Advance() tea.Cmd {
	if !m.Ahead() {
		m.End("this is the end of the record")
		return nil
	}
	return player.Do(m, m.Turn())
}

// fileName is the suggested name of the file to save to.
func (m *Model) fileName() string { return library.NameFor(m.Dir, m.state.Config, m.session.Started()) }

// unsaved describes the playground that would be left; empty if it is empty.
func (m *Model) unsaved() string {
	if n := len(m.items); n > 0 {
		return "this playground with " + widget.Count(n, "result")
	}
	return ""
}

// Notes are the texts beside the plot: in a lesson its current page, otherwise the notes on the current place.
func (m *Model) Notes() note.Page {
	l := m.session.Lesson()
	if l == nil {
		return note.NotesPage(mode.NotesFor(m.state))
	}
	page := note.LessonPage(sanitize.Text(l.Title), m.Reader.Text(m.Page(), m.Style), m.Reader.Asks(m.Page()))
	page.Description = fmt.Sprintf("Page %d of %d of the lesson. It explains the picture. Press space for the next page.",
		m.Line.At+1, len(m.Line.Stops))
	return m.ReadingPosition.PageWithNext(page, m.Line)
}

// NotesSize is the size of the panel of notes, in cells.
func (m *Model) NotesSize() (w, h int) {
	panels, _, _ := m.heights()
	return m.side(), panels
}

// Scene is the part of the screen that a mode sees: the active belief.
func (m *Model) Scene() mode.Scene {
	st := m.state
	b := m.beliefs[m.active]
	spec, params, err := st.ParamsOf(b.shown())
	if err == nil {
		st.Spec, st.Params = spec, params
	}
	s := mode.Scene{State: st, Style: m.Style, Params: mode.ParamsFor(st), Notes: mode.NotesFor(m.state), Asking: m.Asks()}
	if b.picture != nil {
		s.Legend = b.picture.Legend
	}
	return s
}

// Request does what a mode requests.
func (m *Model) Request(a widget.Action) tea.Cmd {
	switch a := a.(type) {
	case mode.Enter, mode.Leave:
		return nil
	case modes.SetParameter:
		return m.setParameter(a)
	case note.Write:
		s := m.session
		return m.Apply(player.Act{Doing: a.Doing(), Records: true, Do: func(context.Context, sessions.Progress) (string,
			error) {
			return a.WriteTo(s)
		}})
	}
	return widget.Request(a)
}

// setParameter changes a parameter of the active belief.
func (m *Model) setParameter(a modes.SetParameter) tea.Cmd {
	err := m.previewChange(func(param.Set) []optimizers.Setting { return []optimizers.Setting{{Key: a.Key, Text: a.Text}} })
	if err != nil {
		m.cancel()
		m.Status.Fail(err)
		return nil
	}
	m.Notify(fmt.Sprintf("%s is now %s", a.Key, a.Text))
	return tea.Batch(m.commit(), m.compute())
}
