package compare

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/sessions/library"
	"bandscope/tui/palette"
)

// Entries are the parameters of the selected pane and the methods that it can have, for the palette.
func (m *Model) Entries() []palette.Entry {
	p := m.panes[m.selected]
	params := palette.Parameters(p.alt.Params(), func(d param.Decl) tea.Cmd {
		m.tuned = d.Key
		return m.askValue()
	})
	return append(params, palette.Methods(m.base.State().Problem, p.Optimizer, "show in pane "+letter(m.selected),
		func(s optimizers.Spec) tea.Cmd {
			return m.change(m.selected, library.Pane{Title: s.Title, Optimizer: s.Name})
		})...)
}

// chooseParam goes to another parameter of the selected pane's method: the one that the arrow keys change.
func (m *Model) chooseParam(delta int) tea.Cmd {
	decls := m.panes[m.selected].alt.Params().Decls()
	if len(decls) == 0 {
		m.Notify(m.panes[m.selected].alt.Spec().Title + " has no parameters")
		return nil
	}
	index := slices.IndexFunc(decls, func(d param.Decl) bool { return d.Key == m.tuned })
	if index < 0 && delta < 0 {
		index = 0
	}
	d := decls[(index+delta+len(decls))%len(decls)]
	m.tuned = d.Key
	m.Notify(fmt.Sprintf("left and right change %s (now %s)", d.Label,
		d.Format(m.panes[m.selected].alt.Params().Value(d.Key))))
	return nil
}

// changeParam changes the chosen parameter by one step, in the selected pane or in all that have it.
func (m *Model) changeParam(delta int) tea.Cmd {
	if m.tuned == "" {
		m.Notify("choose a parameter with up and down, then change it with left and right")
		return nil
	}
	var cmds []tea.Cmd
	for i, p := range m.panes {
		if i != m.selected && !m.comparison.KnobAll {
			continue
		}
		d, err := p.alt.Params().Decl(m.tuned)
		if err != nil {
			if i == m.selected {
				m.Status.Fail(err)
			}
			continue
		}
		cmds = append(cmds, m.change(i, with(p.Pane, d.Key, d.Nudge(p.alt.Params().Value(d.Key), delta))))
	}
	if len(cmds) == 0 {
		return nil
	}
	return cmds[len(cmds)-1] // each look replaces the one before
}

// with is a pane with one parameter changed.
func with(p library.Pane, name string, v any) library.Pane {
	params := map[string]any{name: v}
	for k, old := range p.Params {
		if k != name {
			params[k] = old
		}
	}
	p.Params = params
	return p
}

// askValue asks for a parameter of the selected pane and its value.
func (m *Model) askValue() tea.Cmd {
	return m.Status.Ask("set in pane "+letter(m.selected), m.assignment(), m.assign)
}

// assignment is the text that setting a parameter starts from.
func (m *Model) assignment() string {
	d, err := m.panes[m.selected].alt.Params().Decl(m.tuned)
	if err != nil {
		return ""
	}
	return d.Key + "=" + d.Format(m.panes[m.selected].alt.Params().Value(d.Key))
}

// assign sets a parameter of the selected pane from "key=value".
func (m *Model) assign(text string) tea.Cmd {
	name, value, ok := strings.Cut(strings.TrimSpace(text), "=")
	if !ok {
		return m.Status.Again(fmt.Sprintf("type key=value, for example gamma=5; got %q", text))
	}
	p := m.panes[m.selected]
	d, err := p.alt.Params().Decl(strings.TrimSpace(name))
	if err != nil {
		return m.Status.Again(err.Error())
	}
	v, err := d.Parse(value)
	if err != nil {
		return m.Status.Again(err.Error())
	}
	return m.change(m.selected, with(p.Pane, d.Key, v))
}
