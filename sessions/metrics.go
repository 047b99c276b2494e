package sessions

import (
	"math"

	"bandscope/functions/pareto"
	"bandscope/functions/stream"
	"bandscope/optimizers"
)

// ObjectiveTraces are values per iteration of a problem with several objectives, from noise-free values. Outcomes are mapped to u in [0, 1] over
// the range of the initial design, 1 being best.
type ObjectiveTraces struct {
	Hypervolume []float64 // in outcomes, above a reference a tenth below 0
	BayesRegret []float64 // under the prior over weights as it is now (Paria 2022, thesis, eq. 2.3); without a known front −E max s_λ
	Share       []float64 // part of the evaluations inside the boxes; nil where there are none
	Exact       bool      // the Bayes regret counts from a front that is known
}

// regretWeights is how many weights the Bayes regret averages over: always the same ones of a session, so that curves can be compared.
const regretWeights = 500

// frontPoints is how finely a known front is looked at.
const frontPoints = 400

// Outcome maps values in the problem's units to u, over a frozen range of minimized objectives.
func (st State) Outcome(y, lo, hi []float64) []float64 {
	u := make([]float64, len(y))
	for k, v := range y {
		m := v * st.Problem.Objectives[k].Direction.Sign()
		u[k] = (hi[k] - m) / (hi[k] - lo[k])
	}
	return u
}

// Weights are draws from the prior over weights, as the answers have it, where the session stands; nil where its method has none.
func (st State) Weights(count int) []optimizers.Scalarization {
	if !st.Params.Has("scalarization") {
		return nil
	}
	rng := stream.New(st.Config.Seed, 0, "weights of the regret")
	return optimizers.DrawScalarizations(st.Input(), count, rng)
}

// ObjectiveTraces computes the traces.
func (st State) ObjectiveTraces() ObjectiveTraces {
	var t ObjectiveTraces
	lo, hi := optimizers.Frozen(st.Input())
	weights := st.Weights(regretWeights)
	best := make([]float64, len(weights))
	for i := range best {
		best[i] = math.Inf(-1)
	}
	target := st.frontValues(weights, lo, hi)
	t.Exact = target != nil
	boxes := weights != nil && st.Params.Choice("prior") == optimizers.BoxPrior
	reference := make([]float64, len(lo)) // minimized: −u
	for k := range reference {
		reference[k] = 0.1
	}
	var points [][]float64
	inside, count := 0, 0
	for _, it := range st.Iterations {
		for b, y := range it.Truth {
			count++
			if it.Failed[b] {
				continue
			}
			u := st.Outcome(y, lo, hi)
			lost := make([]float64, len(u))
			for k, v := range u {
				lost[k] = -v
			}
			points = append(points, lost)
			for i, w := range weights {
				v, _ := optimizers.Scalarize(w.Kind, w.Weights, u)
				best[i] = math.Max(best[i], v)
			}
			if boxes && optimizers.InBoxes(st.Params, u) {
				inside++
			}
		}
		front := make([][]float64, 0, len(points))
		for _, i := range pareto.Front(points) {
			front = append(front, points[i])
		}
		points = front
		t.Hypervolume = append(t.Hypervolume, pareto.Hypervolume(points, reference))
		if boxes {
			t.Share = append(t.Share, float64(inside)/float64(count))
		}
		if weights == nil {
			continue
		}
		regret := 0.0
		for i, b := range best {
			if target != nil {
				regret += (target[i] - b) / float64(len(best))
			} else {
				regret -= b / float64(len(best))
			}
		}
		t.BayesRegret = append(t.BayesRegret, regret)
	}
	return t
}

// AllTraces are the traces with those of several objectives, where there are several.
func (st State) AllTraces() Traces {
	t := st.Traces()
	if len(st.Problem.Objectives) > 1 {
		several := st.ObjectiveTraces()
		t.Several = &several
	}
	return t
}

// frontValues is, for each of some weights, the greatest scalarization on the known front; nil where no front is known.
func (st State) frontValues(weights []optimizers.Scalarization, lo, hi []float64) []float64 {
	if st.Problem.Front == nil || weights == nil {
		return nil
	}
	best := make([]float64, len(weights))
	for i := range best {
		best[i] = math.Inf(-1)
	}
	for _, y := range st.Problem.Front(frontPoints) {
		u := st.Outcome(y, lo, hi)
		for i, w := range weights {
			v, _ := optimizers.Scalarize(w.Kind, w.Weights, u)
			best[i] = math.Max(best[i], v)
		}
	}
	return best
}
