package explore

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
)

// imported is a session of gp-ei with n results at random inputs, in a file.
func imported(t testing.TB, problem string, n int) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: problem, Optimizer: "gp-ei", Seed: 3})
	require.NoError(t, err)
	rng, p := rand.New(rand.NewPCG(1, 2)), s.State().Problem
	for range n {
		u := make([]float64, p.Dim())
		for j := range u {
			u[j] = rng.Float64()
		}
		x := p.Domain.FromUnit(u)
		y, err := p.TrueValues(x)
		if err == nil {
			_, err = s.Record(sessions.ByImport, [][]float64{x}, functions.Outcome{Values: y})
		}
		require.NoError(t, err)
	}
	require.NoError(t, s.SaveAs(filepath.Join(t.TempDir(), problem+".jsonl")))
	t.Cleanup(func() { s.Close() })
	return s
}

// banded reports whether the picture has the band, or the mean, of the current step.
func (m *Model) banded() bool {
	if m.planeShown() {
		p := m.plane().VisiblePlane(m.stage())
		return p.Head == m.state.Head && len(p.Fields[picture.MeanField].Z) > 0
	}
	b := m.along().Posterior()
	return b.Head == m.state.Head && !b.Fields[picture.LowerField].Empty()
}

// blockFits holds every fit of gp-ei to more than n results until it is stopped or free is closed, and counts the fits.
func blockFits(t testing.TB, n int) (free chan struct{}, begun chan int, fits *atomic.Int64) {
	t.Helper()
	spec, err := registry.Find("gp-ei")
	require.NoError(t, err)
	was := *spec
	t.Cleanup(func() { *spec = was })
	free, begun, fits = make(chan struct{}), make(chan int, 100), &atomic.Int64{}
	spec.Fit = func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		if fits.Add(1); in.Data.Len() > n {
			begun <- in.Data.Len()
			select {
			case <-free:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return was.Fit(ctx, in)
	}
	return free, begun, fits
}

// takeUntil takes messages until something is reached.
func (d *driver) takeUntil(reached func() bool) {
	for !reached() {
		d.Take(<-d.Msgs)
	}
}

// After a step the result is drawn while the fit to it is held: the first frame is drawn from the data, and every frame
// until the new surrogate keeps the one before, which is named by its step once it is late, in every size.
func TestTheResultIsDrawnBeforeTheFit(t *testing.T) {
	for _, problem := range []string{"forrester", "branin"} {
		t.Run(problem, func(t *testing.T) {
			free, begun, _ := blockFits(t, 12)
			d := driveSession(t, imported(t, problem, 12), 120, 36, trueColor)
			mark, title := "±2 sd", "surrogate (step 12)"
			if problem == "branin" { // the small fields have values
				mark, title = "3 sd ", "mean of f (step 12)"
			}
			blank := "fitting…"
			d.Shows(mark)
			whole := func(reached func() bool) {
				d.takeUntil(func() bool {
					if text := d.Text(); !strings.Contains(text, mark) || strings.Contains(text, blank) {
						t.Errorf("a frame has no surrogate:\n%s", text)
					}
					return reached()
				})
			}
			d.Run(d.M.Update(screentest.Key("space")))
			whole(func() bool { return len(d.M.state.Iterations) == 13 })
			if n := <-begun; n != 13 || d.M.upToDate() || !d.M.Jobs.Busy() {
				t.Fatalf("a fit to %d results is held, up to date %v", n, d.M.upToDate())
			}
			d.Shows("step 13/")
			whole(d.M.Jobs.Late)
			d.Shows(title)
			for _, size := range [][2]int{{80, 24}, {1, 1}, {0, 0}, {200, 60}, {120, 36}} {
				d.Resize(size[0], size[1])
				d.Screen()
			}
			d.Shows(mark)
			close(free)
			whole(func() bool { return !d.M.Busy() })
			if text := d.Text(); strings.Contains(text, "(step 12)") || !d.M.banded() {
				t.Errorf("at the end the surrogate is an earlier one:\n%s", text)
			}
		})
	}
}

// Steps, moves and the end of the program during a held fit: keys wait for their turn, moves show their places at once,
// esc and quitting stop the fit, and the picture that stays says of which step it is.
func TestKeysDuringAHeldFit(t *testing.T) {
	free, begun, _ := blockFits(t, 12)
	d := driveSession(t, imported(t, "branin", 12), 120, 36, trueColor)
	for range 5 {
		d.Run(d.M.Update(screentest.Key("space")))
	}
	d.takeUntil(func() bool { return len(d.M.state.Iterations) == 13 })
	<-begun
	for range 3 {
		d.Run(d.M.Update(screentest.Key("b")))
		d.Shows("2 mean")
	}
	if n := len(d.M.state.Iterations); n != 10 || d.M.Queued != 0 {
		t.Errorf("three steps back from 13 lead to %d, %d steps wait", n, d.M.Queued)
	}
	d.Settle()
	assert.True(t, d.M.banded(), "a place whose fit is not held has no surrogate")
	d.Run(d.M.Update(screentest.Key("G")))
	d.takeUntil(func() bool { return len(begun) > 0 })
	d.Run(d.M.Update(screentest.Key("esc")))
	assert.False(t, d.M.Jobs.Busy(), "esc does not stop the fit")
	d.Shows("mean of f (step 10)")
	d.Shows("step 13/")
	d.Run(d.M.Update(screentest.Key("b")))
	d.Run(d.M.Update(screentest.Key("G")))
	d.M.Stop() // as when the program ends
	assert.False(t, d.M.Busy(), "something is still computed")
	close(free)
}

// Opening draws the first frame without a fit, and with work in proportion to the results.
func TestTheFirstFrameNeedsNoFit(t *testing.T) {
	_, _, fits := blockFits(t, math.MaxInt)
	for _, problem := range []string{"forrester", "branin"} {
		opened := func(n int) (allocated float64) {
			path := imported(t, problem, n).Path()
			frame := func() {
				s, err := sessions.OpenReadOnly(t.Context(), path)
				require.NoError(t, err)
				defer s.Close()
				m := New(s, "")
				m.Resize(120, 36)
				m.Restyle(trueColor)
				shown := ansi.Strip(layout.Render(m.Frame(), 120, 36))
				if !strings.Contains(shown, fmt.Sprintf("step %d/", n)) || !strings.Contains(shown, "simple regret") ||
					strings.Count(shown, "●")+strings.Count(shown, "○") < 50 {
					t.Errorf("the first frame lacks the data or the trace:\n%s", shown)
				}
			}
			frame()
			return testing.AllocsPerRun(1, frame)
		}
		small, large := opened(250), opened(1000)
		if large > 5*small {
			t.Errorf("%s: 1,000 results take %.0f allocations, 250 take %.0f", problem, large, small)
		}
	}
	if n := fits.Load(); n != 0 {
		t.Errorf("%d fits before the first frame", n)
	}
}

// BenchmarkPaint is the time from the key of a step to the frame with its result, and to the frame with the band, or
// the mean, of the new surrogate, with 100 results.
func BenchmarkPaint(b *testing.B) {
	for _, problem := range []string{"forrester", "branin"} {
		b.Run(problem, func(b *testing.B) {
			var data, band, most time.Duration
			n := 0
			d := driveSession(b, imported(b, problem, 100), 120, 36, trueColor)
			for b.Loop() {
				steps, began := len(d.M.state.Iterations), time.Now()
				var seen bool
				d.Run(d.M.Update(screentest.Key("space")))
				for {
					d.Take(<-d.Msgs)
					if len(d.M.state.Iterations) == steps {
						continue
					}
					d.Screen()
					if took := time.Since(began); !seen {
						data, seen = data+took, true
					}
					if d.M.banded() {
						break
					}
				}
				took := time.Since(began)
				band, most, n = band+took, max(most, took), n+1
				d.Settle()
			}
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			b.ReportMetric(ms(data)/float64(n), "data-ms")
			b.ReportMetric(ms(band)/float64(n), "band-ms")
			b.ReportMetric(ms(most), "band-most-ms")
		})
	}
}

// After a step the edges of the band before are drawn where the result narrowed it, until the next one; without colors,
// and after the command that hides them, they are not.
func TestTheBandOfTheStepBefore(t *testing.T) {
	const name = "band of step 12"
	for _, c := range []struct {
		st    theme.Style
		shown bool
	}{{trueColor, true}, {noColor, false}} {
		d := driveSession(t, imported(t, "forrester", 12), 120, 36, c.st)
		d.Settle()
		assert.NotContains(t, d.Text(), "band of step", "nothing was done in this window")
		d.Press("space")
		d.Settle()
		assert.Equal(t, c.shown, strings.Contains(d.Text(), name), "in\n%s", d.Text())
		d.Press("band_of_the_step_before")
		assert.NotContains(t, d.Text(), name, "it is hidden")
		d.Press("band_of_the_step_before", "g")
		d.Settle()
		d.Press("G")
		d.Settle()
		assert.NotContains(t, d.Text(), "band of step", "the band before any result is not that of the step before")
	}
}
