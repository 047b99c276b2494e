// Package front computes the picture of several objectives, and describes it in words: outcomes with the observed and
// the predicted front, boxes of wanted outcomes, the prior over the weights of a scalarization, and the part of the
// front that this prior prefers. A state of a session goes in, off the update loop; numbers that are never changed come
// out; from them it declares the charts. Another prior needs no new fit.
package front

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/preference"
	"bandscope/optimizers"
	"bandscope/optimizers/weights"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/report"
	"bandscope/tui/picture"
)

// Outcomes holds the numbers of one picture of the space of objectives, in the problem's own units and directions, with
// the next points of a posterior.
type Outcomes struct {
	picture.Posterior
	Expected   [][]float64 // the predictions of every objective at the next points, B×K; nil without a band
	ExpectedSD [][]float64

	Front        [][]float64   // known, or that of the model's means; nil where there is neither
	Known        bool          // it is the problem's, not the model's
	Computed     bool          // it was searched for, as it has no closed form
	Inputs       [][]float64   // where the model's front is, in the problem's units; nil where the method has no model
	MeanFront    [][]float64   // of the model's means, also where the problem's is known
	FrontSamples [][][]float64 // fronts of draws from the model

	Chance []float64 // the probability that the prior over weights puts on each point of Front; nil without a prior

	Weights        []float64                  // λ of this step; nil where the method has none
	Scalarizations []preference.Scalarization // drawn from the prior over weights, as the answers have it
	Prior          preference.Prior           // the person's, before the answers; nil where the method has none
	Unreached      []UnreachedBox             // boxes of the prior that no sampled front reaches
	Exceeded       []ExceededBox              // boxes of the prior that most sampled fronts are better than
	Lo, Hi         []float64                  // the frozen range of the minimized objectives
	Traces         report.ObjectiveTraces
	Effective      float64 // the effective number of the particles that the answers weigh; 0 without an answer
	Particles      int
	Objectives     []*picture.Posterior // along a single variable; nil for several
	weightState    sessions.State       // the state whose prior and answers the weights have
}

// UnreachedBox is a box that no front drawn from the model reaches, and the nearest point that one does.
type UnreachedBox struct {
	Box     int // among the prior's boxes
	Nearest []float64
}

// ExceededBox is a box that asks for less than is possible: most sampled fronts have a point that is better than all of
// it.
type ExceededBox struct {
	Box    int       // among the prior's boxes
	At     []float64 // such a point
	Fronts int       // how many of the sampled fronts have one
}

// How finely the space of objectives is sampled.
const (
	frontNodes   = 200
	priorDraws   = 4000
	frontSamples = 8
)

// Compute computes a picture of the space of objectives.
func Compute(ctx context.Context, s picture.Source, progress sessions.Progress) (*Outcomes, error) {
	if progress == nil {
		progress = func(string, int, int) {}
	}
	st := s.State()
	b, err := s.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	displayed, err := diagnostics.DisplayedBelief(ctx, st, b, progress)
	if err != nil {
		return nil, err
	}
	o := newOutcomes(st)
	o.Legend, o.Fitted = displayed.Legend(), true
	o.Lo, o.Hi = weights.ObjectiveRange(st.Input())
	if w, ok := b.(optimizers.Scalarizer); ok {
		o.Weights = w.Weights()
	}
	var next *mat.Dense
	o.NextPoints, next, err = picture.NextPointsFor(ctx, s, st, progress)
	if err != nil {
		return nil, err
	}
	o.Expected, o.ExpectedSD, err = expected(ctx, st, displayed, next)
	if err != nil {
		return nil, err
	}
	if front := st.Problem.Front(); front != nil {
		o.Front = front.Points(frontNodes)
		o.Known = true
		o.Computed = front.Computed
	}
	if f, ok := b.(optimizers.ParetoSolver); ok && len(st.Iterations) > 0 {
		if err := o.computeFront(ctx, st, f, progress); err != nil {
			return nil, err
		}
	}
	if st.Problem.Dim() == 1 {
		o.Objectives, err = picture.ComputeObjectives(ctx, st, displayed)
		if err != nil {
			return nil, err
		}
	}
	o.computeWeights(st)
	return o, nil
}

// newOutcomes are the outcomes of a state without a picture. No slice is drawn, so that it needs no anchor.
func newOutcomes(st sessions.State) *Outcomes {
	return &Outcomes{Posterior: *picture.New(st, picture.View{}, []float64{})}
}

// Unfitted is the picture of a state without a model, for the time in which the first one is fitted.
func Unfitted(st sessions.State) *Outcomes {
	o := newOutcomes(st)
	if len(st.Iterations) > 0 || st.Range != nil {
		o.Lo, o.Hi = weights.ObjectiveRange(st.Input())
	}
	return o
}

// computeFront fills the expected front and the drawn ones.
func (o *Outcomes) computeFront(ctx context.Context, st sessions.State, f optimizers.ParetoSolver,
	progress sessions.Progress) error {
	progress("drawing fronts", 0, frontSamples)
	mean, err := f.ExpectedFront(ctx)
	if err != nil {
		return err
	}
	front, inputs := o.inProblemUnits(st, mean)
	o.Inputs, o.MeanFront = inputs, front
	if !o.Known {
		o.Front = front
	}
	drawn, err := f.DrawnFronts(ctx, frontSamples)
	if err != nil {
		return err
	}
	for _, points := range drawn {
		front, _ := o.inProblemUnits(st, points)
		o.FrontSamples = append(o.FrontSamples, front)
	}
	return nil
}

// inProblemUnits is a front in the problem's units and directions, with its inputs.
func (o *Outcomes) inProblemUnits(st sessions.State, points []optimizers.FrontPoint) (front, inputs [][]float64) {
	for _, p := range points {
		y := make([]float64, len(p.Y))
		for k, v := range p.Y {
			y[k] = st.Problem.Objectives[k].Transform().Invert(v)
		}
		front, inputs = append(front, y), append(inputs, st.Problem.Domain.FromUnit(p.X))
	}
	return front, inputs
}

// expected are the predictions of every objective at the rows of X, with their standard deviations; nil where the
// belief has no band.
func expected(ctx context.Context, st sessions.State, b optimizers.Belief, X *mat.Dense) (mean, sd [][]float64,
	err error) {
	if X == nil {
		return nil, nil, nil
	}
	bands, err := b.Predict(ctx, X)
	if err != nil {
		return nil, nil, optimizers.IgnoreUnsupported(err)
	}
	n, _ := X.Dims()
	for i := range n {
		m, s := make([]float64, len(bands)), make([]float64, len(bands))
		for k, band := range bands {
			m[k], s[k] = st.Problem.Objectives[k].Transform().Invert(band.Mean[i]), band.SD[i]
		}
		mean, sd = append(mean, m), append(sd, s)
	}
	return mean, sd, nil
}

// UpdateWeights is the picture under the prior and the answers of a state with the same data: it is
// fast, as nothing is fitted.
func (o *Outcomes) UpdateWeights(st sessions.State) *Outcomes {
	next := *o
	next.computeWeights(st)
	return &next
}

// computeWeights fills in all that depends on the prior over weights.
func (o *Outcomes) computeWeights(st sessions.State) {
	o.weightState = st
	o.Scalarizations = report.WeightsFor(st, priorDraws)
	o.Chance = report.FrontProbabilities(st, o.Front, o.Scalarizations)
	o.Traces = report.ObjectiveTracesFor(st)
	o.Effective, o.Particles = report.EffectiveParticles(st)
	o.Prior = nil
	o.Unreached = nil
	o.Exceeded = nil
	if st.HasWeightPrior() {
		if p, err := weights.PriorFor(st.Input()); err == nil {
			o.Prior = p
			o.findUnreached(st)
		}
	}
}

// findUnreached finds the boxes that no sampled front reaches, and the nearest point of a front, in parts of the range.
func (o *Outcomes) findUnreached(st sessions.State) {
	outcomes := weights.OutcomesFor(st.Input())
	for n, box := range o.Prior.Boxes() {
		lo, hi := preference.Span(box, outcomes)
		least, nearest := math.Inf(1), []float64(nil)
		for _, front := range o.FrontSamples {
			for _, y := range front {
				away := 0.0
				for k, u := range st.Outcome(y, o.Lo, o.Hi) {
					away += math.Pow(math.Max(math.Max(lo[k]-u, u-hi[k]), 0), 2)
				}
				if away < least {
					least, nearest = away, y
				}
			}
		}
		switch better := o.pointsBeyond(st, hi); {
		case len(better) > len(o.FrontSamples)/2:
			o.Exceeded = append(o.Exceeded, ExceededBox{Box: n, At: better[len(better)/2].y, Fronts: len(better)})
		case least > 0 && nearest != nil && len(better) == 0:
			o.Unreached = append(o.Unreached, UnreachedBox{Box: n, Nearest: nearest})
		}
	}
}

// slack is a point with the margin by which it is better than a box, in parts of the range.
type slack struct {
	y      []float64
	margin float64
}

// pointsBeyond are the points, at most one of every drawn front, that are better than the best corner of a box in every
// objective that it bounds: of each front the one with the largest margin, in the order of the margins.
func (o *Outcomes) pointsBeyond(st sessions.State, hi []float64) []slack {
	var all []slack
	for _, front := range o.FrontSamples {
		most := slack{}
		for _, y := range front {
			margin := math.Inf(1)
			for k, u := range st.Outcome(y, o.Lo, o.Hi) {
				if !math.IsInf(hi[k], 1) { // it asks for something
					margin = math.Min(margin, u-hi[k])
				}
			}
			if margin > most.margin && !math.IsInf(margin, 1) {
				most = slack{y, margin}
			}
		}
		if most.y != nil {
			all = append(all, most)
		}
	}
	slices.SortFunc(all, func(a, b slack) int { return cmp.Compare(a.margin, b.margin) })
	return all
}
