package report

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"bandscope/functions/pareto"
	"bandscope/functions/rng"
	"bandscope/model/preference"
	"bandscope/optimizers"
	"bandscope/optimizers/weights"
	"bandscope/sessions"
)

// Pair is a pair of observed outcomes to ask about, with the expected information gain of an answer.
type Pair struct {
	A, B [2]int
	Gain float64 // nats
}

// questionOutcomes is the number of outcomes, the newest, among which a question selects.
const questionOutcomes = 24

// newestOutcomes is the number of outcomes from which questionOutcomes are taken.
const newestOutcomes = 1000

// NextPair finds the pair of outcomes with the largest expected information gain about the weights that was not asked
// about yet; false if there is none.
func NextPair(st sessions.State) (Pair, bool) {
	if !st.HasWeightPrior() {
		return Pair{}, false
	}
	in := st.Input()
	points, outcomes := candidateOutcomes(st, in)
	if len(points) < 2 {
		return Pair{}, false
	}
	asked := map[[4]int]bool{}
	for _, c := range st.Answers {
		if !c.Retracted {
			asked[[4]int{c.A[0], c.A[1], c.B[0], c.B[1]}], asked[[4]int{c.B[0], c.B[1], c.A[0], c.A[1]}] = true, true
		}
	}
	best := Pair{}
	gains := weights.LearnPosterior(in).InformationGains(outcomes)
	for i, a := range points {
		for j, b := range points[:i] {
			if g := gains[i][j]; g > best.Gain && !asked[[4]int{a[0], a[1], b[0], b[1]}] {
				best = Pair{a, b, g}
			}
		}
	}
	if rng.New(st.Config.Seed, len(st.Answers), "sides of a question").Float64() < 0.5 {
		best.A, best.B = best.B, best.A // neither side is favoured
	}
	return best, best.Gain > 0
}

// candidateOutcomes are the outcomes for a question, by step and point, with their values in [0, 1]: the newest
// non-dominated ones, then the newest others.
func candidateOutcomes(st sessions.State, in optimizers.Input) (points [][2]int, outcomes [][]float64) {
	lo, hi := weights.ObjectiveRange(in)
	var all [][2]int
	var us, lost [][]float64
	for i := len(st.Iterations) - 1; i >= 0 && len(all) < newestOutcomes; i-- {
		for b, pt := range st.Iterations[i].Points {
			if st.Feasible(st.Iterations[i], b) {
				u := st.Outcome(pt.Y, lo, hi)
				all = append(all, [2]int{i + 1, b})
				us = append(us, u)
				lost = append(lost, floats.ScaleTo(make([]float64, len(u)), -1, u))
			}
		}
	}
	front := pareto.Front(lost)
	take := func(i int) {
		if len(points) < questionOutcomes {
			points, outcomes = append(points, all[i]), append(outcomes, us[i])
		}
	}
	for _, i := range front {
		take(i)
	}
	for i := 0; i < len(all) && len(points) < questionOutcomes; i++ {
		if !slices.Contains(front, i) {
			take(i)
		}
	}
	return points, outcomes
}

// AnswerProbability is the probability of an answer under the posterior before it.
func AnswerProbability(st sessions.State, q Pair, answer string) float64 {
	in := st.Input()
	lo, hi := weights.ObjectiveRange(in)
	choice, known := sessions.ParseChoice(answer)
	ya, errA := st.ObservedValues(q.A)
	yb, errB := st.ObservedValues(q.B)
	if !known || errA != nil || errB != nil {
		return 1
	}
	return weights.LearnPosterior(in).Probability(
		preference.Answer{A: st.Outcome(ya, lo, hi), B: st.Outcome(yb, lo, hi), Choice: choice})
}

// EffectiveParticles is the effective sample size of the particles of the preference model, and their number; both are
// 0 without an answer.
func EffectiveParticles(st sessions.State) (effective float64, particles int) {
	in := st.Input()
	if !st.HasWeightPrior() || len(in.Answers) == 0 {
		return 0, 0
	}
	q := weights.LearnPosterior(in)
	return q.EffectiveSampleSize(), len(q.Particles)
}
