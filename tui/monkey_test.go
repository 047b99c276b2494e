package tui

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/functions/sample"
	"bandscope/tui/internal/screentest"
)

// acts is how often the monkey does something in a place.
var acts = sample.Count(30, 3000)

// TestMonkey presses keys, clicks, drags, turns the wheel, pastes and resizes by chance on all screens in all modes:
// nothing panics, every frame is as large as its window, its boxes lie where they belong, and the walk over it stands
// on cells of it. With the tag study it goes on for about ten minutes.
func TestMonkey(t *testing.T) {
	began, done := time.Now(), 0
	for i, p := range sample.Of(places(), 4, 1) {
		t.Run(p.name, func(t *testing.T) {
			open := p.opener(t)
			t.Chdir(t.TempDir()) // what is saved by chance
			m := monkey{t: t, rng: rand.New(rand.NewPCG(uint64(i), 30)), w: open()}
			for n := range acts {
				if m.w.left || m.w.a.quitting || n%100 == 99 {
					m.w = open()
				}
				m.act()
				m.w.checkFrame()
				if done++; t.Failed() {
					t.Fatalf("after %s:\n%s", strings.Join(m.did, ", "), m.w.text())
				}
			}
		})
	}
	t.Logf("%d acts in %v", done, time.Since(began).Round(time.Second))
}

// monkey does things by chance.
type monkey struct {
	t   *testing.T
	rng *rand.Rand
	w   *window
	did []string // since the place was opened
}

// slowKeys begin what computes for long.
const slowKeys = "r R H L @"

// act does one thing.
func (m *monkey) act() {
	a := m.w.a
	x, y := m.rng.IntN(a.width+2)-1, m.rng.IntN(a.height+2)-1
	var msg tea.Msg
	subject := ""
	keys, n := boundKeys(), m.rng.IntN(20)
	switch {
	case n < 12:
		if subject = keys[m.rng.IntN(len(keys))]; strings.Contains(slowKeys, subject) || a.current.KeyMap().Typing &&
			(subject == "/" || subject == "~") {
			// or writes elsewhere
			subject = "esc"
		}
		msg = screentest.Key(subject)
	case n < 15:
		subject, msg = "a click", tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}
	case n < 16:
		subject, msg = "a drag", tea.MouseMotionMsg{X: x, Y: y, Button: tea.MouseLeft}
	case n < 17:
		subject, msg = "a release", tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft}
	case n < 18:
		subject, msg = "the wheel", tea.MouseWheelMsg{X: x, Y: y,
			Button: []tea.MouseButton{tea.MouseWheelUp, tea.MouseWheelDown}[m.rng.IntN(2)]}
	case n < 19:
		subject, msg = "a paste", tea.PasteMsg{Content: "0.5 a\x1b[31m\nb"}
	default:
		size := [][2]int{{80, 24}, {100, 30}, {120, 36}, {200, 60}, {81, 25}, {79, 23}, {3, 2}, {0, 0}}[m.rng.IntN(8)]
		subject, msg = "a resize", tea.WindowSizeMsg{Width: size[0], Height: size[1]}
	}
	m.did = append(m.did, subject)
	m.w.clock = m.w.clock.Add(time.Second)
	m.w.take(msg)
}
