package forecast

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers/search"
)

// Numbers of candidates.
const (
	maxEvaluated = 150 // evaluated points, the ones with the best results first
	uniformPool  = 700
	localPool    = 300 // near the best evaluated points and the best next point
	jointPool    = 300 // the best of the pool, among which samples have their minima
	samplePicks  = 96  // minima of samples
	scorePicks   = 64  // the best of the pool
	uniformPicks = 32
	poolParts    = 4 // draws of the hyperparameters by which the pool is scored, and of which samples are drawn
)

// evaluated returns the rows of the data that the simulation can evaluate again and compare with: all, or those with the
// best values of an objective.
func (m *model) evaluated() [][]float64 {
	n := m.in.Data.Len()
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	if n > maxEvaluated {
		rank := make([]int, n) // the best place in the order of an objective, among feasible data
		for i := range rank {
			rank[i] = 2 * n
		}
		for k := range m.in.Objectives {
			y := m.in.Data.Column(k)
			order := slices.Clone(rows)
			slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(y[a], y[b]) })
			for place, i := range order {
				if !m.in.IsFeasible(i) {
					place += n
				}
				rank[i] = min(rank[i], place)
			}
		}
		slices.SortStableFunc(rows, func(a, b int) int { return rank[a] - rank[b] })
		rows = rows[:maxEvaluated]
		slices.Sort(rows)
	}
	all := make([][]float64, len(rows))
	for j, i := range rows {
		all[j] = m.in.Data.X.RawRowView(i)
	}
	return all
}

// pool draws points of the space of the next point: uniformly, and near some points.
func (m *model) pool(ctx context.Context, near [][]float64, rng *rand.Rand) (*mat.Dense, error) {
	space := search.NewSpace(m.in)
	points, err := space.Feasible(ctx, uniformPool, rng)
	if err != nil || len(near) == 0 {
		return points, err
	}
	local := mat.NewDense(localPool, m.in.Dim, nil)
	for i := range localPool {
		u := space.ToUnit(near[i%len(near)])
		width := math.Pow(10, -0.5-1.5*rng.Float64()) // 0.01 to 0.3
		for j := range u {
			u[j] = min(max(u[j]+width*rng.NormFloat64(), 0), 1)
		}
		x := space.FromUnit(u)
		space.Project(x)
		local.SetRow(i, x)
	}
	return search.Stack(points, local), nil
}

// candidates chooses what the simulated search can choose from: the rows of the pool with the best scores, the minima of
// posterior samples, and some others. best is the best next point, if it is known.
func (m *model) candidates(ctx context.Context, best []float64,
	score func(*mat.Dense) ([]float64, error), rng *rand.Rand) ([][]float64, error) {
	near := m.leading(3)
	if best != nil {
		near = append(near, best)
	}
	pool, err := m.pool(ctx, near, rng)
	if err != nil {
		return nil, err
	}
	values, err := score(pool)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	var rows [][]float64
	add := func(x []float64) {
		if !slices.ContainsFunc(rows, func(r []float64) bool { return slices.Equal(r, x) }) {
			rows = append(rows, x)
		}
	}
	if best != nil {
		add(best)
	}
	for _, i := range order[:min(scorePicks, len(order))] {
		add(pool.RawRowView(i))
	}
	joint := mat.NewDense(min(jointPool, len(order)), m.in.Dim, nil)
	n, _ := joint.Dims()
	for i := range n {
		joint.SetRow(i, pool.RawRowView(order[i]))
	}
	picks, err := m.sampleMinima(ctx, joint, rng)
	if err != nil {
		return nil, err
	}
	for _, i := range picks {
		add(joint.RawRowView(i))
	}
	for i := range min(uniformPicks, len(order)) {
		add(pool.RawRowView(i))
	}
	return rows, nil
}

// leading are the evaluated points with the smallest values of each objective, count of each.
func (m *model) leading(count int) (rows [][]float64) {
	for k := range m.in.Objectives {
		data := m.in.Data
		data.Y = mat.NewDense(data.Len(), 1, data.Column(k))
		best := search.Incumbents(data, count)
		n, _ := best.Dims()
		for i := range n {
			rows = append(rows, best.RawRowView(i))
		}
	}
	return rows
}

// sampleMinima are the rows of X where posterior samples have their minima, with several objectives those of their
// Chebyshev scalarization with random weights.
func (m *model) sampleMinima(ctx context.Context, X *mat.Dense, rng *rand.Rand) ([]int, error) {
	n, _ := X.Dims()
	var picks []int
	few := m.thinned(poolParts)
	parts := len(few.objectives[0].parts)
	for part := range parts {
		worst := mat.NewDense(samplePicks/parts, n, nil)
		worst.Apply(func(_, _ int, _ float64) float64 { return math.Inf(-1) }, worst)
		for k, o := range few.objectives {
			z, err := o.parts[part*len(o.parts)/parts].Sample(ctx, X, samplePicks/parts, rng)
			if err != nil {
				return nil, err
			}
			for d := range samplePicks / parts {
				weight, shift := 1.0, 0.0
				if len(m.objectives) > 1 {
					weight, shift = rng.ExpFloat64(), 2
				}
				for i := range n {
					v := z.At(d, i)
					if m.factor != nil {
						v = m.offset[k] + m.factor[k]*v
					}
					worst.Set(d, i, max(worst.At(d, i), weight*(v+shift)))
				}
			}
		}
		for d := range samplePicks / parts {
			row := worst.RawRowView(d)
			lowest := 0
			for i, v := range row {
				if v < row[lowest] {
					lowest = i
				}
			}
			picks = append(picks, lowest)
		}
	}
	return picks, nil
}
