package weights

import (
	"fmt"
	"slices"
	"sync"

	"bandscope/functions/stream"
	"bandscope/model/preference"
	"bandscope/optimizers"
)

// LearnedParticles is how many particles tell what is known of a person's weights.
const LearnedParticles = 2000

// learned keeps what was learned last, as every answer builds on what was known before it: after an edit of the prior, and where an answer was taken back,
// it is learned anew from the first answer that differs.
var learned struct {
	mu    sync.Mutex
	known map[string]*preference.Posterior
	order []string // the last used is at the end
}

// keptPosteriors bounds what is kept: about a quarter of a megabyte each.
const keptPosteriors = 64

// Learned is what the answers tell of the person's weights: over both scalarizers, as assuming the wrong one costs most. It depends on the prior,
// the answers and the session's seed, and on nothing else.
func Learned(in optimizers.Input) *preference.Posterior {
	person := person(in)
	key := fmt.Sprint(in.Seed, in.Objectives, person.Kinds, person.Prior)
	lo, hi := Frozen(in)
	key += fmt.Sprint(lo, hi, in.Signs)
	keys := []string{key}
	for _, a := range in.Answers {
		key += fmt.Sprint(a)
		keys = append(keys, key)
	}
	n := len(in.Answers)
	var q *preference.Posterior
	for ; n >= 0 && q == nil; n-- {
		q = known(keys[n])
	}
	if q == nil {
		q = person.Begin(LearnedParticles, stream.New(in.Seed, 0, "particles"))
		keep(keys[0], q)
	} else {
		n++
	}
	for n = max(n, 0); n < len(in.Answers); n++ {
		q = q.Learn(in.Answers[n], stream.New(in.Seed, n+1, "particles"))
		keep(keys[n+1], q)
	}
	return q
}

// person is what is known of a person before any answer.
func person(in optimizers.Input) preference.Person {
	kinds := []string{Linear, in.Params.Choice("scalarization")}
	if kinds[1] == Linear {
		kinds[1] = Tchebyshev
	}
	return preference.Person{Kinds: kinds, Prior: checkedPrior(in), Objectives: in.Objectives, At: OutcomesOf(in), Value: scalarValue,
		Reciprocal: func(kind string) bool { return kind != Linear }}
}

func known(key string) *preference.Posterior {
	learned.mu.Lock()
	defer learned.mu.Unlock()
	q := learned.known[key]
	if i := slices.Index(learned.order, key); i >= 0 {
		learned.order = append(slices.Delete(learned.order, i, i+1), key)
	}
	return q
}

func keep(key string, q *preference.Posterior) {
	learned.mu.Lock()
	defer learned.mu.Unlock()
	if learned.known == nil {
		learned.known = map[string]*preference.Posterior{}
	}
	if learned.known[key] == nil {
		learned.order = append(learned.order, key)
	}
	learned.known[key] = q
	if len(learned.order) > keptPosteriors {
		delete(learned.known, learned.order[0])
		learned.order = slices.Delete(learned.order, 0, 1)
	}
}
