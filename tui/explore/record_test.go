package explore

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/tui/explore/view"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/player"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// recorded is a session of some steps with notes and a mark, standing at its beginning.
func recorded(t *testing.T) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3})
	require.NoError(t, err)
	for i := range 8 {
		_, err = s.Step(context.Background(), nil)
		require.NoError(t, err)
		switch i {
		case 2:
			err = s.Note("# Three points\n\nThe band *narrows* where they are:\n\n* at the left\n* at the right\n\n" +
				"\x1b[31mnot red")
		case 4:
			err = s.Mark()
		case 5:
			err = s.Note("Look at `x = 0.7`.")
		}
		require.NoError(t, err)
	}
	s.Seek(4)
	require.NoError(t, s.Fork("side", ""))
	_, err = s.Step(context.Background(), nil)
	require.NoError(t, err)
	list, err := s.Branches()
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	require.NoError(t, s.Switch(list[0].ID))
	s.First()
	return s
}

func TestGoldenRecords(t *testing.T) {
	lesson := func(t *testing.T, name string) *sessions.Session {
		s, err := library.OpenLesson(name)
		require.NoError(t, err)
		return s
	}
	for _, c := range []struct {
		name   string
		lesson string // empty for the record
		w, h   int
		style  theme.Style
		keys   string
	}{
		{"timeline-80x24", "", 80, 24, noColor, "N"},
		{"lesson-80x24", "posterior", 80, 24, noColor, "2 space space"},
		{"lesson-120x36-asks", "acquisition", 120, 36, trueColor, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := recorded(t)
			if c.lesson != "" {
				s = lesson(t, c.lesson)
			}
			d := driveSession(t, s, c.w, c.h, c.style)
			if c.lesson == "" {
				player.Replay(d.M, 0)
			}
			d.Press(strings.Fields(c.keys)...)
			screentest.Check(t, c.name, d.Screen(), c.style.ASCII)
			d.told(t, c.name)
		})
	}
}

// The record is walked through by keys and by the mouse, played to its notes, and played past them.
func TestRecord(t *testing.T) {
	d := driveSession(t, recorded(t), 100, 30, trueColor)
	step := func(want int) {
		t.Helper()
		assert.Equal(t, want, len(d.M.state.Iterations), "at step")
	}
	d.Press("N")
	step(3)
	d.Shows("notes on step 3")
	d.Shows("• at the left")
	d.Shows("␛[31mnot red")
	d.Press("h")
	assert.NotContains(t, d.Text(), "notes on step 3", "h does not hide the notes")
	d.Press("h", "N")
	step(5) // the mark
	d.Press("N", "previous_note", "previous_note")
	step(3)
	d.Press("go_to_a_step", "7", "enter")
	step(7)
	d.Press("go_to_a_step", "x", "enter")
	d.Shows("the step must be a whole number")
	d.Press("esc")
	from, cells := d.M.Bar(d.M.layout().main).Cells()
	row := view.HeadRows + d.M.layout().height - 1
	d.Mouse(tea.MouseClickMsg{X: from, Y: row})
	step(0)
	d.Mouse(tea.MouseClickMsg{X: from + cells - 1, Y: row})
	step(8)
	player.Replay(d.M, 0)
	d.M.Speed = widget.MaxSpeed
	d.Press("r")
	step(3)
	d.Shows("paused at a note")
	d.Press("'", "r")
	step(8)
	d.Shows("the end of the record")
	d.Press("verify")
	d.Shows("verified: 8 suggestions")
	d.Press("F")
	for len(d.Actions) == 0 { // behind ticks
		d.Take(<-d.Msgs)
	}
	if page, ok := d.Actions[0].(*widget.SessionPage); len(d.Actions) != 1 || !ok || page.Help().Key != "F" {
		t.Errorf("F sends %v", d.Actions)
	}
}

// What a person corrects, rejects, pins and forks is told, and mistakes are explained without a loss.
func TestCorrecting(t *testing.T) {
	d := driveSession(t, recorded(t), 120, 36, trueColor)
	say := func(text string) {
		d.Press("delete")
		for range len("step 10 = ") {
			d.Press("backspace")
		}
		for _, r := range text {
			name := string(r)
			if r == ' ' {
				name = "space"
			}
			d.Press(name)
		}
		d.Press("enter")
	}
	d.Press("G")
	say("step 3 = 12.5 because typo")
	d.Shows("step 3 is corrected to 12.5")
	say("step 99 = 1")
	d.Shows("there is no step 99")
	d.Shows("correct: step 99 = 1") // stays to be mended
	if !d.M.stepping() || !d.M.Status.Open() {
		t.Error("an invalid correction closes its prompt")
	}
	for range "99 = 1" {
		d.Press("backspace")
	}
	d.write("4 = 7.5")
	d.Press("enter")
	d.Shows("step 4 is corrected to 7.5")
	say("x in 0..0.25")
	d.Shows("x stays within [0, 0.25]")
	say("reject")
	d.Shows("the suggestion is discarded")
	d.Press("f", "a", ":", "g", "p", "-", "t", "s", "enter")
	d.Shows("on branch \"a\" with gp-ts")
	d.Press("space")
	st := d.M.state
	if it := st.Iterations[len(st.Iterations)-1]; it.By != "gp-ts" || it.Points[0].X[0] > 0.25 ||
		len(st.Rejections) != 1 || st.Iterations[2].Points[0].Y[0] != 12.5 {
		t.Errorf("the next step is %+v, rejected %v", it, st.Rejections)
	}
	screentest.Check(t, "corrected-120x36", d.Screen(), false)
	d.told(t, "corrected")
}

// What is said of the next point stands beside the reply to a key, and alone where there is none; it never takes the
// reply's place.
func TestNotesLeaveTheReply(t *testing.T) {
	d := driveAfter(t, 4, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3,
		Params: map[string]any{"repeats": true, "initial": 3}}, 200, 36, trueColor)
	d.Press("delete", "backspace", "backspace", "backspace", "backspace", "backspace", "backspace", "backspace",
		"backspace", "backspace")
	d.write("x = 0.3")
	d.Press("enter")
	d.Shows("x is pinned at 0.3")
	d.Press("space")
	d.Shows("step 5: evaluated x = 0.3")
	d.Shows("the next point repeats")
	d.Press("*")
	d.Shows(" marked ")
	d.Press("t")
	d.Shows("the next point repeats")
}
