package compare

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/sample"
	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/tui/chart"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/pagetest"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

var trueColor = theme.New(true, theme.TrueColor, false)

// driver runs a Model without a terminal: commands run on goroutines, their messages are fed back until nothing is
// computed.
type driver struct{ *pagetest.Driver[*Model] }

func drive(t testing.TB, name string, w, h int, st theme.Style) *driver {
	t.Helper()
	c, err := library.FindComparison(name)
	require.NoError(t, err)
	c.Panes, c.Samples = slices.Clone(c.Panes), min(c.Samples, 16) // each of which is a training
	for i, p := range c.Panes {
		if n, ok := p.Params["ensemble"].(float64); ok && n > 50 { // eight deep networks show what a hundred do
			c.Panes[i].Params = maps.Clone(p.Params)
			c.Panes[i].Params["ensemble"] = 8.0
		}
	}
	m, err := New(c)
	require.NoError(t, err)
	return begin(t, m, w, h, st)
}

func begin(t testing.TB, m *Model, w, h int, st theme.Style) *driver {
	t.Helper()
	m.Resize(w, h)
	explained.Check(t, "before anything is fitted", m.Frame(), w, h)
	d := &driver{pagetest.New(t, m, w, h, st, func() bool { return m.work.jobs.Busy() || m.decision.jobs.Busy() })}
	t.Cleanup(func() { m.Close() })
	return d
}

// press types keys, by name or one character each.
func (d *driver) press(names ...string) {
	for _, n := range names {
		d.Run(d.M.Update(screentest.Key(n)))
		d.screen()
		d.Settle()
		d.screen()
	}
}

// write types a text and enter.
func (d *driver) write(text string) {
	for _, r := range text {
		d.press(string(r))
	}
	d.press("enter")
}

// screen is what is shown, which is what would be if nothing were kept from the frames before.
func (d *driver) screen() string {
	d.T.Helper()
	m := d.M
	shown := layout.Render(m.Frame(), m.Width, m.Height)
	cache := m.cache
	m.cache = nil
	if anew := layout.Render(m.Frame(), m.Width, m.Height); anew != shown {
		d.T.Errorf("the frame is of what was before:\n%s\nand not:\n%s", ansi.Strip(shown), ansi.Strip(anew))
	}
	m.cache = cache
	return shown
}

// check holds the frame against what is described of it.
func (d *driver) check(where string) {
	d.T.Helper()
	explained.Check(d.T, where, d.M.Frame(), d.M.Width, d.M.Height)
}

// Built-in comparisons at a large size, one without colours in the least window, and two races.
func TestGoldenScreens(t *testing.T) {
	type shown struct {
		file, name string
		w, h       int
		style      theme.Style
		keys       string
	}
	var all []shown
	built := sample.Of(library.Comparisons(), 3, 1)
	for _, c := range library.Comparisons() {
		same := func(other library.Comparison) bool { return other.Name == c.Name }
		if c.Name == "laws" || c.Name == "costs" || slices.ContainsFunc(built, same) {
			all = append(all, shown{c.Name + "-160x48", c.Name, 160, 48, trueColor, ""})
		}
	}
	all = append(all,
		shown{"laws-80x24", "laws", 80, 24, theme.New(true, theme.NoColor, false), ""},
		shown{"gamma-120x36-race", "gamma", 120, 36, trueColor, "R space space"},
		shown{"costs-120x36-race", "costs", 120, 36, trueColor, "R space space space space space space"},
	)
	open, whole := map[string]*driver{}, t // what differs in size and colour alone is trained once
	for _, g := range all {
		t.Run(g.file, func(t *testing.T) {
			if testing.Short() && g.name != "laws" && g.name != "gamma" {
				return // hundreds of trainings
			}
			d := open[g.name+g.keys]
			if d == nil {
				d = drive(whole, g.name, g.w, g.h, g.style)
				d.press(strings.Fields(g.keys)...)
				open[g.name+g.keys] = d
			}
			d.T = t
			d.M.Restyle(g.style)
			d.Resize(g.w, g.h)
			if g.w < 160 || g.name == "laws" || g.name == "costs" { // the others are drawn by the same code
				screentest.Check(t, g.file, d.screen(), false)
			}
			d.check(g.file)
			d.M.Restyle(theme.New(true, theme.NoColor, true))
			screentest.ASCII(t, g.file, d.screen())
			for _, size := range [][2]int{{80, 24}, {100, 30}, {120, 36}, {200, 60}} {
				if testing.Short() {
					break
				}
				d.Resize(size[0], size[1])
				d.check(fmt.Sprint(g.file, " at ", size))
			}
		})
	}
}

// What is alike in several panes is told once and lit in all of them; what some of them have in common is named with
// these.
func TestAlikePanesAreToldTogether(t *testing.T) {
	d := drive(t, "laws", 160, 48, trueColor)
	f := layout.Arrange(d.M.Frame(), 160, 48)
	quarters := map[string]map[[2]bool]int{}
	for _, p := range f.DescribedBoxes() {
		if p.Kind != layout.Mark {
			continue
		}
		assert.Nil(t, quarters[p.Name], "%q is described twice", p.Name)
		quarters[p.Name] = map[[2]bool]int{}
		for _, s := range f.Spans(p) {
			if s.Row <= 1 { // the legend
				continue
			}
			quarters[p.Name][[2]bool{s.From >= 80, s.Row >= 23}]++
		}
	}
	for name, want := range map[string]int{"data": 4, "B, C, D: the network that picks the next point": 3, "A: mean": 1} {
		if got := len(quarters[name]); got != want {
			t.Errorf("%q is lit in %d panes of %d", name, got, want)
		}
	}
}

// The wider the networks, the nearer their ensemble is to the law of infinite width, down to what so few draws leave.
func TestTheDistanceShrinksWithTheWidth(t *testing.T) {
	if testing.Short() {
		t.Skip("it computes on one goroutine")
	}
	d := drive(t, "width", 120, 36, trueColor)
	valueAt := func(width string) float64 {
		d.press("e")
		for range len("width=20000") {
			d.M.Status.Key(tea.KeyPressMsg{Code: tea.KeyBackspace})
		}
		d.write("width=" + width)
		if message, bad := d.M.Status.Message(); bad {
			t.Fatal(message)
		}
		a, b := d.M.panes[0].posterior, d.M.panes[1].posterior
		apart, spread := picture.Distance(a, b)
		return apart / spread
	}
	narrow, wide := valueAt("8"), valueAt("3000")
	if narrow < 0.4 || wide > 0.3 {
		t.Errorf("at width 8 the distance is %.2f of the spread, at width 3000 %.2f", narrow, wide)
	}
	d.Shows("of B's standard deviation (50 draws: sampling error about 17 %)")
	before := d.M.panes[0].Params["width"]
	d.press("right")
	if after := d.M.panes[0].Params["width"]; after == before || d.M.panes[1].Params["width"] != nil {
		t.Errorf("the arrow keys took the width from %v to %v", before, after)
	}
}

// Any optimizer's belief can be put in a pane; panes are added and removed; what cannot be is said.
func TestPanes(t *testing.T) {
	d := drive(t, "gamma", 160, 48, trueColor)
	d.press("insert")
	d.Shows("at most 4 methods")
	d.press("delete", "delete")
	require.Equal(t, 2, len(d.M.panes), "%d panes", len(d.M.panes))
	for _, name := range []string{
		"gp-ei", "neural-bo", "neural-ucb", "forest-ei", "dngo", "ntk-ts", "sto-bnts-linear", "random"} {
		d.press("another_method")
		d.write(name)
		if p := d.M.panes[d.M.selected]; p.Optimizer != name || p.reason != "" || p.posterior == nil {
			t.Errorf("%s: %q, %v", name, p.reason, d.M.Status)
		}
		d.screen()
	}
	d.press("another_method")
	d.write("zzzz")
	d.Shows("no optimizer \"zzzz\"")
	d.press("esc")
	for text, want := range map[string]string{"gamma": "key=value", "nothing=1": "nothing"} {
		d.press("e")
		for range 40 {
			d.M.Status.Key(tea.KeyPressMsg{Code: tea.KeyBackspace})
		}
		d.write(text)
		assert.True(t, d.M.Status.Open(), "%q is taken", text)
		d.Shows(want)
		d.press("esc")
	}
}

// All racers start from the same points and then go their own ways; one that is replaced catches up.
func TestRace(t *testing.T) {
	d := drive(t, "laws", 160, 48, trueColor)
	d.press("tab", "tab", "delete", "delete", "R", "space", "space")
	require.Equal(t, 2, len(d.M.panes), "%d panes", len(d.M.panes))
	a, b := d.M.panes[0].racer.State(), d.M.panes[1].racer.State()
	n := len(d.M.comparison.Points)
	if len(a.Iterations) != n+2 || len(b.Iterations) != n+2 {
		t.Fatalf("%d and %d iterations", len(a.Iterations), len(b.Iterations))
	}
	for i := range n {
		assert.Equal(t, b.Iterations[i].Inputs(), a.Iterations[i].Inputs(), "the starts differ at point %d", i)
	}
	if reflect.DeepEqual(a.Iterations[n+1].Inputs(), b.Iterations[n+1].Inputs()) {
		t.Error("the racers have the same data")
	}
	assert.Equal(t, n, len(d.M.base.State().Iterations), "the race changed the session")
	d.press("another_method")
	d.write("random")
	d.press("space", "space")
	if n1, n2 := len(d.M.panes[0].racer.State().Iterations), len(d.M.panes[1].racer.State().Iterations); n1 != n2 {
		t.Errorf("%d and %d iterations", n1, n2)
	}
	d.press("b", "R")
	d.Shows("side by side")
}

// NewWithSession the explorer's session: steps go into it, and what is compared changes nothing else.
func TestStepsOfASession(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 2})
	require.NoError(t, err)
	m, err := NewWithSession(s, "")
	require.NoError(t, err)
	d := begin(t, m, 120, 36, trueColor)
	d.press("space", "]", "ctrl+t", "s", ")") // a step trains wide networks
	if n := len(s.State().Iterations); n != 1 {
		t.Errorf("%d iterations", n)
	}
	d.press("c")
	for len(d.Actions) == 0 {
		d.Take(<-d.Msgs)
	}
	if _, ok := d.Actions[0].(widget.Close); !ok {
		t.Errorf("c sends %T", d.Actions[0])
	}
}

// Every size and every key is drawn without a panic, in the middle of a computation too.
func TestSizesAndKeys(t *testing.T) {
	d := drive(t, "laws", 80, 24, trueColor)
	for _, size := range [][2]int{{80, 24}, {81, 25}, {100, 30}, {300, 100}} {
		for _, k := range []string{"y", "v", "ctrl+t", "t", "tab", "v", "ctrl+t"} {
			d.Resize(size[0], size[1])
			d.Run(d.M.Update(tea.KeyPressMsg{Code: []rune(k)[0], Text: k}))
			d.check(fmt.Sprintf("%v after %s", size, k))
			d.Settle()
		}
	}
}

// Every key of the hint line is one of this screen, and no key has two commands.
func TestKeys(t *testing.T) {
	if got, want := len(widget.BindingsFor(commands(), footer)), len(strings.Fields(footer)); got != want {
		t.Errorf("%d keys of %q are bound", got, footer)
	}
	bound := map[string]string{}
	for _, c := range commands() {
		for _, k := range c.Keys() {
			if other, twice := bound[k]; twice {
				t.Errorf("%s is for %q and for %q", k, other, c.Help().Desc)
			}
			bound[k] = c.Help().Desc
		}
	}
}

// A computation that is stopped leaves the screen as it was, and can be taken up again.
func TestStop(t *testing.T) {
	d := drive(t, "training", 120, 36, trueColor)
	d.press("e")
	for range 40 {
		d.M.Status.Key(tea.KeyPressMsg{Code: tea.KeyBackspace})
	}
	d.M.Status.Type(tea.PasteMsg{Content: "epochs=1000000"})
	d.press("tab")
	d.Run(d.M.Update(tea.KeyPressMsg{Code: tea.KeyEnter}))
	d.Run(d.M.Update(tea.KeyPressMsg{Code: tea.KeyEscape}))
	assert.False(t, d.M.work.jobs.Busy(), "esc does not stop it")
	d.Shows("stopped")
}

// BenchmarkFrame draws four panes at 160×48.
func BenchmarkFrame(b *testing.B) {
	d := drive(b, "laws", 160, 48, trueColor)
	for b.Loop() {
		layout.Render(d.M.Frame(), 160, 48)
	}
}

// A session of several objectives is compared with methods that fit it: their fronts laid over each other, side by
// side, and in a race by hypervolume and Bayes regret; what is of one objective says so.
func TestSeveralObjectives(t *testing.T) {
	if testing.Short() {
		t.Skip("fronts are computed for long on one goroutine; TestPanes runs the same jobs")
	}
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "schaffer", Optimizer: "mobo-rs-ts", Seed: 2})
	require.NoError(t, err)
	for range 5 {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	m, err := NewWithSession(s, t.TempDir())
	require.NoError(t, err)
	d := begin(t, m, 120, 36, theme.New(true, theme.NoColor, false))
	for _, want := range []string{
		"median attainment", "A MOBO-RS", "B EHVI", "C ParEGO", "nondominated", "front", "f1, minimize",
		"f2, minimize"} {
		d.Shows(want)
	}
	screentest.Check(t, "several-120x36-nocolor", d.screen(), false)
	d.check("several")
	for _, k := range []string{"v", "d", "ctrl+t", "]", "s"} {
		d.press(k)
		if message, _ := d.M.Status.Message(); message == "" {
			t.Errorf("%s says nothing", k)
		}
	}
	d.press("another_method")
	d.write("gp-ei")
	if spec := m.panes[0].alt.Spec(); !spec.Supports(2, false) || spec.Name != "mobo-rs-ts" {
		t.Errorf("a pane has %s", spec.Name)
	}
	for m.KeyMap().Typing { // what does not fit is refused, and stays to be mended
		d.press("esc")
	}
	d.press("another_method")
	d.write("smsego")
	if spec := m.panes[0].alt.Spec(); spec.Name != "smsego" {
		t.Errorf("a pane has %s", spec.Name)
	}
	d.press("y")
	d.Shows("next")
	d.check("several, side by side")
	d.press("R", "space")
	d.Shows("Bayes regret")
	d.check("several, in a race")
	d.Shows("hypervolume")
	for _, p := range m.panes {
		if n := len(p.outcomes.Traces.Hypervolume); n != len(p.racer.State().Iterations) || n < 2 {
			t.Errorf("%s has a trace of %d steps of %d", p.Optimizer, n, len(p.racer.State().Iterations))
		}
	}
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		m.Resize(size[0], size[1])
		d.check(fmt.Sprintf("several, in a race at %v", size))
		d.Shows("Bayes regret")
		lines := strings.Split(ansi.Strip(d.screen()), "\n")
		for _, want := range []string{" ? help", " : find", " q quit"} {
			if footer := " " + lines[len(lines)-1]; !strings.Contains(footer, want) {
				t.Errorf("at %v the footer lacks%s: %s", size, want, footer)
			}
		}
	}
}

// On a front that is not convex, linear weights prefer its ends alone, Tchebyshev weights what is between.
func TestScalarizations(t *testing.T) {
	d := drive(t, "scalarizations", 120, 36, trueColor)
	for i, want := range []bool{true, false} {
		o, ends := d.M.panes[i].outcomes, 0.0
		for k, y := range o.Front {
			if y[0] < 0.05 || y[0] > 0.95 {
				ends += o.Chance[k]
			}
		}
		if got := ends > 0.95; got != want || !want && ends > 0.3 {
			t.Errorf("pane %s prefers the ends with probability %.2f", letter(i), ends)
		}
	}
	screentest.Check(t, "scalarizations-120x36", d.screen(), false)
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		d.Resize(size[0], size[1])
		d.check(fmt.Sprintf("scalarizations at %v", size))
	}
	d.press("y")
	d.Shows("fronts drawn from the models")
	d.press("R")
	legend := strings.Split(ansi.Strip(d.screen()), "\n")[2]
	for _, want := range []string{"A linear", "B Tchebyshev"} {
		assert.Contains(t, legend, want, "the legend of a race of fronts")
	}
}

// The latest part of a picture is shown when the whole takes long, later ones at once, and none after the whole.
func TestPartsOfAPane(t *testing.T) {
	var sent []bool
	p := parts{send: func(r result) { sent = append(sent, r.last) }}
	p.add(result{})
	p.add(result{last: true})
	assert.Nil(t, sent, "a part is sent at once")
	if p.setDue(); !slices.Equal(sent, []bool{true}) {
		t.Errorf("%v is sent when it is due", sent)
	}
	p.add(result{})
	p.close()
	p.add(result{})
	if p.setDue(); len(sent) != 2 {
		t.Errorf("%d parts are sent", len(sent))
	}
}

// A panic while a pane is drawn is the pane's reason.
func TestPanicOfAPane(t *testing.T) {
	d := drive(t, "gamma", 120, 36, trueColor)
	p := d.M.panes[1]
	results := make(chan result, 2)
	draw(t.Context(), p, p.alt, func(_ context.Context, _ picture.Source, _ sessions.Progress,
		show func(result)) (result, error) {
		show(result{posterior: p.posterior})
		panic("broken")
	}, "wanted", nil, results)
	last := <-results
	if last.pane != p || !last.last || last.err == nil || last.err.Error() != "drawing the posterior: broken" {
		t.Errorf("the panic brings %v", last.err)
	}
	d.M.work.waiting = 1
	d.M.take(last)
	d.Shows("drawing the posterior: broken")
}

// Acquisitions that are one quantity have one axis in all panes; one of another kind has its own.
func TestAcquisitionsShareTheirAxis(t *testing.T) {
	d := drive(t, "gamma", 120, 36, theme.New(true, theme.NoColor, false))
	d.press("v")
	axes := func() (list []chart.Axis) {
		for _, p := range d.M.panes {
			drawn := d.M.drawing(p)
			drawn.Compared = d.M.compared(p.posterior, picture.AcquisitionField)
			list = append(list, drawn.Chart(picture.AcquisitionField).Y)
		}
		return list
	}
	all := axes()
	for i, a := range all {
		local := d.M.drawing(d.M.panes[i]).Chart(picture.AcquisitionField).Y
		if !reflect.DeepEqual(a, all[0]) || local.Min < a.Min-1e-9 || local.Max > a.Max+1e-9 {
			t.Errorf("pane %d has the axis %+v, the first has %+v, and its own values have %+v", i, a, all[0], local)
		}
	}
	ticks := func(i int) (labels []string) {
		for _, l := range strings.Split(layout.Render(d.M.panel(&sharedLegend{})(i, 60, 20), 60, 20), "\n") {
			if before, _, ok := strings.Cut(ansi.Strip(l), "┤"); ok {
				labels = append(labels, strings.TrimSpace(strings.Trim(before, "│")))
			}
		}
		return labels
	}
	if a, b := ticks(0), ticks(len(all)-1); len(a) < 3 || !slices.Equal(a, b) {
		t.Errorf("the panes have the ticks %q and %q", a, b)
	}
	last := d.M.panes[len(all)-1].posterior
	last.Legend.Acquisition = "another acquisition"
	if now := axes(); !reflect.DeepEqual(now[len(all)-1], d.M.drawing(d.M.panes[len(all)-1]).Chart(picture.AcquisitionField).Y) {
		t.Errorf("an acquisition of another kind has the axis %+v", now[len(all)-1])
	}
}

// A comparison names no key that does nothing in it.
func TestComparisonsNameTheirKeys(t *testing.T) {
	for _, c := range library.Comparisons() {
		m, err := New(&c)
		require.NoError(t, err)
		keys := m.KeyMap().Keys
		for _, word := range strings.FieldsFunc(c.About, func(r rune) bool {
			return strings.ContainsRune(" ,:;.()", r)
		}) {
			if len(word) != 1 || word == "a" || word == "1" { // a word, and "Prop. 1"
				continue
			}
			i := slices.IndexFunc(keys, func(k widget.Key) bool { return slices.Contains(k.Keys(), word) })
			if i < 0 || keys[i].DisabledReason() != "" {
				t.Errorf("%s names the key %q: %q", c.Name, word, c.About)
			}
		}
	}
}
