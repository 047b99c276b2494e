package hierarchyview

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions/trainer/hierarchy"
	"bandscope/sessions/training"
)

// computed is the computed data of the picture: the values of every run, in order, and the draws of the theory.
type computed struct {
	runs      []*runStats
	simulated *simulation // of the theory; nil in other views
}

// runStats is the values of a training that are drawn. It does not change.
type runStats struct {
	setting hierarchy.Setting
	at      int
	panel   *hierarchy.Panel
	last    hierarchy.Losses
	scores  hierarchy.Scores // of the test windows
	naive   hierarchy.Scores
	// the scores without the exact projection if the other fields are those with it; nil otherwise
	trained   *hierarchy.Scores
	total     *mat.Dense // forecasts of the test days, nodes × days, in the data's units
	tvar      *mat.Dense // their autoregressive part; the rest is the part of the basis
	leaves    *mat.Dense // means of the leaves' forecasts, nodes × days
	predicted *mat.Dense // total - leaves as predicted from the embeddings, s.d.·⟨θ_p - m_p, b⟩, nodes × days
	errors    []float64  // Σ|ŷ-y|/Σ|y| over the test days, by node
	attention [testWindows]*mat.Dense
	basis     *mat.Dense // K × days; nil without that part
	theta     *mat.Dense // nodes × K
	means     *mat.Dense // of the leaves' embeddings, nodes × K
	gaps      hierarchy.Gaps
	axes      axes
}

// testDays is the number of forecast days, window after window.
const testDays = testWindows * hierarchy.Horizon

// trainingFor is the model of a run with its own type.
func trainingFor(l *training.Spec, r training.Run) (*hierarchy.Training, error) {
	t, ok := l.Unwrap(r.Model).(*hierarchy.Training)
	if !ok {
		return nil, fmt.Errorf("the lab %s does not train a hierarchy", l.Name)
	}
	return t, nil
}

// evaluateRun evaluates a training, as it is or after the exact projection.
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
		s.basis = t.TestBasis()
		s.theta = t.Embeddings()
		s.means = t.LeafMeans()
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

// truth is the data of a node on a test day, counted from 0; negative days are before the test days.
func (s *runStats) truth(node, day int) float64 {
	return s.panel.Series.At(hierarchy.WindowStart(hierarchy.Validation)+day, node)
}

// axes are two directions of the space of embeddings.
type axes struct {
	directions *mat.Dense // K × 2; the second is 0 if K < 2
	center     *mat.Dense // 1 × 2: the mean of the rows, along them
	share      float64    // share of the variance along them, from 0 to 1
}

// principal are the first two principal axes of rows. The largest component of each is positive, so that the picture
// does not flip from one update to the next.
func principal(rows *mat.Dense) axes {
	n, k := rows.Dims()
	a := axes{directions: mat.NewDense(k, 2, nil), center: mat.NewDense(1, 2, nil)}
	var components stat.PC
	if !components.PrincipalComponents(rows, nil) {
		return a
	}
	var vectors mat.Dense
	components.VectorsTo(&vectors)
	variances := components.VarsTo(nil)
	for axis := range min(2, len(variances)) {
		column := mat.Col(nil, axis, &vectors)
		most := 0
		for i, c := range column {
			if math.Abs(c) > math.Abs(column[most])+1e-9 {
				most = i
			}
		}
		floats.Scale(math.Copysign(1, column[most]), column)
		a.directions.SetCol(axis, column)
	}
	ones := mat.NewDense(1, n, slices.Repeat([]float64{1 / float64(n)}, n))
	a.center.Product(ones, rows, a.directions)
	if all := floats.Sum(variances); all > 0 {
		a.share = floats.Sum(variances[:min(2, len(variances))]) / all
	}
	return a
}

// of is the coordinates of rows along both axes.
func (a axes) of(rows *mat.Dense) (x, y []float64) {
	var projected mat.Dense
	projected.Mul(rows, a.directions)
	x = mat.Col(nil, 0, &projected)
	y = mat.Col(nil, 1, &projected)
	floats.AddConst(-a.center.At(0, 0), x)
	floats.AddConst(-a.center.At(0, 1), y)
	return x, y
}
