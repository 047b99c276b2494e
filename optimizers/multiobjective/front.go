package multiobjective

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/pareto"
	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/weights"
)

// frontBelief maximizes a gain over the Pareto front of the data according to the model, in minimized outcomes −u.
type frontBelief struct {
	*belief
	name      string
	front     [][]float64
	reference []float64

	gain  func(mean, sd []float64) float64               // of independent normal outcomes
	slope func(mean, sd, byMean, bySD []float64) float64 // the same with its derivatives; nil if these are not known
	shown func(gain float64) float64                     // converts a gain to the displayed one

	nonNegative bool // no displayed gain is below 0

	once search.SuggestionCache
}

var _ optimizers.WarmStarter = (*frontBelief)(nil)

func fitFront(ctx context.Context, in optimizers.Input, name string) (*frontBelief, error) {
	m, err := fitProcesses(ctx, in)
	if err != nil {
		return nil, err
	}
	b := &frontBelief{belief: m, name: name, reference: weights.Reference(in), shown: func(v float64) float64 {
		return v
	}}
	for k := range b.reference {
		b.reference[k] *= -1 // outcomes are minimized here
	}
	b.front, err = m.posteriorFront(ctx)
	if err != nil {
		return nil, err
	}
	if in.Objectives == 1 {
		b.reference[0] = math.MaxFloat64 // with one objective, the improvement is over the best result
	}
	return b, nil
}

// posteriorFront returns the front of the data in minimized outcomes. It consists of the observations or, for a noisy
// objective, of the posterior means, because a lucky observation cannot be repeated.
func (b *belief) posteriorFront(ctx context.Context) ([][]float64, error) {
	points := make([][]float64, b.in.Data.Len())
	for i := range points {
		points[i] = make([]float64, len(b.processes))
	}
	for k, p := range b.processes {
		values, err := p.ValuesAtData(ctx, p.GP.MaxNoise())
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			points[i][k] = -b.outcome(k, v)
		}
	}
	if b.in.Pending != nil { // the means at the pending points count as observations
		mean, _, err := b.moments(ctx, b.in.Pending)
		if err != nil {
			return nil, err
		}
		m, _ := mean.Dims()
		for i := range m {
			points = append(points, mean.RawRowView(i))
		}
	}
	if b.in.Feasible != nil { // pending points are never excluded
		met, all := b.in.Feasible.FeasibleData(), points
		points = nil
		for i, p := range all {
			if i >= len(met) || met[i] {
				points = append(points, p)
			}
		}
	}
	var front [][]float64
	for _, i := range pareto.Front(points) {
		front = append(front, points[i])
	}
	return front, nil
}

func (b *frontBelief) Legend() optimizers.Legend {
	l := b.belief.Legend()
	l.Facts = l.Facts[1:] // there are no weights
	l.Acquisition, _ = search.DescribeTarget(b.in, b.name+", higher is better", b.shown)
	l.NonNegative = b.nonNegative
	return l
}

// WarmStart returns the belief itself, which does not depend on the prior.
func (b *frontBelief) WarmStart(in optimizers.Input) (optimizers.Belief, bool) {
	return b, equalExcept(b.in, in, scoringKeys)
}

// Weights returns nil: the method has no weights.
func (b *frontBelief) Weights() []float64 { return nil }

// Acquisition returns the displayed gain over the front.
func (b *frontBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	v, err := b.target().Values(ctx, X)
	_, shown := search.DescribeTarget(b.in, b.name+", higher is better", b.shown)
	for i := range v {
		v[i] = shown(v[i])
	}
	return v, err
}

// gainRows is the number of gains that are computed between two checks of the context.
const gainRows = 16

// gains returns the gain at the rows of X.
func (b *frontBelief) gains(ctx context.Context, X *mat.Dense) ([]float64, error) {
	mean, sd, err := b.moments(ctx, X)
	if err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	out := make([]float64, n)
	err = parallel.Try((n+gainRows-1)/gainRows, func(batch int) error {
		for i := batch * gainRows; i < min((batch+1)*gainRows, n); i++ {
			out[i] = b.gain(mean.RawRowView(i), sd.RawRowView(i))
		}
		return ctx.Err()
	})
	return out, err
}

// gradient returns the gain at one point, and writes its gradient to grad.
func (b *frontBelief) gradient(x, grad []float64) float64 {
	k, d := len(b.processes), len(x)
	mean := make([]float64, k)
	sd := make([]float64, k)
	byMean := make([]float64, k)
	bySD := make([]float64, k)
	slopes := mat.NewDense(2*k, d, nil)
	for j, p := range b.withPending {
		m, s := p.Gradient(x, slopes.RawRowView(2*j), slopes.RawRowView(2*j+1))
		mean[j], sd[j] = -b.outcome(j, m), s/b.span[j]
	}
	v := b.slope(mean, sd, byMean, bySD)
	clear(grad)
	for j := range k {
		floats.AddScaled(grad, byMean[j]/b.span[j], slopes.RawRowView(2*j))
		floats.AddScaled(grad, bySD[j]/b.span[j], slopes.RawRowView(2*j+1))
	}
	return v
}

// Suggest maximizes the gain.
func (b *frontBelief) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	_, shown := search.DescribeTarget(b.in, b.name+", higher is better", b.shown)
	return b.once.Suggest(ctx, func() (optimizers.Suggestion, error) { return b.search(ctx, b.target(), shown) })
}

// target returns the gain as a target to maximize, weighted by feasibility.
func (b *frontBelief) target() search.Target {
	t := search.Target{Values: b.gains}
	if b.slope != nil {
		t.Gradient = b.gradient
	}
	return search.WeightByFeasibility(b.in, t)
}

// toOutcomes maps minimized objectives to minimized outcomes −u.
func (b *belief) toOutcomes(y []float64) []float64 {
	out := make([]float64, len(y))
	for k, p := range b.processes {
		out[k] = -b.outcome(k, (y[k]-p.Scale.Mean)/p.Scale.SD)
	}
	return out
}

// moments returns the posterior means and standard deviations of minimized outcomes −u at the rows of X, n×K.
func (b *belief) moments(ctx context.Context, X *mat.Dense) (mean, sd *mat.Dense, err error) {
	n, _ := X.Dims()
	mean, sd = mat.NewDense(n, len(b.processes), nil), mat.NewDense(n, len(b.processes), nil)
	err = parallel.Try(len(b.processes), func(k int) error {
		m, s, err := b.withPending[k].Predict(ctx, X)
		for i := range m {
			mean.Set(i, k, -b.outcome(k, m[i]))
			sd.Set(i, k, s[i]/b.span[k])
		}
		return err
	})
	return mean, sd, err
}
