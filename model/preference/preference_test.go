package preference

import (
	"math"
	"math/rand/v2"
	"testing"
)

// linear and least are the two kinds of person in the tests.
func value(s Scalarization, u []float64) float64 {
	w := s.Weights
	if s.Kind == "linear" {
		return w[0]*u[0] + w[1]*u[1]
	}
	return math.Min(w[0]*u[0], w[1]*u[1])
}

func flat(rng *rand.Rand) func(string) Scalarization {
	return func(kind string) Scalarization {
		l := rng.Float64()
		return Scalarization{Kind: kind, Weights: []float64{l, 1 - l}}
	}
}

var fixed = [][]float64{{0, 1}, {0.3, 0.95}, {0.7, 0.7}, {0.95, 0.3}, {1, 0}}

// The posterior of two objectives against a grid over λ, kind and log τ.
func TestAgainstAGrid(t *testing.T) {
	answers := []Answer{{[]float64{0.9, 0.3}, []float64{0.3, 0.9}, A}, {[]float64{0.6, 0.7}, []float64{1, 0}, A}, {[]float64{0.7, 0.65}, []float64{0.65, 0.7}, Tie}}
	rng := rand.New(rand.NewPCG(1, 1))
	particles := Learn([]string{"linear", "least"}, flat(rng), value, fixed, answers, 60000, rng)
	mean, linear := 0.0, 0.0
	for _, p := range particles {
		mean += p.Mass * p.Weights[0]
		if p.Kind == "linear" {
			linear += p.Mass
		}
	}
	var total, wantMean, wantLinear float64
	for _, kind := range []string{"linear", "least"} {
		for i := range 400 {
			l := (float64(i) + 0.5) / 400
			for z := -4.0; z <= 4; z += 0.05 {
				p := Particle{Scalarization: Scalarization{Kind: kind, Weights: []float64{l, 1 - l}}, Tau: medianTau * math.Exp(spreadTau*z)}
				m := math.Exp(-z * z / 2)
				lo, hi := p.span(value, fixed, answers)
				for _, a := range answers {
					m *= p.likelihood(value, a, lo, hi)
				}
				total, wantMean = total+m, wantMean+m*l
				if kind == "linear" {
					wantLinear += m
				}
			}
		}
	}
	if math.Abs(mean-wantMean/total) > 0.01 || math.Abs(linear-wantLinear/total) > 0.02 {
		t.Errorf("mean λ₁ %g and %g of linear; by a grid %g and %g", mean, linear, wantMean/total, wantLinear/total)
	}
}

// Answers of a known person bring the posterior to that person, and contradict what that person would never say.
func TestLearnsAPerson(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	truth := Scalarization{Kind: "linear", Weights: []float64{0.8, 0.2}}
	var answers []Answer
	for range 15 {
		a, b := []float64{rng.Float64(), rng.Float64()}, []float64{rng.Float64(), rng.Float64()}
		c := A
		if value(truth, a) < value(truth, b) {
			c = B
		}
		answers = append(answers, Answer{a, b, c})
	}
	particles := Learn([]string{"linear", "least"}, flat(rng), value, fixed, answers, 20000, rng)
	mean, linear := 0.0, 0.0
	for _, p := range particles {
		if p.Kind == "linear" {
			linear += p.Mass
			mean += p.Mass * p.Weights[0]
		}
	}
	if linear < 0.8 || math.Abs(mean/linear-0.8) > 0.12 {
		t.Errorf("linear with %.2f, λ₁ = %.2f", linear, mean/linear)
	}
	sure := Answer{[]float64{0.9, 0.2}, []float64{0.1, 0.5}, B}
	if p := Probability(particles, value, fixed, sure); p > 0.15 {
		t.Errorf("a contradiction has probability %g", p)
	}
	if Effective(particles) < 100 {
		t.Errorf("%g effective particles", Effective(particles))
	}
}

// Before any answer all particles weigh the same; a question between an outcome and itself brings next to nothing, one between opposites more.
func TestGain(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	particles := Learn([]string{"linear"}, flat(rng), value, fixed, nil, 2000, rng)
	if e := Effective(particles); math.Abs(e-2000) > 1e-6 {
		t.Errorf("%g effective particles", e)
	}
	same, apart := Gain(particles, value, fixed, []float64{0.5, 0.5}, []float64{0.5, 0.5}), Gain(particles, value, fixed, []float64{1, 0}, []float64{0, 1})
	if same > 0.1 || apart < 5*same || apart > math.Log(3) {
		t.Errorf("the same outcome brings %g, opposites %g", same, apart)
	}
	sum := 0.0
	for _, c := range []Choice{A, B, Tie} {
		sum += Probability(particles, value, fixed, Answer{[]float64{0.2, 0.9}, []float64{0.8, 0.1}, c})
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the answers' probabilities sum to %g", sum)
	}
}
