package labs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/lesson/page"
	"bandscope/sessions/training"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/labs/panel"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// laid is a session with two runs, a note and a place ahead.
func laid(d *driver) {
	d.Press("space", "space", "c", "enter", "space", "n")
	d.M.Update(paste("# Here\nThe *second* run is there already."))
	d.Press("ctrl+s", "space", "b")
}

// The screen with what can stand beside the picture.
func TestGoldenScreens(t *testing.T) {
	for _, g := range []struct {
		name  string
		w, h  int
		style theme.Style
		to    func(*driver)
	}{
		{"begun-80x24", 80, 24, noColor, func(*driver) {}},
		{"trained-120x36", 120, 36, trueColor, func(d *driver) { d.Press("space", "space", "space") }},
		{"laid-80x24", 80, 24, noColor, laid},
		{"editor-120x36", 120, 36, trueColor, func(d *driver) {
			laid(d)
			d.Press("&", "e", "down")
		}},
		{"note-80x24", 80, 24, noColor, func(d *driver) {
			laid(d)
			d.Press("n", "tab")
		}},
	} {
		t.Run(g.name, func(t *testing.T) {
			d := drive(t, g.w, g.h, g.style)
			g.to(d)
			screentest.Check(t, g.name, d.Screen(), false)
			d.fits(g.w, g.h)
			d.told(g.name)
			d.M.Restyle(theme.New(true, theme.NoColor, true))
			screentest.ASCII(t, g.name, d.Screen())
		})
	}
}

// A lesson asks before it shows, at the least size and at a larger one.
func TestGoldenLesson(t *testing.T) {
	for _, g := range []struct {
		name string
		w, h int
		keys string
	}{
		{"lesson-asks-80x24", 80, 24, "space"},
		{"lesson-told-120x36", 120, 36, "space 1"},
	} {
		t.Run(g.name, func(t *testing.T) {
			d := begin(t, New(pages(t), ""), g.w, g.h, trueColor)
			d.Press(strings.Fields(g.keys)...)
			screentest.Check(t, g.name, d.Screen(), false)
			d.fits(g.w, g.h)
			d.told(g.name)
		})
	}
}

// pages is a lesson of three pages, the second of which asks.
func pages(t *testing.T) *training.Session {
	t.Helper()
	s := session(t, training.WithLesson(&sessions.Lesson{Title: "Going down", About: "A descent."}))
	write := func(text string, q page.Question) {
		t.Helper()
		require.NoError(t, s.WritePage(text, page.Page{Question: q}))
	}
	write("# Before\nNothing was trained yet.", page.Question{})
	step(t, s, 20)
	write("# After twenty\nThe loss falls. What will it do now?",
		page.Question{Choices: []string{"it rises", "it falls on", "it stays"}, Correct: 1})
	step(t, s, 30)
	write("# After fifty\nThat is what a descent does.", page.Question{})
	s.First()
	return s
}

// Whatever the window and whatever stands beside the picture, no line is wider than it, and there are as many as it is
// high.
func TestEverySizeFits(t *testing.T) {
	d := drive(t, 80, 24, trueColor)
	laid(d)
	for _, keys := range []string{"", "e", "esc n", "esc ?"} {
		d.Press(strings.Fields(keys)...)
		for w := 80; w <= 240; w += 23 {
			for h := 24; h <= 70; h += 11 {
				d.Resize(w, h)
				d.fits(w, h)
			}
		}
	}
}

// The pictures of the labs fit too, whatever they are given, beside whatever stands there, before the first update, on
// the way and with two runs.
func TestEveryPictureFits(t *testing.T) {
	for name, set := range map[string]map[string]any{
		"flops":     {"dim": 8, "hidden": 8, "batch": 8, "steps": 40},
		"hierarchy": {"hidden": 4, "windows": 2, "nodes": 8, "steps": 40}} {
		l, err := training.Find(name)
		require.NoError(t, err)
		s, err := training.New(l, set)
		require.NoError(t, err)
		d := begin(t, New(s, ""), 80, 24, trueColor)
		for _, keys := range []string{
			"", "space", "space c enter", "e", "esc tab", "tab", "tab", "tab", "tab", "tab", "x previous_note", "tab", "r", "g"} {
			d.Press(strings.Fields(keys)...)
			for _, size := range [][2]int{{80, 24}, {81, 47}, {120, 36}, {143, 25}, {200, 60}} {
				d.Resize(size[0], size[1])
				d.fits(size[0], size[1])
				if size[1]%12 == 0 {
					d.told(fmt.Sprintf("%s at %dx%d after %q", name, size[0], size[1], keys))
				}
			}
		}
	}
}

// Keys that come faster than a training answers are taken in their order, and nothing is read that is being written.
func TestKeysWhileTraining(t *testing.T) {
	l, err := training.Find("flops")
	require.NoError(t, err)
	s, err := training.New(l, map[string]any{"dim": 8, "hidden": 8, "batch": 8, "steps": 100})
	require.NoError(t, err)
	d := begin(t, New(s, ""), 120, 36, trueColor)
	for round := range 4 {
		for name := range strings.FieldsSeq("space space b space space esc c enter space tab space c space") {
			d.Run(d.M.Update(screentest.Key(name)))
			d.Screen()
			if round == 0 {
				d.told("with a key more, " + name)
			}
			for range 2 {
				if d.M.Jobs.Busy() {
					d.Take(<-d.Msgs)
				}
			}
		}
	}
	d.Settle()
	if message, bad := d.M.Status.Message(); bad {
		t.Error(message)
	}
}

// told checks that all that is seen is told.
func (d *driver) told(where string) {
	d.T.Helper()
	explained.Check(d.T, where, d.M.Frame(), d.M.Width, d.M.Height)
}

// fits checks that all that is drawn has room in a window.
func (d *driver) fits(w, h int) {
	d.T.Helper()
	frame := d.M.Frame()
	if frame.W != w || frame.H != h {
		d.T.Errorf("%d×%d cells are drawn in a window of %d×%d", frame.W, frame.H, w, h)
	}
	for _, fault := range layout.Arrange(frame, w, h).Faults() {
		d.T.Errorf("%d×%d: %s", w, h, fault)
	}
}

// What was measured last is told where there is room to draw it, and nothing else is.
func TestMeasured(t *testing.T) {
	d := drive(t, 80, 24, trueColor)
	d.Press("space")
	seen := map[int]bool{}
	for w := range 70 {
		box := d.M.measured(0, w)
		text, count := ansi.Strip(layout.Render(box, w, 1)), 0
		for i, c := range d.M.state.Spec.Columns {
			values := panel.Values(d.M.state.Runs[0], i)
			value := widget.Number(values[len(values)-1])
			drawn := strings.Contains(" "+text, " "+c.Label+" "+value+" ")
			if report := strings.Contains(box.Description(), c.Label+" is "+value); report != drawn {
				t.Errorf("in %d columns, that %s is %s is told: %t, and drawn: %q", w, c.Label, value, report, text)
			}
			if drawn {
				count++
			}
		}
		seen[count] = true
	}
	assert.Equal(t, 4, len(seen), "so many values are drawn: %v", seen)
}
