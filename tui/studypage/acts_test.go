package studypage

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/study"
	"bandscope/sessions/study/stats"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/layout"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// poll reads the study again.
func (d *driver) poll() {
	d.run(d.m.Update(pollMsg{d.m.work.polls}))
	d.settle()
}

// What changed in the database is on the screen after the next reading, and what is of no cell of the study is nowhere.
func TestTheTableGrows(t *testing.T) {
	f := &feed{table: ran(t, small(t), 0), at: 1}
	d := drive(t, &Opening{Name: "small", Source: f}, 120, 36, trueColor)
	d.shows("0 of 60 cells")
	d.shows("no workers")
	d.press("down")
	d.shows("no run on this problem has a value yet")
	d.press("up")
	f.changes, f.at = ran(t, small(t), 2).Rows[:20], 2
	d.poll()
	d.shows("20 of 60 cells")
	if f := d.m.ready(); f == nil || len(f.bands[0]) != 4 || len(f.bands[0][3].At) == 0 {
		t.Error("the curves are not of what changed")
	}
	f.changes, f.at = []study.Row{{Cell: study.Cell{Problem: "none of this study"}}}, 3
	d.poll()
	d.shows("20 of 60 cells")
}

// A database that cannot be read says why, and what is shown stays; when it can be again, it goes on.
func TestTheDatabaseGoesAway(t *testing.T) {
	f := &feed{table: ran(t, small(t), 2), at: 1,
		err: errors.New("cannot open studies.db: the disk is gone\x1b[2J")}
	d := drive(t, &Opening{Name: "small", Source: f}, 120, 36, trueColor, "down", "enter", "]", "!", "5")
	d.shows("the disk is gone")
	if strings.Contains(layout.Render(d.m.Frame(), 120, 36), "\x1b[2J") {
		t.Error("what came from outside is sent to the terminal")
	}
	f.err = nil
	d.poll()
	d.shows("60 of 60 cells")
	f.err = errors.New("the disk is gone")
	d.poll()
	d.shows("60 of 60 cells")
	d.shows("cannot refresh, showing earlier data: the disk is gone")
}

// shop is work that a test sees.
type shop struct {
	began chan int // workers
	ended int
}

func (s *shop) work(ctx context.Context, _ rights.Rights, workers int, tell func(string)) error {
	tell("the disk is full")
	s.began <- workers
	<-ctx.Done()
	s.ended++
	return context.Cause(ctx)
}

// await feeds messages until something is so.
func (d *driver) await(subject string, ok func() bool) {
	d.t.Helper()
	patience := time.After(20 * time.Second)
	for !ok() {
		select {
		case msg := <-d.msgs:
			d.take(msg)
		case <-patience:
			d.t.Fatalf("waited in vain for %s:\n%s", subject, d.text())
		}
	}
}

// Workers are begun and stopped by a key and changed in number; they hand over before they are gone, and what they tell
// is said. Who leaves the screen leaves them at work.
func TestWorkersComeAndGo(t *testing.T) {
	s := &shop{began: make(chan int, 9)}
	d := drive(t, &Opening{Name: "small", Source: &feed{table: ran(t, small(t), 0.5), at: 1}, Work: s.work, Ready: 2},
		120, 36, trueColor)
	d.press("r")
	if n := <-s.began; n != 2 || !d.m.Working() {
		t.Fatalf("%d workers", n)
	}
	d.shows("2 workers here")
	d.poll()
	d.shows("the disk is full")
	d.press(")")
	d.await("three workers", func() bool { return d.m.Working() && d.m.work.pool.workers == 3 })
	if n := <-s.began; n != 3 {
		t.Fatalf("%d workers", n)
	}
	d.press("r")
	d.await("the end of the workers", func() bool { return d.m.work.pool == nil })
	d.shows("have saved their progress")
	assert.Equal(t, 2, s.ended, "work ended %d times", s.ended)
	d.press("(", "(", "(")
	d.shows("there is only one worker")
	d.press("r")
	<-s.began
	d.press("esc")
	d.await("an action", func() bool { return len(d.sent) == 1 })
	if d.sent[0] != (widget.Close{}) || !d.m.Working() {
		t.Errorf("esc asks for %v", d.sent)
	}
	if d.m.Stop(); !d.m.Working() {
		t.Error("who looks elsewhere stops the workers")
	}
	if err := d.m.End(); err != nil || d.m.Working() || s.ended != 3 {
		t.Errorf("at the end %v, working %v, ended %d times", err, d.m.Working(), s.ended)
	}
}

// Work that panics or fails says so, and the study stays.
func TestWorkersThatFail(t *testing.T) {
	for want, work := range map[string]Work{
		"no such host":           func(context.Context, rights.Rights, int, func(string)) error { return errors.New("no such host") },
		"nothing is lost":        func(context.Context, rights.Rights, int, func(string)) error { panic("boom") },
		"no cell is left to run": func(context.Context, rights.Rights, int, func(string)) error { return nil },
	} {
		d := drive(t, &Opening{Name: "small", Source: &feed{table: ran(t, small(t), 0.5), at: 1}, Work: work,
			Ready: 1}, 120, 36, trueColor, "r")
		d.await(want, func() bool { return d.m.work.pool == nil })
		d.shows(want)
	}
}

// Failed cells are restarted after a second key press.
func TestRetryFailedCells(t *testing.T) {
	o := working(t)
	asked := 0
	d := drive(t, o, 120, 36, trueColor, "@")
	d.shows("this study is read-only here")
	o.Again = func(context.Context) (int, error) { asked++; return 2, nil }
	d.press("@", "v")
	if asked > 0 {
		t.Error("another key is taken for yes")
	}
	d.press("@", "@")
	d.shows("2 cells queued again")
	assert.Equal(t, 1, asked, "asked %d times", asked)
}

// The instances of a function are one row of the table, its cells like seeds; each is told and opened as the run that
// it is.
func TestInstancesAreTogether(t *testing.T) {
	table := ran(t, declared(2, []string{"bbob-f1:2", "bbob-f1:2:i2", "bbob-f1:2:i3", "branin"},
		[]string{"gp-ei", "random"}), 2)
	d := drive(t, OpenTable(table, "x"), 120, 36, trueColor)
	d.shows("2 problems × 3 instances × 2 methods × 2 seeds")
	if len(d.m.board.problems) != 2 || len(d.m.seeds()) != 6 {
		t.Fatalf("the problems are %v, the cells %v", d.m.board.problems, d.m.seeds())
	}
	d.press("]", "]", "]")
	d.shows("bbob-f1:2:i2, A gp-ei, seed 2")
	f := d.m.ready()
	x, y, name := d.m.ownRun(f, 0)
	want := table.Rows[d.m.seeds()[3]].Trace.SimpleRegret
	if len(x) != 20 || y[19] != want[19] || name != "A, seed 2" {
		t.Errorf("its own run is %q, %v; want %v", name, y, want)
	}
	if n := f.bands[0][0].N[10]; n != 6 {
		t.Errorf("the curve is of %d runs", n)
	}
}

// A study that is in no database yet gets one when work begins; one that cannot be worked at says so.
func TestAStudyIsBegun(t *testing.T) {
	s := &shop{began: make(chan int, 1)}
	o, err := OpenNew(small(t))
	require.NoError(t, err)
	o.Begin = func(context.Context, string) (*Opening, error) {
		return &Opening{Name: "small", Source: &feed{table: ran(t, small(t), 0.5), at: 1}, Work: s.work}, nil
	}
	d := drive(t, o, 120, 36, trueColor)
	d.shows("not started")
	d.press(")", "r")
	<-s.began
	d.shows("workers here")
	assert.NotEqual(t, 0, d.m.board.count[study.Done], "what the database has is not shown")
	d = drive(t, complete(t), 120, 36, trueColor, "r")
	d.shows("this study is read-only here")
}

// A cell is opened with its log if there is one, else computed again; one that has not begun is a session that has
// not.
func TestACellIsOpened(t *testing.T) {
	decl := declared(2, []string{"forrester"}, []string{"random", "gp-ei"})
	decl.Budget = "4"
	table := ran(t, decl, 2)
	table.Rows[3].Status, table.Rows[3].Steps = study.Waiting, 0
	f := &feed{table: table, at: 1}
	d := drive(t, &Opening{Name: "made", Source: f}, 120, 36, trueColor)
	for _, c := range []struct {
		keys  string
		log   []byte
		steps int
		cell  int
	}{{"enter", nil, 4, 0}, {"] enter", logFor(t, table.Rows[1].Cell, 2), 2, 1}, {"right enter", nil, 0, 3}} {
		f.log, d.sent = c.log, nil
		d.press(strings.Fields(c.keys)...)
		d.await("an action", func() bool { return len(d.sent) == 1 })
		reports := 0
		s, err := d.sent[0].(widget.MakeSession).Make(t.Context(), func(string, int, int) { reports++ })
		require.NoError(t, err)
		if n := len(s.State().Iterations); n != c.steps || c.log == nil && reports != c.steps {
			t.Errorf("%s: %d steps with %d reports, want %d", c.keys, n, reports, c.steps)
		}
		want, _ := table.Rows[c.cell].Config()
		if got := s.State().Config; got.Seed != want.Seed || got.Optimizer != want.Optimizer ||
			got.Problem != want.Problem {
			t.Errorf("%s: a session of %+v, want %+v", c.keys, got, want)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	f.log, d.sent = nil, nil
	d.press("left", "enter")
	d.await("an action", func() bool { return len(d.sent) == 1 })
	if _, err := d.sent[0].(widget.MakeSession).
		Make(stopped, func(string, int, int) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cell whose opening is stopped: %v", err)
	}
}

// logFor is the session of a cell after so many steps.
func logFor(t *testing.T, c study.Cell, steps int) []byte {
	t.Helper()
	s, err := c.Session(t.Context())
	require.NoError(t, err)
	for range steps {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	text, _ := s.Lines(0)
	return text
}

// Time left is what the cells to come take on average, by what ended of their method and problem, over as many as go on
// at once.
func TestPace(t *testing.T) {
	d := declared(4, []string{"branin", "forrester"}, []string{"gp-ei", "random"})
	b, err := newBoard(d)
	require.NoError(t, err)
	if p := b.pace(noon, 2); p.left != 0 || p.perHour != 0 {
		t.Errorf("before anything ended: %+v", p)
	}
	cells, _ := d.Cells()
	var rows []study.Row
	for i, c := range cells {
		r := study.Row{Cell: c, Status: study.Waiting}
		switch i { // branin: gp-ei twice, 40 s each, and half of a third; random once, 10 s; forrester: none
		case 0, 1:
			r.Status, r.Steps, r.Seconds, r.Ended = study.Done, 20, 40, noon.Add(-time.Duration(2-i)*time.Minute)
		case 2:
			r.Status, r.Steps = study.Running, 10
		case 4:
			r.Status, r.Steps, r.Seconds, r.Ended = study.Done, 20, 10, noon
		}
		rows = append(rows, r)
	}
	b.fold(rows)
	// branin: gp-ei 20 + 40 s, random 3 × 10 s; forrester: gp-ei 4 × 40 s, random 4 × 10 s; together 290 s by two
	if p := b.pace(noon, 2); p.left != 145*time.Second || p.perHour != 60 || p.by != 2 {
		t.Errorf("%+v, want 145 s left at 60 cells an hour", p)
	}
	if p := b.pace(noon.Add(-time.Hour), 2); p.perHour != 60 { // a clock that is behind
		t.Errorf("with a clock that is behind %+v", p)
	}
}

// Cells that ended lately tell no rate where nobody works: in results that are published, or when the workers have
// left.
func TestNobodyHasNoRate(t *testing.T) {
	table := ran(t, small(t), 0.5)
	for i := range table.Rows {
		if r := &table.Rows[i]; r.Status == study.Done {
			r.Ended = noon.Add(-time.Duration(i) * time.Second)
		}
	}
	d := drive(t, OpenTable(table, "published results"), 120, 36, trueColor)
	require.NotEqual(t, 0.0, d.m.pace.perHour, "no cell ended within the window")
	if s := d.text(); !strings.Contains(s, "no workers") || strings.Contains(s, "cells per hour") ||
		strings.Contains(s, "cells per minute") {
		t.Error(s)
	}
	if s := d.m.paceSays(); strings.Contains(s, "rate") {
		t.Error(s)
	}
}

// many is a study of 5,000 cells of which most are done.
func many(t testing.TB) *study.Table {
	t.Helper()
	var problems []string
	for i := range 50 {
		problems = append(problems, "ackley:"+string(rune('2'+i%8))+" noise=0."+string(rune('1'+i/8)))
	}
	return ran(t, declared(20, problems, []string{"gp-ei", "gp-ucb", "gp-ts", "random", "gp-ei kernel=se"}), 0.7)
}

// The screen never has more lines than the window, nor wider ones, nor panics, in any size and view, with any number of
// problems, methods and seeds.
func TestAnySize(t *testing.T) {
	single := ran(t, declared(1, []string{"forrester"}, []string{"random"}), 2)
	for _, table := range []*study.Table{
		many(t), troubled(ran(t, small(t), 0.6)), single, {Declaration: single.Declaration}} {
		d := drive(t, OpenTable(table, "x"), 80, 24, trueColor)
		for v := range viewCount {
			d.press("G", "!", "up", string(rune('1'+int(v))))
			for _, size := range [][2]int{{80, 24}, {200, 60}, {100, 24}, {80, 60}, {113, 31}} {
				d.m.Resize(size[0], size[1])
				d.fits(size[0], size[1])
			}
			d.press("g", "v")
			d.fits(113, 31)
		}
	}
	d := drive(t, complete(t), 80, 24, trueColor)
	for _, size := range [][2]int{{0, 0}, {1, 1}, {20, 5}, {79, 23}} {
		// the window says that it is too small; nothing breaks
		d.m.Resize(size[0], size[1])
		layout.Render(d.m.Frame(), size[0], size[1])
	}
}

// fits checks that everything has its room in the window, and is described.
func (d *driver) fits(w, h int) {
	d.t.Helper()
	for _, lack := range explained.Undescribed(d.m.Frame(), w, h) {
		d.t.Errorf("view %s at %d×%d: %s", viewNames[d.m.shown.view], w, h, lack)
	}
}

// What the numbers say is drawn again only where something else is shown.
func TestThePictureIsKept(t *testing.T) {
	d := drive(t, complete(t), 120, 36, trueColor)
	was := d.m.figurePanel(72, 31)
	if d.m.Frame(); d.m.figurePanel(72, 31) != was {
		t.Error("the same picture is drawn twice")
	}
	for _, c := range []struct {
		what   string
		change func()
	}{
		{"another method", func() { d.press("right") }}, {"another seed", func() { d.press("]") }},
		{"means", func() { d.press("v") }},
		{"new numbers", func() { d.m.shown.revision++; d.run(d.m.figure()); d.settle() }},
		{"another view", func() { d.press("2") }},
		{"other colours", func() { d.m.Restyle(theme.New(false, theme.Color256, false)) }},
	} {
		was := d.m.figurePanel(72, 31)
		if c.change(); d.m.figurePanel(72, 31) == was {
			t.Errorf("the picture is from before: %s", c.what)
		}
	}
	if b := d.m.figurePanel(60, 20); b.W != 60 || b.H != 20 {
		t.Errorf("%d×%d", b.W, b.H)
	}
}

// A frame of 5,000 cells.
func BenchmarkFrame(b *testing.B) {
	d := drive(b, OpenTable(many(b), "x"), 200, 60, trueColor)
	if n := len(d.m.board.rows); n != 5000 {
		b.Fatalf("%d cells", n)
	}
	for b.Loop() {
		d.m.Update(screentest.Key("right"))
		layout.Render(d.m.Frame(), 200, 60)
	}
}

// The statistics of 5,000 cells, off the update loop.
func BenchmarkFigures(b *testing.B) {
	table := many(b)
	for v := range viewCount {
		b.Run(viewNames[v], func(b *testing.B) {
			for b.Loop() {
				figureFor(b.Context(), table, nil, figureRequest{view: v, problem: stats.All})
			}
		})
	}
}

// Imported runs are a method beside the others, in the table and in the views, also where they are imported while the
// study is shown; a problem without one has no cell of it.
func TestImportedRuns(t *testing.T) {
	table := ran(t, small(t), 1)
	f := &feed{table: table}
	d := drive(t, &Opening{Name: "small", Source: f}, 120, 36, trueColor)
	before := len(d.m.board.rows)
	again := *table.Declaration
	f.table = &study.Table{Declaration: &again, Rows: table.Rows}
	for seed := range uint64(2) {
		r := table.Rows[0]
		r.Method, r.Seed, r.Seconds, r.Program = "Optuna:tpe", seed+1, 0, "Optuna 4.1"
		again.Imported = append(again.Imported, r.Cell)
		f.table.Rows = append(f.table.Rows, r)
	}
	f.changes, f.at = f.table.Rows[before:], f.at+1
	d.poll()
	d.settle()
	if n := len(d.m.board.methods); n != 5 || len(d.m.board.rows) != before+2 {
		t.Fatalf("got %d methods, %d rows", n, len(d.m.board.rows))
	}
	d.press("right", "right", "right", "right")
	d.shows("Optuna:tpe")
	d.shows("imported: 20 evaluations of Optuna 4.1")
	d.shows("2 of 2 cells done")
	d.press("enter")
	d.shows("the study has its numbers, not its points")
	if runs := d.m.shown.figure.runs; len(runs.Methods) != 5 || runs.Curves(0, 4)[1].Final() != runs.Curves(0, 0)[0].Final() {
		t.Errorf("the views have %v", runs.Methods)
	}
	d.press("down", "enter", "]")
	d.shows("no run of E Optuna:tpe on ackley:5")
	for _, view := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		d.press(view)
		d.settle()
		d.fits(120, 36)
	}
}
