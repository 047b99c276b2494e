package optimizers

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions/param"
	"bandscope/functions/pareto"
	"bandscope/model/preference"
)

// The priors over the weights λ of a scalarization (Paria 2022, thesis, §2.3 and §2.4).
const (
	FlatPrior      = "flat"
	DirichletPrior = "dirichlet"
	BoxPrior       = "boxes"
	NormalPrior    = "half-normal"
)

// The scalarizations of objectives u in [0, 1], greater is better (thesis, eq. 2.7 and 2.8).
const (
	Linear     = "linear"
	Tchebyshev = "tchebyshev"
	Augmented  = "augmented"
)

// augmentation is ρ of the augmented Tchebyshev scalarization (Knowles 2006).
const augmentation = 0.05

// maxBoxes is how many objectives can have bounds of their own.
const maxBoxes = 4

// weightParams declare the prior over the weights, which a person edits while a search runs.
func weightParams() []param.Decl {
	decls := []param.Decl{
		{Key: "scalarization", Label: "scalarization", Kind: param.Choice, Default: Tchebyshev, Choices: []string{Linear, Tchebyshev, Augmented},
			Help:   "How weights make one value of several objectives: their weighted sum, or the least of the weighted objectives, which reaches every part of a front.",
			Source: "Paria 2022 (thesis), eq. 2.7 and 2.8; augmented: Knowles 2006"},
		{Key: "prior", Label: "prior over λ", Kind: param.Choice, Default: FlatPrior, Choices: []string{FlatPrior, DirichletPrior, BoxPrior, NormalPrior},
			Help:   "Which weights matter: all alike, a Dirichlet law, those that aim into a box of outcomes, or the absolute values of normal numbers.",
			Source: "Paria 2022 (thesis), §2.3 (flat), §2.4 (boxes)"},
		{Key: "concentration", Label: "α  Dirichlet", Kind: param.Number, Default: 1.0, Min: 0.05, Max: 100, Log: true,
			Help: "Concentration of the Dirichlet prior: above 1 balanced weights, below 1 those of a single objective.", Source: "1 is flat"}}
	for k := 1; k <= maxBoxes; k++ {
		for _, end := range []struct {
			key, label string
			value      float64
		}{{"low", "from", 0}, {"high", "to", 1}} {
			decls = append(decls, param.Decl{Key: fmt.Sprintf("%s%d", end.key, k), Label: fmt.Sprintf("box f%d %s", k, end.label), Kind: param.Number, Default: end.value,
				Min: 0, Max: 1, Help: fmt.Sprintf("Where outcomes of objective %d are wanted, from 0, the worst of the initial design, to 1, the best.", k),
				Source: "Paria 2022 (thesis), §2.4"})
		}
	}
	return decls
}

// DrawWeights draws one λ of the simplex, length K, from the prior that the parameters describe. Boxes draw the wanted outcome u ~ U(low,
// high) and take weights in proportion to it, or for the Tchebyshev scalarizations to its reciprocal (thesis, §2.4).
func DrawWeights(p param.Set, objectives int, rng *rand.Rand) []float64 {
	return drawWeights(p, p.Choice("scalarization"), objectives, rng)
}

// Scalarization is one way to weigh objectives.
type Scalarization struct {
	Kind    string
	Weights []float64
}

// learnedParticles is how many draws from the prior the answers weigh.
const learnedParticles = 3000

// Particles are draws from the prior over scalarizations, weighed by the person's answers: over both scalarizers, as assuming the wrong one
// costs most. fixed are the outcomes over which values are scaled.
func Particles(in Input, rng *rand.Rand) []preference.Particle {
	kinds := []string{Linear, in.Params.Choice("scalarization")}
	if kinds[1] == Linear {
		kinds[1] = Tchebyshev
	}
	draw := func(kind string) []float64 { return drawWeights(in.Params, kind, in.Objectives, rng) }
	return preference.Learn(kinds, draw, scalarValue, FixedOutcomes(in), in.Answers, learnedParticles, rng)
}

func scalarValue(kind string, weights, u []float64) float64 {
	v, _ := Scalarize(kind, weights, u)
	return v
}

// AnswerProbability is that of an answer under particles, and AnswerGain the information that an answer about two outcomes would bring.
func AnswerProbability(in Input, particles []preference.Particle, a preference.Answer) float64 {
	return preference.Probability(particles, scalarValue, FixedOutcomes(in), a)
}

// AnswerGain is the information, in nats, that an answer about two outcomes is expected to bring.
func AnswerGain(in Input, particles []preference.Particle, a, b []float64) float64 {
	return preference.Gain(particles, scalarValue, FixedOutcomes(in), a, b)
}

// FixedOutcomes are those of the initial design.
func FixedOutcomes(in Input) [][]float64 {
	lo, hi := Frozen(in)
	n := min(InitialCount(in), in.Data.Len())
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, in.Objectives)
		for k := range out[i] {
			out[i][k] = (hi[k] - in.Data.Y.At(i, k)) / (hi[k] - lo[k])
		}
	}
	return out
}

// DrawScalarizations draws from the prior as the person's answers have it; without answers, from the prior itself.
func DrawScalarizations(in Input, count int, rng *rand.Rand) []Scalarization {
	out := make([]Scalarization, count)
	if len(in.Answers) == 0 {
		for i := range out {
			out[i] = Scalarization{in.Params.Choice("scalarization"), DrawWeights(in.Params, in.Objectives, rng)}
		}
		return out
	}
	particles := Particles(in, rng)
	for i := range out {
		p := preference.Pick(particles, rng)
		out[i] = Scalarization{p.Kind, p.Weights}
	}
	return out
}

func drawWeights(p param.Set, kind string, objectives int, rng *rand.Rand) []float64 {
	w := make([]float64, objectives)
	for k := range w {
		switch p.Choice("prior") {
		case DirichletPrior:
			w[k] = distuv.Gamma{Alpha: p.Number("concentration"), Beta: 1, Src: rng}.Rand()
		case NormalPrior:
			w[k] = math.Abs(rng.NormFloat64())
		case BoxPrior:
			lo, hi := box(p, k)
			w[k] = math.Max(lo+(hi-lo)*rng.Float64(), 1e-3)
			if kind != Linear {
				w[k] = 1 / w[k]
			}
		default:
			w[k] = rng.ExpFloat64()
		}
	}
	sum := 0.0
	for _, v := range w {
		sum += v
	}
	for k := range w {
		if w[k] /= sum; !(sum > 0) {
			w[k] = 1 / float64(objectives)
		}
	}
	return w
}

// box are the bounds of an objective's box, in order.
func box(p param.Set, k int) (lo, hi float64) {
	if k >= maxBoxes {
		return 0, 1
	}
	lo, hi = p.Number(fmt.Sprintf("low%d", k+1)), p.Number(fmt.Sprintf("high%d", k+1))
	return math.Min(lo, hi), math.Max(lo, hi)
}

// Scalarize is the value of outcomes u, greater is better, under weights λ; worst is the objective that decides it, −1 where all do.
func Scalarize(kind string, weights, u []float64) (value float64, worst int) {
	sum, least, worst := 0.0, math.Inf(1), 0
	for k, w := range weights {
		sum += w * u[k]
		if w*u[k] < least {
			least, worst = w*u[k], k
		}
	}
	switch kind {
	case Linear:
		return sum, -1
	case Augmented:
		return least + augmentation*sum, worst
	}
	return least, worst
}

// Frozen is the range of the objectives, minimized, over the initial design: what 0 and 1 of an outcome are. It does not change as data come.
func Frozen(in Input) (lo, hi []float64) {
	n := min(InitialCount(in), in.Data.Len())
	points := make([][]float64, n)
	for i := range points {
		points[i] = mat.Row(nil, i, in.Data.Y)
	}
	return pareto.Range(points, in.Objectives)
}

// InBoxes reports whether an outcome lies in the boxes of all objectives.
func InBoxes(p param.Set, u []float64) bool {
	for k, v := range u {
		if lo, hi := box(p, k); v < lo || v > hi {
			return false
		}
	}
	return true
}

// Boxes are the bounds of each objective's box.
func Boxes(p param.Set, objectives int) (lo, hi []float64) {
	lo, hi = make([]float64, objectives), make([]float64, objectives)
	for k := range lo {
		lo[k], hi[k] = box(p, k)
	}
	return lo, hi
}
