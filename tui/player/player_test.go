package player

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"

	"bandscope/sessions"
	"bandscope/sessions/recorder"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/note"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/lessonpage"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// testRecord is a record of stops in memory.
type testRecord struct {
	line    recorder.Timeline
	notices []string
	lesson  *sessions.Lesson
}

func (*testRecord) Path() string                 { return "" }
func (*testRecord) Await(context.Context) error  { return nil }
func (*testRecord) Arrivals() []sessions.Arrival { return nil }
func (*testRecord) Protected() bool              { return false }
func (*testRecord) Continue() error              { return nil }
func (t *testRecord) GoTo(stop int)              { t.line.At = min(max(stop, 0), len(t.line.Stops)-1) }
func (t *testRecord) Last()                      { t.GoTo(len(t.line.Stops)) }
func (t *testRecord) Back() bool                 { t.GoTo(t.line.At - 1); return true }
func (t *testRecord) Forward() bool              { t.GoTo(t.line.At + 1); return true }

func (t *testRecord) Lesson() *sessions.Lesson { return t.lesson }
func (t *testRecord) Mark() error              { t.line.Stops[t.line.At].Mark = true; return nil }
func (t *testRecord) SaveAs(path string) error { return os.WriteFile(path, nil, 0o600) }
func (t *testRecord) Notices() []string        { return t.notices }

// testScreen is a screen whose acts are done at once, and whose picture has always come.
type testScreen struct {
	Player
	tape  *testRecord
	dir   string
	steps int
	done  []string
}

func newDeck(t *testing.T, stops ...recorder.Stop) *testScreen {
	t.Helper()
	line := recorder.Timeline{Stops: append([]recorder.Stop{{}}, stops...)}
	d := &testScreen{tape: &testRecord{line: line}, dir: t.TempDir()}
	d.Player = New(d.tape, d.dir, widget.DefaultSpeed, Words{Title: "a deck", Unit: "step", Endings: ".csv"})
	d.Permit(rights.Own(""))
	d.Refresh()
	return d
}

func (d *testScreen) Refresh() {
	d.SetPage(lessonpage.Page{Line: d.tape.line}, false)
}
func (d *testScreen) UpdatePicture() tea.Cmd        { d.Refresh(); return nil }
func (d *testScreen) Advance() tea.Cmd              { d.steps++; return nil }
func (d *testScreen) Stop()                         { d.Halt() }
func (d *testScreen) Scene() mode.Scene             { return mode.Scene{} }
func (d *testScreen) Request(widget.Action) tea.Cmd { return nil }
func (d *testScreen) Notes() note.Page              { return note.Page{} }
func (d *testScreen) NotesSize() (w, h int)         { return 20, 10 }

func (d *testScreen) Apply(a Act) tea.Cmd {
	d.Begin(a)
	text, err := a.Do(context.Background(), nil)
	d.done = append(d.done, a.Doing)
	return ActDone(d, text, err, nil)
}

// press presses keys, by name.
func (d *testScreen) press(names string) {
	never := func(*testScreen) string { return "" }
	offered := func(d *testScreen) string { return filepath.Join(d.dir, "offered.jsonl") }
	commands := slices.Concat(Moves(never, nil), Notes[*testScreen](nil), Saves(offered, never))
	for name := range strings.FieldsSeq(names) {
		Update(d, func() []widget.Command[*testScreen] { return commands }, screentest.Key(name))
	}
}

// next does what waits for a picture.
func (d *testScreen) next() {
	next, _ := d.Next(true)
	Do(d, next)
}

func (d *testScreen) forward() { Do(d, d.StepForward(true)) }

// A number goes to a step, and to a page in a lesson, in the palette and in the prompt.
func TestNumberIsThePageOfALesson(t *testing.T) {
	for _, c := range []struct {
		lesson         *sessions.Lesson
		number, at     int
		name, disabled string
	}{
		{nil, 2, 3, "go to step 2", ""},
		{nil, 9, 4, "go to step 9", "the last step is 3"},
		{&sessions.Lesson{}, 2, 1, "go to page 2", ""},
		{&sessions.Lesson{}, 5, 4, "go to page 5", ""},
		{&sessions.Lesson{}, 6, 4, "go to page 6", "the last page is 5"},
	} {
		for _, prompt := range []bool{false, true} {
			d := newDeck(t, recorder.Stop{Step: 1}, recorder.Stop{Step: 1}, recorder.Stop{Step: 2}, recorder.Stop{Step: 3})
			d.tape.lesson = c.lesson
			if prompt {
				d.press(fmt.Sprint("go_to_a_step ", c.number, " enter"))
			} else {
				e, ok := Number(d, c.number)
				assert.True(t, ok && e.Name == c.name && e.Disabled == c.disabled, "%+v", e)
				e.Do()
			}
			d.Refresh()
			assert.Equal(t, c.at, d.Line.At, "%s, in a prompt: %t", c.name, prompt)
		}
	}
	d := newDeck(t)
	d.tape.lesson = &sessions.Lesson{}
	_, ok := Number(d, 0)
	assert.False(t, ok, "page 0")
}

// Keys go along the record, to its notes, marks and steps, and say why where they cannot.
func TestMoves(t *testing.T) {
	for _, c := range []struct {
		keys, said string
		at         int
	}{
		{"b", "this is the start", 0},
		{"g", "this is the start", 0},
		{"G", "", 4},
		{"G b", "", 3},
		{"G G", "this is the end; press space to continue", 4},
		{"N", "", 1},
		{"N N", "", 3},
		{"N N N", "there is no later note", 3},
		{"G previous_note previous_note previous_note", "there is no earlier note", 1},
		{"go_to_a_step 2 enter", "", 3},
		{"go_to_a_step 9 enter", "", 4},
		{"* N", "", 1},
		{"h", "there are no notes here; press n to write one", 0},
		{"ctrl+l", "there is no earlier session to resume", 0},
	} {
		d := newDeck(t, recorder.Stop{Step: 1, Note: "seen"}, recorder.Stop{Step: 1},
			recorder.Stop{Step: 2, Mark: true},
			recorder.Stop{Step: 3})
		d.press(c.keys)
		if message, _ := d.Status.Message(); message != c.said || d.Line.At != c.at {
			t.Errorf("%s: at %d, says %q; want %d, %q", c.keys, d.Line.At, message, c.at, c.said)
		}
	}
}

// A replay pauses at notes, goes on past them where that is wanted, ends where the record ends, and steps from there
// on.
func TestReplays(t *testing.T) {
	for _, past := range []bool{false, true} {
		d := newDeck(t, recorder.Stop{Step: 1, Note: "seen"}, recorder.Stop{Step: 2})
		Replay(d, 0)
		if past {
			d.press("'")
		}
		d.Speed = widget.MaxSpeed
		d.press("r")
		d.next()
		if d.Running != past || !past && d.Line.At != 1 {
			t.Fatalf("past notes %v: it runs %v at %d", past, d.Running, d.Line.At)
		}
		if !past {
			d.press("r")
		}
		d.next()
		message, _ := d.Status.Message()
		if !strings.HasPrefix(message, "this is the end of the record") || d.Line.At != 2 || d.Running || d.steps != 0 {
			t.Errorf("past notes %v: it says %q at %d, and runs %v", past, message, d.Line.At, d.Running)
		}
		if d.forward(); d.steps != 1 {
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
	d.forward()
	d.Jobs.Start("stepping", func(context.Context, func(string, int, int)) tea.Msg { return nil })
	d.Begin(Act{})
	d.forward()
	if d.steps != 1 || d.Queued != 3 {
		t.Errorf("%d steps are taken and %d queued", d.steps, d.Queued)
	}
}

// A session is saved under the name that is offered with a number where that is taken, and what was typed stays where
// it cannot be done.
func TestPrompts(t *testing.T) {
	d := newDeck(t)
	for range 2 {
		d.press("ctrl+s enter")
	}
	if files, err := os.ReadDir(d.dir); err != nil || len(files) != 2 {
		t.Errorf("the folder has %v, %v", files, err)
	}
	Do(d, AskFork("", func(string) (string, error) { return "", errors.New("no branches here") }))
	d.press("a enter")
	if !d.Status.Open() || !strings.Contains(d.Status.Explain(d.Style), "no branches here") {
		t.Error("the name of the branch cannot be mended")
	}
	d.press("esc")
	Do(d, d.AskExport())
	d.press("a . p n g enter")
	assert.Contains(t, d.Status.Explain(d.Style), ".csv", "a format that there is not is taken")
	d.press("esc")
	if actReply, err := ActReply("done", errors.New("refused")); actReply != "" || err == nil {
		t.Errorf("of what failed it says %q", actReply)
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
		ActDone(d, "done", nil, c.unkept)
		if message, _ := d.Status.Message(); message != c.said {
			t.Errorf("%+v: it says %q", c, message)
		}
	}
}
