package playground

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/pagetest"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

type driver struct {
	*pagetest.Driver[*Model]
	path string
}

var (
	trueColor = theme.New(true, theme.TrueColor, false)
	noColor   = theme.New(true, theme.NoColor, false)
)

// open opens a playground with the first preset, in a file.
func open(t *testing.T, w, h int, st theme.Style) driver {
	t.Helper()
	return openPreset(t, registry.Presets()[0], w, h, st)
}

func openPreset(t *testing.T, p registry.Preset, w, h int, st theme.Style) driver {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.PlaygroundConfig(sessions.BeliefConfig{Optimizer: p.Method, Params: p.Set},
		1))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "play.jsonl")
	if err := s.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	m := New(s, "")
	t.Cleanup(func() {
		m.Stop()
		m.CloseSession()
	})
	return driver{pagetest.New(t, m, w, h, st, m.Busy), path}
}

// cell is the cell of the window at a place of the plot.
func (d driver) cell(x, y float64) (col, row int) {
	for _, p := range d.Arranged().Boxes {
		if p.Name == plotName {
			f := d.M.chart(p.Area.Dx(), p.Area.Dy()).Frame(p.Area.Dx(), p.Area.Dy())
			return p.Area.Min.X + f.Left + int(f.Col(x)), p.Area.Min.Y + f.Top + int(f.Row(y))
		}
	}
	d.T.Fatal("there is no plot")
	return 0, 0
}

func (d driver) press(x, y float64, button tea.MouseButton) {
	col, row := d.cell(x, y)
	d.Mouse(tea.MouseClickMsg{X: col, Y: row, Button: button})
}

func (d driver) drag(x, y float64) {
	col, row := d.cell(x, y)
	d.Mouse(tea.MouseMotionMsg{X: col, Y: row, Button: tea.MouseLeft})
}

func (d driver) release() { d.Mouse(tea.MouseReleaseMsg{Button: tea.MouseLeft}) }

func (d driver) click(x, y float64) {
	d.press(x, y, tea.MouseLeft)
	d.release()
}

// events counts the lines of the file after the header.
func (d driver) events() int {
	d.T.Helper()
	text, err := os.ReadFile(d.path)
	if err != nil {
		d.T.Fatal(err)
	}
	return strings.Count(string(text), "\n") - 1
}

// recorded are the results on record.
func (d driver) recorded() []sessions.PlaygroundResult { return d.M.session.State().Results() }

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// A click puts a result, a drag moves it and records one event at its end, and a right click removes it.
func TestMouse(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.click(0.3, 1)
	if got := d.recorded(); len(got) != 1 || !near(got[0].X, 0.3, 0.02) || !near(got[0].Y, 1, 0.2) {
		t.Fatalf("a click records %+v", got)
	}
	before, n := d.recorded()[0], d.events()
	d.press(0.3, 1, tea.MouseLeft)
	for _, to := range [][2]float64{{0.35, 0.5}, {0.5, 0}, {0.6, -1}} {
		d.drag(to[0], to[1])
		if got := d.recorded(); d.events() != n || got[0] != before {
			t.Fatalf("a drag records %+v before its end", got)
		}
		if got := d.M.items[0]; !near(got.x, to[0], 0.02) || !near(got.y, to[1], 0.2) {
			t.Errorf("the result is at %g, %g, want %v", got.x, got.y, to)
		}
		if p := d.M.beliefs[0].picture; !near(interpolate(p.grid, p.mean, d.M.items[0].x), d.M.items[0].y, 0.05) {
			t.Errorf("the mean does not follow the drag to %v", to)
		}
	}
	d.release()
	if got := d.recorded(); d.events() != n+1 || !near(got[0].X, 0.6, 0.02) || !near(got[0].Y, -1, 0.2) {
		t.Errorf("after the drag %+v are recorded, by %d events", got, d.events()-n)
	}
	d.click(0.1, 0)
	d.press(0.6, -1, tea.MouseRight)
	if got := d.recorded(); len(got) != 1 || !near(got[0].X, 0.1, 0.02) {
		t.Errorf("after a right click on it the other result remains: %+v", got)
	}
	n = d.events()
	d.press(0.9, 2.5, tea.MouseRight)
	d.Mouse(tea.MouseClickMsg{X: 0, Y: 0, Button: tea.MouseLeft})
	d.release()
	d.Mouse(tea.MouseMotionMsg{X: 50, Y: 10, Button: tea.MouseLeft})
	if d.events() != n {
		t.Error("clicks beside results or outside of the plot record something")
	}
}

// A drag out of the plot leaves the result at its edge.
func TestDragOffThePlot(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.press(0.5, 0, tea.MouseLeft)
	d.Mouse(tea.MouseMotionMsg{X: 5000, Y: -3, Button: tea.MouseLeft})
	d.release()
	lo, hi := d.M.ySpan()
	if got := d.recorded(); len(got) != 1 || !(got[0].X > 0.98 && got[0].X <= 1) ||
		!(got[0].Y > hi-0.1*(hi-lo) && got[0].Y <= hi) {
		t.Errorf("the result is at %+v", got)
	}
}

// A drag that is not finished when the size of the window changes, or that esc ends, leaves everything as it was.
func TestDragIsCancelled(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.click(0.3, 1)
	before := d.recorded()
	d.press(0.3, 1, tea.MouseLeft)
	d.drag(0.8, -1)
	d.Resize(90, 28)
	d.drag(0.2, 0)
	d.release()
	if got := d.recorded(); !slices.Equal(got, before) || d.M.items[0].x != before[0].X {
		t.Errorf("after a resize the result is at %+v, shown at %g", got, d.M.items[0].x)
	}
	d.press(0.3, 1, tea.MouseLeft)
	d.drag(0.8, -1)
	d.Press("esc")
	d.release()
	if got := d.recorded(); !slices.Equal(got, before) {
		t.Errorf("after esc the result is at %+v", got)
	}
	d.press(0.7, -1, tea.MouseLeft)
	d.drag(0.8, -1.5)
	d.Press("esc")
	d.release()
	if got := d.recorded(); !slices.Equal(got, before) || len(d.M.items) != 1 {
		t.Errorf("esc does not take a new result back: %+v", got)
	}
}

// Keys do what the mouse does: they put, move and remove results, and select them from the left to the right.
func TestKeys(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.Press("left", "left", "up", "space")
	if got := d.recorded(); len(got) != 1 || !(got[0].X < 0.5 && got[0].Y > 0) {
		t.Fatalf("space records %+v", got)
	}
	first, n := d.recorded()[0], d.events()
	d.Press("shift+right", "down", "down", "down")
	if d.events() != n {
		t.Error("arrows record before they settle")
	}
	d.Press("tab") // to the first handle, which records the move
	if got := d.recorded(); d.events() != n+1 || !(got[0].X > first.X && got[0].Y < first.Y) {
		t.Errorf("the move is recorded as %+v by %d events", got, d.events()-n)
	}
	d.Press("esc", "right", "right", "right", "right", "right", "right", "enter")
	if got := d.recorded(); len(got) != 2 || !(got[1].X > got[0].X) {
		t.Fatalf("enter records %+v", got)
	}
	d.Press("esc", "tab", "delete")
	if got := d.recorded(); len(got) != 1 || got[0].Step != 2 {
		t.Errorf("tab and delete leave %+v", got)
	}
	d.M.Update(settleMsg{d.M, d.M.draft.number})
	d.Press("tab", "left")
	n = d.events()
	d.Run(d.M.Update(settleMsg{d.M, d.M.draft.number - 1}))
	d.Settle()
	if d.events() != n {
		t.Error("the time of an earlier move records the last one")
	}
	d.Run(d.M.Update(settleMsg{d.M, d.M.draft.number}))
	d.Settle()
	if d.events() != n+1 {
		t.Error("a move is not recorded after a pause")
	}
}

// Every act is undone and done again on its own.
func TestUndo(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	states := []string{}
	state := func() string {
		text := fmt.Sprint(d.M.session.State().Belief(), d.M.session.State().Second)
		for _, it := range d.M.items {
			text += fmt.Sprint(" ", it.x, it.y)
		}
		return text
	}
	acts := []func(){func() {}, func() { d.click(0.2, 1) }, func() { d.click(0.7, -1) }, func() { d.Press("]") },
		func() { d.Press("left", "esc", "esc") }, func() { d.Press("c") }, func() { d.Press("&"); d.Press("fit_all") },
		func() { d.press(0.2, 1, tea.MouseRight) }}
	for _, act := range acts {
		act()
		if s := state(); !slices.Contains(states, s) {
			states = append(states, s)
		}
	}
	if len(states) != 7 {
		t.Fatalf("the acts make %d states: %v", len(states), states)
	}
	for _, want := range slices.Backward(states[:6]) {
		d.Press("b")
		if got := state(); got != want {
			t.Errorf("undone, it is %s\nwant %s", got, want)
		}
	}
	d.Press("b")
	d.Shows("there is nothing to undo")
	for _, want := range states[1:] {
		d.Press("B")
		if got := state(); got != want {
			t.Errorf("redone, it is %s\nwant %s", got, want)
		}
	}
	d.Press("g")
	if got := state(); got != states[0] {
		t.Errorf("at the beginning it is %s", got)
	}
	d.Press("G")
	if got := state(); got != states[6] {
		t.Errorf("at the end it is %s", got)
	}
}

// A bracket is dragged by any of its cells, and changes the hyperparameter by as much as the mouse moves.
func TestDragOfHandles(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.click(0.6, 1)
	value := func(name string) float64 {
		for _, h := range d.M.handles() {
			if h.Name == name {
				return h.Value
			}
		}
		t.Fatalf("there is no handle %s in %+v", name, d.M.handles())
		return 0
	}
	for _, c := range []struct {
		name   string
		by     float64 // of the drag, as a share of the axis
		factor float64 // of the hyperparameter for a share of 1
	}{{"lengthscale", 0.2, 1}, {"lengthscale", -0.1, 1}, {"signal sd", 0.2, 6}, {"noise sd", 0.1, 6}} {
		n, was := d.events(), value(c.name)
		for _, p := range d.Arranged().Boxes {
			if p.Name != plotName {
				continue
			}
			w, h := p.Area.Dx(), p.Area.Dy()
			f := d.M.chart(w, h).Frame(w, h)
			for i, b := range d.M.brackets(w, h) {
				if d.M.handles()[i].Name != c.name {
					continue
				}
				from, to, at, _ := b.Cells(f)
				col, row := p.Area.Min.X+f.Left+to, p.Area.Min.Y+f.Top+at
				dx, dy := int(c.by*float64(f.Cols)), 0
				if b.Vertical {
					col, row = p.Area.Min.X+f.Left+at, p.Area.Min.Y+f.Top+from
					dx, dy = 0, -int(c.by*float64(f.Rows))
				}
				d.Mouse(tea.MouseClickMsg{X: col, Y: row, Button: tea.MouseLeft})
				d.Mouse(tea.MouseMotionMsg{X: col + dx, Y: row + dy, Button: tea.MouseLeft})
				if d.events() != n {
					t.Errorf("the drag of %s records before its end", c.name)
				}
				d.release()
				share := float64(dx)/float64(f.Cols) - float64(dy)/float64(f.Rows)
				if got, want := value(c.name), was+share*c.factor; !near(got, want, 0.01*want) || d.events() != n+1 {
					t.Errorf("%s is %g, want %g, by %d events", c.name, got, want, d.events()-n)
				}
			}
		}
	}
	if len(d.recorded()) != 1 {
		t.Errorf("the drags put results: %+v", d.recorded())
	}
}

// Keys change a handle by steps, up to its bounds, and record them together; enter and delete let the method fit it.
func TestKeysOfHandles(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.click(0.2, 1)
	d.click(0.5, -1)
	d.click(0.8, 0.5)
	d.Press("esc", "tab", "tab", "tab", "tab", "tab") // past the results and the signal
	h := func() (name string, value float64, fitted bool) {
		h := d.M.handles()[d.M.chosen.handle]
		return h.Name, h.Value, h.Fitted
	}
	if name, v, _ := h(); name != "lengthscale" || v != 0.15 {
		t.Fatalf("the fifth tab selects %s = %g", name, v)
	}
	n := d.events()
	d.Press("right", "right", "up")
	if _, v, _ := h(); !near(v, 0.15*1.1*1.1*1.1, 0.002) || d.events() != n {
		t.Errorf("after three steps it is %g, with %d events", v, d.events()-n)
	}
	d.Press("enter")
	if _, v, fitted := h(); !fitted || v == 0.15 || d.events() != n+2 {
		t.Errorf("enter makes it %g, fitted %v, by %d events", v, fitted, d.events()-n)
	}
	d.Press("enter")
	if _, _, fitted := h(); fitted {
		t.Error("enter does not fix it again")
	}
	for range 60 {
		d.Run(d.M.Update(screentest.Key("shift+left")))
	}
	d.Settle()
	if _, v, _ := h(); !near(v, 0.01, 1e-12) {
		t.Errorf("at the lower bound it is %g", v)
	}
	d.Press("delete")
	if _, _, fitted := h(); !fitted {
		t.Error("delete does not fit it")
	}
	d.Press("fit_all")
	for _, h := range d.M.handles() {
		if !h.Fitted {
			t.Errorf("l does not fit %s", h.Name)
		}
	}
	d.Press("fit_all")
	for _, h := range d.M.handles() {
		if h.Fitted {
			t.Errorf("l does not fix %s", h.Name)
		}
	}
}

// While a result is dragged, fitted hyperparameters stay as they were; they are fitted again at the end.
func TestDragHoldsFittedHyperparameters(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	for _, x := range []float64{0.1, 0.3, 0.5, 0.7, 0.9} {
		d.click(x, math.Sin(9*x))
	}
	d.Press("esc", "fit_all")
	values := func() (list []float64) {
		for _, h := range d.M.handles() {
			if !h.Fitted {
				t.Errorf("%s is not fitted", h.Name)
			}
			list = append(list, h.Value)
		}
		return list
	}
	before := values()
	d.press(0.5, math.Sin(4.5), tea.MouseLeft)
	d.drag(0.5, 1)
	d.drag(0.5, 2)
	if got := values(); !slices.EqualFunc(got, before, func(a, b float64) bool { return near(a, b, 1e-9*b) }) ||
		!d.M.beliefs[0].picture.held {
		t.Errorf("during the drag the hyperparameters are %v, before %v", got, before)
	}
	d.release()
	if got := values(); slices.Equal(got, before) || d.M.beliefs[0].picture.held {
		t.Errorf("after the drag the hyperparameters are still %v", got)
	}
}

// Every preset is a belief whose screen is described, alone and over another, at any size and in any style.
func TestPresets(t *testing.T) {
	for i, p := range registry.Presets() {
		if p.Method == "neural-greedy" {
			p.Set = map[string]any{"width": 32, "ensemble": 2, "sigma2": 0.01}
		}
		st := []theme.Style{trueColor, noColor, theme.New(false, theme.Color256, false), theme.New(true, theme.NoColor,
			true)}[i%4]
		d := openPreset(t, p, 80, 24, st)
		explained.Check(t, p.Title+", empty", d.M.Frame(), 80, 24)
		d.click(0.2, 1)
		d.click(0.7, -1)
		explained.Check(t, p.Title, d.M.Frame(), 80, 24)
		d.Press("v", "tab", "tab", "tab")
		explained.Check(t, p.Title+", with the row", d.M.Frame(), 80, 24)
		d.Resize(200, 60)
		explained.Check(t, p.Title+", large", d.M.Frame(), 200, 60)
		d.Resize(120, 36)
		if p.Method != "neural-greedy" {
			d.Press("esc", "c")
			explained.Check(t, p.Title+" over another", d.M.Frame(), 120, 36)
		}
		d.Press("esc", "e")
		explained.Check(t, p.Title+", edited", d.M.Frame(), 120, 36)
	}
}

// [ and ] go through all presets and come back.
func TestPresetKeys(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	var seen []string
	for range 11 { // up to the trained networks
		seen = append(seen, d.M.beliefTitle(d.M.beliefs[0]))
		d.Press("]")
	}
	if n := len(slices.Compact(slices.Sorted(slices.Values(seen)))); n != 11 {
		t.Errorf("] shows %d beliefs: %v", n, seen)
	}
	for _, want := range slices.Backward(seen) {
		d.Press("[")
		if got := d.M.beliefTitle(d.M.beliefs[0]); got != want {
			t.Errorf("[ shows %s, want %s", got, want)
		}
	}
}

// The editor changes the belief that keys change, and shows why a text is wrong.
func TestEditor(t *testing.T) {
	d := open(t, 120, 36, trueColor)
	d.Press("c", "e", "enter")
	for range 40 {
		d.Press("backspace")
	}
	d.Write("periodic*rbf")
	d.Shows(`no kernel "rbf"`)
	for range 12 {
		d.Press("backspace")
	}
	d.Write("Periodic*SE + 0.3")
	d.Press("esc")
	st := d.M.session.State()
	if st.Params.Choice("kernel") != "1*se(length=0.15)" || st.Second.Params["kernel"] != "periodic*se + 0.3" {
		t.Errorf("the kernels are %v and %v", st.Params.Choice("kernel"), st.Second.Params["kernel"])
	}
}

// The row of the kernel is that of the selected result or the cursor: for a squared exponential s² exp(−d²/2ℓ²) before
// the results, and at a result nearly 0 after them.
func TestRow(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.click(0.5, 1)
	d.Press("v")
	r := d.M.row
	at := d.M.items[0].x
	for i, x := range r.picture.grid {
		if want := math.Exp(-(x - at) * (x - at) / (2 * 0.15 * 0.15)); !near(r.prior[i], want, 1e-9) {
			t.Fatalf("the prior covariance at %g is %g, want %g", x, r.prior[i], want)
		}
		if !(math.Abs(r.posterior[i]) < 0.004) {
			t.Errorf("the posterior covariance at %g is %g", x, r.posterior[i])
		}
	}
	d.Press("esc", "right", "right")
	if d.M.row.x == at {
		t.Error("the row does not follow the cursor")
	}
	d.Shows("k(x, x') at x = ")
	d.Press("v")
	if strings.Contains(d.Text(), "row of the kernel") {
		t.Error("the row stays")
	}
}

// Samples on their circle begin at one draw, come to another after a quarter, and have the mean and the variance of the
// belief everywhere.
func TestSamplesMoveOnCircles(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.click(0.4, 1)
	d.Press("esc", "+", "+", "+", "+", "+", "+", "+", "+", "+")
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
	if !slices.EqualFunc(p.at(s, 0), p.samples[0], func(a, b float64) bool { return near(a, b, 1e-12) }) {
		t.Error("the circle does not begin at its sample")
	}
	s.turns = turns / 4
	if !slices.EqualFunc(p.at(s, 0), p.across[0], func(a, b float64) bool { return near(a, b, 1e-9) }) {
		t.Error("after a quarter of the circle the sample is not the other draw")
	}
	sum, count := 0.0, 0
	for draw := range 40 {
		p, err := computeBelief(t.Context(), d.M.state, task{results: d.M.results(), samples: samples{count: 12,
			draw: uint64(draw), circles: true}}, d.M.beliefs[0].config, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 12 {
			y := p.at(samples{circles: true, turns: turns / 10}, i)
			for _, k := range []int{0, 60, 240} {
				z := (y[k] - p.mean[k]) / ((p.upper[k] - p.lower[k]) / 4)
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
	if d.Text() == before {
		t.Error("a frame draws the same samples")
	}
	if d.M.nextFrame(frameMsg{d.M, d.M.samples.run - 1}) != nil {
		t.Error("a frame of an earlier start goes on")
	}
	d.Press("r")
	if d.M.nextFrame(frameMsg{d.M, d.M.samples.run}) != nil {
		t.Error("samples that stand still ask for a frame")
	}
}

// Nothing is computed or drawn while nothing happens.
func TestIdle(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.click(0.4, 1)
	if cmd := d.M.compute(); cmd != nil || !d.M.UpToDate() {
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
		if err := d.M.session.AddResult(float64(i%100)/100, math.Sin(float64(i))); err != nil {
			t.Fatal(err)
		}
	}
	d.Run(d.M.UpdatePicture())
	d.Settle()
	d.Press("space", "esc", "space", "esc", "space")
	if n := len(d.recorded()); n != maxItems {
		t.Errorf("there are %d results", n)
	}
	d.Shows("at most 500 results")
	explained.Check(t, "500 results", d.M.Frame(), 100, 30)
	d.click(0.501, 0.01)
	if p := d.M.beliefs[0]; p.picture == nil || p.reason != "" || slices.ContainsFunc(p.picture.mean, math.IsNaN) {
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
	if err := d.M.CloseSession(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(d.path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.path, append(text, "damage\n{}\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := sessions.Open(t.Context(), d.path)
	if err != nil {
		t.Fatal(err)
	}
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
	if !ok {
		t.Fatalf("f wants %+v", d.Actions)
	}
	s, err := want.Make(t.Context(), nil)
	if err != nil || len(s.State().Iterations) != 2 || s.State().Config.Playground {
		t.Fatalf("the search is %+v, %v", s.State().Iterations, err)
	}
	s.Close()
	d.M.setBelief(d.M.beliefs[0], registry.Preset{Method: "neural-greedy", Set: map[string]any{"width": 20000}})
	d.Run(d.M.compute())
	if !d.M.Jobs.Busy() {
		t.Fatal("no network is trained")
	}
	d.M.Stop()
	if err := d.M.CloseSession(); err != nil || d.M.Jobs.Busy() {
		t.Errorf("leaving: %v", err)
	}
}

// A lesson whose session is a playground is read page by page; space turns the page, and enter still puts results.
func TestLesson(t *testing.T) {
	cfg := sessions.PlaygroundConfig(sessions.BeliefConfig{Optimizer: registry.Presets()[0].Method}, 1)
	s, err := sessions.New(t.Context(), cfg, sessions.WithLesson(&sessions.Lesson{Title: "On noise", About: "noise"}))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Note("# One\n\nA result."); err != nil {
		t.Fatal(err)
	}
	if err := s.AddResult(0.5, 1); err != nil {
		t.Fatal(err)
	}
	if err := s.Note("# Two\n\nMore."); err != nil {
		t.Fatal(err)
	}
	s.First()
	m := New(s, "")
	t.Cleanup(func() { m.CloseSession() })
	d := driver{pagetest.New(t, m, 120, 36, trueColor, m.Busy), ""}
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
		"empty-80x24":     {80, 24, trueColor, ""},
		"results-80x24":   {80, 24, noColor, ""},
		"ascii-80x24":     {80, 24, theme.New(true, theme.NoColor, true), "c v"},
		"row-120x36":      {120, 36, trueColor, "v tab tab tab tab"},
		"light-120x36":    {120, 36, theme.New(false, theme.Color256, false), "c"},
		"periodic-200x60": {200, 60, theme.New(true, theme.Color16, false), "] ] ] ] ] v"},
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
		screentest.Check(t, name, d.Screen(), c.st.ASCII)
	}
}
