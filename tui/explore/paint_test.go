package explore

import (
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/picture"
)

// imported is a session of gp-ei with n results at random inputs, in a file.
func imported(t testing.TB, problem string, n int) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: problem, Optimizer: "gp-ei", Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SaveAs(filepath.Join(t.TempDir(), problem+".jsonl")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// banded reports whether the picture has the band, or the mean, of the current step.
func (m *Model) banded() bool {
	if m.planeShown() {
		p := m.plane().VisiblePlane(m.stage())
		return p.Head == m.state.Head && len(p.Fields[picture.MeanField].Z) > 0
	}
	b := m.along().Image().Picture
	return b != nil && b.Head == m.state.Head && len(b.Lower) > 0
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
