package labs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/optimizers/param"
	"bandscope/sessions/library"
	"bandscope/sessions/training"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/labs/panel"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// Keys go on, back and along, and say why where they cannot.
func TestSteps(t *testing.T) {
	d := drive(t, 120, 36, trueColor)
	for _, c := range []struct{ keys, shows string }{
		{"b", "this is the start"},
		{"space", "update 10/100"},
		{"( ( space", "update 12/100"},
		{"(", "a step now has 1 update"},
		{"(", "a step has at least 1 update"},
		{"space", "update 13/100"},
		{") ) ) ) space", "update 33/100"},
		{") ) )", "at most"},
		{"b b b", "update 12/100 (+3)"}, // a step of twenty is two places
		{"space", "update 13/100 (+2)"},
		{"g", "update 0/100 (+5)"},
		{"G", "update 33/100"},
		{"G", "this is the end"},
		{"space", "update 100/100"},
		{"space", "all 100 updates are done"},
		{"esc", "press esc again to leave this lab"},
	} {
		d.Press(strings.Fields(c.keys)...)
		d.Shows(c.shows)
	}
	assert.Nil(t, d.Actions, "it wants")
	d.Press("esc")
	d.want(widget.Close{})
}

// want fails a test unless an action was wanted last.
func (d *driver) want(want widget.Action) {
	d.T.Helper()
	for len(d.Actions) == 0 {
		d.Take(<-d.Msgs)
	}
	if got := d.Actions[len(d.Actions)-1]; !reflect.DeepEqual(got, want) {
		d.T.Errorf("it wants %+v, not %+v", got, want)
	}
}

// A key that is pressed while a step is under way queues another one, and all of them are taken.
func TestStepsQueue(t *testing.T) {
	d := drive(t, 120, 36, trueColor)
	for range 5 {
		d.Run(d.M.Update(screentest.Key("space")))
	}
	d.Settle()
	d.Shows("update 50/100")
}

// A run stops at the end of the training and says so.
func TestRunEnds(t *testing.T) {
	d := drive(t, 120, 36, trueColor)
	d.Press(".", ".", ".", "r")
	d.Shows("update 100/100")
	d.Shows("all 100 updates are done")
	if d.M.Running {
		t.Error("it runs on")
	}
}

// An edit takes effect from here on, or restarts the training; an invalid one is rejected.
func TestEdits(t *testing.T) {
	d := drive(t, 120, 36, trueColor)
	d.Press("space", "e", "right")
	d.Shows("pull=")
	d.Shows("from here on")
	d.Shows("update 10/100")
	d.Press("down", "7", "0")
	d.Shows("from must be in")
	d.Press("backspace", "backspace", "9", "enter")
	d.Shows("the training restarts")
	d.Shows("update 0/100")
	d.Press("esc", "b")
	d.Shows("update 10/100 (+1)")
}

// A second run is added with the typed parameters, edited on its own, and removed again.
func TestSecondRun(t *testing.T) {
	d := drive(t, 160, 36, trueColor)
	d.Press("&")
	d.Shows("there is only one run")
	d.Press("space", "c")
	d.Shows("add a second run with: pull=0.5")
	d.Write(" from=60")
	d.Shows("from must be in")
	d.Press("backspace", "backspace")
	d.Write("20")
	d.Shows("added a second run with pull=0.5")
	d.Shows("○ pull 0.5, from 20")
	st := d.M.session.State()
	if len(st.Runs) != 2 || len(st.Runs[1].Trace) != 10 {
		t.Fatalf("the runs are %+v", st.Runs)
	}
	d.Press("&", "e", "right", "esc")
	if after := d.M.session.State(); after.Runs[1].Params.Number("pull") <= 0.5 ||
		after.Runs[0].Params.Number("pull") != 0.05 {
		t.Errorf("edited are %+v", after.Runs)
	}
	d.Press("c")
	d.Shows("removed the second run")
	if n := len(d.M.session.State().Runs); n != 1 {
		t.Errorf("there are %d runs", n)
	}
}

// Notes are written and read where the training stands; notes and updates are found again.
func TestRecord(t *testing.T) {
	d := drive(t, 120, 36, trueColor)
	d.Press("space", "n")
	d.M.Update(paste("# First\nseen"))
	d.Press("ctrl+s")
	d.Shows("notes on update 10")
	d.Shows("seen")
	d.Press("h")
	assert.NotContains(t, d.Screen(), "notes on update", "hidden notes are shown")
	d.Press("h", "pgdown")
	d.Shows("the whole note is shown")
	d.Press("space", "space", "previous_note")
	d.Shows("update 10/100 (+2)")
	d.Press("N")
	d.Shows("there is no later note")
	d.Press("go_to_a_step")
	d.Write("x")
	d.Shows("the update must be a whole number")
	d.Press("backspace")
	d.Write("25")
	d.Shows("update 20/100 (+1)")
	d.Press("*", "f")
	d.Write("other")
	d.Shows(`started the branch "other" here`)
	d.Press("space", "F")
	d.Shows("1 main (30 updates) · 2 other (30 updates), current")
	d.Write("3")
	d.Shows("there is no branch")
	d.Press("backspace")
	d.Write("main")
	d.Shows(`switched to the branch "main"`)
	d.Press("verify")
	d.Shows("verified: 30 updates")
	from, cells := d.M.bar().Cells()
	// the bar stands two columns farther to the left than on the edge of a panel
	d.Mouse(tea.MouseClickMsg{X: from - 2, Y: 1})
	d.Shows("update 0/100 (+3)")
	d.Mouse(tea.MouseClickMsg{X: from - 3 + cells, Y: 1})
	d.Shows("update 30/100")
}

// A lesson asks; a number answers and marks the choices, a second space skips the question, and a run waits.
func TestLesson(t *testing.T) {
	for _, c := range []struct{ keys, shows string }{
		{"space", "press a number"},
		{"space 9", "choose a number from 1 to 3"},
		{"space 2", "✓ it falls on"},
		{"space 3", "✗ it stays"},
		{"space space", "press space again to skip"},
		{"space space space", "Answer: it falls on"},
		{"1", "there is no question here"},
		{"space 2 space space", "update 60/100"},
		{". r", "paused at a note"},
		{". r r", "press a number"},
	} {
		d := begin(t, New(pages(t), ""), 120, 36, trueColor)
		d.Press(strings.Fields(c.keys)...)
		d.Shows(c.shows)
	}
}

// A replay begins at the beginning, and ends where the record ends.
func TestReplay(t *testing.T) {
	s := session(t)
	step(t, s, 10)
	step(t, s, 20)
	dir := t.TempDir()
	m := New(s, dir)
	player.Replay(m, 0)
	d := begin(t, m, 120, 36, trueColor)
	d.Shows("update 0/100 (+2)")
	d.Press("space")
	d.Shows("update 10/100 (+1)")
	d.M.Speed = widget.MaxSpeed
	d.Press("r")
	d.Shows("update 30/100")
	d.Shows("this is the end of the record")
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("to read wrote %v, %v", files, err)
	}
}

// What is done is on disk from the first act on; w saves elsewhere; a folder that takes no file is said once, and a run
// goes on.
func TestKeeping(t *testing.T) {
	dir := t.TempDir()
	d := begin(t, New(session(t), dir), 120, 36, trueColor)
	d.Shows("not saved")
	d.Press("space")
	d.Shows("● saved")
	files, err := filepath.Glob(filepath.Join(dir, "*-lab-descent-0.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the folder holds %v, %v", files, err)
	}
	d.Press("ctrl+s")
	for range 200 {
		d.M.Update(screentest.Key("backspace"))
	}
	d.Write(filepath.Join(dir, "mine"))
	d.Shows("saved as " + filepath.Join(dir, "mine.jsonl"))
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	d.Press("ctrl+s")
	for range 200 {
		d.M.Update(screentest.Key("backspace"))
	}
	d.Write(filepath.Join(file, "mine"))
	d.Shows("save as") // to be mended
	d.Press("esc")

	d = begin(t, New(session(t), filepath.Join(file, "sub")), 120, 36, trueColor)
	d.Press("space")
	d.Shows("this session is not saved")
	d.Press(".", ".", ".", "r")
	d.Shows("update 100/100")
	d.Shows("not saved")
}

// A session whose file another program takes away goes on in a new file beside it, and that is said at once.
func TestLostFile(t *testing.T) {
	d := begin(t, New(session(t), t.TempDir()), 200, 36, trueColor)
	d.Press("space")
	path := d.M.state.Path
	require.NoError(t, os.Remove(path))
	d.Press("space")
	d.Shows(filepath.Base(path) + " was removed by another program while it was open here; the whole session is now in")
	if want := strings.TrimSuffix(path, ".jsonl") + "-rescued.jsonl"; d.M.state.Path != want || !d.M.state.Saved {
		t.Errorf("the session is in %s", d.M.state.Path)
	}
}

// What is asked of the window are actions.
func TestActions(t *testing.T) {
	d := drive(t, 120, 36, trueColor)
	d.Press("ctrl+l")
	d.Shows("there is no earlier session to resume")
	d.M.Notify("")
	d.M.Offer(&library.Entry{Name: "monday", Path: "monday.jsonl", Training: "descent", Steps: 20})
	d.Shows("ctrl+l resumes monday")
	d.Press("space", "ctrl+l")
	d.Shows("press ctrl+l again to leave this lab, which is not saved, for lab descent at update 20")
	d.Press("ctrl+l")
	d.want(widget.Resume{Path: "monday.jsonl", Continue: true})
	if !d.M.Leaving() || d.M.Leaving() {
		t.Error("it does not say once that it is left")
	}
}

// blockingModel is a descent whose fourth update waits.
type blockingModel struct {
	descent
	begun, goOn chan struct{}
}

func (w *blockingModel) Copy() training.Model { c := *w; return &c }

func (w *blockingModel) Step() error {
	if w.at == 3 {
		w.begun <- struct{}{}
		<-w.goOn
	}
	return w.descent.Step()
}

// While it trains keys are answered, and esc stops it; what was done of it is on record.
func TestStop(t *testing.T) {
	l, begun, goOn := descending(), make(chan struct{}), make(chan struct{})
	l.Begin = func(param.Set) (training.Model, error) {
		return &blockingModel{descent{pull: 0.05, w: 10, steps: 100}, begun, goOn}, nil
	}
	s, err := training.New(l, nil)
	require.NoError(t, err)
	d := begin(t, New(s, ""), 120, 36, trueColor)
	d.Run(d.M.Update(screentest.Key("space")))
	d.Take(<-d.Msgs) // the batch of the job
	<-begun
	d.M.Update(screentest.Key(")"))
	d.Shows("a step now has 20 updates")
	d.Run(d.M.Update(screentest.Key("esc")))
	d.Shows("stopped; space continues")
	close(goOn)
	d.Settle()
	d.Shows("update 4/100")
}

// broken is a picture that cannot be computed.
type broken struct{ panel.Picture }

func (broken) Compute(panel.Scene) panel.ComputeFunc {
	return func(context.Context, training.State, any, panel.Progress) (any, error) {
		return nil, errors.New("no picture of this")
	}
}

// A picture whose computation fails says so, and the training goes on.
func TestPictureFails(t *testing.T) {
	d := drive(t, 120, 36, trueColor)
	d.M.picture = broken{d.M.picture}
	d.Press("space")
	d.Shows("no picture of this")
	d.Press("space")
	d.Shows("update 20/100")
}
