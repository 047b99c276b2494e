package tui

import (
	"reflect"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/widget"
)

// stepper drives the window without a terminal and without a clock: whatever the window asks to be computed is computed
// at once, on the goroutine of the caller, so the screen is still after every message, and the same messages give the
// same screens.
type stepper struct {
	a     *app
	left  bool // the program was ended or suspended
	stays bool // nothing is computed for another screen that is gone to
}

// newStepper makes a window.
func newStepper(o Options) *stepper { return &stepper{a: newApp(o)} }

// open gives the window its size, and starts its first screen.
func (s *stepper) open(w, h int) {
	s.take(tea.WindowSizeMsg{Width: w, Height: h})
	s.run(s.a.Init())
}

// take passes a message to the window.
func (s *stepper) take(msg tea.Msg) {
	_, cmd := s.a.Update(msg)
	s.run(cmd)
}

// run runs a command and those that come of it. What waits for a clock, such as a spinner or a blinking cursor, and
// what needs a terminal, such as an editor, is left out.
func (s *stepper) run(cmd tea.Cmd) {
	if cmd == nil || waits(cmd) {
		return
	}
	switch msg := widget.Perform(s.a.options.Rights, cmd).(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			s.run(c)
		}
	case tea.QuitMsg, tea.SuspendMsg:
		s.left = true
	default:
		page := s.a.current
		_, next := s.a.Update(msg)
		if s.a.current == page || !s.stays {
			s.run(next)
		}
	}
}

// waits reports whether a command does nothing but wait for a clock or for plots that are to be pictures: it is made by
// tea.Tick, blinks a cursor, or shows pictures.
func waits(cmd tea.Cmd) bool {
	name := runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()).Name()
	return strings.Contains(name, "/cursor.") || strings.Contains(name, "/placement.") || strings.Contains(name, ".Tick.func")
}
