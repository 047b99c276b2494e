// Package preference learns from answers which of two outcomes the user prefers: a posterior over scalarizations and
// weights, represented by weighted particles that are resampled and moved with each answer, from a prior that stays
// separate. Outcomes are in [0, 1], 1 being best. It computes samples, densities and the information gain of a
// question. The caller defines how weights combine several objectives, and chooses and asks the questions.
package preference

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Choice is an answer to "which of these two?".
type Choice int

// The answers.
const (
	B   Choice = -1
	Tie Choice = 0
	A   Choice = 1
)

// Answer is one comparison of two outcomes.
type Answer struct {
	A, B   []float64
	Choice Choice
}

// Scalarization is one way to combine several outcomes into one value.
type Scalarization struct {
	Kind      string
	Weights   []float64 // λ, which sum to 1
	Reference []float64 // the outcomes with value 0; nil: all 0
}

// Particle is a hypothetical user: a scalarization with its weights, and the noise of the answers.
type Particle struct {
	Scalarization
	Part int     // part of the prior with these weights
	Tau  float64 // noise of the difference of values, relative to the scale of the scalarization
	Mass float64 // posterior probability; the sum over all particles is 1

	likelihood float64 // logarithm of the likelihood of all answers
}

// The model of an answer: a lapse chooses at random, and values that differ by less than a threshold tend to a tie (Rao
// & Kupper 1967). The threshold is proportional to τ: a user who never finds two outcomes equal also notices small
// differences, so that a user with a smooth value function is not confused with one with a sharp one.
const (
	lapseRate = 0.02
	threshold = 0.5 // in units of τ
	medianTau = 0.05
	spreadTau = 1.0 // of log τ
)

// Value is the value of an outcome under a scalarization: a better outcome has at least the same value.
type Value func(s Scalarization, outcome []float64) float64

// DecisionMaker is the prior over users before any answer.
type DecisionMaker struct {
	Kinds      []string // the possible scalarizations of the user, equally likely
	Prior      Prior
	Objectives int
	Reciprocal func(kind string) bool // whether a kind aims at outcomes in proportion to the reciprocal of its weights
	Outcomes   Outcomes
	Value      Value
}

// Posterior is the posterior over users after some answers. It is immutable.
type Posterior struct {
	DecisionMaker
	Particles []Particle
	Moves     int // how often the particles were resampled and moved

	answers []Answer
	ones    []float64
	zeros   []float64
}

// NewPosterior draws count particles from the prior, by turns of each kind.
func (p DecisionMaker) NewPosterior(count int, rng *rand.Rand) *Posterior {
	q := &Posterior{DecisionMaker: p, Particles: make([]Particle, count), zeros: make([]float64, p.Objectives),
		ones: slices.Repeat([]float64{1}, p.Objectives)}
	for i := range q.Particles {
		kind := p.Kinds[i%len(p.Kinds)]
		s, part := p.Prior.DrawPart(p.Objectives, p.Reciprocal(kind), p.Outcomes, rng)
		s.Kind = kind
		q.Particles[i] = Particle{Scalarization: s, Part: part, Tau: medianTau * math.Exp(spreadTau*rng.NormFloat64()),
			Mass: 1 / float64(count)}
	}
	return q
}

// Update weighs the particles by one more answer. If the effective sample size falls below half of their number, they
// are resampled systematically and moved with respect to the whole posterior (Gilks & Berzuini 2001), so that the
// posterior after an answer is a function of the answers and the random streams alone.
func (q *Posterior) Update(a Answer, rng *rand.Rand) *Posterior {
	next := *q
	next.answers = append(slices.Clip(q.answers), a)
	next.Particles = slices.Clone(q.Particles)
	sum := 0.0
	for i := range next.Particles {
		p := &next.Particles[i]
		l := next.probability(p, a, next.scale(p))
		p.likelihood += math.Log(l)
		p.Mass *= l
		sum += p.Mass
	}
	for i := range next.Particles {
		next.Particles[i].Mass /= sum
	}
	if next.EffectiveSampleSize() < float64(len(next.Particles))/2 {
		next.Particles = systematic(next.Particles, len(next.Particles), rng.Float64())
		next.move(rng)
		next.Moves++
	}
	return &next
}

// The proposals of a move: steps of log λ and log τ of these sizes, in turns; at random, with the other kind of
// scalarization, or another part of the prior.
var moveScales = [...]float64{0.15, 0.4, 1}

const (
	flipChance = 0.2
	tauStep    = 0.7 // of a step of log τ, in units of one of log λ
)

// move makes Metropolis steps of every particle: symmetric ones in log λ, up to the factor that makes the weights sum
// to 1, and log τ. A density of λ becomes one of log λ by the Jacobian Π λ.
func (q *Posterior) move(rng *rand.Rand) {
	for i := range q.Particles {
		p := &q.Particles[i]
		density := q.density(p)
		for _, size := range moveScales {
			next := q.propose(p, size, rng)
			d := q.density(&next)
			if math.IsInf(d, -1) {
				continue
			}
			next.likelihood = q.likelihood(&next)
			if math.Log(rng.Float64()) < d+next.likelihood-density-p.likelihood {
				*p, density = next, d
			}
		}
	}
}

// propose is a particle near another. The other kind of scalarization gets about the same preferred outcomes with the
// reciprocal of the weights.
func (q *Posterior) propose(p *Particle, size float64, rng *rand.Rand) Particle {
	next := *p
	sign := 1.0
	if len(q.Kinds) > 1 && rng.Float64() < flipChance {
		next.Kind = q.Kinds[(slices.Index(q.Kinds, p.Kind)+1+rng.IntN(len(q.Kinds)-1))%len(q.Kinds)]
		if q.Reciprocal(next.Kind) != q.Reciprocal(p.Kind) {
			sign = -1
		}
	}
	if len(q.Prior) > 1 && rng.Float64() < flipChance {
		next.Part = rng.IntN(len(q.Prior))
	}
	next.Reference = q.Prior.reference(next.Part, q.Objectives, q.Outcomes)
	next.Weights = make([]float64, len(p.Weights))
	sum := 0.0
	for k, w := range p.Weights {
		next.Weights[k] = math.Exp(sign*math.Log(w) + size*rng.NormFloat64())
		sum += next.Weights[k]
	}
	for k := range next.Weights {
		next.Weights[k] /= sum
	}
	next.Tau *= math.Exp(tauStep * size * rng.NormFloat64())
	return next
}

// density is the logarithm of the prior density of log λ and log τ, up to a constant.
func (q *Posterior) density(p *Particle) float64 {
	z := math.Log(p.Tau/medianTau) / spreadTau
	d := q.Prior.LogDensity(p.Part, p.Weights, q.Reciprocal(p.Kind), q.Outcomes) - z*z/2
	for _, w := range p.Weights {
		d += math.Log(w)
	}
	if math.IsNaN(d) {
		return math.Inf(-1)
	}
	return d
}

// likelihood is the log likelihood of all answers.
func (q *Posterior) likelihood(p *Particle) float64 {
	scale := q.scale(p)
	sum := 0.0
	product := 1.0
	for i, a := range q.answers {
		product *= q.probability(p, a, scale)
		if i%32 == 31 { // long before it underflows
			sum, product = sum+math.Log(product), 1
		}
	}
	return sum + math.Log(product)
}

// scale is the value of the best outcome minus that of the worst: it gives τ the same meaning for all weights.
func (q *Posterior) scale(p *Particle) float64 {
	return math.Max(q.Value(p.Scalarization, q.ones)-q.Value(p.Scalarization, q.zeros), 1e-12)
}

// probability is the probability of an answer.
func (q *Posterior) probability(p *Particle, a Answer, scale float64) float64 {
	return p.answerProbabilities((q.Value(p.Scalarization, a.A) - q.Value(p.Scalarization, a.B)) / scale)[a.Choice+1]
}

// answerProbabilities are the probabilities of B, a tie and A if A is better by d.
func (p *Particle) answerProbabilities(d float64) [3]float64 {
	first, second := logistic(d/p.Tau-threshold), logistic(-d/p.Tau-threshold)
	tie := math.Max(1-first-second, 0)
	return [3]float64{lapseRate/3 + (1-lapseRate)*second, lapseRate/3 + (1-lapseRate)*tie,
		lapseRate/3 + (1-lapseRate)*first}
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Probability is the probability of an answer under the posterior.
func (q *Posterior) Probability(a Answer) float64 {
	sum := 0.0
	for i := range q.Particles {
		p := &q.Particles[i]
		sum += p.Mass * q.probability(p, a, q.scale(p))
	}
	return sum
}

// gainParticles is the number of particles, chosen systematically by their mass, that estimate an information gain.
const gainParticles = 500

// subsample returns at most n particles that represent all, each with the same mass.
func (q *Posterior) subsample(n int) []Particle {
	if len(q.Particles) <= n {
		return q.Particles
	}
	return systematic(q.Particles, n, 0.5)
}

// systematic draws n particles of the same mass at equal distances of the sum of the masses, the first at a part of one
// (Kitagawa 1996).
func systematic(particles []Particle, n int, first float64) []Particle {
	out := make([]Particle, 0, n)
	target, sum := first/float64(n), 0.0
	for i := range particles {
		for sum += particles[i].Mass; target < sum && len(out) < n; target += 1 / float64(n) {
			out = append(out, particles[i])
		}
	}
	for len(out) < n { // by rounding
		out = append(out, particles[len(particles)-1])
	}
	for i := range out {
		out[i].Mass = 1 / float64(n)
	}
	return out
}

// InformationGains is the expected information, in nats, of answers about pairs of outcomes: H(E p) − E H(p),
// symmetric, and 0 on the diagonal.
func (q *Posterior) InformationGains(outcomes [][]float64) [][]float64 {
	n := len(outcomes)
	mean, expected := make([][3]float64, n*n), make([]float64, n*n)
	values := make([]float64, n)
	particles := q.subsample(gainParticles)
	for i := range particles {
		p := &particles[i]
		scale := q.scale(p)
		for j, u := range outcomes {
			values[j] = q.Value(p.Scalarization, u) / scale
		}
		for a := range n {
			for b := range a {
				for c, v := range p.answerProbabilities(values[a] - values[b]) {
					mean[a*n+b][c] += p.Mass * v
					expected[a*n+b] -= p.Mass * v * math.Log(v)
				}
			}
		}
	}
	gains := make([][]float64, n)
	for a := range gains {
		gains[a] = make([]float64, n)
		for b := range a {
			entropy := 0.0
			for _, v := range mean[a*n+b] {
				entropy -= v * math.Log(math.Max(v, 1e-300))
			}
			gains[a][b] = entropy - expected[a*n+b]
			gains[b][a] = gains[a][b]
		}
	}
	return gains
}

// EffectiveSampleSize is the effective number of particles, 1/Σm².
func (q *Posterior) EffectiveSampleSize() float64 {
	sum := 0.0
	for _, p := range q.Particles {
		sum += p.Mass * p.Mass
	}
	return 1 / sum
}

// SampleParticle samples one particle by its mass.
func (q *Posterior) SampleParticle(rng *rand.Rand) Particle {
	u := rng.Float64()
	for _, p := range q.Particles {
		u -= p.Mass
		if u < 0 {
			return p
		}
	}
	return q.Particles[len(q.Particles)-1]
}
