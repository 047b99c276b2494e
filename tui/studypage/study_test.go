package studypage

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/layout"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

var (
	trueColor = theme.New(true, theme.TrueColor, false)
	noColor   = theme.New(true, theme.NoColor, false)
)

// noon is when the tests take place.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// declared is a study of so many seeds.
func declared(seeds int, problems, methods []string) *study.Declaration {
	return &study.Declaration{Name: "small", Title: "do kernels matter in two dimensions", Source: "made up for tests",
		Problems: problems, Methods: methods, Seeds: seeds, Budget: "20"}
}

// small is a study with three problems and four methods.
func small(t testing.TB) *study.Declaration {
	t.Helper()
	d := declared(5, []string{"branin", "ackley:5", "forrester noise=0.1"},
		[]string{"gp-ei", "gp-ei kernel=se", "gp-ucb", "random"})
	cells, err := d.Cells()
	require.NoError(t, err)
	half := 0.02
	d.Published = []study.PublishedNumber{
		{Problem: cells[0].Problem, Method: cells[0].Method, Value: 0.05, Interval: &half,
			Statistic: "mean", Source: "table 5.1", Note: "The paper trains by another rule."}}
	return d
}

// ran is the table of a study of which so large a part is done, with regrets that fall by a law of their own for each
// method.
func ran(t testing.TB, d *study.Declaration, part float64) *study.Table {
	t.Helper()
	cells, err := d.Cells()
	require.NoError(t, err)
	method := map[string]int{}
	table := &study.Table{Declaration: d}
	for i, c := range cells {
		if _, ok := method[c.Method]; !ok {
			method[c.Method] = len(method)
		}
		k := method[c.Method]
		r := study.Row{Cell: c, Dim: 2, Status: study.Done, Steps: c.Budget, Program: "v1",
			Began: noon.Add(time.Duration(i-len(cells)) * time.Minute), Seconds: 30 + float64(10*k)}
		r.Ended = r.Began.Add(time.Duration(r.Seconds) * time.Second)
		switch position := float64(i%7)/7 + float64(i)/float64(len(cells)); {
		case position >= 2*part:
			r.Status, r.Steps, r.Seconds, r.Began, r.Ended = study.Waiting, 0, 0, time.Time{}, time.Time{}
		case position >= 2*part-0.1:
			r.Status, r.Steps, r.Ended, r.Worker, r.Seconds = study.Running, c.Budget/2, time.Time{}, "desk-1", 12
		}
		rng := rand.New(rand.NewPCG(c.Seed, uint64(k)))
		y := 10.0
		for s := range r.Steps {
			y *= 1 - rng.Float64()*[]float64{0.5, 0.45, 0.35, 0.15}[k%4]
			r.Trace.Evaluations, r.Trace.SimpleRegret = append(r.Trace.Evaluations, s+1),
				append(r.Trace.SimpleRegret, y)
			r.Trace.Best = append(r.Trace.Best, y+0.4)
			r.Trace.Seconds, r.Trace.Spent = append(r.Trace.Seconds, 1), append(r.Trace.Spent, float64(s+1))
			r.Trace.CumulativeRegret = append(r.Trace.CumulativeRegret, y*float64(s+1))
		}
		table.Rows = append(table.Rows, r)
	}
	return table
}

// stateFailed marks one cell as failed and one as another version's.
func troubled(table *study.Table) *study.Table {
	r := &table.Rows[3]
	r.Status, r.Steps, r.Attempts, r.Error = study.Failed, 7, 3,
		"the kernel matrix is not positive definite, even with 1e-6 on its diagonal"
	r.Trace.Evaluations, r.Trace.SimpleRegret = r.Trace.Evaluations[:7], r.Trace.SimpleRegret[:7]
	table.Rows[4].Status, table.Rows[4].Program = study.OtherVersion, "v0.9 (abc123)"
	return table
}

// feed is a source that a test fills.
type feed struct {
	table   *study.Table
	changes []study.Row // since the revision before
	at      int64
	workers []store.Worker
	log     []byte
	err     error
}

func (f *feed) Declaration(context.Context, string) (*study.Declaration, error) {
	return f.table.Declaration, f.err
}

func (f *feed) Changes(_ context.Context, _ string, after int64) ([]study.Row, int64, error) {
	switch {
	case f.err != nil:
		return nil, 0, f.err
	case after < 0:
		return f.table.Rows, f.at, nil
	case after < f.at:
		return f.changes, f.at, nil
	}
	return nil, f.at, nil
}

func (f *feed) Workers(context.Context) ([]store.Worker, error) { return f.workers, f.err }

func (f *feed) Log(context.Context, string, study.Cell) ([]byte, error) { return f.log, f.err }

// driver runs a Model without a terminal: commands run on goroutines, their messages are fed back until nothing is
// computed.
type driver struct {
	t    testing.TB
	m    *Model
	msgs chan tea.Msg
	sent []widget.Action
}

func drive(t testing.TB, o *Opening, w, h int, st theme.Style, keys ...string) *driver {
	t.Helper()
	m := New(o, rights.Own(t.TempDir()))
	m.now = func() time.Time { return noon }
	m.self.host, m.self.pid = "desk", 1
	m.Resize(w, h)
	m.Restyle(st)
	d := &driver{t: t, m: m, msgs: make(chan tea.Msg, 256)}
	explained.Check(t, "before the study is read", m.Frame(), w, h)
	d.run(m.Init())
	d.settle()
	d.press(keys...)
	t.Cleanup(func() { m.End() })
	return d
}

func (d *driver) run(cmd tea.Cmd) {
	if cmd != nil {
		go func() { d.msgs <- widget.Perform(rights.Rights{}, cmd) }()
	}
}

func (d *driver) settle() {
	for d.m.work.reading.Busy() || d.m.work.figures.Busy() || d.m.work.doing.Busy() {
		d.take(<-d.msgs)
	}
}

func (d *driver) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case widget.ActionMsg:
		d.sent = append(d.sent, msg.Action)
	default:
		d.run(d.m.Update(msg))
	}
}

func (d *driver) press(names ...string) {
	for _, n := range names {
		d.run(d.m.Update(screentest.Key(n)))
		d.settle()
	}
}

func (d *driver) text() string { return ansi.Strip(layout.Render(d.m.Frame(), d.m.Width, d.m.Height)) }

func (d *driver) shows(want string) {
	d.t.Helper()
	if !strings.Contains(d.text(), want) {
		d.t.Errorf("the screen does not show %q:\n%s", want, d.text())
	}
}

func working(t testing.TB) *Opening {
	t.Helper()
	table := troubled(ran(t, small(t), 0.6))
	var cells []study.Cell
	for _, r := range table.Rows {
		if r.Status == study.Running {
			cells = append(cells, r.Cell)
		}
	}
	f := &feed{table: table, at: 5, workers: []store.Worker{
		{Name: "desk-1", Host: "desk", PID: 1, Slots: 2, Cells: cells[:1]},
		{Name: "lab-7", Host: "lab", PID: 7, Slots: 4, Cells: cells[1:]},
		{Name: "old-3", Host: "old", PID: 3, Slots: 2, SinceSeen: 200}}}
	return &Opening{Name: "small", Source: f, Where: "in studies/small.db"}
}

func complete(t testing.TB) *Opening {
	t.Helper()
	return OpenTable(ran(t, small(t), 2), "published")
}

func TestGoldenScreens(t *testing.T) {
	for _, c := range []struct {
		file  string
		o     func(testing.TB) *Opening
		w, h  int
		style theme.Style
		keys  string
	}{
		{"curves-80x24", working, 80, 24, noColor, ""},
		{"curves-120x36", working, 120, 36, trueColor, "right"},
		{"ranks-120x36", complete, 120, 36, trueColor, "up 2"},
		{"reached-120x36", complete, 120, 36, trueColor, "up 3"},
		{"profiles-120x36", complete, 120, 36, trueColor, "up 4"},
		{"pairs-120x36", complete, 120, 36, trueColor, "5"},
		{"critical-120x36", complete, 120, 36, trueColor, "up 6"},
		{"results-all-80x24", complete, 80, 24, noColor, "7 up v"},
	} {
		t.Run(c.file, func(t *testing.T) {
			d := drive(t, c.o(t), c.w, c.h, c.style, strings.Fields(c.keys)...)
			screentest.Check(t, c.file, layout.Render(d.m.Frame(), c.w, c.h), false)
			explained.Check(t, c.file, d.m.Frame(), c.w, c.h)
			d.m.Restyle(theme.New(true, theme.NoColor, true))
			screentest.ASCII(t, c.file, layout.Render(d.m.Frame(), c.w, c.h))
		})
	}
}
