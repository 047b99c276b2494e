package hierarchy

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// incoherent is the largest absolute difference between a part of a forecast and the means of its leaves'.
func incoherent(tr *Training, forecast *mat.Dense) float64 {
	means := mat.DenseCopyOf(forecast)
	tr.Panel().Tree.Mean(means.RawMatrix().Data, Horizon)
	means.Sub(forecast, means)
	return mat.Norm(means, math.Inf(1)) / Horizon
}

// The autoregression adds up whatever its weights are, and so does the basis once the embeddings are means of their
// leaves'; what is missing until then is sd·⟨θ_p-m_p, b⟩.
func TestForecastsAddUpButForTheEmbeddings(t *testing.T) {
	for _, cell := range Cells() {
		for _, updates := range []int{0, 5} {
			tr := begun(t, updates, func(s *Setting) { few(cell)(s); s.Seed = 3 })
			var off, gaps mat.Dense
			off.Sub(tr.Embeddings(), tr.LeafMeans())
			gaps.Mul(&off, tr.TestBasis())
			projected := tr.Project()
			for k := range Windows {
				f := tr.Forecast(k)
				if d := incoherent(tr, f.TVAR); d > 1e-12 {
					t.Errorf("%s after %d updates: the autoregression is off by %v", cell, updates, d)
				}
				if d := incoherent(tr, projected.Forecast(k).Total); d > 1e-12 {
					t.Errorf("%s after %d updates: with embeddings that are means the forecast is off by %v", cell,
						updates, d)
				}
				if d := incoherent(tr, f.Total); d < 1e-4 {
					t.Errorf("%s after %d updates: embeddings of their own add up to %v", cell, updates, d)
				}
				means := mat.DenseCopyOf(f.Total)
				tr.Panel().Tree.Mean(means.RawMatrix().Data, Horizon)
				for p := range tr.Panel().Tree.Size() {
					for day := range Horizon {
						near(t, "the sum of the parts", f.TVAR.At(p, day)+f.BD.At(p, day), f.Total.At(p, day), 1e-14)
						if k >= Validation {
							near(t, "the gap", f.Total.At(p, day)-means.At(p, day),
								tr.Panel().SD*gaps.At(p, (k-Validation)*Horizon+day), 1e-10)
						}
					}
				}
			}
			coherence := tr.Evaluate().Test.Coherence
			g := tr.Gaps()
			for level, c := range coherence {
				near(t, "the measured gap", g.Measured[level], c, 1e-13)
				near(t, "the predicted gap", g.Predicted[level], c, 1e-10)
			}
		}
		alone := begun(t, 5, func(s *Setting) { few(cell)(s); s.BD = false })
		for level, c := range alone.Evaluate().Test.Coherence {
			near(t, "coherence of the autoregression alone, level "+string(rune('0'+level)), c, 0, 1e-12)
		}
	}
}

// A forecast is what the weights of the past and the basis make of the history, in the data's units, and the scores are
// of it.
func TestForecastIsItsDefinition(t *testing.T) {
	tr := begun(t, 3, few(MLP))
	p, basis, theta := tr.Panel(), tr.TestBasis(), tr.Embeddings()
	const k, node = 6, 30
	f, a := tr.Forecast(k), tr.Attention(k)
	for day := range Horizon {
		want := 0.0
		for h := range History {
			want += a.At(day, h) * (p.Series.At(WindowStart(k)-History+h, node) - p.Mean)
		}
		near(t, "the autoregression", f.TVAR.At(node, day), p.Mean+want, 1e-12)
		want = p.SD * mat.Dot(theta.RowView(node), basis.ColView((k-Validation)*Horizon+day))
		near(t, "the basis", f.BD.At(node, day), want, 1e-12)
	}
	off, size := 0.0, 0.0
	for k := range Validation {
		f := tr.Forecast(k)
		for day := range Horizon {
			y := p.Series.At(WindowStart(k)+day, 0)
			off, size = off+math.Abs(f.Total.At(0, day)-y), size+math.Abs(y)
		}
	}
	near(t, "the error of the root in validation", tr.Evaluate().Validation.WAPE[0], off/size, 1e-13)
}
