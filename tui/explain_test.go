package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/layout"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// ways are the actions that lead to the screens of the window.
func ways() []widget.Action {
	all := []widget.Action{widget.Close{}, widget.Compare{}, widget.Open{}, widget.Declare{}}
	for _, p := range widget.SessionPages() {
		all = append(all, p)
	}
	return all
}

// toured goes into every screen of the window, each with what is there of a search, and into a study and a lab at the
// end.
func toured(t testing.TB, w, h int, there func(win *window, room string)) {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3,
		Params: map[string]any{"restarts": 1.0}})
	require.NoError(t, err)
	for range 5 {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	win := openWindow(t, Options{Session: s, Rights: rights.Own(t.TempDir())}, w, h)
	for _, mode := range ways() {
		win.take(widget.ActionMsg{Action: mode})
		there(win, win.a.current.KeyMap().Title)
	}
	win.run(win.a.do(widget.Study{Name: "thesis-4.1"}))
	there(win, "a study")
	win.run(win.a.takeAny(smallTraining(t)))
	win.press("space")
	there(win, "a lab")
}

// shot are the walks that are looked at: of a screen by its title, so many elements on.
var shot = map[string]struct {
	file string
	keys []string
}{
	"whether it can be believed": {"walk-trust-80x24", []string{"I", "down"}},
	"a comparison":               {"walk-compare-80x24", []string{"I", "down", "down"}},
}

// Every screen tells all that is seen on it in windows of all sizes, where what it draws lies where it belongs; in the
// least window by one key, from which down goes over it, and esc leaves.
func TestEveryScreenIsDescribed(t *testing.T) {
	if testing.Short() {
		t.Skip("every screen is drawn by one goroutine")
	}
	toured(t, 80, 24, func(w *window, room string) {
		w.explains(room)
		if s, ok := shot[w.a.current.KeyMap().Title]; ok {
			w.press(s.keys...)
			screentest.Check(t, s.file, w.screen(), false)
			w.press("esc")
		}
		for _, size := range [][2]int{{100, 30}, {120, 36}, {200, 60}, {80, 24}} {
			w.take(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			explained.Check(t, fmt.Sprintf("%s at %dx%d", room, size[0], size[1]), w.a.frame(), size[0], size[1])
		}
	})
}

// explains begins the walk and goes over all of it.
func (w *window) explains(room string) {
	w.t.Helper()
	explained.Check(w.t, room, w.a.current.Frame(), w.a.width, w.a.height)
	key := "I"
	if here := w.a.current.KeyMap(); here.Typing || here.Text != nil {
		key = "f2"
	}
	w.press(key)
	if w.a.explainer == nil {
		w.t.Errorf("%s: %s begins no walk:\n%s", room, key, w.screen())
		return
	}
	w.shows("Explain this screen (1/")
	for range layout.Arrange(w.a.frame(), w.a.width, w.a.height).DescribedBoxes() {
		if w.press("down"); strings.Contains(w.text(), " more items ") {
			w.press("enter")
		}
		if n := strings.Count(w.screen(), "\n") + 1; n != w.a.height {
			w.t.Errorf("%s: the walk draws %d lines", room, n)
		}
	}
	w.press("down")
	w.shows("this is the last")
	w.press("esc")
	if w.a.explainer != nil {
		w.t.Errorf("%s: esc does not leave the walk", room)
	}
}

// BenchmarkDescribe tells all that is seen of each screen in a large window.
func BenchmarkDescribe(b *testing.B) {
	toured(b, 200, 60, func(w *window, room string) {
		b.Run(strings.ReplaceAll(room, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				for _, p := range layout.Arrange(w.a.current.Frame(), w.a.width, w.a.height).DescribedBoxes() {
					_ = p.Description()
				}
			}
		})
	})
}
