package mode

import (
	"maps"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/widget"
)

// Host keeps the modes of a screen: the active one, and those that were started before. Its methods return the actions
// that the screen has to do.
type Host struct {
	Active  Mode // nil for none
	started map[string]Mode
}

// Begin starts a mode, in its last state if it was started before.
func (h *Host) Begin(scene func() Scene, fresh func() Mode) (tea.Cmd, []widget.Action) {
	next := fresh()
	if h.started == nil {
		h.started = map[string]Mode{}
	}
	if before, ok := h.started[next.Title()]; ok {
		next = before
	}
	h.started[next.Title()] = next
	return next.Start(scene())
}

// Send passes a message to the active mode.
func (h *Host) Send(scene func() Scene, msg tea.Msg) (tea.Cmd, []widget.Action) {
	if h.Active == nil {
		return nil, nil
	}
	return h.Active.Update(scene(), msg)
}

// Pass passes a message that the screen does not know to every started mode: the result of a computation can arrive
// after its mode was left.
func (h *Host) Pass(scene func() Scene, msg tea.Msg) (tea.Cmd, []widget.Action) {
	var cmds []tea.Cmd
	var all []widget.Action
	for _, begun := range h.started {
		cmd, actions := begun.Update(scene(), msg)
		cmds, all = append(cmds, cmd), append(all, actions...)
	}
	return tea.Batch(cmds...), all
}

// Forget drops the started modes for which which is true, except the active one.
func (h *Host) Forget(which func(Mode) bool) {
	maps.DeleteFunc(h.started, func(_ string, begun Mode) bool { return which(begun) && begun != h.Active })
}

// Text reports whether a key press is text for the active mode, rather than a command.
func (h *Host) Text(scene func() Scene, msg tea.KeyPressMsg) bool {
	m, some := h.Active.(TextInput)
	return h.Active != nil && h.Active.Typing() || some && m.Text(scene(), msg)
}

// Pastes reports whether the active mode takes pasted text.
func (h *Host) Pastes(scene func() Scene) bool {
	m, some := h.Active.(TextInput)
	return h.Active != nil && h.Active.Typing() || some && m.Pastes(scene())
}

// Keys are the current keys of the active mode, with the keys of every screen unless they are text.
func (h *Host) Keys(scene func() Scene, everywhere []widget.Key) []widget.Key {
	keys := h.Active.Keys(scene())
	if h.Active.Typing() {
		return keys
	}
	return append(keys, everywhere...)
}

// Hints are the keys of the footer while a mode is active.
func (h *Host) Hints(scene func() Scene) []key.Binding {
	if m, ok := h.Active.(Hinter); ok {
		return m.Hints(scene())
	}
	standing := h.Active.Keys(scene())
	list := make([]key.Binding, len(standing))
	for i, k := range standing {
		list[i] = k.Binding
	}
	return list
}
