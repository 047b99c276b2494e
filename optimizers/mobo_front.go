package optimizers

import (
	"context"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/param"
	"bandscope/functions/pareto"
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
		Judge: judgeParams(), Check: checkWeights,
		Fit: func(ctx context.Context, in Input) (Belief, error) {
			return fitFront(ctx, in, (*frontBelief).boundGain, "hypervolume of the bounds")
		},
	}
	ehvi = Spec{
		Name: "ehvi", Title: "EHVI", Family: "several objectives", Multi: true,
		Summary: "the expected hypervolume improvement: exact for two objectives, by Monte-Carlo for more",
		Source:  "Emmerich et al. 2006; as the baseline of Paria 2022 (thesis), ch. 2",
		Params:  gpParams(),
		Judge:   judgeParams(),
		Check:   checkWeights,
		Fit: func(ctx context.Context, in Input) (Belief, error) {
			return fitFront(ctx, in, (*frontBelief).expectedGain, "expected hypervolume improvement")
		},
	}
)

// frontBelief maximizes what is gained over the front of the observations, in outcomes −u that are minimized.
type frontBelief struct {
	*moboBelief
	gain      func(b *frontBelief, mean, sd []float64) float64
	name      string
	front     [][]float64
	reference []float64
	normals   *mat.Dense // of the Monte-Carlo, fixed; nil for two objectives

	once       sync.Mutex // holds the search for the suggestion
	suggestion *Suggestion
}

// gainDraws is how many draws the Monte-Carlo of three and more objectives has.
const gainDraws = 24

func fitFront(ctx context.Context, in Input, gain func(*frontBelief, []float64, []float64) float64, name string) (Belief, error) {
	m, err := fitProcesses(ctx, in)
	if err != nil {
		return nil, err
	}
	b := &frontBelief{moboBelief: m, gain: gain, name: name, reference: Reference(in)}
	for k := range b.reference {
		b.reference[k] *= -1 // outcomes are minimized here
	}
	points := make([][]float64, in.Data.Len())
	for i := range points {
		points[i] = m.outcomesOf(in.Data.Y.RawRowView(i))
	}
	for _, i := range pareto.Front(points) {
		b.front = append(b.front, points[i])
	}
	if in.Objectives == 1 {
		b.reference[0] = math.MaxFloat64 // an improvement of one objective is one on the best
	}
	if in.Objectives > 2 {
		rng := in.Stream("monte carlo")
		b.normals = mat.NewDense(gainDraws, in.Objectives, nil)
		for i := range b.normals.RawMatrix().Data {
			b.normals.RawMatrix().Data[i] = rng.NormFloat64()
		}
	}
	return b, nil
}

// boundGain is the hypervolume that the bound adds; a bound that the front dominates is penalized by how far, so that the search is led to it.
func (b *frontBelief) boundGain(mean, sd []float64) float64 {
	bound := make([]float64, len(mean))
	for k := range bound {
		bound[k] = mean[k] - b.in.Params.Number("gain")*sd[k]
	}
	return b.added(bound)
}

// added is the hypervolume that a point adds to the front; a dominated one loses the product of what it is worse by.
func (b *frontBelief) added(point []float64) float64 {
	if len(point) == 1 {
		return -point[0]
	}
	penalty := 0.0
	for _, f := range b.front {
		if !pareto.Dominates(f, point) {
			continue
		}
		product := 1.0
		for k, v := range point {
			product *= 1 + v - f[k]
		}
		penalty = math.Max(penalty, product-1)
	}
	if penalty > 0 {
		return -penalty
	}
	return pareto.Added(point, b.front, b.reference)
}

// expectedGain is the expected hypervolume improvement of independent normal outcomes. Of two objectives it is a sum over the stripes
// between the front's points along the first one: in each, the expected length that is gained times the expected height.
func (b *frontBelief) expectedGain(mean, sd []float64) float64 {
	if len(mean) == 1 {
		if len(b.front) == 0 {
			return -mean[0]
		}
		return expectedBelow(mean[0], sd[0], b.front[0][0])
	}
	if len(mean) != 2 {
		sum := 0.0
		point := make([]float64, len(mean))
		for i := range gainDraws {
			for k := range point {
				point[k] = mean[k] + sd[k]*b.normals.At(i, k)
			}
			sum += pareto.Added(point, b.front, b.reference)
		}
		return sum / gainDraws
	}
	sum, left, height := 0.0, 0.0, b.reference[1]
	for _, p := range stripes(b.front, b.reference) {
		right := expectedBelow(mean[0], sd[0], p[0])
		sum += (right - left) * expectedBelow(mean[1], sd[1], height)
		left, height = right, p[1]
	}
	return sum
}

// stripes are the points of the front that lie within the reference, by the first objective, and the reference's edge.
func stripes(front [][]float64, reference []float64) [][]float64 {
	var inside [][]float64
	for _, p := range front {
		if p[0] < reference[0] && p[1] < reference[1] {
			inside = append(inside, p)
		}
	}
	sortFirst(inside)
	return append(inside, []float64{reference[0], reference[1]})
}

func sortFirst(points [][]float64) {
	for i := 1; i < len(points); i++ {
		for j := i; j > 0 && points[j][0] < points[j-1][0]; j-- {
			points[j], points[j-1] = points[j-1], points[j]
		}
	}
}

// expectedBelow is E max(at − z, 0) for z ~ N(mean, sd²).
func expectedBelow(mean, sd, at float64) float64 {
	v, _, _ := logEI(mean, sd, at)
	return math.Exp(v)
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

// Acquisition is the gain over the front.
func (b *frontBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	mean, sd, err := b.moments(ctx, X)
	if err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	out := make([]float64, n)
	for i := range out {
		if i%16 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out[i] = b.gain(b, mean.RawRowView(i), sd.RawRowView(i))
	}
	return out, nil
}

// Suggest maximizes the gain.
func (b *frontBelief) Suggest(ctx context.Context) (Suggestion, error) {
	b.once.Lock()
	defer b.once.Unlock()
	if b.suggestion == nil {
		s, err := b.search(ctx, Target{Values: b.Acquisition}, func(v float64) float64 { return v })
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
	g, err := fitGP(ctx, one, 0)
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
