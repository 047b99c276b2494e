package weights

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"bandscope/functions/lru"
	"bandscope/model/preference"
	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// A linear person and one whose least objective decides are known after twelve answers, by particles that stay many;
// taking an answer back gives what was known without it, and an edit of the prior what would be known had it been so
// from the beginning.
func TestPersons(t *testing.T) {
	for _, kind := range []string{Linear, Tchebyshev} {
		var last []float64
		for seed := range uint64(3) {
			in := testbed.InputFor(t, steered, 2, optimizers.Data{})
			in.Objectives, in.Seed = 2, seed
			s := simulate(kind, 2, 0, seed)
			s.front = s.front[:14]
			errs, least := s.learn(in, 12)
			if least < particles/4 {
				t.Errorf("%s, person %d: down to %.0f effective particles", kind, seed, least)
			}
			last = append(last, errs[11])
		}
		slices.Sort(last)
		if last[1] > 0.05 {
			t.Errorf("%s: the errors after twelve answers are %.3f", kind, last)
		}
	}
}

func TestLearnedIsAFunctionOfTheAnswers(t *testing.T) {
	in := testbed.InputFor(t, steered, 2, optimizers.Data{})
	in.Objectives, in.Seed = 2, 77
	for i := range 9 {
		angle := 1.5 * float64(i) / 9
		in.Answers = append(in.Answers, preference.Answer{A: []float64{math.Cos(angle), math.Sin(angle)}, B: []float64{1, 0},
			Choice: preference.Choice(i%3 - 1)})
	}
	whole := LearnPosterior(in)
	input := in
	input.Answers = slices.Delete(slices.Clone(in.Answers), 4, 5)
	without := LearnPosterior(input)
	flat := in
	in.Params, _ = in.Params.WithText("prior", "dirichlet(3)")
	edited := LearnPosterior(in)
	if again := LearnPosterior(flat); again != whole {
		t.Error("the same answers are learned twice")
	}
	before := posteriorCache
	defer func() { posteriorCache = before }()
	posteriorCache = lru.New[lru.Key](1<<30, func(*preference.Posterior) int { return 1 }) // as in another process
	for i, c := range []struct {
		in   optimizers.Input
		want *preference.Posterior
	}{{input, without}, {in, edited}, {flat, whole}} {
		if got := LearnPosterior(c.in); !slices.EqualFunc(got.Particles, c.want.Particles,
			func(a, b preference.Particle) bool {
				return a.Kind == b.Kind && a.Tau == b.Tau && a.Mass == b.Mass && slices.Equal(a.Weights, b.Weights)
			}) {
			t.Errorf("%d: it depends on what was learned before", i)
		}
	}
	if slices.EqualFunc(whole.Particles, edited.Particles, func(a, b preference.Particle) bool {
		return a.Mass == b.Mass && slices.Equal(a.Weights, b.Weights)
	}) {
		t.Error("the prior makes no difference")
	}
}

// simulated is a person who answers questions about outcomes on a front that is a part of a sphere.
type simulated struct {
	truth preference.Scalarization
	wrong float64 // how often the answer is the other one
	front [][]float64
	rng   *rand.Rand
}

func simulate(kind string, objectives int, wrong float64, seed uint64) *simulated {
	s := &simulated{wrong: wrong, rng: rand.New(rand.NewPCG(seed, 9))}
	s.truth = preference.Scalarization{Kind: kind, Weights: make([]float64, objectives)}
	for k := range s.truth.Weights {
		s.truth.Weights[k] = s.rng.ExpFloat64()
	}
	floats.Scale(1/floats.Sum(s.truth.Weights), s.truth.Weights)
	for range 40 {
		u := make([]float64, objectives)
		for k := range u {
			u[k] = math.Abs(s.rng.NormFloat64())
		}
		floats.Scale(1/floats.Norm(u, 2), u)
		s.front = append(s.front, u)
	}
	return s
}

// aim is the outcome on the sphere that a scalarization is greatest at: u in proportion to λ for the sum, to 1/λ for
// the least.
func aim(s preference.Scalarization) []float64 {
	u := slices.Clone(s.Weights)
	for k := range u {
		if s.Kind != Linear {
			u[k] = 1 / math.Max(u[k], 1e-12)
		}
	}
	floats.Scale(1/floats.Norm(u, 2), u)
	return u
}

// learn asks the questions that tell most, and returns the error after some numbers of answers: how far, in outcomes,
// it is from where the person aims to the mean of where the particles do, and the least effective number of particles.
func (s *simulated) learn(in optimizers.Input, answers int) (errs []float64, least float64) {
	least = math.Inf(1)
	asked := map[[2]int]bool{}
	for range answers {
		gains := LearnPosterior(in).InformationGains(s.front)
		best, pair := -1.0, [2]int{}
		for a := range gains {
			for b := range a {
				if gains[a][b] > best && !asked[[2]int{a, b}] {
					best, pair = gains[a][b], [2]int{a, b}
				}
			}
		}
		asked[pair] = true
		answer := preference.Answer{A: s.front[pair[0]], B: s.front[pair[1]], Choice: preference.A}
		if scalarValue(s.truth, answer.A) < scalarValue(s.truth, answer.B) {
			answer.Choice = preference.B
		}
		if s.rng.Float64() < s.wrong {
			answer.Choice *= -1
		}
		in.Answers = append(slices.Clip(in.Answers), answer)
		q := LearnPosterior(in)
		mean := make([]float64, in.Objectives)
		for _, p := range q.Particles {
			floats.AddScaled(mean, p.Mass, aim(p.Scalarization))
		}
		errs, least = append(errs, floats.Distance(mean, aim(s.truth), 2)), math.Min(least, q.EffectiveSampleSize())
	}
	return errs, least
}
