package weights

import (
	"bandscope/functions/lru"
	"bandscope/functions/rng"
	"bandscope/model/preference"
	"bandscope/optimizers"
)

// particles is the number of particles that represent the posterior of the user's weights.
const particles = 2000

// posteriorCache keeps posteriors, as every answer builds on the posterior before it: after an edit of the prior, or if
// an answer was taken back, learning starts again at the first answer that differs.
var posteriorCache = lru.New[lru.Key](16<<20, func(q *preference.Posterior) int {
	return len(q.Particles) * (128 + 16*q.Objectives)
})

// LearnPosterior is the posterior of the user's weights given the answers, over both scalarizations, because assuming
// the wrong one costs most. It depends only on the prior, the answers and the session's seed.
func LearnPosterior(in optimizers.Input) *preference.Posterior {
	person := decisionMaker(in)
	lo, hi := ObjectiveRange(in)
	digest := lru.NewDigest()
	digest.Text(in.Seed, in.Objectives, person.Kinds, person.Prior, lo, hi, in.Transforms)
	keys := []lru.Key{digest.Key()} // posterior after this many answers
	for _, a := range in.Answers {
		digest.Text(a)
		keys = append(keys, digest.Key())
	}
	n := len(in.Answers)
	q, ok := posteriorCache.Get(keys[n])
	for ; !ok && n > 0; q, ok = posteriorCache.Get(keys[n]) {
		n--
	}
	if !ok {
		q = person.NewPosterior(particles, rng.New(in.Seed, 0, "particles"))
		posteriorCache.Put(keys[0], q)
	}
	for ; n < len(in.Answers); n++ {
		q = q.Update(in.Answers[n], rng.New(in.Seed, n+1, "particles"))
		posteriorCache.Put(keys[n+1], q)
	}
	return q
}

// decisionMaker is the prior of the decision maker before any answer.
func decisionMaker(in optimizers.Input) preference.DecisionMaker {
	kinds := []string{Linear, in.Params.Choice("scalarization")}
	if kinds[1] == Linear {
		kinds[1] = Tchebyshev
	}
	return preference.DecisionMaker{Kinds: kinds, Prior: checkedPrior(in), Objectives: in.Objectives,
		Outcomes:   OutcomesFor(in),
		Value:      scalarValue,
		Reciprocal: func(kind string) bool { return kind != Linear }}
}
