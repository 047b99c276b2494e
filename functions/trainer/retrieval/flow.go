package retrieval

import "math"

// Norm is the regularizer of a flow.
type Norm int

// The regularizers: the sum of the mean activations E[Y⁺]; the sum of their squares F̃, the relaxation of §5.4; and the
// sum of the squared activation probabilities F (5.2), the operations per row of a search.
const (
	FlowL1 Norm = iota
	Relaxation
	Exact
)

// Norms are all norms.
func Norms() []Norm { return []Norm{FlowL1, Relaxation, Exact} }

// String is the symbol of a norm.
func (n Norm) String() string { return [...]string{"ℓ1", "F̃", "F"}[n] }

// ToyModel is two activations ρ(Y), where ρ is the positive part and Y is normal, given by the means and the standard
// deviations of Y.
type ToyModel struct{ Mean, SD [2]float64 }

// NewToyModel is the start of figure 5.3b, with probabilities of 0.40 and 0.10.
func NewToyModel() ToyModel { return ToyModel{Mean: [2]float64{-0.25, -1.3}, SD: [2]float64{1, 1}} }

// Probabilities are the activation probabilities, P(Y > 0) = Φ(μ/σ) (Lemma 5.1).
func (t ToyModel) Probabilities() (p [2]float64) {
	for j := range p {
		p[j] = cdf(t.Mean[j] / t.SD[j])
	}
	return p
}

// expected is the mean of an activation, E[Y⁺] = σφ(μ/σ) + μΦ(μ/σ) (Lemma 5.1).
func (t ToyModel) expected(j int) float64 {
	r := t.Mean[j] / t.SD[j]
	return t.SD[j]*density(r) + t.Mean[j]*cdf(r)
}

// Gradient is the gradient of a norm, with respect to the means and to the standard deviations (Lemmas 5.2 to 5.5; the
// squares by the chain rule). The part of an activation does not depend on the other one.
func (t ToyModel) Gradient(n Norm) (g ToyModel) {
	for j, mean := range t.Mean {
		sd := t.SD[j]
		r := mean / sd
		p, d := cdf(r), density(r)
		switch n {
		case FlowL1:
			g.Mean[j], g.SD[j] = p, d
		case Relaxation:
			e := t.expected(j)
			g.Mean[j], g.SD[j] = 2*e*p, 2*e*d
		case Exact:
			g.Mean[j], g.SD[j] = 2*p*d/sd, -2*p*r*d/sd
		}
	}
	return g
}

func cdf(r float64) float64 { return 0.5 * math.Erfc(-r/math.Sqrt2) }

func density(r float64) float64 { return math.Exp(-r*r/2) / math.Sqrt(2*math.Pi) }
