package explore

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/shelf"
	"bandscope/tui/explore/picture"
	"bandscope/tui/internal/golden"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// recorded is a session of some steps with notes and a mark, standing at its beginning.
func recorded(t *testing.T) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		if _, err := s.Step(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		switch i {
		case 2:
			err = s.Note("# Three points\n\nThe band *narrows* where they are:\n\n* at the left\n* at the right\n\n\x1b[31mnot red")
		case 4:
			err = s.Mark()
		case 5:
			err = s.Note("Look at `x = 0.7`.")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s.Seek(4)
	if err := s.Fork("side", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Step(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	list, err := s.Branches()
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	if err := s.Switch(list[0].ID); err != nil {
		t.Fatal(err)
	}
	s.First()
	return s
}

func TestGoldenRecords(t *testing.T) {
	lesson := func(t *testing.T, name string) *sessions.Session {
		s, err := shelf.OpenLesson(name)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, c := range []struct {
		name   string
		lesson string // empty for the record
		w, h   int
		style  theme.Style
		keys   string
	}{
		{"timeline-80x24", "", 80, 24, trueColor, "N"},
		{"timeline-120x36", "", 120, 36, trueColor, "N space space"},
		{"timeline-200x60", "", 200, 60, trueColor, "N"},
		{"timeline-80x24-ascii", "", 80, 24, theme.New(true, theme.NoColor, true), "N"},
		{"lesson-80x24", "posterior", 80, 24, trueColor, "2 space"},
		{"lesson-120x36-asks", "acquisition", 120, 36, trueColor, ""},
		{"lesson-120x36-answers", "acquisition", 120, 36, trueColor, "x 0 . 9 enter enter"},
		{"lesson-120x36-light", "acquisition", 120, 36, theme.New(false, theme.TrueColor, false), "N"},
		{"lesson-80x24-nocolor", "steering", 80, 24, theme.New(true, theme.NoColor, false), "N N N"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := recorded(t)
			if c.lesson != "" {
				s = lesson(t, c.lesson)
			}
			d := driveSession(t, s, c.w, c.h, c.style)
			if c.lesson == "" {
				d.m.Replay(0)
			}
			d.press(strings.Fields(c.keys)...)
			golden.Check(t, c.name, d.screen(), c.style.ASCII)
			d.told(t, c.name)
		})
	}
}

// The record is walked through by keys and by the mouse, played to its notes, and played past them.
func TestRecord(t *testing.T) {
	d := driveSession(t, recorded(t), 100, 30, trueColor)
	step := func(want int) {
		t.Helper()
		if n := len(d.m.state.Iterations); n != want {
			t.Errorf("at step %d, want %d", n, want)
		}
	}
	d.press("N")
	step(3)
	d.shows("notes on step 3")
	d.shows("• at the left")
	d.shows("␛[31mnot red")
	d.press("h")
	if strings.Contains(d.text(), "notes on step 3") {
		t.Error("h does not hide the notes")
	}
	d.press("h", "N")
	step(5) // the mark
	d.press("N", "P", "P")
	step(3)
	d.press(":", "7", "enter")
	step(7)
	d.press(":", "x", "enter")
	d.shows("the step is a number")
	d.press("esc")
	from, cells := d.m.Bar(d.m.layout().main).Cells()
	row := picture.HeadRows + d.m.layout().height - 1
	d.mouse(tea.MouseClickMsg{X: from, Y: row})
	step(0)
	d.mouse(tea.MouseClickMsg{X: from + cells - 1, Y: row})
	step(8)
	d.m.Replay(0)
	d.m.Speed = screen.Fastest
	d.press("r")
	step(3)
	d.shows("paused at a note")
	d.press("'", "r")
	step(8)
	d.shows("the end of the record")
	d.press("V")
	d.shows("verified: 8 suggestions")
	d.press("T")
	for len(d.sent) == 0 { // behind ticks
		d.take(<-d.msgs)
	}
	if len(d.sent) != 1 || d.sent[0] != screen.Action(screen.History{}) {
		t.Errorf("T sends %v", d.sent)
	}
}

// What a person corrects, rejects, pins and forks is told, and mistakes are explained without a loss.
func TestCorrecting(t *testing.T) {
	d := driveSession(t, recorded(t), 120, 36, trueColor)
	say := func(text string) {
		d.press("K")
		for range len("step 10 = ") {
			d.press("backspace")
		}
		for _, r := range text {
			name := string(r)
			if r == ' ' {
				name = "space"
			}
			d.press(name)
		}
		d.press("enter")
	}
	d.press("G")
	say("step 3 = 12.5 because typo")
	d.shows("step 3 is corrected to 12.5")
	say("step 99 = 1")
	d.shows("there is no step 99")
	d.shows("correct: step 99 = 1") // stays to be mended
	if !d.m.stepping() || !d.m.Status.Open() {
		t.Error("an invalid correction closes its prompt")
	}
	for range "99 = 1" {
		d.press("backspace")
	}
	d.write("4 = 7.5")
	d.press("enter")
	d.shows("step 4 is corrected to 7.5")
	say("x in 0..0.25")
	d.shows("x stays within [0, 0.25]")
	say("reject")
	d.shows("the suggestion is rejected")
	d.press("f", "a", ":", "g", "p", "-", "t", "s", "enter")
	d.shows("on the branch \"a\" with gp-ts")
	d.press("space")
	st := d.m.state
	if it := st.Iterations[len(st.Iterations)-1]; it.By != "gp-ts" || it.X[0][0] > 0.25 || len(st.Rejected) != 1 || st.Iterations[2].Y[0][0] != 12.5 {
		t.Errorf("the next step is %+v, rejected %v", it, st.Rejected)
	}
	golden.Check(t, "corrected-120x36", d.screen(), false)
	d.told(t, "corrected")
}

// What is said of the next point stands beside the reply to a key, and alone where there is none; it never takes the reply's place.
func TestNotesLeaveTheReply(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 200, 36, trueColor)
	d.press("space", "space", "space", "space", "K", "backspace", "backspace", "backspace", "backspace", "backspace", "backspace", "backspace", "backspace", "backspace")
	d.write("x = 0.3")
	d.press("enter")
	d.shows("x is pinned at 0.3")
	d.press("space")
	d.shows("step 5: evaluated x = 0.3")
	d.shows("the next point repeats")
	d.press("M")
	d.shows(" marked ")
	d.press("t")
	d.shows("the next point repeats")
}
