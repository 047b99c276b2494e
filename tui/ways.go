package tui

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// The window that opens without a session shows three ways to go on below the plot.

// way is a way to go on: its key, what it leads to in three lengths, and the action.
type way struct {
	key  string
	does []string // the longest first
	want widget.Action
}

// ways are the ways to go on.
func (a *app) ways() []way {
	from := a.explore.Session().State().Config
	return []way{
		{"1", []string{"the course", "the course", "course"}, widget.Open{From: from, Lessons: true}},
		{"2", []string{"compare a Gaussian process and a network", "compare a GP and a network", "GP and network"},
			widget.Compare{}},
		{"3", []string{"your own experiment", "your own experiment", "experiment"},
			widget.Declare{From: from}},
	}
}

// wayPressed takes a key while the ways are shown: a number goes a way, and esc hides them.
func (a *app) wayPressed(msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	if a.current != display(a.explore) || !a.explore.Inviting() {
		return nil, false
	}
	for _, w := range a.ways() {
		if msg.String() == w.key {
			return a.leaveFor(w.want), true
		}
	}
	if msg.String() == "esc" && !a.explore.Busy() {
		a.explore.Invite(nil)
		return nil, true
	}
	return nil, false
}

// wayGaps are the blanks between the ways in each length.
var wayGaps = []int{4, 2, 2}

// waysBox shows the ways in a row of w cells, with the session that can be resumed if there is one.
func (a *app) waysBox(w int) *layout.Box {
	resumes := []string{""}
	if a.explore.Last != nil {
		resumes = []string{"resume " + a.explore.LastSessionLabel(), "resume", ""}
	}
	var line *layout.Box
	for _, resume := range resumes {
		for length := range wayGaps {
			line = a.waysLine(length, resume)
			if line.W <= w {
				return line.Sized(w, 1)
			}
		}
	}
	return line.Sized(w, 1)
}

// waysLine is the ways in a length; resume says what ctrl+l does, empty for nothing.
func (a *app) waysLine(length int, resume string) *layout.Box {
	st, line := a.style, layout.Row()
	add := func(name, does string) {
		b := layout.Line(st.PaintBold(st.Best, name) + " " + st.Paint(st.Text, st.Plain(does)))
		b.Name, b.Press = name, name
		gap := wayGaps[length]
		if line.W == 0 {
			gap = 1
		}
		line.Beside(layout.Space(gap, 1)).Beside(b)
	}
	for _, way := range a.ways() {
		add(way.key, way.does[length])
	}
	if resume != "" {
		add("ctrl+l", resume)
	}
	add("esc", "hide")
	return line.Prose("ways to go on", "",
		"Three ways to go on: the course, a comparison of two models, or your own experiment. Space takes further steps here.")
}
