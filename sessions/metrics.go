package sessions

import (
	"math"
	"slices"

	"bandscope/functions/param"
	"bandscope/functions/pareto"
	"bandscope/functions/stream"
	"bandscope/optimizers"
)

// ObjectiveTraces are values per iteration of a problem with several objectives, from noise-free values. Outcomes are mapped to u in [0, 1] over
// the range of the initial design, 1 being best.
type ObjectiveTraces struct {
	Hypervolume []float64 // in outcomes, above the reference point
	BayesRegret []float64 // under the prior over weights as it is now (Paria 2022, thesis, eq. 2.3); without a known front −E max s_λ
	Original    []float64 // the same under the prior that the session began with
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
	outcomes := make([][][]float64, len(st.Iterations)) // of every iteration
	for i, it := range st.Iterations {
		for b, y := range it.Truth {
			if !it.Failed[b] {
				outcomes[i] = append(outcomes[i], st.Outcome(y, lo, hi))
			}
		}
	}
	t.Hypervolume = hypervolumes(outcomes, optimizers.Reference(st.Input()))
	weights := st.Weights(regretWeights)
	if weights == nil {
		return t
	}
	t.BayesRegret, t.Exact = st.bayesRegret(weights, outcomes, lo, hi)
	if start, err := param.Defaults(st.Params.Decls()).WithAll(st.Config.Params); err == nil {
		first := st
		first.Params, first.Compared = start, nil
		t.Original, _ = st.bayesRegret(first.Weights(regretWeights), outcomes, lo, hi)
	}
	prior, err := optimizers.PriorOf(st.Input())
	if err != nil || len(prior.Boxes()) == 0 {
		return t
	}
	inside, count, at := 0, 0, optimizers.OutcomesOf(st.Input())
	for i, it := range st.Iterations {
		count += len(it.X)
		for _, u := range outcomes[i] {
			if prior.Inside(u, at) {
				inside++
			}
		}
		t.Share = append(t.Share, float64(inside)/float64(count))
	}
	return t
}

// ObservedFront are the observations of the first iterations that no other of them dominates, in the problem's units, in their order.
func (st State) ObservedFront(iterations int) [][]float64 {
	var all, minimized [][]float64
	for _, it := range st.Iterations[:iterations] {
		for b, y := range it.Y {
			if it.Failed[b] {
				continue
			}
			m := make([]float64, len(y))
			for k, v := range y {
				m[k] = v * st.Problem.Objectives[k].Direction.Sign()
			}
			all, minimized = append(all, y), append(minimized, m)
		}
	}
	var front [][]float64
	for _, i := range pareto.Front(minimized) {
		front = append(front, all[i])
	}
	return front
}

// hypervolumes are those of the outcomes up to each iteration, above a reference.
func hypervolumes(outcomes [][][]float64, above []float64) []float64 {
	reference := make([]float64, len(above))
	for k, v := range above {
		reference[k] = -v // minimized
	}
	var front [][]float64
	var out []float64
	volume := 0.0
	for _, us := range outcomes {
		for _, u := range us {
			lost := make([]float64, len(u))
			for k, v := range u {
				lost[k] = -v
			}
			volume += pareto.Added(lost, front, reference)
			front = append(front, lost)
		}
		kept := make([][]float64, 0, len(front))
		for _, i := range pareto.Front(front) {
			kept = append(kept, front[i])
		}
		front = kept
		out = append(out, volume)
	}
	return out
}

// bayesRegret is the Bayes regret after each iteration under some weights; exact says that it counts from a front that is known.
func (st State) bayesRegret(weights []optimizers.Scalarization, outcomes [][][]float64, lo, hi []float64) (regret []float64, exact bool) {
	target := st.frontValues(weights, lo, hi)
	best := slices.Repeat([]float64{math.Inf(-1)}, len(weights))
	for _, us := range outcomes {
		sum := 0.0
		for i, w := range weights {
			for _, u := range us {
				v, _ := optimizers.Scalarize(w, u)
				best[i] = math.Max(best[i], v)
			}
			sum -= best[i]
			if target != nil {
				sum += target[i]
			}
		}
		if target != nil {
			sum = math.Max(sum, 0) // a front that was searched for lies a little inside the true one
		}
		regret = append(regret, sum/float64(len(weights)))
	}
	return regret, target != nil
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
			v, _ := optimizers.Scalarize(w, u)
			best[i] = math.Max(best[i], v)
		}
	}
	return best
}
