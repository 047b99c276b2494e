package mode

import (
	"maps"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/widget"
)

// Host is what a screen that has modes keeps of them: the one that has the keys, and those that were begun, as they
// were left. It asks for a scene where one is needed; what a mode wants is given back, for the screen to do.
type Host struct {
	Active  Mode // nil while none has the keys
	started map[string]Mode
}

// Begin starts a mode, as it was left if it was begun before.
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

// Send gives a message to the mode that has the keys.
func (h *Host) Send(scene func() Scene, msg tea.Msg) (tea.Cmd, []widget.Action) {
	if h.Active == nil {
		return nil, nil
	}
	return h.Active.Update(scene(), msg)
}

// Pass gives a message that is not the screen's to every mode that was begun: one knows its own, which can come when it
// was left.
func (h *Host) Pass(scene func() Scene, msg tea.Msg) (tea.Cmd, []widget.Action) {
	var cmds []tea.Cmd
	var all []widget.Action
	for _, begun := range h.started {
		cmd, actions := begun.Update(scene(), msg)
		cmds, all = append(cmds, cmd), append(all, actions...)
	}
	return tea.Batch(cmds...), all
}

// Forget drops the modes that were begun, but for the one that has the keys, of which which is true.
func (h *Host) Forget(which func(Mode) bool) {
	maps.DeleteFunc(h.started, func(_ string, begun Mode) bool { return which(begun) && begun != h.Active })
}

// Text reports whether a key press is text for the mode that has the keys, rather than a command.
func (h *Host) Text(scene func() Scene, msg tea.KeyPressMsg) bool {
	m, some := h.Active.(TextInput)
	return h.Active != nil && h.Active.Typing() || some && m.Text(scene(), msg)
}

// Pastes reports whether the mode that has the keys takes pasted text.
func (h *Host) Pastes(scene func() Scene) bool {
	m, some := h.Active.(TextInput)
	return h.Active != nil && h.Active.Typing() || some && m.Pastes(scene())
}

// Keys are those of the mode that has the keys, as they stand, with those of everywhere where they are not text.
func (h *Host) Keys(scene func() Scene, everywhere []widget.Key) []widget.Key {
	keys := h.Active.Keys(scene())
	if h.Active.Typing() {
		return keys
	}
	return append(keys, everywhere...)
}

// Hints are the keys of the bottom line while a mode has the keys.
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
