package hierarchy

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/training/hierarchy"
	"bandscope/sessions/training"
)

// computed is what is drawn from: the inside of every run, in their order, and what was drawn of the theory.
type computed struct {
	runs      []*runStats
	simulated *simulation // of the theory; nil where another view was asked for
}

// runStats is what a training looks like from inside. It does not change.
type runStats struct {
	setting hierarchy.Setting
	at      int
	panel   *hierarchy.Panel
	last    hierarchy.Losses
	scores  hierarchy.Scores // of the test windows
	naive   hierarchy.Scores
	// as the training has them, where seen is what the exact projection makes of it; nil otherwise
	trained   *hierarchy.Scores
	total     *mat.Dense // forecasts of the test days, nodes × days, in the data's units
	tvar      *mat.Dense // their part that is an autoregression; with the rest, the basis', they are the total
	leaves    *mat.Dense // means of the leaves' forecasts, nodes × days
	predicted *mat.Dense // what total - leaves is by the embeddings, s.d.·⟨θ_p - m_p, b⟩, nodes × days
	errors    []float64  // Σ|ŷ-y|/Σ|y| over the test days, by node
	attention [testWindows]*mat.Dense
	basis     *mat.Dense // K × days; nil without that part
	theta     *mat.Dense // nodes × K
	means     *mat.Dense // of the leaves' embeddings, nodes × K
	gaps      hierarchy.Gaps
	axes      axes
}

// testDays is how many days are forecast, one window behind the other.
const testDays = testWindows * hierarchy.Horizon

// trainingFor is the model of a run as its package knows it.
func trainingFor(l *training.Spec, r training.Run) (*hierarchy.Training, error) {
	t, ok := l.Unwrap(r.Model).(*hierarchy.Training)
	if !ok {
		return nil, fmt.Errorf("the lab %s trains no hierarchy", l.Name)
	}
	return t, nil
}

// evaluateRun goes through a training, as it is or after the exact projection.
func evaluateRun(ctx context.Context, t *hierarchy.Training, exact bool) (*runStats, error) {
	s := &runStats{setting: t.Setting(), at: t.At(), panel: t.Panel(), last: t.Last(), naive: t.Panel().Naive()}
	if exact && s.setting.BD {
		before := t.Evaluate().Test
		s.trained, t = &before, t.Project()
	}
	s.scores = t.Evaluate().Test
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	nodes := s.panel.Tree.Size()
	s.total, s.tvar = mat.NewDense(nodes, testDays, nil), mat.NewDense(nodes, testDays, nil)
	for k := range testWindows {
		f := t.Forecast(hierarchy.Validation + k)
		for _, part := range []struct{ to, from *mat.Dense }{{s.total, f.Total}, {s.tvar, f.TVAR}} {
			part.to.Slice(0, nodes, k*hierarchy.Horizon, (k+1)*hierarchy.Horizon).(*mat.Dense).Copy(part.from)
		}
		if s.setting.TVAR {
			s.attention[k] = t.Attention(hierarchy.Validation + k)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.leaves = mat.DenseCopyOf(s.total)
	s.panel.Tree.Mean(s.leaves.RawMatrix().Data, testDays)
	s.predicted = mat.NewDense(nodes, testDays, nil)
	s.gaps = t.Gaps()
	if s.setting.BD {
		s.basis, s.theta, s.means = t.TestBasis(), t.Embeddings(), t.LeafMeans()
		var apart mat.Dense
		apart.Sub(s.theta, s.means)
		s.predicted.Mul(&apart, s.basis)
		s.predicted.Scale(s.panel.SD, s.predicted)
		s.axes = principal(s.theta)
	}
	for i := range nodes {
		var off, size float64
		for d := range testDays {
			y := s.truth(i, d)
			off, size = off+math.Abs(s.total.At(i, d)-y), size+math.Abs(y)
		}
		s.errors = append(s.errors, off/size)
	}
	return s, nil
}

// truth is what was measured of a node on a test day from 0, or with a negative number before them.
func (s *runStats) truth(node, day int) float64 {
	return s.panel.Series.At(hierarchy.WindowStart(hierarchy.Validation)+day, node)
}

// axes are two directions of the space of embeddings.
type axes struct {
	directions *mat.Dense // K × 2; fewer columns where there are fewer dimensions
	center     []float64
	share      float64 // of the variance that lies along them
}

// principal are the two directions along which rows differ most. Their signs are such that the greatest part of each is
// positive, so that a picture does not turn over from one update to the next.
func principal(rows *mat.Dense) axes {
	n, k := rows.Dims()
	center := make([]float64, k)
	for j := range center {
		center[j] = mat.Sum(rows.ColView(j)) / float64(n)
	}
	apart := mat.DenseCopyOf(rows)
	for i := range n {
		for j, c := range center {
			apart.Set(i, j, apart.At(i, j)-c)
		}
	}
	covariance := mat.NewSymDense(k, nil)
	covariance.SymOuterK(1/float64(n), apart.T())
	a := axes{directions: mat.NewDense(k, 2, nil), center: center}
	var eigen mat.EigenSym
	if !eigen.Factorize(covariance, true) {
		return a
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	var shown, all float64
	for j, v := range eigen.Values(nil) {
		all += max(v, 0)
		to := k - 1 - j
		if to >= 2 {
			continue
		}
		shown += max(v, 0)
		column := mat.Col(nil, j, &vectors)
		most := 0
		for i, c := range column {
			if math.Abs(c) > math.Abs(column[most])+1e-9 {
				most = i
			}
		}
		sign := math.Copysign(1, column[most])
		for i, c := range column {
			a.directions.Set(i, to, sign*c)
		}
	}
	if all > 0 {
		a.share = shown / all
	}
	return a
}

// of are the two coordinates of rows.
func (a axes) of(rows *mat.Dense) (x, y []float64) {
	n, _ := rows.Dims()
	for i := range n {
		var at [2]float64
		for j, c := range a.center {
			for d := range at {
				at[d] += (rows.At(i, j) - c) * a.directions.At(j, d)
			}
		}
		x, y = append(x, at[0]), append(y, at[1])
	}
	return x, y
}
