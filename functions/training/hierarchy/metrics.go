package hierarchy

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Metrics is how good the forecasts of the windows are that were held out, in the data's units.
type Metrics struct{ Test, Validation Scores }

// RootWAPE is the error of the root on the windows of the test, in percent.
func (j Metrics) RootWAPE() float64 { return 100 * j.Test.WAPE[0] }

// LeafWAPE is the error of the leaves on the windows of the test, in percent.
func (j Metrics) LeafWAPE() float64 { return 100 * j.Test.WAPE[len(j.Test.WAPE)-1] }

// MeanWAPE is the mean of the errors of all levels on the windows of the test, in percent.
func (j Metrics) MeanWAPE() float64 { return 100 * stat.Mean(j.Test.WAPE, nil) }

// Incoherence is the mean over the levels above the leaves of how far forecasts are from the means of their leaves', on
// the windows of the test, in percent.
func (j Metrics) Incoherence() float64 {
	return 100 * stat.Mean(j.Test.Coherence[:len(j.Test.Coherence)-1], nil)
}

// Evaluate scores the forecasts of all windows that were held out.
func (t *Training) Evaluate() Metrics {
	forecasts := make([]*mat.Dense, Windows)
	for k, f := range t.forecasts(0, Windows) {
		forecasts[k] = f.Total
	}
	p := t.data.panel
	return Metrics{Test: p.Score(Validation, forecasts[Validation:]), Validation: p.Score(0, forecasts[:Validation])}
}

// Forecast is what is forecast of all nodes (nodes × days of the horizon), in the data's units. Total = TVAR + BD; the
// mean of the data is in TVAR, also where that part is left out.
type Forecast struct{ Total, TVAR, BD *mat.Dense }

// Forecast is that of window k of those held out, 0 to Windows-1; the first Validation are of the validation.
func (t *Training) Forecast(k int) Forecast { return t.forecasts(k, k+1)[0] }

// heldOut is a and b of windows of those held out, of new memory.
func (t *Training) heldOut(from, to int) (a, b []float64) {
	var starts []int
	for k := from; k < to; k++ {
		starts = append(starts, WindowStart(k)-History)
	}
	return t.network().Forward(t.w[:t.networkSize()], starts)
}

// forecasts are those of windows of those held out.
func (t *Training) forecasts(from, to int) (all []Forecast) {
	const history, horizon = History, Horizon
	a, b := t.heldOut(from, to)
	p, k := t.data.panel, t.setting.Basis
	nodes := p.Tree.Size()
	series, theta := mat.NewDense(Days, nodes, t.data.standard), mat.NewDense(nodes, k, t.embeddings())
	for n := range to - from {
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

// Attention is the weights a of the past days (days of the horizon × days of the history, the newest last) in window k
// of those held out; 0 where TVAR is left out.
func (t *Training) Attention(k int) *mat.Dense {
	a, _ := t.heldOut(k, k+1)
	return mat.NewDense(Horizon, History, a)
}

// TestBasis is the basis functions over the days of the test, one after the other as its windows forecast them: K ×
// days; 0 where BD is left out.
func (t *Training) TestBasis() *mat.Dense {
	_, b := t.heldOut(Validation, Windows)
	return mat.DenseCopyOf(mat.NewDense((Windows-Validation)*Horizon, t.setting.Basis, b).T())
}

// Embeddings are θ, nodes × K.
func (t *Training) Embeddings() *mat.Dense {
	return mat.DenseCopyOf(mat.NewDense(t.data.panel.Tree.Size(), t.setting.Basis, t.embeddings()))
}

// LeafMeans are the means m_p of the embeddings of the leaves under each node, nodes × K: what its own would be if
// forecasts added up (equation 6.3). Of a leaf it is its own.
func (t *Training) LeafMeans() *mat.Dense {
	m := t.Embeddings()
	t.data.panel.Tree.Mean(m.RawMatrix().Data, t.setting.Basis)
	return m
}

// Project is a copy whose embeddings are θ_p := m_p, so that its forecasts add up exactly.
func (t *Training) Project() *Training {
	c := t.Copy()
	c.data.panel.Tree.Mean(c.embeddings(), c.setting.Basis)
	return c
}

// Gaps are how far forecasts are from the means of their leaves' in the windows of the test, level by level and divided
// by Σ|c| as Coherence is: as measured, and as the embeddings alone predict it, sd·|⟨θ_p-m_p, b⟩|. They are equal up to
// rounding.
type Gaps struct{ Measured, Predicted []float64 }

// Gaps are those of the training as it is.
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
