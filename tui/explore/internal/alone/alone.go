// Package alone tests a mode without an explorer: keys in, actions out.
package alone

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/explore/mode"
	"bandscope/tui/internal/press"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// Session is a session of so many steps.
func Session(t testing.TB, cfg sessions.Config, steps int) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for range steps {
		if _, err := s.Step(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// Scene is what a mode sees of a session.
func Scene(s *sessions.Session) mode.Scene {
	st := s.State()
	return mode.Scene{State: st, Params: mode.ParamsOf(st), Notes: mode.NotesOf(st), Style: theme.New(true, theme.NoColor, false)}
}

// Started is a mode that was started, with the actions that came of it.
func Started(m mode.Mode, s mode.Scene) []screen.Action {
	_, actions := m.Start(s)
	return actions
}

// Press presses keys by their names, and gives the actions that came of all of them.
func Press(m mode.Mode, s mode.Scene, names ...string) []screen.Action {
	var all []screen.Action
	for _, n := range names {
		all = append(all, Take(m, s, press.Key(n))...)
	}
	return all
}

// Type types a text, and gives the actions that came of it.
func Type(m mode.Mode, s mode.Scene, text string) []screen.Action {
	var all []screen.Action
	for _, k := range press.Text(text) {
		all = append(all, Take(m, s, k)...)
	}
	return all
}

// Take gives a message to a mode.
func Take(m mode.Mode, s mode.Scene, msg tea.Msg) []screen.Action {
	_, actions := m.Update(s, msg)
	return actions
}
