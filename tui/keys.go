package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/sanitize"
	"bandscope/tui/compare"
	"bandscope/tui/experimentform"
	"bandscope/tui/explain"
	"bandscope/tui/explore"
	"bandscope/tui/extension"
	"bandscope/tui/librarypage"
	"bandscope/tui/playground"
	"bandscope/tui/widget"
)

// groups are the bindings of all screens, under headings.
func groups() []widget.Group {
	all := explore.Groups()
	for _, p := range widget.SessionPages() {
		all = append(all, p.Groups()...)
	}
	all = slices.Concat(all, compare.Groups(), librarypage.Groups(), experimentform.Groups(), playground.Groups())
	for _, e := range extension.All() {
		all = append(all, e.Groups()...)
	}
	return append(append([]widget.Group{widget.GlobalGroup()}, all...),
		widget.NewGroup("In the help (?)", helpCommands()).Through("?"),
		widget.NewGroup("In the filter (/ in the help)", filterCommands()).Through("?"),
		widget.NewGroup("In the glossary (enter in the filter)", wordCommands()).Through("?"),
		widget.NewGroup("Explain this screen (i)", explain.Commands()).Through("i"))
}

// pressed takes a key press before the page does: the keys of the help and of the explanation, and keys that do nothing
// on the current screen, for which it shows a message.
func (a *app) pressed(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch {
	case a.palette != nil:
		return a.paletteMsg(msg), true
	case a.menu != nil:
		return a.menuMsg(msg), true
	case a.help.shown:
		return a.help.key(msg), true
	}
	if a.explainer != nil {
		switch {
		case key.Matches(msg, widget.MenuKey):
			return a.openMenu(), true
		case key.Matches(msg, widget.PaletteKey):
			return a.openPalette(), true
		}
		return a.explainerKey(msg), true
	}
	here := a.current.KeyMap()
	text := here.Takes(msg)
	if cmd, taken := a.wayPressed(msg); taken && !text {
		return cmd, true
	}
	if !here.Choosing && a.trailing.takes(msg, a.now(), here.Typing) {
		a.current.Say(fmt.Sprintf("ignored %q, typed after the field closed; keys are commands again after a pause",
			sanitize.Text(a.trailing.text)), false)
		return nil, true
	}
	if msg.String() == "f1" || !text && key.Matches(msg, widget.HelpKey) {
		a.help = help{shown: true, keyMap: here, find: a.openPalette}
		return nil, true
	}
	if msg.String() == "f2" || !text && key.Matches(msg, widget.ExplainKey) {
		a.startExplainer()
		return nil, true
	}
	if msg.String() == "ctrl+p" || !text && key.Matches(msg, widget.PaletteKey) {
		return a.openPalette(), true
	}
	if !text && key.Matches(msg, widget.MenuKey) {
		return a.openMenu(), true
	}
	if !text && key.Matches(msg, widget.PicturesKey) {
		return a.togglePictures(), true
	}
	if text || slices.ContainsFunc(here.Keys, func(k widget.Key) bool { return key.Matches(msg, k.Binding) }) {
		return nil, false
	}
	a.current.Say(nothing(msg, here.Title), false)
	return nil, true
}

// pause is how long after the last key of a field typed characters still belong to it: a person who types on, or a
// terminal that pastes as keys, is faster, and a person who types a command is slower.
const pause = 400 * time.Millisecond

// trailingInput is text that arrives after a field closed, such as the second line of a paste. It is no command.
type trailingInput struct {
	last time.Time // when the last key of the field, or of the rest, came; zero if others came since
	text string    // since the field closed
}

// takes reports whether a key press is such text; typing says that it goes into a field.
func (s *trailingInput) takes(msg tea.KeyPressMsg, now time.Time, typing bool) bool {
	switch {
	case typing:
		*s = trailingInput{last: now}
		return false
	case msg.Text == "" || now.Sub(s.last) >= pause:
		*s = trailingInput{}
		return false
	}
	s.last = now
	s.text += msg.Text
	return true
}

// maxAhead is how many keys wait for a session that is being opened.
const maxAhead = 100

// typeAhead is the keys that are typed while another session is being opened: they wait for it. Keys that leave or stop
// are taken at once.
type typeAhead struct {
	actionWanted bool // the explorer requested an action that the window has not seen yet
	opening      bool // a session is being opened
	keys         []tea.KeyPressMsg
}

// holds reports whether a key press waits.
func (h *typeAhead) holds(msg tea.KeyPressMsg) bool {
	if s := msg.String(); !h.actionWanted && !h.opening || s == "q" || s == "ctrl+c" || s == "esc" {
		return false
	}
	if len(h.keys) < maxAhead {
		h.keys = append(h.keys, msg)
	}
	return true
}

// typedAhead takes the keys that waited for the session; keys behind one that opens another session wait for that.
func (a *app) typedAhead() tea.Cmd {
	if a.typeAhead.actionWanted || a.typeAhead.opening {
		return nil
	}
	keys := a.typeAhead.keys
	a.typeAhead.keys = nil
	var cmds []tea.Cmd
	for _, k := range keys {
		_, cmd := a.Update(k)
		cmds = append(cmds, cmd)
	}
	return tea.Batch(cmds...)
}

// nothing says that a key does nothing on the current screen, and what it does on another.
func nothing(msg tea.KeyPressMsg, here string) string {
	text := fmt.Sprintf("%s does nothing in %s", sanitize.Text(msg.String()), here)
	for _, g := range groups() {
		for _, b := range g.Bindings {
			if key.Matches(msg, b) {
				where := strings.ToLower(g.Title[:1]) + g.Title[1:]
				return fmt.Sprintf("%s (%s: %s); ? shows the keys, : finds any command", text, where, b.Help().Desc)
			}
		}
	}
	return text + "; ? shows the keys, : finds any command"
}
