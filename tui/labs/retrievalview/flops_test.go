package retrievalview

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/training"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/labs/panel"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// watcher is a picture of a session, as the screen shows it.
type watcher struct {
	t       testing.TB
	session *training.Session
	picture panel.Picture
	place   panel.Scene
	said    string
}

// newWatcher begins a session with what is set.
func newWatcher(t testing.TB, set map[string]any) *watcher {
	t.Helper()
	l, err := training.Find("flops")
	require.NoError(t, err)
	s, err := training.New(l, set)
	require.NoError(t, err)
	w := &watcher{t: t, session: s, picture: New()}
	w.place = panel.Scene{Style: theme.New(true, theme.TrueColor, false), W: 120, H: 32, State: s.State()}
	return w
}

// train trains so many updates, and looks at what came of them.
func (w *watcher) train(n int) *watcher {
	w.t.Helper()
	if _, err := w.session.Step(context.Background(), n, silent); err != nil {
		w.t.Fatal(err)
	}
	return w.look()
}

// lay lays the run over the first that the lab offers.
func (w *watcher) lay() *watcher {
	w.t.Helper()
	if _, err := w.session.AddRun(context.Background(), w.session.State().Spec.SecondRun, silent); err != nil {
		w.t.Fatal(err)
	}
	return w.look()
}

func silent(string, int, int) {}

// look computes the picture of where the session stands.
func (w *watcher) look() *watcher {
	w.t.Helper()
	w.place.State = w.session.State()
	position, err := w.session.StateWithModels(context.Background(), silent)
	if err != nil {
		w.t.Fatal(err)
	}
	w.place.Computed, err = w.picture.Compute(w.place)(context.Background(), position, w.place.Computed, silent)
	if err != nil {
		w.t.Fatal(err)
	}
	return w
}

// press presses keys.
func (w *watcher) press(keys ...string) *watcher {
	w.t.Helper()
	for _, k := range keys {
		msg := screentest.Key(k)
		turn := &panel.Turn{Scene: w.place}
		w.command(msg).Do(turn, msg)
		if w.said = turn.Said; turn.Again {
			w.look()
		}
	}
	return w
}

func (w *watcher) command(msg tea.KeyPressMsg) command {
	for _, c := range w.picture.Commands() {
		for _, k := range c.Keys() {
			if k == msg.String() {
				return c
			}
		}
	}
	w.t.Fatalf("%s is no key", msg)
	return command{}
}

// drawn is the picture in so many cells, and a complaint if a part of it has no room there.
func (w *watcher) drawn(cols, rows int) string {
	w.t.Helper()
	w.place.W, w.place.H = cols, rows
	box := w.picture.Draw(w.place)
	for _, fault := range layout.Arrange(box, cols, rows).Faults() {
		w.t.Errorf("%d×%d: %s", cols, rows, fault)
	}
	return layout.Render(box, cols, rows)
}

// text is what is drawn, without colours.
func (w *watcher) text(cols, rows int) string { return ansi.Strip(w.drawn(cols, rows)) }

// The picture at the sizes of windows, each less three lines of the screen.
func TestScreens(t *testing.T) {
	single, two := newWatcher(t, nil).train(40), newWatcher(t, nil).lay().train(40)
	for _, c := range []struct {
		name       string
		of         *watcher
		keys       string
		cols, rows int
		style      theme.Style
	}{
		{"dimensions-80x24", single, "", 80, 20, theme.New(true, theme.NoColor, false)},
		{"tradeoff-80x24", single, "tab", 80, 20, theme.New(true, theme.NoColor, false)},
		{"index-80x24", single, "tab", 80, 20, theme.New(true, theme.NoColor, false)},
		{"whole-120x36", single, "", 120, 32, theme.New(true, theme.TrueColor, false)},
		{"two-120x36", two, "", 120, 32, theme.New(true, theme.TrueColor, false)},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.of.t = t
			if c.keys == "" {
				c.of.picture = New()
			}
			c.of.place.Style = c.style
			c.of.drawn(c.cols, c.rows)
			c.of.press(strings.Fields(c.keys)...)
			screentest.Check(t, c.name, c.of.drawn(c.cols, c.rows), false)
			explained.Check(t, c.name, c.of.picture.Draw(c.of.place), c.cols, c.rows)
			c.of.place.Style = theme.New(true, theme.NoColor, true)
			screentest.ASCII(t, c.name, c.of.drawn(c.cols, c.rows))
		})
	}
}

// A picture of before anything was measured, and of before the first update, says so.
func TestBeforeTheFirstUpdate(t *testing.T) {
	w := newWatcher(t, small)
	if text := w.text(120, 32); !strings.Contains(text, "computing") ||
		!strings.Contains(text, "No updates yet") {
		t.Errorf("before the first look:\n%s", text)
	}
	if text := w.look().text(120, 32); strings.Contains(text, "computing") || !strings.Contains(text, "recall@1") ||
		!strings.Contains(text, "No updates yet") {
		t.Errorf("before the first update:\n%s", text)
	}
}

// small is a training of no time at all.
var small = map[string]any{"dim": 8, "hidden": 8, "batch": 8, "steps": 12}

// What is known may be of a place with another number of runs, or with another shape.
func TestKnownOfAnotherPlace(t *testing.T) {
	w := newWatcher(t, small).lay().train(10)
	two := w.place.Computed
	require.NoError(t, w.session.RemoveRun())
	w.place.State = w.session.State()
	if text := w.text(200, 56); strings.Contains(text, "ℓ1 λ") {
		t.Errorf("the run that was lifted is drawn:\n%s", text)
	}
	single := w.look().place.Computed
	if _, err := w.session.Edit(0, map[string]any{"dim": 5}); err != nil {
		t.Fatal(err)
	}
	w.lay()
	for w.place.Computed = single; w.place.Computed != nil; w.place.Computed, two = two, nil {
		for range 4 {
			w.drawn(200, 56)
			w.drawn(80, 20)
			w.press("tab")
		}
	}
}

// A training that diverged says so where its numbers would stand.
func TestDiverged(t *testing.T) {
	w := newWatcher(t, small).lay().train(10)
	const why = "the training diverged: the loss was not finite at update 11"
	w.place.State.Runs[1].Failed = why
	if text := w.text(120, 32); !strings.Contains(text, "○ ℓ1 λ 1.4  "+why) {
		t.Errorf("it does not say so:\n%s", text)
	}
}

func TestNoSizeIsTooSmall(t *testing.T) {
	w := newWatcher(t, small)
	for _, keys := range []string{"", "tab", "tab", "shift+tab"} {
		w.press(strings.Fields(keys)...)
		for _, size := range [][2]int{{1, 1}, {5, 3}, {20, 8}, {60, 14}, {100, 25}, {300, 90}} {
			w.drawn(size[0], size[1])
		}
		w.look()
	}
}

// The axis of the activity ends where a lesson says, and further up if dimensions are busier.
func TestSharedAxisOfTheActivity(t *testing.T) {
	w := newWatcher(t, small).look()
	local := w.text(80, 20)
	w.place.Axes = sessions.Axes{"activity": {0, 5}}
	if shared := w.text(80, 20); local == shared || !strings.Contains(shared, "5.0 ┤") {
		t.Errorf("with an axis to 5:\n%s", shared)
	}
}
