package compare

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/sessions/library"
	"bandscope/tui/layout"
	"bandscope/tui/palette"
	"bandscope/tui/widget"
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
	if all := m.knobs(); m.arrangement == bandWidths && len(all) > 0 {
		m.chooseKnob(all, delta)
		return nil
	}
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
		next, err := p.nudged(d, delta)
		if err != nil {
			m.Status.Fail(err)
			return nil
		}
		cmds = append(cmds, m.change(i, next))
	}
	if len(cmds) == 0 {
		return nil
	}
	return cmds[len(cmds)-1] // each look replaces the one before
}

// chooseKnob goes to another parameter of the models whose bands are compared.
func (m *Model) chooseKnob(all []knob, delta int) {
	index := slices.IndexFunc(all, func(k knob) bool { return k.pane == m.selected && k.decl.Key == m.tuned })
	if index < 0 && delta < 0 {
		index = 0
	}
	next := all[(index+delta+len(all))%len(all)]
	m.selected, m.tuned = next.pane, next.decl.Key
	m.Notify(fmt.Sprintf("left and right change %s of %s (now %s)", next.decl.Label, m.shortTitle(next.pane),
		m.panes[next.pane].valueText(next.decl)))
}

// knobValues lists the parameters of the models whose bands are compared, with their values; empty without any.
func (m *Model) knobValues() string {
	if m.arrangement != bandWidths {
		return ""
	}
	all := m.knobs()
	if parts := m.knobTexts(all); ansi.StringWidth(strings.Join(parts, knobGap)) <= m.Width-2 {
		return strings.Join(parts, knobGap)
	}
	own := slices.DeleteFunc(all, func(k knob) bool { return k.pane != m.selected })
	return layout.FitEntries(m.knobTexts(own), knobGap, m.Width-2)
}

// knobGap is between two parameters.
const knobGap = "   "

// knobTexts are parameters with their values, the first of each pane behind its title.
func (m *Model) knobTexts(all []knob) []string {
	st, parts := m.Style, make([]string, len(all))
	for i, k := range all {
		color := st.Dim
		if k.pane == m.selected && k.decl.Key == m.tuned {
			color = st.Accent
		}
		name := k.decl.Label
		if i == 0 || k.pane != all[i-1].pane {
			name = m.shortTitle(k.pane) + ": " + name
		}
		parts[i] = st.Paint(color, name+" ") + st.Paint(st.Text, m.panes[k.pane].valueText(k.decl))
	}
	return parts
}

// tunedLabel names the parameter that the arrow keys change, and its pane.
func (m *Model) tunedLabel() string {
	p := m.panes[m.selected]
	d, err := p.alt.Params().Decl(m.tuned)
	if m.arrangement != bandWidths || err != nil {
		return m.tuned
	}
	return d.Key + " of " + m.shortTitle(m.selected)
}

// fittedHandle is the handle of a number that the method of the pane finds.
func (p *pane) fittedHandle(d param.Decl) (optimizers.Handle, bool) {
	i := slices.IndexFunc(p.handles, func(h optimizers.Handle) bool {
		return d.Kind == param.Number && h.Fitted && h.Set(p.alt.Params(), h.Value)[0].Key == d.Key
	})
	if i < 0 {
		return optimizers.Handle{}, false
	}
	return p.handles[i], true
}

// valueText is the value of a parameter, which the method may have fitted.
func (p *pane) valueText(d param.Decl) string {
	if h, ok := p.fittedHandle(d); ok {
		return widget.Number(h.Value) + ", fitted"
	}
	return d.Format(p.alt.Params().Value(d.Key))
}

// nudged is the pane with a parameter changed by one step, from the fitted value if the method finds it.
func (p *pane) nudged(d param.Decl, delta int) (library.Pane, error) {
	h, ok := p.fittedHandle(d)
	if !ok {
		return with(p.Pane, d.Key, d.Nudge(p.alt.Params().Value(d.Key), delta)), nil
	}
	next := p.Pane
	for _, s := range h.Set(p.alt.Params(), d.Nudge(h.Value, delta).(float64)) {
		decl, err := p.alt.Params().Decl(s.Key)
		if err != nil {
			return next, err
		}
		v, err := decl.Parse(s.Text)
		if err != nil {
			return next, err
		}
		next = with(next, s.Key, v)
	}
	return next, nil
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
