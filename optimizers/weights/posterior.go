package weights

import (
	"bandscope/functions/lru"
	"bandscope/functions/rng"
	"bandscope/model/preference"
	"bandscope/optimizers"
)

// particles is how many particles tell what is known of a person's weights.
const particles = 2000

// posteriorCache keeps what was posteriorCache, as every answer builds on what was known before it: after an edit of
// the prior, and where an answer was taken back, it is learned anew from the first answer that differs.
var posteriorCache = lru.New[lru.Key](16<<20, func(q *preference.Posterior) int {
	return len(q.Particles) * (128 + 16*q.Objectives)
})

// LearnPosterior is what the answers tell of the person's weights: over both scalarizers, as assuming the wrong one
// costs most. It depends on the prior, the answers and the session's seed, and on nothing else.
func LearnPosterior(in optimizers.Input) *preference.Posterior {
	person := decisionMaker(in)
	lo, hi := ObjectiveRange(in)
	digest := lru.NewDigest()
	digest.Text(in.Seed, in.Objectives, person.Kinds, person.Prior, lo, hi, in.Transforms)
	keys := []lru.Key{digest.Key()} // of what is known after so many answers
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

// decisionMaker is what is known of a decisionMaker before any answer.
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
