package report

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bandscope/functions/numfmt"
	"bandscope/functions/pareto"
	"bandscope/functions/rng"
	"bandscope/model/preference"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/weights"
	"bandscope/sessions"
)

// ObjectiveTraces are values per iteration of a problem with several objectives, from noise-free values. Outcomes are
// mapped to u in [0, 1] over Range, where 1 is best, so that values can be compared between iterations. Withdrawn
// results do not count.
type ObjectiveTraces struct {
	Range sessions.Range
	// of outcomes, above the reference point: it never falls; NaN until the range is frozen
	Hypervolume []float64
	// under the current prior over weights (Paria 2022, thesis, eq. 2.3); without a known front −E max s_λ
	BayesRegret      []float64
	PriorBayesRegret []float64 // under the prior at the start of the session
	BoxShare         []float64 // share of the evaluations inside the boxes; nil without boxes
	Exact            bool      // the front is known
}

// RegretName is the name of BayesRegret. Without a known front it has no term of the front, so that it is not a regret
// and can be negative.
func (t ObjectiveTraces) RegretName() string {
	if t.Exact {
		return "Bayes regret"
	}
	return "−E max s (unknown front)"
}

// regretWeights is the number of weights over which the Bayes regret averages. A session always uses the same ones, so
// that curves can be compared.
const regretWeights = 500

// frontPoints is the number of points on a known front.
const frontPoints = 400

// WeightsFor are draws from the posterior over weights, given the answers; nil if the method has no prior over weights.
func WeightsFor(st sessions.State, count int) []preference.Scalarization {
	if !st.HasWeightPrior() {
		return nil
	}
	rng := rng.New(st.Config.Seed, 0, "weights of the regret")
	return weights.DrawScalarizations(st.Input(), count, rng)
}

// FrontProbabilities are how often each point of a front, in the problem's units, is the best under some weights; nil
// without points or weights.
func FrontProbabilities(st sessions.State, front [][]float64, drawn []preference.Scalarization) []float64 {
	if drawn == nil || len(front) == 0 {
		return nil
	}
	lo, hi := weights.ObjectiveRange(st.Input())
	u := make([][]float64, len(front))
	for i, y := range front {
		u[i] = st.Outcome(y, lo, hi)
	}
	chance := make([]float64, len(front))
	for _, w := range drawn {
		best, index := math.Inf(-1), 0
		for i := range u {
			if v, _ := weights.Scalarize(w, u[i]); v > best {
				best, index = v, i
			}
		}
		chance[index] += 1 / float64(len(drawn))
	}
	return chance
}

// HypervolumeText is the last hypervolume for people, or what it needs where there is none.
func (t ObjectiveTraces) HypervolumeText() string {
	if n := len(t.Hypervolume); n > 0 && !math.IsNaN(t.Hypervolume[n-1]) {
		return "hypervolume " + numfmt.Format(t.Hypervolume[n-1])
	}
	return "no hypervolume yet (it needs all initial points)"
}

// ObjectiveTracesFor are the traces up to a state. Values that were computed before on its branch, with the same range
// and weights, are cached.
func ObjectiveTracesFor(st sessions.State) ObjectiveTraces {
	r, frozen := st.OutcomeRange()
	t := ObjectiveTraces{Range: r}
	n := len(st.Iterations)
	if !frozen { // there is no range yet
		t.Hypervolume = slices.Repeat([]float64{math.NaN()}, n)
		return t
	}
	in := st.Input()
	measure := &measure{st: st, reference: weights.ReferenceWithinLimits(in), outcomes: weights.OutcomesFor(in)}
	measure.lo, measure.hi = r.Minimized(st.Problem)
	t.Hypervolume = measure.hypervolumes()
	if !st.HasWeightPrior() {
		return t
	}
	t.Exact = st.Problem.Front() != nil
	t.BayesRegret = measure.bayesRegret(st)
	if start, err := param.Defaults(st.Params.Decls()).WithAll(st.Config.Params); err == nil {
		first := st
		first.Params, first.Answers = start, nil
		t.PriorBayesRegret = measure.bayesRegret(first)
	}
	if prior, err := weights.PriorFor(in); err == nil && len(prior.Boxes()) > 0 {
		t.BoxShare = measure.share(prior)
	}
	return t
}

// measure folds iterations under one range.
type measure struct {
	st        sessions.State
	lo, hi    []float64
	reference []float64 // as outcomes
	outcomes  preference.Outcomes
}

// fold is one column of values over the iterations.
func (m *measure) fold(key string, begin func() func(it sessions.Iteration, outcomes [][]float64) float64) []float64 {
	columns := traceCacheFor(m.st).values(fmt.Sprint(key, m.lo, m.hi), m.st.Iterations,
		func() func(sessions.Iteration) []float64 {
			add := begin()
			return func(it sessions.Iteration) []float64 {
				var outcomes [][]float64
				for _, pt := range it.Points {
					y := pt.Judged()
					if !pt.Failed && m.st.Problem.Feasible(y) {
						outcomes = append(outcomes, m.st.Outcome(y, m.lo, m.hi))
					}
				}
				return []float64{add(it, outcomes)}
			}
		})
	if len(columns) == 0 { // of no iterations
		return nil
	}
	return columns[0]
}

func (m *measure) hypervolumes() []float64 {
	return m.fold(fmt.Sprint("hypervolume", m.reference), func() func(sessions.Iteration, [][]float64) float64 {
		front := pareto.Archive{Reference: floats.ScaleTo(make([]float64, len(m.reference)), -1, m.reference)}
		return func(_ sessions.Iteration, outcomes [][]float64) float64 {
			for _, u := range outcomes {
				front.Add(floats.ScaleTo(make([]float64, len(u)), -1, u))
			}
			return front.Volume
		}
	})
}

// bayesRegret is the Bayes regret after each iteration under the weights of a state.
func (m *measure) bayesRegret(state sessions.State) []float64 {
	in := state.Input()
	return m.fold(fmt.Sprint("regret", in.Params.ValueByRole(optimizers.RolePrior),
		in.Params.ValueByRole(optimizers.RoleScalarization), in.Answers),
		func() func(sessions.Iteration, [][]float64) float64 {
			drawn := WeightsFor(state, regretWeights)
			target := frontValues(state, drawn, m.lo, m.hi)
			best := slices.Repeat([]float64{math.Inf(-1)}, len(drawn))
			return func(_ sessions.Iteration, outcomes [][]float64) float64 {
				sum := 0.0
				for i, w := range drawn {
					for _, u := range outcomes {
						v, _ := weights.Scalarize(w, u)
						best[i] = math.Max(best[i], v)
					}
					sum -= best[i]
					if target != nil {
						sum += target[i]
					}
				}
				if target != nil {
					sum = math.Max(sum, 0) // outcomes between the points of the front can be slightly better
				}
				return sum / float64(len(drawn))
			}
		})
}

// share is the part of the evaluations inside the prior's boxes.
func (m *measure) share(prior preference.Prior) []float64 {
	return m.fold("share "+prior.String(), func() func(sessions.Iteration, [][]float64) float64 {
		inside, count := 0, 0
		return func(it sessions.Iteration, outcomes [][]float64) float64 {
			count += len(it.Points)
			for _, u := range outcomes {
				if prior.Inside(u, m.outcomes) {
					inside++
				}
			}
			return float64(inside) / float64(count)
		}
	})
}

// Front are the results of the first iterations that no other of them dominates, in the problem's units and in their
// order. It is cached, so that calls for growing numbers of iterations are cheap.
func Front(st sessions.State, iterations int) [][]float64 {
	return traceCacheFor(st).observedFront(st.Problem, st.Iterations[:iterations])
}

// AllTracesFor are the traces, including those of several objectives.
func AllTracesFor(st sessions.State) Traces {
	t := TracesFor(st)
	if len(st.Problem.Objectives) > 1 {
		several := ObjectiveTracesFor(st)
		t.Multiobjective = &several
	}
	return t
}

// frontValues is, for each weight, the largest scalarization on the known front; nil if no front is known.
func frontValues(st sessions.State, drawn []preference.Scalarization, lo, hi []float64) []float64 {
	front := st.Problem.Front()
	if front == nil || drawn == nil {
		return nil
	}
	best := make([]float64, len(drawn))
	for i := range best {
		best[i] = math.Inf(-1)
	}
	for _, y := range front.Points(frontPoints) {
		u := st.Outcome(y, lo, hi)
		for i, w := range drawn {
			v, _ := weights.Scalarize(w, u)
			best[i] = math.Max(best[i], v)
		}
	}
	return best
}
