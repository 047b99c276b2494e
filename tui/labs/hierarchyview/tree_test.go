package hierarchyview

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/trainer/hierarchy"
	"bandscope/sessions"
	"bandscope/sessions/training"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/labs/panel"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// watcher is a picture of the lab with where it stands.
type watcher struct {
	t testing.TB
	*tree
	at    training.State // with models
	place panel.Scene
}

// newWatcher trains the lab of hierarchies for so many updates, with parameters of its own, and beside a second run
// where there is one.
func newWatcher(t testing.TB, steps int, set, beside map[string]any) *watcher {
	t.Helper()
	l, err := training.Find("hierarchy")
	require.NoError(t, err)
	s, err := training.New(l, set)
	require.NoError(t, err)
	ctx := context.Background()
	if beside != nil {
		_, err = s.AddRun(ctx, beside, nil)
		require.NoError(t, err)
	}
	if steps > 0 {
		_, err = s.Step(ctx, steps, nil)
		require.NoError(t, err)
	}
	w := &watcher{t: t, tree: New().(*tree)}
	if w.at, err = s.StateWithModels(ctx, func(string, int, int) {}); err != nil {
		t.Fatal(err)
	}
	w.place = panel.Scene{State: s.State(), Style: theme.New(true, theme.TrueColor, false), W: 120, H: 32}
	w.look()
	return w
}

// evaluateRun computes what is drawn anew.
func (w *watcher) look() *computed {
	w.t.Helper()
	k, err := w.Compute(w.place)(context.Background(), w.at, w.place.Computed, func(string, int, int) {})
	if err != nil {
		w.t.Fatal(err)
	}
	w.place.Computed = k
	return k.(*computed)
}

// press presses keys, and computes anew where one wants it.
func (w *watcher) press(keys ...string) (text string) {
	w.t.Helper()
	for _, k := range keys {
		turn := &panel.Turn{Scene: w.place}
		_, off, taken := widget.Press(turn, w.Commands(), screentest.Key(k))
		if !taken {
			w.t.Errorf("%s is no key of the picture", k)
		}
		text = off + turn.Said
		if turn.Again {
			w.look()
		}
	}
	return text
}

// draw draws at a size. In a window of any size that the program has, each part of it has its room.
func (w *watcher) draw(width, height int) string {
	w.t.Helper()
	w.place.W, w.place.H = width, height
	box := w.Draw(w.place)
	if width >= 40 && height >= 20 {
		explained.Check(w.t, fmt.Sprintf("%s at %dx%d", viewNames[w.shows()], width, height), box, width, height)
	}
	return layout.Render(box, width, height)
}

// Screens of two sizes of window, whose picture has four lines less; the chosen node is the second child of the
// third of the root.
func TestGoldenScreens(t *testing.T) {
	w := newWatcher(t, 20, nil, nil)
	two := newWatcher(t, 20, nil, map[string]any{"lambda_e": 0.0})
	for _, w := range []*watcher{w, two} {
		w.press("down", "]", "]", "down", "]")
	}
	dark, plain := theme.New(true, theme.TrueColor, false), theme.New(true, theme.NoColor, false)
	for _, g := range []struct {
		file          string
		of            *watcher
		width, height int
		view          tab
		style         theme.Style
	}{
		{"overview-120x36", w, 120, 32, overview, dark},
		{"forecasts-80x24", w, 80, 20, forecasts, plain},
		{"children-80x24", w, 80, 20, children, plain},
		{"errors-80x24", two, 80, 20, errors, plain},
		{"inside-80x24", w, 80, 20, inside, plain},
		{"embeddings-two-80x24", two, 80, 20, embeddings, plain},
		{"balance-two-80x24", two, 80, 20, balance, plain},
		{"theory-80x24", w, 80, 20, theories, plain},
	} {
		g.of.view, g.of.place.Style = g.view, g.style
		screentest.Check(t, g.file, g.of.draw(g.width, g.height), false)
		g.of.place.Style = theme.New(true, theme.NoColor, true)
		screentest.ASCII(t, g.file, g.of.draw(g.width, g.height))
	}
}

// Every view has every size, of whatever is trained: nothing yet, one part alone, few and many basis functions, two
// runs of which one has no embeddings.
func TestEveryViewFitsEverySize(t *testing.T) {
	for name, w := range map[string]*watcher{
		"nothing":   newWatcher(t, 0, nil, nil),
		"tvar":      newWatcher(t, 1, map[string]any{"basis": false}, nil),
		"basis":     newWatcher(t, 1, map[string]any{"tvar": false}, nil),
		"one":       newWatcher(t, 1, map[string]any{"functions": 1}, nil),
		"many":      newWatcher(t, 10, map[string]any{"functions": 12}, map[string]any{"functions": 2}),
		"one of it": newWatcher(t, 1, nil, map[string]any{"basis": false}),
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			for v := range views {
				w.view = v
				for _, size := range [][2]int{{200, 56}, {120, 32}, {80, 20}, {60, 12}, {40, 8}, {20, 5}} {
					w.draw(size[0], size[1])
				}
			}
			w.press("t")
			w.draw(120, 32)
		})
	}
}

// A second run that was laid a moment ago, or lifted, is drawn as soon as it was looked at; until then the first is.
func TestRunsThatCameOrWent(t *testing.T) {
	watcher, two := newWatcher(t, 1, nil, nil), newWatcher(t, 1, nil, map[string]any{"lambda_e": 0.0})
	watcher.place.State, two.place.State = two.place.State, watcher.place.State
	for v := range views {
		watcher.view, two.view = v, v
		watcher.draw(120, 32)
		two.draw(120, 32)
	}
}

// What stands on the screen is what the training tells.
func TestNumbersAreThoseOfTheTraining(t *testing.T) {
	w := newWatcher(t, 20, nil, nil)
	model := w.at.Spec.Unwrap(w.at.Runs[0].Model).(*hierarchy.Training)
	scores, last := model.Evaluate().Test, model.Last()
	wants := map[tab][]string{}
	for level := range 4 {
		wants[errors] = append(wants[errors], digitsFor(100*scores.WAPE[level]),
			digitsFor(100*scores.Coherence[level]), digitsFor(100*model.Panel().Naive().WAPE[level]))
		wants[balance] = append(wants[balance], fmt.Sprintf("%d vs ", last.Draws[level]))
		if level < 3 {
			wants[balance] = append(wants[balance], percent(scores.Coherence[level]))
		}
	}
	wants[balance] = append(wants[balance], widget.NumberIn(last.GradData, 7), widget.NumberIn(last.GradReg, 7))
	wants[embeddings] = []string{"E_reg " + digitsFor(last.Reg)}
	wants[forecasts] = []string{digitsFor(100*scores.WAPE[0]) + " %"} // of the root, which is alone on its level
	var theta []string
	for _, v := range model.Embeddings().RawRowView(0) {
		theta = append(theta, hundredths(v))
	}
	a := model.Attention(hierarchy.Windows - 1)
	low, high := math.Inf(1), math.Inf(-1)
	for f := range hierarchy.Horizon {
		sum := mat.Sum(a.RowView(f))
		low, high = min(low, sum), max(high, sum)
	}
	wants[inside] = append(theta, fmt.Sprintf("row sums %s to %s", digitsFor(low), digitsFor(high)))
	wants[theories] = []string{"1.562", "0.0310", "0.0625", "0.195", "0.343", "9.250", "8.000"}
	for v, texts := range wants {
		w.view = v
		drawn := ansi.Strip(w.draw(120, 32))
		for _, text := range texts {
			assert.Contains(t, drawn, text, "%s does not show %q:\n%s", viewNames[v], text, drawn)
		}
	}
}

// The gap is what the embeddings say to rounding, the parts are the forecast, and the exact projection closes it.
func TestGapIsOfTheEmbeddings(t *testing.T) {
	w := newWatcher(t, 20, nil, nil)
	apart := func(a, b *mat.Dense) float64 {
		var d mat.Dense
		d.Sub(a, b)
		return mat.Norm(&d, math.Inf(1))
	}
	s := w.look().runs[0]
	var gap mat.Dense
	gap.Sub(s.total, s.leaves)
	if got := apart(&gap, s.predicted); got > 1e-9 || mat.Norm(&gap, math.Inf(1)) < 1e-3 {
		t.Errorf("the gap is %v from that of the embeddings", got)
	}
	w.press("t")
	p := w.look().runs[0]
	if got := apart(p.total, p.leaves); got > 1e-9 || p.trained == nil || p.trained.WAPE[0] != s.scores.WAPE[0] {
		t.Errorf("after the projection there is a gap of %v", got)
	}
	w.view = errors
	if drawn := ansi.Strip(w.draw(120, 32)); !strings.Contains(drawn, "WAPE, projected") ||
		!strings.Contains(drawn, digitsFor(100*p.scores.WAPE[0])) {
		t.Errorf("the projection is not told:\n%s", drawn)
	}
	w.press("t")
	assert.Nil(t, w.look().runs[0].trained, "the projection stays")
	tvar := newWatcher(t, 5, map[string]any{"basis": false}, nil).look().runs[0]
	if got := apart(tvar.total, tvar.leaves); got > 1e-9 {
		t.Errorf("without the basis there is a gap of %v", got)
	}
}

// Keys walk through the tree, the views and the theory, and say where they end.
func TestKeys(t *testing.T) {
	w := newWatcher(t, 1, nil, nil)
	w.draw(80, 20)
	assert.Equal(t, forecasts, w.shows(), "80 columns show the view")
	for range views - 1 {
		w.press("tab")
		assert.NotEqual(t, overview, w.view, "the overview is shown in 80 columns")
	}
	assert.Equal(t, forecasts, w.shows(), "after all views comes")
	w.draw(120, 32)
	w.press("shift+tab")
	assert.Equal(t, overview, w.view, "before the forecasts is %d in 120 columns", w.view)
	if text := w.press("]"); !strings.Contains(text, "no siblings") || !strings.Contains(w.press("up"), "the root") {
		t.Errorf("at the root: %q", text)
	}
	w.press("down", "down", "[", "down")
	if got := w.name(w.level); got != "1.4.1" || !strings.Contains(w.press("down"), "a leaf") {
		t.Errorf("the node is %s", got)
	}
	if got := w.path(w.look().runs[0].panel.Tree); !slices.Equal(got, []int{0, 1, 8, 33}) {
		t.Errorf("the way to it is %v", got)
	}
	w.press("ctrl+t", "]")
	if s := w.place.Computed.(*computed).simulated; w.view != theories || w.beta < 0.25 || s == nil ||
		s.beta != w.beta ||
		math.Abs(s.mean-risk(w.beta)) > 4*s.se {
		t.Errorf("the theory is drawn at %v of %v", s, w.beta)
	}
	w.place.Asking = true
	if text := w.press("t"); w.exact || !strings.Contains(text, "question") {
		t.Errorf("while a question is asked t says %q", text)
	}
	if drawn := w.draw(80, 20); !strings.Contains(drawn, "after you answer the question") {
		t.Errorf("the theory answers the question:\n%s", drawn)
	}
	w.press("ctrl+t")
	assert.Equal(t, overview, w.view, "the theory leads back to")
}

func TestLookEndsWithItsContext(t *testing.T) {
	w := newWatcher(t, 1, nil, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.Compute(w.place)(ctx, w.at, nil, func(string, int, int) {}); err == nil {
		t.Error("a look that was stopped goes on")
	}
}

func BenchmarkDraw(b *testing.B) {
	w := newWatcher(b, 300, nil, map[string]any{"lambda_e": 0.0})
	w.place.W, w.place.H = 200, 56
	for _, v := range []tab{overview, forecasts, errors, theories} {
		b.Run(viewNames[v], func(b *testing.B) {
			for b.Loop() {
				w.view = v
				w.Draw(w.place)
			}
		})
	}
}

func BenchmarkLook(b *testing.B) {
	for _, cell := range hierarchy.Cells() {
		b.Run(string(cell), func(b *testing.B) {
			w := newWatcher(b, 5, map[string]any{"cell": string(cell)}, map[string]any{"lambda_e": 0.0})
			w.exact = true
			for b.Loop() {
				w.look()
			}
		})
	}
}

// Axes that a lesson sets do not depend on what is measured.
func TestSharedAxes(t *testing.T) {
	early, late := newWatcher(t, 10, nil, nil), newWatcher(t, 20, nil, map[string]any{"lambda_e": 0.0})
	ticks := func(w *watcher, v tab) (labels []string) {
		w.view = v
		for line := range strings.Lines(ansi.Strip(w.draw(80, 20))) {
			if label, _, ok := strings.Cut(line, "┤"); ok {
				labels = append(labels, strings.Trim(label, "│ "))
			}
		}
		return labels
	}
	axes := sessions.Axes{"errors": {1, 100}, "embeddings": {-4, 4}}
	for _, v := range []tab{errors, embeddings} {
		early.place.Axes, late.place.Axes = nil, nil
		local := ticks(early, v)
		early.place.Axes, late.place.Axes = axes, axes
		if a, b := ticks(early, v), ticks(late, v); len(a) == 0 || !slices.Equal(a, b) || slices.Equal(a, local) {
			t.Errorf("%s: the axes are %q and %q, without a lesson %q", viewNames[v], a, b, local)
		}
	}
	gap := func(w *watcher, axes sessions.Axes) string {
		w.view, w.place.Axes = balance, axes
		return ansi.Strip(w.draw(80, 20))
	}
	if whole, part := gap(late, nil), gap(late, sessions.Axes{"gaps": {0, 1000}}); strings.Count(whole, "━") <=
		strings.Count(part, "━") {
		t.Errorf("the bars do not shrink on a longer axis:\n%s\n%s", whole, part)
	}
}
