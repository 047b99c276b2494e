// Package modetest tests a mode without an explorer: keys in, actions out.
package modetest

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/explore/mode"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Session is a session with a number of steps.
func Session(t testing.TB, cfg sessions.Config, steps int) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	for range steps {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	return s
}

// Scene is the view of a session that a mode gets.
func Scene(s *sessions.Session) mode.Scene {
	st := s.State()
	return mode.Scene{State: st, Params: mode.ParamsFor(st), Notes: mode.NotesFor(st),
		Style: theme.New(true, theme.NoColor, false)}
}

// Start is a mode that was started, with the actions that came of it.
func Start(m mode.Mode, s mode.Scene) []widget.Action {
	_, actions := m.Start(s)
	return actions
}

// Press presses keys by their names, and gives the actions that came of all of them.
func Press(m mode.Mode, s mode.Scene, names ...string) []widget.Action {
	var all []widget.Action
	for _, n := range names {
		all = append(all, Take(m, s, screentest.Key(n))...)
	}
	return all
}

// Type types a text, and gives the actions that came of it.
func Type(m mode.Mode, s mode.Scene, text string) []widget.Action {
	var all []widget.Action
	for _, k := range screentest.Text(text) {
		all = append(all, Take(m, s, k)...)
	}
	return all
}

// Take gives a message to a mode.
func Take(m mode.Mode, s mode.Scene, msg tea.Msg) []widget.Action {
	_, actions := m.Update(s, msg)
	return actions
}
