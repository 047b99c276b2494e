package hierarchy

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Metrics is the scores of the forecasts of the held-out windows, in the units of the data.
type Metrics struct{ Test, Validation Scores }

// RootWAPE is the error of the root on the test windows, in percent.
func (j Metrics) RootWAPE() float64 { return 100 * j.Test.WAPE[0] }

// LeafWAPE is the error of the leaves on the test windows, in percent.
func (j Metrics) LeafWAPE() float64 { return 100 * j.Test.WAPE[len(j.Test.WAPE)-1] }

// MeanWAPE is the mean of the errors of all levels on the test windows, in percent.
func (j Metrics) MeanWAPE() float64 { return 100 * stat.Mean(j.Test.WAPE, nil) }

// Incoherence is the mean, over the levels above the leaves, of the gap between forecasts and the means of their
// leaves, on the test windows, in percent.
func (j Metrics) Incoherence() float64 {
	return 100 * stat.Mean(j.Test.Coherence[:len(j.Test.Coherence)-1], nil)
}

// Evaluate scores the forecasts of all held-out windows.
func (t *Training) Evaluate() Metrics {
	forecasts := make([]*mat.Dense, Windows)
	for k, f := range t.forecasts(0, Windows) {
		forecasts[k] = f.Total
	}
	p := t.data.panel
	return Metrics{Test: p.Score(Validation, forecasts[Validation:]), Validation: p.Score(0, forecasts[:Validation])}
}

// Forecast is the forecast of all nodes (nodes × days of the horizon), in the units of the data. Total = TVAR + BD; the
// mean of the data is in TVAR, even if that part is off.
type Forecast struct{ Total, TVAR, BD *mat.Dense }

// Forecast is the forecast of held-out window k, 0 to Windows-1; the first Validation windows are for validation.
func (t *Training) Forecast(k int) Forecast { return t.forecasts(k, k+1)[0] }

// heldOut is a and b of held-out windows, in new memory.
func (t *Training) heldOut(from, end int) (a, b []float64) {
	var starts []int
	for k := from; k < end; k++ {
		starts = append(starts, WindowStart(k)-History)
	}
	return t.network().Forward(t.w[:t.networkSize()], starts)
}

// forecasts are the forecasts of held-out windows.
func (t *Training) forecasts(from, end int) (all []Forecast) {
	const history, horizon = History, Horizon
	a, b := t.heldOut(from, end)
	p, k := t.data.panel, t.setting.Basis
	nodes := p.Tree.Size()
	series, theta := mat.NewDense(Days, nodes, t.data.standard), mat.NewDense(nodes, k, t.embeddings())
	for n := range end - from {
		first := WindowStart(from + n)
		f := Forecast{mat.NewDense(nodes, horizon, nil), mat.NewDense(nodes, horizon, nil),
			mat.NewDense(nodes, horizon, nil)}
		if a != nil {
			f.TVAR.Mul(series.Slice(first-history, first, 0, nodes).T(),
				mat.NewDense(horizon, history, a[n*horizon*history:(n+1)*horizon*history]).T())
		}
		if b != nil {
			f.BD.Mul(theta, mat.NewDense(horizon, k, b[n*horizon*k:(n+1)*horizon*k]).T())
		}
		f.TVAR.Apply(func(_, _ int, v float64) float64 { return p.Mean + p.SD*v }, f.TVAR)
		f.BD.Scale(p.SD, f.BD)
		f.Total.Add(f.TVAR, f.BD)
		all = append(all, f)
	}
	return all
}

// Attention is the weights a of the past days (days of the horizon × days of the history, the newest last) in held-out
// window k; 0 if TVAR is off.
func (t *Training) Attention(k int) *mat.Dense {
	a, _ := t.heldOut(k, k+1)
	return mat.NewDense(Horizon, History, a)
}

// TestBasis is the basis functions over the test days, window after window: K × days; 0 if BD is off.
func (t *Training) TestBasis() *mat.Dense {
	_, b := t.heldOut(Validation, Windows)
	return mat.DenseCopyOf(mat.NewDense((Windows-Validation)*Horizon, t.setting.Basis, b).T())
}

// Embeddings are θ, nodes × K.
func (t *Training) Embeddings() *mat.Dense {
	return mat.DenseCopyOf(mat.NewDense(t.data.panel.Tree.Size(), t.setting.Basis, t.embeddings()))
}

// LeafMeans are the means m_p of the embeddings of the leaves under each node, nodes × K: the embeddings with which
// forecasts add up (equation 6.3). For a leaf it is its own embedding.
func (t *Training) LeafMeans() *mat.Dense {
	m := t.Embeddings()
	t.data.panel.Tree.Mean(m.RawMatrix().Data, t.setting.Basis)
	return m
}

// Project is a copy with the embeddings θ_p := m_p, so that its forecasts add up exactly.
func (t *Training) Project() *Training {
	c := t.Copy()
	c.data.panel.Tree.Mean(c.embeddings(), c.setting.Basis)
	return c
}

// Gaps are the gaps between forecasts and the means of their leaves in the test windows, by level and divided by Σ|c|
// as in Coherence: as measured, and as predicted from the embeddings, sd·|⟨θ_p-m_p, b⟩|. They are equal up to rounding.
type Gaps struct{ Measured, Predicted []float64 }

// Gaps are the gaps of the current training.
func (t *Training) Gaps() Gaps {
	p := t.data.panel
	g := Gaps{make([]float64, p.Tree.Levels()), make([]float64, p.Tree.Levels())}
	size := make([]float64, p.Tree.Levels())
	var off, predicted mat.Dense
	off.Sub(t.Embeddings(), t.LeafMeans())
	predicted.Mul(&off, t.TestBasis())
	for n, f := range t.forecasts(Validation, Windows) {
		means := mat.DenseCopyOf(f.Total)
		p.Tree.Mean(means.RawMatrix().Data, Horizon)
		for i, level := range p.Tree.Level {
			for day := range Horizon {
				g.Measured[level] += math.Abs(f.Total.At(i, day) - means.At(i, day))
				g.Predicted[level] += p.SD * math.Abs(predicted.At(i, n*Horizon+day))
				size[level] += math.Abs(means.At(i, day))
			}
		}
	}
	for level, s := range size {
		g.Measured[level] /= s
		g.Predicted[level] /= s
	}
	return g
}
