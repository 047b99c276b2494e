package player

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/recorder"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/note"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/lesson"
	"bandscope/tui/widget"
)

// tape is a record of stops in memory.
type tape struct {
	line    recorder.Timeline
	notices []string
}

func (t *tape) GoTo(stop int) { t.line.At = min(max(stop, 0), len(t.line.Stops)-1) }
func (t *tape) First()        { t.GoTo(0) }
func (t *tape) Last()         { t.GoTo(len(t.line.Stops)) }
func (t *tape) Back() bool    { t.GoTo(t.line.At - 1); return true }
func (t *tape) Forward() bool { t.GoTo(t.line.At + 1); return true }

func (t *tape) Timeline() recorder.Timeline { return t.line }
func (t *tape) Lesson() *sessions.Lesson    { return nil }
func (t *tape) Mark() error                 { t.line.Stops[t.line.At].Mark = true; return nil }
func (t *tape) SaveAs(path string) error    { return os.WriteFile(path, nil, 0o600) }
func (t *tape) Notices() []string           { return t.notices }

// deck is a screen whose acts are done at once, and whose picture has always come.
type deck struct {
	Player
	tape  *tape
	dir   string
	steps int
	done  []string
}

func newDeck(t *testing.T, stops ...recorder.Stop) *deck {
	t.Helper()
	line := recorder.Timeline{Stops: append([]recorder.Stop{{}}, stops...)}
	d := &deck{tape: &tape{line: line}, dir: t.TempDir()}
	d.Player = New(d, d.tape, d.dir, widget.Walking, Words{Title: "a deck", Unit: "step", Endings: ".csv"})
	d.Refresh()
	return d
}

func (d *deck) Refresh() {
	d.Stand(lesson.Page{Line: d.tape.line}, false)
}
func (d *deck) Look() tea.Cmd                                             { d.Refresh(); return nil }
func (d *deck) Advance() tea.Cmd                                          { d.steps++; return nil }
func (d *deck) Keys() []widget.Key                                        { return nil }
func (d *deck) Shown() bool                                               { return true }
func (d *deck) NoRun() string                                             { return "" }
func (d *deck) Stop()                                                     { d.Halt() }
func (d *deck) Fork(string) (string, error)                               { return "", errors.New("no branches here") }
func (d *deck) ForkHint() string                                          { return "" }
func (d *deck) Verify(context.Context, sessions.Progress) (string, error) { return "verified", nil }
func (d *deck) Scene() mode.Scene                                         { return mode.Scene{} }
func (d *deck) Want(widget.Action) tea.Cmd                                { return nil }
func (d *deck) Notes() note.Page                                          { return note.Page{} }
func (d *deck) NotesSize() (w, h int)                                     { return 20, 10 }
func (d *deck) FileName() string {
	return filepath.Join(d.dir, "offered.jsonl")
}
func (d *deck) Leaves() string { return "" }

func (d *deck) Alter(a Act) tea.Cmd {
	d.Begin(a)
	said, err := a.Do(context.Background(), nil)
	d.done = append(d.done, a.Doing)
	return d.Acted(said, err, nil)
}

// press presses keys, by name.
func (d *deck) press(names string) {
	of := func(d *deck) *Player { return &d.Player }
	commands := append(append(Moves(of, nil), Notes(of, nil)...), Saves(of)...)
	for name := range strings.FieldsSeq(names) {
		Key(d, &d.Player, func() []widget.Command[*deck] { return commands }, screentest.Key(name))
	}
}

// Keys go along the record, to its notes, marks and steps, and say why where they cannot.
func TestMoves(t *testing.T) {
	for _, c := range []struct {
		keys, said string
		at         int
	}{
		{"b", "this is the start: there is nothing to go back to", 0},
		{"g", "this is the start: there is nothing to go back to", 0},
		{"G", "", 4},
		{"G b", "", 3},
		{"G G", "this is the last place; space goes on", 4},
		{"N", "", 1},
		{"N N", "", 3},
		{"N N N", "there is no further note", 3},
		{"G P P P", "there is no earlier note", 1},
		{": 2 enter", "", 3},
		{": 9 enter", "", 4},
		{"M N", "", 1},
		{"h", "nothing is written here: n writes", 0},
		{"R", "there is no earlier session to resume", 0},
	} {
		d := newDeck(t, recorder.Stop{Step: 1, Note: "seen"}, recorder.Stop{Step: 1},
			recorder.Stop{Step: 2, Mark: true},
			recorder.Stop{Step: 3})
		d.press(c.keys)
		if said, _ := d.Status.Said(); said != c.said || d.Line.At != c.at {
			t.Errorf("%s: at %d, says %q; want %d, %q", c.keys, d.Line.At, said, c.at, c.said)
		}
	}
}

// A replay pauses at notes, goes on past them where that is wanted, ends where the record ends, and steps from there
// on.
func TestReplays(t *testing.T) {
	for _, past := range []bool{false, true} {
		d := newDeck(t, recorder.Stop{Step: 1, Note: "seen"}, recorder.Stop{Step: 2})
		d.Replay(0)
		if past {
			d.press("'")
		}
		d.Speed = widget.Fastest
		d.press("r")
		d.Next(true)
		if d.Running != past || !past && d.Line.At != 1 {
			t.Fatalf("past notes %v: it runs %v at %d", past, d.Running, d.Line.At)
		}
		if !past {
			d.press("r")
		}
		d.Next(true)
		said, _ := d.Status.Said()
		if !strings.HasPrefix(said, "this is the end of the record") || d.Line.At != 2 || d.Running || d.steps != 0 {
			t.Errorf("past notes %v: it says %q at %d, and runs %v", past, said, d.Line.At, d.Running)
		}
		if d.Onward(); d.steps != 1 {
			t.Errorf("it takes %d steps behind the end", d.steps)
		}
		if d.press("r"); d.steps != 2 || !d.Running {
			t.Error("it does not run on behind the end")
		}
	}
}

// Steps that are wanted while one is under way are queued, with all places that they make.
func TestStepsQueue(t *testing.T) {
	d := newDeck(t)
	d.Places = 2
	d.Onward()
	d.Jobs.Start("stepping", func(context.Context, func(string, int, int)) tea.Msg { return nil })
	d.Begin(Act{})
	d.Onward()
	if d.steps != 1 || d.Queued != 3 {
		t.Errorf("%d steps are taken and %d queued", d.steps, d.Queued)
	}
}

// A session is saved under the name that is offered with a number where that is taken, and what was typed stays where
// it cannot be done.
func TestPrompts(t *testing.T) {
	d := newDeck(t)
	for range 2 {
		d.press("w enter")
	}
	if files, err := os.ReadDir(d.dir); err != nil || len(files) != 2 {
		t.Errorf("the folder has %v, %v", files, err)
	}
	d.AskFork()
	d.press("a enter")
	if !d.Status.Open() || !strings.Contains(d.Status.Explain(d.Style), "no branches here") {
		t.Error("the name of the branch cannot be mended")
	}
	d.press("esc")
	d.AskExport()
	d.press("a . p n g enter")
	if !strings.Contains(d.Status.Explain(d.Style), ".csv") {
		t.Error("a format that there is not is taken")
	}
	d.press("esc")
	if said, err := Said("done", errors.New("refused")); said != "" || err == nil {
		t.Errorf("of what failed it says %q", said)
	}
}

// What happened to the file is said once, and why the session is not on disk until that changes.
func TestNewsAreSaidOnce(t *testing.T) {
	d := newDeck(t)
	for _, c := range []struct {
		news   string
		unkept error
		said   string
	}{
		{"", nil, "done"}, {"moved", nil, "moved"}, {"", errors.New("full"), "full"}, {"", errors.New("full"), "done"},
		{"", nil, "done"}, {"", errors.New("full"), "full"},
	} {
		if c.news != "" {
			d.tape.notices = append(d.tape.notices, c.news)
		}
		d.Acted("done", nil, c.unkept)
		if said, _ := d.Status.Said(); said != c.said {
			t.Errorf("%+v: it says %q", c, said)
		}
	}
}
