package compare

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/sessions"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/theme"
)

// openWidths compares the bands of a session's method, after so many steps, in w×h cells.
func openWidths(t *testing.T, cfg sessions.Config, steps, w, h int) *driver {
	t.Helper()
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	for range steps {
		_, err := s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	m, err := NewWithSession(s, "")
	require.NoError(t, err)
	return begin(t, m, w, h, trueColor)
}

// The sentence has the ratio of the standard deviations that the two methods predict at the input that it names, and
// nowhere do they differ more.
func TestWidthsAreThoseOfThePosteriors(t *testing.T) {
	for _, c := range []struct {
		cfg  sessions.Config
		keys []string
	}{
		{sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 1}, nil},
		{sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 2}, []string{"right", "right"}},
		{sessions.Config{Problem: "branin", Optimizer: "ntk-ts", Seed: 1}, nil},
	} {
		d := openWidths(t, c.cfg, 6, 120, 36)
		d.press(c.keys...)
		w, missing := d.M.widths()
		require.Empty(t, missing)
		st := d.M.base.State()
		predict := func(unit []float64) (sd [2]float64) {
			for k, i := range w.panes {
				p := d.M.panes[i]
				alt, err := d.M.base.WithMethod(p.Optimizer, p.Params)
				require.NoError(t, err)
				b, err := alt.Belief(t.Context(), nil)
				require.NoError(t, err)
				bands, err := b.Predict(t.Context(), mat.NewDense(1, len(unit), unit))
				require.NoError(t, err)
				sd[k] = bands[0].SD[0]
			}
			return sd
		}
		var unit []float64
		if w.x != nil {
			unit = st.Problem.Domain.ToUnit([]float64{w.x[w.at]})
		} else {
			unit = []float64{float64(w.at%61) / 60, float64(w.at/61) / 60}
		}
		sd := predict(unit)
		ratio, wider := w.ratio()
		if want := sd[wider] / sd[1-wider]; math.Abs(ratio/want-1) > 1e-6 {
			t.Errorf("%s: the ratio is %g, the posteriors have %g", c.cfg.Optimizer, ratio, want)
		}
		d.Shows(fmt.Sprintf("The %s band is %s times as wide as the %s band at ", d.M.shortTitle(w.panes[wider]),
			times(sd[wider]/sd[1-wider]), d.M.shortTitle(w.panes[1-wider])))
		for _, u := range []float64{0.01, 0.2, 0.45, 0.62, 0.9} {
			other := predict([]float64{u, 1 - u}[:len(unit)])
			if math.Abs(other[0]-other[1]) > math.Abs(sd[0]-sd[1])*1.0001 {
				t.Errorf("%s: at %g the standard deviations differ by %g, at the input of the sentence by %g", c.cfg.Optimizer, u,
					other[0]-other[1], sd[0]-sd[1])
			}
		}
	}
}

// Up and down go through the parameters of both models, and left and right change the chosen one from the value that
// the method fitted.
func TestKnobs(t *testing.T) {
	d := openWidths(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 1}, 6, 120, 36)
	d.Shows("gamma of NTK")
	d.press("right")
	gamma, ok := d.M.panes[1].Params["gamma"].(float64)
	if h := d.M.panes[1].alt.Params(); !ok || h.Switch("auto_gamma") || gamma < 0.7 || gamma > 3 {
		t.Errorf("one step from the fitted γ is %v", d.M.panes[1].Params)
	}
	for _, key := range []string{"depth", "activation", "lengthscale", "kernel", "gamma"} {
		d.press("down")
		d.Shows(key + " of ")
		before := fmt.Sprint(d.M.panes[0].Params, d.M.panes[1].Params)
		d.press("right")
		if fmt.Sprint(d.M.panes[0].Params, d.M.panes[1].Params) == before {
			t.Errorf("right does not change %s", key)
		}
	}
	d.press("y")
	d.Shows("side by side")
	d.press("y", "y", "delete")
	d.Shows("side by side")
}

// The widths of two bands, over one variable and over two.
func TestGoldenWidths(t *testing.T) {
	d := openWidths(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 1}, 6, 120, 36)
	screentest.Check(t, "widths-120x36", d.screen(), false)
	d.check("widths")
	d.Resize(80, 24)
	d.M.Restyle(theme.New(true, theme.NoColor, true))
	screentest.ASCII(t, "widths", d.screen())
	d.check("widths at 80×24")
	d = openWidths(t, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 1}, 6, 120, 36)
	screentest.Check(t, "widths-plane-120x36", d.screen(), false)
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
		d.Resize(size[0], size[1])
		d.check(fmt.Sprint("widths over two variables at ", size))
	}
}
