// Package preference learns from answers which of two outcomes is preferred: a posterior over scalarizations and weights by weighted
// particles (importance sampling from the prior, so that prior and answers stay separate layers). Outcomes are in [0, 1], 1 being best.
package preference

import (
	"math"
	"math/rand/v2"
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

// Scalarization is one way to make one value of several outcomes.
type Scalarization struct {
	Kind    string
	Weights []float64 // λ, which sum to 1
	Zero    []float64 // the outcomes from which values count; nil counts from 0
}

// Particle is one person that might be: a scalarization with its weights, and how noisy the answers are.
type Particle struct {
	Scalarization
	Tau  float64 // of the difference of values, which range over 1
	Mass float64 // posterior probability, of all particles 1
}

// The model of an answer: a lapse chooses at random; values that are closer than a threshold, in units of their range, tend to a tie.
const (
	lapse     = 0.02
	threshold = 0.05
	medianTau = 0.1
	spreadTau = 0.7 // of log τ
)

// Value is the value of an outcome under a scalarization.
type Value func(s Scalarization, outcome []float64) float64

// Learn draws count particles from the prior, by turns of each kind, and weighs them by the answers. Values are scaled to [0, 1] over some
// fixed outcomes, so that τ means the same for all weights.
func Learn(kinds []string, draw func(kind string) Scalarization, value Value, fixed [][]float64, answers []Answer, count int, rng *rand.Rand) []Particle {
	particles := make([]Particle, count)
	most := math.Inf(-1)
	for i := range particles {
		p := &particles[i]
		p.Scalarization = draw(kinds[i%len(kinds)])
		p.Tau = medianTau * math.Exp(spreadTau*rng.NormFloat64())
		p.Mass = 0
		if len(answers) == 0 {
			most = 0
			continue
		}
		lo, hi := p.span(value, fixed, answers)
		for _, a := range answers {
			p.Mass += math.Log(p.likelihood(value, a, lo, hi))
		}
		most = math.Max(most, p.Mass)
	}
	sum := 0.0
	for i := range particles {
		particles[i].Mass = math.Exp(particles[i].Mass - most)
		sum += particles[i].Mass
	}
	for i := range particles {
		particles[i].Mass /= sum
	}
	return particles
}

// span is the range of the values over the fixed outcomes, or over those of the answers where there are none.
func (p *Particle) span(value Value, fixed [][]float64, answers []Answer) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	see := func(u []float64) {
		v := value(p.Scalarization, u)
		lo, hi = math.Min(lo, v), math.Max(hi, v)
	}
	for _, u := range fixed {
		see(u)
	}
	if !(hi > lo) {
		for _, a := range answers {
			see(a.A)
			see(a.B)
		}
	}
	if !(hi > lo) {
		return 0, 1
	}
	return lo, hi
}

// likelihood is the probability of an answer.
func (p *Particle) likelihood(value Value, a Answer, lo, hi float64) float64 {
	d := (value(p.Scalarization, a.A) - value(p.Scalarization, a.B)) / (hi - lo)
	first, second := logistic((d-threshold)/p.Tau), logistic((-d-threshold)/p.Tau)
	q := 1 - first - second
	switch a.Choice {
	case A:
		q = first
	case B:
		q = second
	}
	return lapse/3 + (1-lapse)*math.Max(q, 0)
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Probability is that of an answer under the particles.
func Probability(particles []Particle, value Value, fixed [][]float64, a Answer) float64 {
	sum := 0.0
	for i := range particles {
		lo, hi := particles[i].span(value, fixed, []Answer{a})
		sum += particles[i].Mass * particles[i].likelihood(value, a, lo, hi)
	}
	return sum
}

// Gain is the information, in nats, that an answer about two outcomes is expected to bring: H(E p) − E H(p).
func Gain(particles []Particle, value Value, fixed [][]float64, a, b []float64) float64 {
	var mean [3]float64
	expected := 0.0
	for i := range particles {
		p := &particles[i]
		lo, hi := p.span(value, fixed, []Answer{{A: a, B: b}})
		for c := range 3 {
			q := p.likelihood(value, Answer{a, b, Choice(c - 1)}, lo, hi)
			mean[c] += p.Mass * q
			expected -= p.Mass * q * math.Log(q)
		}
	}
	entropy := 0.0
	for _, q := range mean {
		entropy -= q * math.Log(math.Max(q, 1e-300))
	}
	return entropy - expected
}

// Effective is the effective number of particles, 1/Σm².
func Effective(particles []Particle) float64 {
	sum := 0.0
	for _, p := range particles {
		sum += p.Mass * p.Mass
	}
	return 1 / sum
}

// Pick draws one particle by its mass.
func Pick(particles []Particle, rng *rand.Rand) Particle {
	at := rng.Float64()
	for _, p := range particles {
		if at -= p.Mass; at < 0 {
			return p
		}
	}
	return particles[len(particles)-1]
}
