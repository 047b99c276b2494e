package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bandscope/optimizers/param"
	"bandscope/sessions/lab"
	"bandscope/sessions/shelf"
	"bandscope/tui/internal/press"
	"bandscope/tui/screen"
	"bandscope/tui/watch/picture"
)

// Keys go on, back and along, and say why where they cannot.
func TestSteps(t *testing.T) {
	d := drive(t, 120, 36, trueColor)
	for _, c := range []struct{ keys, shows string }{
		{"b", "this is the start"},
		{"space", "update 10/100"},
		{"- - space", "update 12/100"},
		{"-", "a step: 1 update"},
		{"-", "there is no smaller one"},
		{"space", "update 13/100"},
		{"+ + + + space", "update 33/100"},
		{"+ + +", "at most"},
		{"b b b", "update 12/100 (+3)"}, // a step of twenty is two places
		{"space", "update 13/100 (+2)"},
		{"g", "update 0/100 (+5)"},
		{"G", "update 33/100"},
		{"G", "this is the last place"},
		{"space", "update 100/100"},
		{"space", "the training is at its end"},
		{"esc", "esc again leaves"},
	} {
		d.press(strings.Fields(c.keys)...)
		d.shows(c.shows)
	}
	if d.sent != nil {
		t.Errorf("it wants %+v", d.sent)
	}
	d.press("esc")
	d.want(screen.Close{})
}

// want fails a test unless an action was wanted last.
func (d *driver) want(want screen.Action) {
	d.t.Helper()
	for len(d.sent) == 0 {
		d.take(<-d.msgs)
	}
	if got := d.sent[len(d.sent)-1]; !reflect.DeepEqual(got, want) {
		d.t.Errorf("it wants %+v, not %+v", got, want)
	}
}

// A key that is pressed while a step is under way queues another one, and all of them are taken.
func TestStepsQueue(t *testing.T) {
	d := drive(t, 120, 36, trueColor)
	for range 5 {
		d.run(d.m.Update(press.Key("space")))
	}
	d.settle()
	d.shows("update 50/100")
}

// A run goes on to the end by itself, and says so there.
func TestRunEnds(t *testing.T) {
	d := drive(t, 120, 36, trueColor)
	d.press(".", ".", ".", "r")
	d.shows("update 100/100")
	d.shows("the training is at its end")
	if d.m.Running {
		t.Error("it runs on")
	}
}

// An edit acts from here on, or begins the training anew; one that is not valid is not taken.
func TestEdits(t *testing.T) {
	d := drive(t, 120, 36, trueColor)
	d.press("space", "e", "right")
	d.shows("pull=")
	d.shows("from here on")
	d.shows("update 10/100")
	d.press("down", "7", "0")
	d.shows("from must be in")
	d.press("backspace", "backspace", "9", "enter")
	d.shows("the training begins anew")
	d.shows("update 0/100")
	d.press("esc", "b")
	d.shows("update 10/100 (+1)")
}

// A second run is laid over the first with what is typed, is edited by itself, and taken away again.
func TestSecondRun(t *testing.T) {
	d := drive(t, 160, 36, trueColor)
	d.press("&")
	d.shows("there is one run")
	d.press("space", "c")
	d.shows("lay a second run over it with: pull=0.5")
	d.write(" from=60")
	d.shows("from must be in")
	d.press("backspace", "backspace")
	d.write("20")
	d.shows("two runs with the same data")
	d.shows("○ pull 0.5, from 20")
	st := d.m.session.State()
	if len(st.Runs) != 2 || len(st.Runs[1].Trace) != 10 {
		t.Fatalf("the runs are %+v", st.Runs)
	}
	d.press("&", "e", "right", "esc")
	if after := d.m.session.State(); after.Runs[1].Params.Number("pull") <= 0.5 || after.Runs[0].Params.Number("pull") != 0.05 {
		t.Errorf("edited are %+v", after.Runs)
	}
	d.press("c")
	d.shows("is taken away")
	if n := len(d.m.session.State().Runs); n != 1 {
		t.Errorf("there are %d runs", n)
	}
}

// Notes are written and read where the training stands; notes and updates are found again.
func TestRecord(t *testing.T) {
	d := drive(t, 120, 36, trueColor)
	d.press("space", "n")
	d.m.Update(paste("# First\nseen"))
	d.press("ctrl+s")
	d.shows("notes on update 10")
	d.shows("seen")
	d.press("h")
	if strings.Contains(d.screen(), "notes on update") {
		t.Error("hidden notes are shown")
	}
	d.press("h", "pgdown")
	d.shows("all of the note is shown")
	d.press("space", "space", "P")
	d.shows("update 10/100 (+2)")
	d.press("N")
	d.shows("there is no further note")
	d.press(":")
	d.write("x")
	d.shows("the update is a number")
	d.press("backspace")
	d.write("25")
	d.shows("update 20/100 (+1)")
	d.press("M", "f")
	d.write("other")
	d.shows(`on the branch "other"`)
	d.press("space", "T")
	d.shows("1 main (30 updates) · 2 other (30 updates) here")
	d.write("3")
	d.shows("there is no branch")
	d.press("backspace")
	d.write("main")
	d.shows(`on the branch "main"`)
	d.press("V")
	d.shows("verified: 30 updates")
	from, cells := d.m.bar().Cells()
	d.click(from-2, 1) // the bar stands two columns farther to the left than on the edge of a panel
	d.shows("update 0/100 (+3)")
	d.click(from-3+cells, 1)
	d.shows("update 30/100")
}

// A lesson asks; a number answers and turns the page, space passes over when it is pressed again, and a run waits.
func TestLesson(t *testing.T) {
	for _, c := range []struct{ keys, shows string }{
		{"space", "a number answers"},
		{"space 9", "there are 3 answers"},
		{"space 2", "Your answer is what comes out"},
		{"space 3", "Your answer was: it stays."},
		{"space space", "space again passes over"},
		{"space space space", "What comes out: it falls on"},
		{"1", "nothing is asked here"},
		{"space 2 space", "update 60/100"},
		{". r", "paused at a note"},
		{". r r", "a number answers; space passes over"},
	} {
		d := begin(t, New(pages(t), ""), 120, 36, trueColor)
		d.press(strings.Fields(c.keys)...)
		d.shows(c.shows)
	}
}

// A replay begins at the beginning, and ends where the record ends.
func TestReplay(t *testing.T) {
	s := session(t)
	step(t, s, 10)
	step(t, s, 20)
	dir := t.TempDir()
	m := New(s, dir)
	m.Replay(0)
	d := begin(t, m, 120, 36, trueColor)
	d.shows("update 0/100 (+2)")
	d.press("space")
	d.shows("update 10/100 (+1)")
	d.m.Speed = screen.Fastest
	d.press("r")
	d.shows("update 30/100")
	d.shows("this is the end of the record")
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("to read wrote %v, %v", files, err)
	}
}

// What is done is on disk from the first act on; w saves elsewhere; a folder that takes no file is said once, and a run goes on.
func TestKeeping(t *testing.T) {
	dir := t.TempDir()
	d := begin(t, New(session(t), dir), 120, 36, trueColor)
	d.shows("not saved")
	d.press("space")
	d.shows("● saved")
	files, err := filepath.Glob(filepath.Join(dir, "*-lab-descent-0.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the folder holds %v, %v", files, err)
	}
	d.press("w")
	for range 200 {
		d.m.Update(press.Key("backspace"))
	}
	d.write(filepath.Join(dir, "mine"))
	d.shows("saved as " + filepath.Join(dir, "mine.jsonl"))
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d.press("w")
	for range 200 {
		d.m.Update(press.Key("backspace"))
	}
	d.write(filepath.Join(file, "mine"))
	d.shows("save as") // to be mended
	d.press("esc")

	d = begin(t, New(session(t), filepath.Join(file, "sub")), 120, 36, trueColor)
	d.press("space")
	d.shows("this session is not on disk")
	d.press(".", ".", ".", "r")
	d.shows("update 100/100")
	d.shows("not saved")
}

// A session whose file another program takes away goes on in a new file beside it, and that is said at once.
func TestLostFile(t *testing.T) {
	d := begin(t, New(session(t), t.TempDir()), 200, 36, trueColor)
	d.press("space")
	path := d.m.state.Path
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	d.press("space")
	d.shows(filepath.Base(path) + " was removed by another program while it was open here; the whole session is now in")
	if want := strings.TrimSuffix(path, ".jsonl") + "-rescued.jsonl"; d.m.state.Path != want || !d.m.state.Saved {
		t.Errorf("the session is in %s", d.m.state.Path)
	}
}

// What is asked of the window are actions.
func TestActions(t *testing.T) {
	d := drive(t, 120, 36, trueColor)
	d.press("R")
	d.shows("there is no earlier session to resume")
	d.m.Tell("")
	d.m.Offer(&shelf.Entry{Name: "monday", Path: "monday.jsonl", Lab: "descent", Steps: 20})
	d.shows("R resumes monday")
	d.press("space", "R")
	d.shows("R again leaves this lab, which is not saved, for lab descent at update 20")
	d.press("R")
	d.want(screen.Resume{Path: "monday.jsonl"})
	if !d.m.Leaving() || d.m.Leaving() {
		t.Error("it does not say once that it is left")
	}
}

// waiting is a descent whose fourth update waits.
type waiting struct {
	descent
	begun, goOn chan struct{}
}

func (w *waiting) Copy() lab.Model { c := *w; return &c }

func (w *waiting) Step() error {
	if w.at == 3 {
		w.begun <- struct{}{}
		<-w.goOn
	}
	return w.descent.Step()
}

// While it trains keys are answered, and esc stops it; what was done of it is on record.
func TestStop(t *testing.T) {
	l, begun, goOn := descending(), make(chan struct{}), make(chan struct{})
	l.Begin = func(param.Set) (lab.Model, error) {
		return &waiting{descent{pull: 0.05, w: 10, steps: 100}, begun, goOn}, nil
	}
	s, err := lab.New(l, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := begin(t, New(s, ""), 120, 36, trueColor)
	d.run(d.m.Update(press.Key("space")))
	d.take(<-d.msgs) // the batch of the job
	<-begun
	d.m.Update(press.Key("+"))
	d.shows("a step: 20 updates")
	d.run(d.m.Update(press.Key("esc")))
	d.shows("stopped; space goes on")
	close(goOn)
	d.settle()
	d.shows("update 4/100")
}

// broken is a picture that cannot be computed.
type broken struct{ picture.Picture }

func (broken) Look(picture.Place) picture.Looking {
	return func(context.Context, lab.State, any, picture.Progress) (any, error) {
		return nil, errors.New("no picture of this")
	}
}

// A picture whose computation fails says so, and the training goes on.
func TestPictureFails(t *testing.T) {
	d := drive(t, 120, 36, trueColor)
	d.m.picture = broken{d.m.picture}
	d.press("space")
	d.shows("no picture of this")
	d.press("space")
	d.shows("update 20/100")
}
