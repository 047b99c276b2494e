package preference

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// linear and least are the two kinds of person in the tests.
func value(s Scalarization, u []float64) float64 {
	least, sum := math.Inf(1), 0.0
	for k, w := range s.Weights {
		least, sum = min(least, w*u[k]), sum+w*u[k]
	}
	if s.Kind == "linear" {
		return sum
	}
	return least
}

func flat(rng *rand.Rand) func(string) Scalarization {
	return func(kind string) Scalarization {
		l := rng.Float64()
		return Scalarization{Kind: kind, Weights: []float64{l, 1 - l}}
	}
}

var fixed = [][]float64{{0, 1}, {0.3, 0.95}, {0.7, 0.7}, {0.95, 0.3}, {1, 0}}

// The posterior of two and of three objectives against grids over λ, kind and log τ.
func TestAgainstAGrid(t *testing.T) {
	edge, triangle := make([][]float64, 0, 400), make([][]float64, 0, 1225)
	for i := range 400 {
		l := (float64(i) + 0.5) / 400
		edge = append(edge, []float64{l, 1 - l})
	}
	for i := range 49 { // midpoints of a partition into small triangles of equal area, upright ones and, between them, inverted ones
		for j := range 49 - i {
			for up := range 2 {
				a, b := (float64(i)+float64(1+up)/3)/49, (float64(j)+float64(1+up)/3)/49
				if a+b < 1 {
					triangle = append(triangle, []float64{a, b, 1 - a - b})
				}
			}
		}
	}
	for _, c := range []struct {
		name    string
		grid    [][]float64
		fixed   [][]float64
		answers []Answer
	}{
		{"two", edge, fixed, []Answer{
			{[]float64{0.9, 0.3}, []float64{0.3, 0.9}, A},
			{[]float64{0.6, 0.7}, []float64{1, 0}, A},
			{[]float64{0.7, 0.65}, []float64{0.65, 0.7}, Tie},
		}},
		{"three", triangle, [][]float64{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0.6, 0.6, 0.5}}, []Answer{
			{[]float64{0.9, 0.3, 0.2}, []float64{0.3, 0.9, 0.4}, A},
			{[]float64{0.5, 0.6, 0.4}, []float64{1, 0.1, 0.2}, A},
			{[]float64{0.2, 0.8, 0.3}, []float64{0.3, 0.2, 0.8}, B},
		}},
	} {
		t.Run(c.name, func(t *testing.T) { againstAGrid(t, c.grid, c.fixed, c.answers) })
	}
}

func againstAGrid(t *testing.T, grid, fixed [][]float64, answers []Answer) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	everywhere := func(kind string) Scalarization {
		w, sum := make([]float64, len(grid[0])), 0.0
		for k := range w {
			w[k] = rng.ExpFloat64()
			sum += w[k]
		}
		for k := range w {
			w[k] /= sum
		}
		return Scalarization{Kind: kind, Weights: w}
	}
	mean, want := make([]float64, len(grid[0])), make([]float64, len(grid[0]))
	var linear, wantLinear, total float64
	for _, p := range Learn([]string{"linear", "least"}, everywhere, value, fixed, answers, 60000, rng) {
		floats.AddScaled(mean, p.Mass, p.Weights)
		if p.Kind == "linear" {
			linear += p.Mass
		}
	}
	for _, kind := range []string{"linear", "least"} {
		for _, weights := range grid {
			for z := -4.0; z <= 4; z += 0.1 {
				p := Particle{Scalarization: Scalarization{Kind: kind, Weights: weights}, Tau: medianTau * math.Exp(spreadTau*z)}
				m := math.Exp(-z * z / 2)
				lo, hi := p.span(value, fixed, answers)
				for _, a := range answers {
					m *= p.likelihood(value, a, lo, hi)
				}
				total += m
				floats.AddScaled(want, m, weights)
				if kind == "linear" {
					wantLinear += m
				}
			}
		}
	}
	floats.Scale(1/total, want)
	if !floats.EqualApprox(mean, want, 0.01) || math.Abs(linear-wantLinear/total) > 0.02 {
		t.Errorf("mean λ %.4f and %.4f of linear; by a grid %.4f and %.4f", mean, linear, want, wantLinear/total)
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
