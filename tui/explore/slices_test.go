package explore

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// Slices that cannot be computed say why in their place, until they can.
func TestFailedSlices(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 1}, 120, 36, theme.New(true, theme.NoColor, false))
	for range 6 {
		d.press("space")
	}
	d.settle()
	shown := func() string { return screen.Frame(d.m.Render(), 120, 36) }
	if strings.Contains(shown(), "no slice") {
		t.Fatal(shown())
	}
	for reason, fail := range map[string]func() tea.Msg{
		"it did not converge\ufffd": func() tea.Msg { return failedMsg{errors.New("it did not converge\u202e")} },
		"runtime error":             func() tea.Msg { var v []int; return v[3:] },
	} {
		d.run(d.m.plane.jobs.Start("looking", func(context.Context, func(string, int, int)) tea.Msg { return fail() }))
		d.settle()
		if text := shown(); strings.Count(text, "no slice: ") != 2 || !strings.Contains(text, reason) {
			t.Errorf("%s\nlacks %q", text, reason)
		}
		d.run(d.m.lookSlices())
		d.settle()
		if strings.Contains(shown(), "no slice") {
			t.Errorf("%s", shown())
		}
	}
}
