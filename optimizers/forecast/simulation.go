package forecast

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/parallel"
	"bandscope/optimizers/search"
)

// simulation is a finite set of points with the joint posterior of all outputs there: the evaluated points first, then
// the candidates.
type simulation struct {
	*model
	Options
	x          *mat.Dense
	known      int // number of evaluated points
	candidates int
	success    []float64 // probability that an evaluation succeeds
	feasible   []float64 // probability that it succeeds within all limits, before the simulated runs
	start      []posterior
	covariance [][]*mat.Dense // of each output and part, before the simulated runs
	now        float64
	front      [][]float64 // with several objectives: the minimized outcomes that no other dominates
	next       Next
	first      int // the best next point
}

// path is one simulated search.
type path struct {
	values     []float64 // after each of Options.Runs
	worthwhile []bool    // whether the improvement is worthwhile then
}

func newSimulation(ctx context.Context, m *model, o Options) (*simulation, error) {
	s := &simulation{model: m, Options: o}
	known := m.evaluated()
	s.known = len(known)
	if err := s.place(ctx, known); err != nil {
		return nil, err
	}
	b := s.begin()
	s.now = b.value()
	if len(m.objectives) == 1 && math.IsInf(s.now, 1) {
		return nil, ErrNothing
	}
	s.front = b.front()
	rows, err := s.choose(ctx, b)
	if err != nil {
		return nil, err
	}
	s.candidates = len(rows)
	if err := s.place(ctx, append(slices.Clone(known), rows...)); err != nil {
		return nil, err
	}
	if err := s.correlate(); err != nil {
		return nil, err
	}
	s.describeNext()
	return s, nil
}

// place computes the moments at points.
func (s *simulation) place(ctx context.Context, rows [][]float64) error {
	s.x = mat.NewDense(len(rows), s.in.Dim, nil)
	for i, r := range rows {
		s.x.SetRow(i, r)
	}
	var err error
	s.start, s.success, err = s.moments(ctx, s.x)
	if err != nil {
		return err
	}
	b := s.begin()
	s.feasible = make([]float64, len(rows))
	for i := range rows {
		s.feasible[i] = b.feasible(i)
	}
	return nil
}

// moments are the moments of all outputs at points, and the probabilities that evaluations there succeed.
func (m *model) moments(ctx context.Context, X *mat.Dense) ([]posterior, []float64, error) {
	n, _ := X.Dims()
	success := slices.Repeat([]float64{1}, n)
	if m.succeeds != nil {
		p, err := m.succeeds(ctx, X)
		if err != nil {
			return nil, nil, err
		}
		for i := range p {
			success[i] = math.Exp(p[i])
		}
	}
	all, encoded := make([]posterior, len(m.outputs)), m.in.Domain.Encode(X)
	for k, o := range m.outputs {
		all[k].parts = make([]normals, len(o.parts))
		if err := parallel.Try(len(o.parts), func(c int) error {
			mean, sd, err := o.parts[c].Mixture.Predict(ctx, encoded)
			for i := range sd {
				sd[i] *= sd[i]
			}
			all[k].parts[c] = normals{mean: mean, variance: sd}
			return err
		}); err != nil {
			return nil, nil, err
		}
	}
	return all, success, nil
}

// choose chooses the candidates. With one objective they include the maximum of the expected improvement.
func (s *simulation) choose(ctx context.Context, b *belief) ([][]float64, error) {
	var best []float64
	if len(s.objectives) == 1 {
		target := search.Target{Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) {
			return s.scores(ctx, s.model, b, X)
		}}
		var err error
		best, _, err = search.Maximize(ctx, search.NewSpace(s.in), target, s.in.Stream("forecast", 0),
			search.Incumbents(s.in.Data, 3))
		if err != nil {
			return nil, err
		}
	}
	few := s.thinned(poolParts)
	return s.model.candidates(ctx, best, func(X *mat.Dense) ([]float64, error) {
		return s.scores(ctx, few, b, X)
	}, s.in.Stream("forecast", 1))
}

// scores are the logarithms of the scores of other points than those of the simulation, by the moments of a model before
// the first run.
func (s *simulation) scores(ctx context.Context, m *model, b *belief, X *mat.Dense) ([]float64, error) {
	position, success, err := m.moments(ctx, X)
	if err != nil {
		return nil, err
	}
	there := &belief{s: s, outputs: position, success: success}
	improve := b.incumbent()
	scores := improve.gains(there)
	for i, v := range scores {
		scores[i] = max(math.Log(v*improve.feasible(there, i)), -math.MaxFloat64) // −∞ would have no maximum
	}
	return scores, nil
}

// correlate computes the covariances.
func (s *simulation) correlate() error {
	s.covariance = make([][]*mat.Dense, len(s.outputs))
	for k, o := range s.outputs {
		s.covariance[k] = make([]*mat.Dense, len(o.parts))
		if err := parallel.Try(len(o.parts), func(c int) error {
			t, err := o.parts[c].CrossCovariance(s.x)
			if err != nil {
				return err
			}
			s.covariance[k][c] = t.Covariances(s.x)
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// drawsAtOnce is the number of draws that are simulated one after the other in the same memory.
const drawsAtOnce = 8

// run simulates a search on each draw.
func (s *simulation) run(ctx context.Context) ([]path, error) {
	paths := make([]path, s.Draws)
	var done atomic.Int64
	s.in.Report("simulating further runs", 0, s.Draws)
	err := parallel.Try((s.Draws+drawsAtOnce-1)/drawsAtOnce, func(i int) error {
		b := s.begin()
		for d := i * drawsAtOnce; d < min((i+1)*drawsAtOnce, s.Draws); d++ {
			var err error
			paths[d], err = s.follow(ctx, b, d)
			if err != nil {
				return err
			}
			s.in.Report("simulating further runs", int(done.Add(1)), s.Draws)
		}
		return nil
	})
	return paths, err
}

// runs is the number of runs on draw d.
func (s *simulation) runs(d int) int {
	last := s.Runs[len(s.Runs)-1]
	if d >= (s.Draws+longShare-1)/longShare {
		last = min(last, shortRuns)
	}
	return last
}

// follow is the search on draw d, with a belief that it resets.
func (s *simulation) follow(ctx context.Context, b *belief, d int) (path, error) {
	b.reset()
	rng := s.in.Stream("forecast", 3, uint64(d))
	fails := make([]float64, len(s.success)) // an evaluation succeeds where the probability is higher
	for i := range fails {
		fails[i] = rng.Float64()
	}
	var p path
	for run := 1; run <= s.runs(d); run++ {
		if err := ctx.Err(); err != nil {
			return p, err
		}
		i := s.first
		if run > 1 {
			i, _ = b.best(b.incumbent())
		}
		switch {
		case i < 0:
		case fails[i] > s.success[i]:
			b.failed[i] = true
		default:
			for k, o := range s.outputs {
				b.observe(k, i, b.draw(k, d%len(o.parts), i, rng))
			}
			b.evaluated = append(b.evaluated, i)
		}
		if slices.Contains(s.Runs, run) {
			p.values, p.worthwhile = append(p.values, s.unit(b.value())), append(p.worthwhile, b.isWorthwhile())
		}
	}
	return p, nil
}

// unit converts a value to the unit of the minimized objective; a hypervolume has none.
func (s *simulation) unit(v float64) float64 {
	if len(s.objectives) == 1 {
		return s.objectives[0].of.Scale.Value(v)
	}
	return v
}

// describeNext describes the best next point in closed form, and converts the present value.
func (s *simulation) describeNext() {
	b := s.begin()
	i, score := b.best(b.incumbent())
	s.first = i
	if i < 0 {
		s.now = s.unit(s.now)
		return
	}
	s.next = Next{X: mat.Row(nil, i, s.x), Feasible: b.feasible(i)}
	if len(s.objectives) > 1 {
		s.next.Improvement = score
		return
	}
	scale := s.objectives[0].of.Scale.SD
	best := s.now
	feasible := b.feasibleIfBetter(i)
	exceeds := func(amount float64) float64 { // probability of a larger improvement, standardized
		return feasible * b.outputs[0].below(i, best-amount)
	}
	s.next.Improvement = scale * feasible * b.outputs[0].improvement(i, best)
	s.next.Low, s.next.High = scale*quantile(exceeds, (1+Inner)/2), scale*quantile(exceeds, (1-Inner)/2)
	p := exceeds(s.Worthwhile[0] / scale)
	s.next.Worthwhile = Probability{p, p, p}
	s.now = s.unit(s.now)
}

// quantile is the amount that is exceeded with a probability; 0 if even 0 is not.
func quantile(exceeds func(float64) float64, p float64) float64 {
	if exceeds(0) <= p {
		return 0
	}
	high := 1.0
	for exceeds(high) > p {
		high *= 2
	}
	low := 0.0
	for range 60 {
		if mid := (low + high) / 2; exceeds(mid) > p {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}
