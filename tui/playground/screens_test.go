package playground

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/pagetest"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// The row of the kernel is that of the selected result or the cursor: for a squared exponential s² exp(−d²/2ℓ²) before
// the results, and at a result nearly 0 after them.
func TestRow(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.click(0.5, 1)
	d.Press("v")
	r := d.M.row
	position := d.M.items[0].x
	for i, x := range r.picture.Grid() {
		if want := math.Exp(-(x - position) * (x - position) / (2 * 0.15 * 0.15)); !near(r.prior[i], want, 1e-9) {
			t.Fatalf("the prior covariance at %g is %g, want %g", x, r.prior[i], want)
		}
		if !(math.Abs(r.posterior[i]) < 0.004) {
			t.Errorf("the posterior covariance at %g is %g", x, r.posterior[i])
		}
	}
	d.Press("esc", "right", "right")
	assert.NotEqual(t, position, d.M.row.x, "the row does not follow the cursor")
	d.Shows("k(x, x') at x = ")
	col, row := d.cell(0.8, 1)
	d.Mouse(tea.MouseMotionMsg{X: col, Y: row, Button: tea.MouseNone})
	assert.True(t, near(d.M.row.x, 0.8, 0.02), "the row does not follow the mouse to 0.8, but is at %g", d.M.row.x)
	d.Press("left")
	assert.False(t, near(d.M.row.x, 0.8, 0.02), "the row does not go back to the cursor")
	d.Press("v")
	assert.NotContains(t, d.Text(), "row of the kernel", "the row stays")
}

// Samples of a belief that is not a Gaussian process stand where they are: between two of them there may be no sample.
func TestSamplesOfForestsStay(t *testing.T) {
	list := registry.Presets()
	d := openPreset(t, list[len(list)-1], 80, 24, noColor)
	d.click(0.3, 1)
	d.click(0.6, -1)
	d.Press("esc", "r")
	if p := d.M.beliefs[0].picture; d.M.samples.moving || p.across != nil || len(p.Samples) == 0 {
		t.Errorf("they move: %+v, %d samples, %d across", d.M.samples, len(p.Samples), len(p.across))
	}
	d.Shows("it is not a Gaussian process")
}

// Samples on their circle begin at one draw, come to another after a quarter, and have the mean and the variance of the
// belief everywhere.
func TestSamplesMoveOnCircles(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.click(0.4, 1)
	d.Press("esc", ")", ")", ")", ")", ")", ")", ")", ")", ")")
	if n := d.M.samples.count; n != maxSamples {
		t.Errorf("there are %d samples", n)
	}
	d.Press("r")
	p, s := d.M.beliefs[0].picture, d.M.samples
	if !s.moving || len(p.across) != maxSamples {
		t.Fatalf("the samples do not move: %+v, %d", s, len(p.across))
	}
	turns := int(circleTime / frameTime)
	s.turns = 0
	if !slices.EqualFunc(p.at(s, 0).Z, p.Samples[0].Z, func(a, b float64) bool { return near(a, b, 1e-12) }) {
		t.Error("the circle does not begin at its sample")
	}
	s.turns = turns / 4
	if !slices.EqualFunc(p.at(s, 0).Z, p.across[0].Z, func(a, b float64) bool { return near(a, b, 1e-9) }) {
		t.Error("after a quarter of the circle the sample is not the other draw")
	}
	sum, count := 0.0, 0
	for draw := range 40 {
		p, err := computeBelief(t.Context(), d.M.state, task{results: d.M.results(), samples: samples{count: 12,
			draw: uint64(draw), circles: true}}, d.M.beliefs[0].config, nil)
		require.NoError(t, err)
		for i := range 12 {
			y := p.at(samples{circles: true, turns: turns / 10}, i).Z
			for _, k := range []int{0, 60, 240} {
				z := (y[k] - p.Fields[picture.MeanField].Z[k]) / p.Fields[picture.SDField].Z[k]
				sum, count = sum+z*z, count+1
			}
		}
	}
	if got, want := sum/float64(count), 1.0; math.Abs(got-want) > 4.5*math.Sqrt(2/float64(40*12*2)) {
		t.Errorf("on the circle the mean square of samples is %g standard deviations, want 1", got)
	}
	before := d.Text()
	d.M.nextFrame(frameMsg{d.M, d.M.samples.run})
	d.M.nextFrame(frameMsg{d.M, d.M.samples.run})
	d.M.nextFrame(frameMsg{d.M, d.M.samples.run})
	assert.NotEqual(t, before, d.Text(), "a frame draws the same samples")
	assert.Nil(t, d.M.nextFrame(frameMsg{d.M, d.M.samples.run - 1}), "a frame of an earlier start goes on")
	d.Press("r")
	assert.Nil(t, d.M.nextFrame(frameMsg{d.M, d.M.samples.run}), "samples that stand still ask for a frame")
}

// Nothing is computed or drawn while nothing happens.
func TestIdle(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.click(0.4, 1)
	if cmd := d.M.compute(); cmd != nil || !d.M.upToDate() {
		t.Error("an idle playground computes")
	}
	plot := d.M.Frame()
	if d.M.Frame().Children[1].Children[0].Children[0] != plot.Children[1].Children[0].Children[0] {
		t.Error("the plot is drawn again")
	}
}

// Acts that follow each other fast are all recorded, in their order.
func TestFastActs(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	for i := range 30 {
		col, row := d.cell(0.05+0.03*float64(i), 2*float64(i%2)-1)
		hit := widget.Hit{MouseMsg: tea.MouseClickMsg{X: col, Y: row, Button: tea.MouseLeft}, Path: d.Arranged().PathAt(col,
			row)}
		d.Run(d.M.Update(hit))
		d.Run(d.M.Update(widget.Hit{MouseMsg: tea.MouseReleaseMsg{}}))
		if i%3 == 2 { // removed before it is recorded
			d.Run(d.M.Update(screentest.Key("delete")))
		}
	}
	d.Settle()
	got := d.recorded()
	if len(got) != 20 || len(d.M.items) != 20 || !slices.IsSortedFunc(got, func(a, b sessions.PlaygroundResult) int {
		return int(math.Copysign(1, a.X-b.X))
	}) {
		t.Errorf("%d results are recorded: %+v", len(got), got)
	}
}

// A playground takes 500 results and not more; results on top of each other are no problem.
func TestManyResults(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	for i := range maxItems - 2 {
		require.NoError(t, d.M.session.AddResult(float64(i%50)/50, math.Sin(float64(i%5))))
	}
	d.Run(d.M.UpdatePicture())
	d.Settle()
	d.Press("up", "space", "space", "right", "space", "space", "right", "space")
	if n := len(d.recorded()); n != maxItems {
		t.Errorf("there are %d results", n)
	}
	d.Shows("at most 500 results")
	explained.Check(t, "500 results", d.M.Frame(), 100, 30)
	d.click(0.501, 0.01)
	if p := d.M.beliefs[0]; p.picture == nil || p.reason != "" || slices.ContainsFunc(p.picture.Fields[picture.MeanField].Z, math.IsNaN) {
		t.Errorf("there is no belief: %s", p.reason)
	}
}

// Any size of the window is drawn without a fault.
func TestSizes(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.click(0.4, 1)
	d.Press("v", "c")
	for _, size := range [][2]int{{0, 0}, {1, 1}, {3, 40}, {20, 5}, {80, 4}, {80, 10}, {300, 2}, {500, 100}, {80, 24}} {
		d.Resize(size[0], size[1])
		_ = d.Screen()
		d.Press("left", "up")
	}
	explained.Check(t, "after all sizes", d.M.Frame(), 80, 24)
}

// If the file cannot be written, as one with damage, the playground shows why, and what is on record.
func TestReadOnly(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.click(0.4, 1)
	d.M.Stop()
	require.NoError(t, d.M.CloseSession())
	text, err := os.ReadFile(d.path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(d.path, append(text, "damage\n{}\n"...), 0o600))
	s, err := sessions.Open(t.Context(), d.path)
	require.NoError(t, err)
	defer s.Close()
	m := New(s, "")
	r := driver{pagetest.New(t, m, 100, 30, trueColor, m.Busy), d.path}
	r.click(0.8, -1)
	if len(m.items) != 1 || len(r.recorded()) != 1 {
		t.Errorf("the plot shows %d results, on record are %d", len(m.items), len(r.recorded()))
	}
	r.Shows("×")
}

// f starts a search from the results, and leaving while networks train ends the training.
func TestLeaving(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.Press("f")
	d.Shows("there are no results to search from")
	d.click(0.4, 1)
	d.click(0.6, -1)
	d.Press("f")
	if len(d.Actions) == 0 {
		d.Take(<-d.Msgs)
	}
	want, ok := d.Actions[len(d.Actions)-1].(widget.MakeSession)
	require.True(t, ok, "f wants %+v", d.Actions)
	s, err := want.Make(t.Context(), nil)
	if err != nil || len(s.State().Iterations) != 2 || s.State().Config.Playground {
		t.Fatalf("the search is %+v, %v", s.State().Iterations, err)
	}
	s.Close()
	d.M.setBelief(d.M.beliefs[0], registry.Preset{Method: "neural-greedy", Set: map[string]any{"width": 20000}})
	d.Run(d.M.compute())
	require.True(t, d.M.Jobs.Busy(), "no network is trained")
	d.M.Stop()
	if err := d.M.CloseSession(); err != nil || d.M.Jobs.Busy() {
		t.Errorf("leaving: %v", err)
	}
}

// A lesson whose session is a playground is read page by page; space turns the page, and enter still puts results.
func TestLesson(t *testing.T) {
	cfg := sessions.PlaygroundConfig(sessions.BeliefConfig{Optimizer: registry.Presets()[0].Method}, 1)
	s, err := sessions.New(t.Context(), cfg, sessions.WithLesson(&sessions.Lesson{Title: "On noise", About: "noise"}))
	require.NoError(t, err)
	require.NoError(t, s.Note("# One\n\nA result."))
	require.NoError(t, s.AddResult(0.5, 1))
	require.NoError(t, s.Note("# Two\n\nMore."))
	s.First()
	m := New(s, "")
	t.Cleanup(func() { m.CloseSession() })
	d := driver{pagetest.New(t, m, 120, 36, trueColor, m.Busy), ""}
	d.Shows("space next page")
	d.Press("space")
	d.Shows("Two")
	if n := len(d.M.items); n != 1 {
		t.Errorf("on the second page there are %d results", n)
	}
	explained.Check(t, "a lesson", d.M.Frame(), 120, 36)
}

func TestGoldens(t *testing.T) {
	for name, c := range map[string]struct {
		w, h int
		st   theme.Style
		keys string
	}{
		"empty-80x24":   {80, 24, noColor, ""},
		"results-80x24": {80, 24, noColor, ""},
		"row-120x36":    {120, 36, trueColor, "v tab tab tab tab"},
	} {
		d := open(t, c.w, c.h, c.st)
		if name != "empty-80x24" {
			d.click(0.15, 1.2)
			d.click(0.45, -1)
			d.click(0.8, 0.4)
			d.Press("esc")
		}
		d.Press(strings.Fields(c.keys)...)
		explained.Check(t, name, d.M.Frame(), c.w, c.h)
		screentest.Check(t, name, d.Screen(), false)
		d.M.Restyle(theme.New(true, theme.NoColor, true))
		screentest.ASCII(t, name, d.Screen())
	}
}
