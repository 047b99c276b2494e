package optimizers

import (
	"context"
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/pareto"
	"bandscope/model/parallel"
	"bandscope/optimizers/param"
)

// The baselines of the thesis, ch. 2: each has one Gaussian process an objective for the eye; they differ in what they maximize.
var (
	parEGO = Spec{
		Name: "parego", Title: "ParEGO", Family: "several objectives", Multi: true,
		Summary: "expected improvement of a random augmented Tchebyshev scalarization, modelled by one Gaussian process",
		Source:  "Knowles 2006; as the baseline of Paria 2022 (thesis), ch. 2",
		Params:  gpParams(), Judge: judgeParams(), Fit: fitParEGO, Check: checkWeights,
	}
	smsEGO = Spec{
		Name: "smsego", Title: "SMS-EGO", Family: "several objectives", Multi: true,
		Summary: "the hypervolume that the objectives' confidence bounds would add",
		Source:  "Ponweiser et al. 2008; as the baseline of Paria 2022 (thesis), ch. 2",
		Params: append([]param.Decl{{Key: "gain", Label: "α  of the bound", Kind: param.Number, Default: 1.0, Min: 0.01, Max: 10, Log: true,
			Help: "Standard deviations by which the bound is better than the mean.", Source: "Ponweiser et al. 2008, §3"}}, gpParams()...),
		Judge: judgeParams(), Check: checkWeights, Fit: fitSMS,
	}
)

// frontBelief maximizes what is gained over the front of what is believed of the data, in outcomes −u that are minimized.
type frontBelief struct {
	*moboBelief
	name      string
	front     [][]float64
	reference []float64

	gain  func(mean, sd []float64) float64               // of independent normal outcomes
	slope func(mean, sd, byMean, bySD []float64) float64 // the same with its derivatives; nil where they are not known
	shown func(gain float64) float64                     // the gain as it is shown

	once       sync.Mutex // holds the search for the suggestion
	suggestion *Suggestion
}

func fitFront(ctx context.Context, in Input, name string) (*frontBelief, error) {
	m, err := fitProcesses(ctx, in)
	if err != nil {
		return nil, err
	}
	b := &frontBelief{moboBelief: m, name: name, reference: Reference(in), shown: func(v float64) float64 { return v }}
	for k := range b.reference {
		b.reference[k] *= -1 // outcomes are minimized here
	}
	if b.front, err = m.believedFront(ctx); err != nil {
		return nil, err
	}
	if in.Objectives == 1 {
		b.reference[0] = math.MaxFloat64 // an improvement of one objective is one on the best
	}
	return b, nil
}

// believedFront is the front of the data in minimized outcomes: of the observations, and in an objective whose observations are noisy of what its process
// makes of them, as an observation that was lucky is no outcome that can be had again.
func (b *moboBelief) believedFront(ctx context.Context) ([][]float64, error) {
	points := make([][]float64, b.in.Data.Len())
	for i := range points {
		points[i] = make([]float64, len(b.parts))
	}
	for k, p := range b.parts {
		values, err := p.believed(ctx, p.gp.Noise() > noisyFrom)
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			points[i][k] = -b.outcome(k, v)
		}
	}
	var front [][]float64
	for _, i := range pareto.Front(points) {
		front = append(front, points[i])
	}
	return front, nil
}

func fitSMS(ctx context.Context, in Input) (Belief, error) {
	b, err := fitFront(ctx, in, "hypervolume of the bounds")
	if err != nil {
		return nil, err
	}
	factor, near := in.Params.Number("gain"), b.nearness()
	b.gain = func(mean, sd []float64) float64 {
		bound := make([]float64, len(mean))
		for k := range bound {
			bound[k] = mean[k] - factor*sd[k]
		}
		return b.added(bound, near)
	}
	return b, nil
}

// nearness is ε of every objective, by how much worse than a bound a point of the front may be and still count as dominating it: the front's range over the
// number of its points and of those that may yet come (Ponweiser et al. 2008, §3, with c = 1 − 2^−K).
func (b *frontBelief) nearness() []float64 {
	k := len(b.reference)
	near := make([]float64, k)
	if len(b.front) == 0 {
		return near
	}
	lo, hi := pareto.Range(b.front, k)
	count := float64(len(b.front)) + (1-math.Pow(2, -float64(k)))*float64(max(b.in.Budget-b.in.Step, 0))
	for j := range near {
		if len(b.front) > 1 {
			near[j] = (hi[j] - lo[j]) / count
		}
	}
	return near
}

// added is the hypervolume that a point adds to the front. One that a point f of the front ε-dominates loses Π(1 + max(0, p_k − f_k)) − 1 instead, the most over
// such f, so that the search is led to the front (Ponweiser et al. 2008, §3).
func (b *frontBelief) added(point, near []float64) float64 {
	if len(point) == 1 {
		return -point[0]
	}
	penalty, dominated := 0.0, false
	for _, f := range b.front {
		product, under := 1.0, true
		for k, v := range point {
			under = under && f[k] <= v+near[k]
			product *= 1 + math.Max(v-f[k], 0)
		}
		if under {
			penalty, dominated = math.Max(penalty, product-1), true
		}
	}
	if dominated {
		return -penalty
	}
	return pareto.Added(point, b.front, b.reference)
}

func (b *frontBelief) Legend() Legend {
	l := b.moboBelief.Legend()
	l.Facts = l.Facts[1:] // there are no weights
	l.Acquisition = b.name + ", higher is better"
	return l
}

// Carry keeps the belief, which does not depend on the prior.
func (b *frontBelief) Carry(in Input) (Belief, bool) { return b, sameBut(b.in, in, judgeKeys) }

// Weights are none.
func (b *frontBelief) Weights() []float64 { return nil }

// Acquisition is the gain over the front, as it is shown.
func (b *frontBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	v, err := b.gains(ctx, X)
	for i := range v {
		v[i] = b.shown(v[i])
	}
	return v, err
}

// gainRows is how many gains are computed between two looks at the context.
const gainRows = 16

// gains are what is maximized, at the rows of X.
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

// gradient is the gain at one point, with its gradient.
func (b *frontBelief) gradient(x, grad []float64) float64 {
	k, d := len(b.parts), len(x)
	mean, sd, byMean, bySD := make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k)
	slopes := mat.NewDense(2*k, d, nil)
	for j, p := range b.parts {
		m, s := p.gp.Gradient(x, slopes.RawRowView(2*j), slopes.RawRowView(2*j+1))
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
func (b *frontBelief) Suggest(ctx context.Context) (Suggestion, error) {
	b.once.Lock()
	defer b.once.Unlock()
	if b.suggestion == nil {
		t := Target{Values: b.gains}
		if b.slope != nil {
			t.Gradient = b.gradient
		}
		s, err := b.search(ctx, t, b.shown)
		if err != nil {
			return Suggestion{}, err
		}
		b.suggestion = &s
	}
	return *b.suggestion, nil
}

// parEGOBelief is the expected improvement of one process of a scalarization, beside the processes of the objectives.
type parEGOBelief struct {
	*moboBelief
	chosen scored
}

// fitParEGO scalarizes the data: the augmented Tchebyshev distance from the best outcomes, weights from the flat law.
func fitParEGO(ctx context.Context, in Input) (Belief, error) {
	m, err := fitProcesses(ctx, in)
	if err != nil {
		return nil, err
	}
	rng := in.Stream("weights")
	m.chosen.Weights = make([]float64, in.Objectives)
	sum := 0.0
	for k := range m.chosen.Weights {
		m.chosen.Weights[k] = rng.ExpFloat64()
		sum += m.chosen.Weights[k]
	}
	for k := range m.chosen.Weights {
		m.chosen.Weights[k] /= sum
	}
	one := in
	one.Objectives = 1
	if n := in.Data.Len(); n > 0 {
		y := mat.NewDense(n, 1, nil)
		for i := range n {
			worst, total := math.Inf(-1), 0.0
			for k, p := range m.parts {
				lost := m.chosen.Weights[k] * (1 - m.outcome(k, (in.Data.Y.At(i, k)-p.scale.Mean)/p.scale.SD))
				worst, total = math.Max(worst, lost), total+lost
			}
			y.Set(i, 0, worst+augmentation*total)
		}
		one.Data.Y = y
	}
	g, err := fitAfresh(ctx, one, 0)
	if err != nil {
		return nil, err
	}
	best, err := g.incumbent(ctx, g.gp.Noise() > noisyFrom)
	return &parEGOBelief{m, scored{&g.momentBelief, g, g.expectedImprovement(best)}}, err
}

func (b *parEGOBelief) Legend() Legend {
	l := b.moboBelief.Legend()
	l.Acquisition = "expected improvement of the scalarization, higher is better"
	return l
}

// Carry keeps the belief, whose weights do not come from the prior.
func (b *parEGOBelief) Carry(in Input) (Belief, bool) { return b, sameBut(b.in, in, judgeKeys) }

// Acquisition is the expected improvement of the scalarization.
func (b *parEGOBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return b.chosen.Acquisition(ctx, X)
}

// Suggest maximizes it; what is expected of the first objective is told, not of the scalarization.
func (b *parEGOBelief) Suggest(ctx context.Context) (Suggestion, error) {
	s, err := b.chosen.Suggest(ctx)
	if err != nil {
		return s, err
	}
	bands, err := b.Predict(ctx, s.X)
	if err != nil {
		return s, err
	}
	s.Mean, s.SD, s.Weights = bands[0].Mean, bands[0].SD, b.moboBelief.chosen.Weights
	return s, nil
}
