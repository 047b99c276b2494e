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
	"bandscope/tui/library"
	"bandscope/tui/study"
	"bandscope/tui/training"
	"bandscope/tui/widget"
)

// groups are the bindings of all screens, under headings.
func groups() []widget.Group {
	all := explore.Groups()
	for _, p := range widget.SessionPages() {
		all = append(all, p.Groups()...)
	}
	all = slices.Concat(all, compare.Groups(), library.Groups(), experimentform.Groups(), training.Groups(),
		study.Groups())
	return append(all,
		widget.NewGroup("In the help (?)", helpCommands()),
		widget.NewGroup("On words (/ in the help)", wordCommands()),
		widget.NewGroup("On what is seen (I)", explain.Commands()))
}

// pressed takes a key press before the page does: the keys of the help, and those that do nothing where one is, which
// it says.
func (a *app) pressed(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if a.help.shown {
		return a.help.key(msg), true
	}
	if a.explainer != nil {
		return a.explainerKey(msg), true
	}
	here := a.current.KeyMap()
	text := here.Takes(msg)
	if a.trailing.takes(msg, a.now(), here.Typing) {
		a.current.Say(fmt.Sprintf("%q was typed after the field was left: it ran nothing; keys are commands again "+
			"after a pause",
			sanitize.Text(a.trailing.text)), false)
		return nil, true
	}
	if msg.String() == "f1" || !text && key.Matches(msg, widget.HelpKey) {
		a.help = help{shown: true, keyMap: here}
		return nil, true
	}
	if msg.String() == "f2" || !text && key.Matches(msg, widget.ExplainKey) {
		a.startExplainer()
		return nil, true
	}
	if text || slices.ContainsFunc(here.Keys, func(k widget.Key) bool { return key.Matches(msg, k.Binding) }) {
		return nil, false
	}
	a.current.Say(nothing(msg, here.Title), false)
	return nil, true
}

// pause is how long after the last key of a field typed characters still belong to it: a person who types on, or a
// terminal that pastes without saying so, is faster, and one who means a command is slower.
const pause = 400 * time.Millisecond

// trailingInput is what is typed on after a field was left, such as the second line of a text, which is no command.
type trailingInput struct {
	last time.Time // when the last key of the field, or of the rest, came; zero if others came since
	text string    // what was typed since the field was left
}

// takes reports whether a key press that came now is such a rest; typing says that it goes into a field.
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

// maxAhead is how many keys are held for a session that is not there yet.
const maxAhead = 100

// typeAhead is what is typed while another session is wanted and is not there yet: it is meant for that one, and waits
// for it. What leaves or stops is taken at once.
type typeAhead struct {
	actionWanted bool // the explorer asked for something else, which the window does not know yet
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

// typedAhead takes what was typed for the session that is there now; what is typed behind a key that wants another one
// waits for that.
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

// nothing says that a key does nothing where one is, and what it does elsewhere.
func nothing(msg tea.KeyPressMsg, here string) string {
	said := fmt.Sprintf("%s does nothing in %s", sanitize.Text(msg.String()), here)
	for _, g := range groups() {
		for _, b := range g.Bindings {
			if key.Matches(msg, b) {
				where := strings.ToLower(g.Title[:1]) + g.Title[1:]
				return fmt.Sprintf("%s (%s: %s); ? shows the keys", said, where, b.Help().Desc)
			}
		}
	}
	return said + "; ? shows the keys"
}
