package playground

import (
	"math"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/optimizers/registry"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/theme"
)

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
				from, cells, position, _ := b.Cells(f)
				col, row := p.Area.Min.X+f.Left+cells, p.Area.Min.Y+f.Top+position
				dx, dy := int(c.by*float64(f.Cols)), 0
				if b.Vertical {
					col, row = p.Area.Min.X+f.Left+position, p.Area.Min.Y+f.Top+from
					dx, dy = 0, -int(c.by*float64(f.Rows))
				}
				d.Mouse(tea.MouseClickMsg{X: col, Y: row, Button: tea.MouseLeft})
				d.Mouse(tea.MouseMotionMsg{X: col + dx, Y: row + dy, Button: tea.MouseLeft})
				assert.Equal(t, n, d.events(), "the drag of %s records before its end", c.name)
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
		assert.True(t, h.Fitted, "l does not fit %s", h.Name)
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
			assert.True(t, h.Fitted, "%s is not fitted", h.Name)
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
		assert.Equal(t, want, d.M.beliefTitle(d.M.beliefs[0]), "[")
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

// In a narrow window the line of the handles shows the selected one, however many there are.
func TestSelectedHandleIsShown(t *testing.T) {
	d := open(t, 80, 24, noColor)
	d.Press("e", "enter", "ctrl+u")
	d.Write("periodic*se + linear")
	d.Press("esc")
	handles := d.M.handles()
	if len(handles) < 6 {
		t.Fatalf("there are %d handles", len(handles))
	}
	for i, h := range handles {
		d.Press("tab")
		require.True(t, d.M.isChosen(i), "tab selects %+v, want handle %d", d.M.chosen, i)
		if want := "▸ " + h.Symbol + " " + h.Name; !strings.Contains(d.Text(), want) {
			t.Errorf("the screen does not show %q:\n%s", want, d.Text())
		}
	}
}
