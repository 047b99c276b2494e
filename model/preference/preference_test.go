package preference

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
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

// person is one of the tests, with a flat prior.
func person(objectives int, prior string) DecisionMaker {
	p, err := ParsePrior(prior, nil)
	if err != nil {
		panic(err)
	}
	return DecisionMaker{Kinds: []string{"linear", "least"}, Prior: p, Objectives: objectives, Outcomes: plain,
		Value:      value,
		Reciprocal: func(kind string) bool { return kind != "linear" }}
}

// learn learns answers with streams of a seed.
func learn(p DecisionMaker, answers []Answer, count int, seed uint64) *Posterior {
	q := p.NewPosterior(count, rand.New(rand.NewPCG(seed, 0)))
	for i, a := range answers {
		q = q.Update(a, rand.New(rand.NewPCG(seed, uint64(i+1))))
	}
	return q
}

// grids of the simplex: the midpoints of equal parts of an edge, or of a triangle, upright ones and, between them,
// inverted ones.
func edge(n int) [][]float64 {
	var grid [][]float64
	for i := range n {
		l := (float64(i) + 0.5) / float64(n)
		grid = append(grid, []float64{l, 1 - l})
	}
	return grid
}

func triangle(n int) [][]float64 {
	var grid [][]float64
	for i := range n {
		for j := range n - i {
			for up := range 2 {
				a, b := (float64(i)+float64(1+up)/3)/float64(n), (float64(j)+float64(1+up)/3)/float64(n)
				if a+b < 1 {
					grid = append(grid, []float64{a, b, 1 - a - b})
				}
			}
		}
	}
	return grid
}

// onSphere are answers of a person about outcomes on a front that is a part of a sphere.
func onSphere(truth Scalarization, count int, rng *rand.Rand) []Answer {
	var answers []Answer
	for range count {
		var pair [2][]float64
		for i := range pair {
			for range truth.Weights {
				pair[i] = append(pair[i], math.Abs(rng.NormFloat64()))
			}
			floats.Scale(1/floats.Norm(pair[i], 2), pair[i])
		}
		a := Answer{pair[0], pair[1], A}
		if value(truth, pair[0]) < value(truth, pair[1]) {
			a.Choice = B
		}
		answers = append(answers, a)
	}
	return answers
}

// The posterior of two and of three objectives, under several priors and after few and many answers, against grids over
// λ, kind and log τ: that of many answers was resampled and moved several times.
func TestAgainstAGrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, c := range []struct {
		name    string
		prior   string
		grid    [][]float64
		answers []Answer
		moves   int // at least
	}{
		{"two", "flat", edge(400), []Answer{
			{[]float64{0.9, 0.3}, []float64{0.3, 0.9}, A},
			{[]float64{0.6, 0.7}, []float64{1, 0}, A},
			{[]float64{0.7, 0.65}, []float64{0.65, 0.7}, Tie},
		}, 0},
		{"two, many", "flat", edge(400), onSphere(Scalarization{"linear", []float64{0.7, 0.3}, nil}, 25, rng), 2},
		{"two, the least, many", "dirichlet(2, 1)", edge(400),
			onSphere(Scalarization{"least", []float64{0.3, 0.7}, nil}, 25, rng), 2},
		{"two, boxes", "0.3 box(0.2..0.6, 0.7..0.9) + 0.7 half-normal", edge(400),
			onSphere(Scalarization{"least", []float64{0.6, 0.4}, nil}, 12, rng), 1},
		{"three", "flat", triangle(49), []Answer{
			{[]float64{0.9, 0.3, 0.2}, []float64{0.3, 0.9, 0.4}, A},
			{[]float64{0.5, 0.6, 0.4}, []float64{1, 0.1, 0.2}, A},
			{[]float64{0.2, 0.8, 0.3}, []float64{0.3, 0.2, 0.8}, B},
		}, 0},
		{"three, many", "flat", triangle(48),
			onSphere(Scalarization{"linear", []float64{0.5, 0.2, 0.3}, nil}, 20, rng), 2},
		{"three, the least, many", "half-normal", triangle(48),
			onSphere(Scalarization{"least", []float64{0.25, 0.2, 0.55}, nil}, 20, rng), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := learn(person(len(c.grid[0]), c.prior), c.answers, 20000, 1)
			if q.Moves < c.moves || q.EffectiveSampleSize() < 9000 {
				t.Errorf("%d moves, %g effective particles", q.Moves, q.EffectiveSampleSize())
			}
			againstAGrid(t, q, c.grid, c.answers)
		})
	}
}

// againstAGrid compares the means and the deviations of λ, of log τ, and the share of linear persons.
func againstAGrid(t *testing.T, q *Posterior, grid [][]float64, answers []Answer) {
	t.Helper()
	moments := func(into []float64, p *Particle, mass float64) {
		for k, w := range p.Weights {
			into[2*k] += mass * w
			into[2*k+1] += mass * w * w
		}
		n := len(into)
		into[n-2] += mass * math.Log(p.Tau)
		if p.Kind == "linear" {
			into[n-1] += mass
		}
	}
	got, want := make([]float64, 2*len(grid[0])+2), make([]float64, 2*len(grid[0])+2)
	for i := range q.Particles {
		moments(got, &q.Particles[i], q.Particles[i].Mass)
	}
	total := 0.0
	for _, kind := range q.Kinds {
		for _, weights := range grid {
			prior := 0.0
			for part := range q.Prior {
				prior += math.Exp(q.Prior.LogDensity(part, weights, q.Reciprocal(kind), q.Outcomes))
			}
			for z := -4.0; z <= 4; z += 0.2 {
				p := Particle{Scalarization: Scalarization{Kind: kind, Weights: weights},
					Tau: medianTau * math.Exp(spreadTau*z)}
				best, worst := slices.Repeat([]float64{1}, len(weights)), make([]float64, len(weights))
				m := prior * math.Exp(-z*z/2)
				for _, a := range answers {
					d := (value(p.Scalarization, a.A) - value(p.Scalarization, a.B)) /
						(value(p.Scalarization, best) - value(p.Scalarization, worst))
					first, second := 1/(1+math.Exp(0.5-d/p.Tau)), 1/(1+math.Exp(0.5+d/p.Tau))
					m *= 0.02/3 + 0.98*map[Choice]float64{A: first, B: second, Tie: 1 - first - second}[a.Choice]
				}
				total += m
				moments(want, &p, m)
			}
		}
	}
	floats.Scale(1/total, want)
	for i, v := range want {
		tolerance := 0.01
		if i >= len(want)-2 {
			tolerance = 0.045
		}
		if math.Abs(got[i]-v) > tolerance {
			t.Errorf("moments %.4f; by a grid %.4f", got, want)
			break
		}
	}
}

// Answers of a known person bring the posterior to that person, and contradict what that person would never say.
func TestLearnsAPerson(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	q := learn(person(2, "flat"), onSphere(Scalarization{Kind: "linear", Weights: []float64{0.8, 0.2}}, 15, rng), 2000,
		3)
	mean, linear := 0.0, 0.0
	for _, p := range q.Particles {
		if p.Kind == "linear" {
			linear += p.Mass
			mean += p.Mass * p.Weights[0]
		}
	}
	assert.InDelta(t, 0.8, mean/linear, 0.12, "linear with %.2f, λ₁", linear)
	if p := q.Probability(Answer{[]float64{0.9, 0.2}, []float64{0.1, 0.5}, B}); p > 0.15 {
		t.Errorf("a contradiction has probability %g", p)
	}
	if q.EffectiveSampleSize() < 1000 {
		t.Errorf("%g effective particles", q.EffectiveSampleSize())
	}
}

// What is known does not depend on what was looked at in between: the same answers and streams give the same particles,
// and an earlier posterior stays what it was.
func TestLearningRepeats(t *testing.T) {
	answers := onSphere(Scalarization{Kind: "least", Weights: []float64{0.4, 0.6}}, 12, rand.New(rand.NewPCG(7, 7)))
	a, b := learn(person(2, "flat"), answers, 500, 3), learn(person(2, "flat"), answers, 500, 3)
	if !reflect.DeepEqual(a.Particles, b.Particles) || a.Moves == 0 {
		t.Errorf("after %d moves: not the same", a.Moves)
	}
	a.Update(Answer{[]float64{0.9, 0.2}, []float64{0.1, 0.5}, B}, rand.New(rand.NewPCG(1, 1)))
	assert.Equal(t, b.Particles, a.Particles, "learning more changed what was known")
}

// Before any answer all particles weigh the same; a question between an outcome and itself brings next to nothing, one
// between opposites more. Gains are those of the definition, computed apart.
func TestGain(t *testing.T) {
	linear := person(2, "flat")
	linear.Kinds = linear.Kinds[:1]
	q := linear.NewPosterior(500, rand.New(rand.NewPCG(3, 3)))
	if e := q.EffectiveSampleSize(); math.Abs(e-500) > 1e-6 {
		t.Errorf("%g effective particles", e)
	}
	outcomes := [][]float64{{0.5, 0.5}, {0.5, 0.5}, {1, 0}, {0, 1}}
	g := q.InformationGains(outcomes)
	if same, apart := g[0][1], g[2][3]; same > 0.1 || apart < 5*same || apart > math.Log(3) {
		t.Errorf("the same outcome brings %g, opposites %g", same, apart)
	}
	entropy := func(p [3]float64) float64 {
		h := 0.0
		for _, v := range p {
			h -= v * math.Log(v)
		}
		return h
	}
	for a := range outcomes {
		for b := range a {
			var mean [3]float64
			expected, sum := 0.0, 0.0
			for c := range mean {
				mean[c] = q.Probability(Answer{outcomes[a], outcomes[b], Choice(c - 1)})
				sum += mean[c]
			}
			for i := range q.Particles {
				posterior := &Posterior{DecisionMaker: q.DecisionMaker, Particles: []Particle{q.Particles[i]}, ones: q.ones,
					zeros: q.zeros}
				posterior.Particles[0].Mass = 1
				var p [3]float64
				for c := range p {
					p[c] = posterior.Probability(Answer{outcomes[a], outcomes[b], Choice(c - 1)})
				}
				expected += entropy(p) / 500
			}
			if math.Abs(sum-1) > 1e-9 || math.Abs(g[a][b]-(entropy(mean)-expected)) > 1e-9 || g[a][b] != g[b][a] {
				t.Errorf("outcomes %d and %d: %g and %g, want %g; the answers' probabilities sum to %g", a, b, g[a][b],
					g[b][a], entropy(mean)-expected, sum)
			}
		}
	}
}
