package kernel

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// leaf is a kernel of variance 1 (or, if it is linear, of about 1 over the cube) with values of its hyperparameters.
// Its methods about rows take an input x with m others, given by their columns; aux is memory of length m that forward
// fills for the derivatives.
type leaf interface {
	// forward writes the covariances of x with the others to c, length m.
	forward(x []float64, others [][]float64, c, aux []float64)
	// hypers adds Σ w_i ∂c_i/∂log θ to grad, for all hyperparameters θ of the leaf, at their places in the family.
	hypers(x []float64, others [][]float64, c, aux, w, grad []float64)
	// inputs adds Σ w_i ∂c_i/∂x_j to grad, length d.
	inputs(x []float64, others [][]float64, c, aux, w, grad []float64)
	// variance returns the variance at x.
	variance(x []float64) float64
	// frequencies returns a sampler of frequencies of the spectral density; nil for a kernel that is not stationary.
	frequencies(rng *rand.Rand) func(freq []float64)
}

// newLeaf returns the kernel of a part with its values among those of the family.
func (f *Family) newLeaf(n *part, values []float64) leaf {
	perInput := func(hyper int) (places []int, hypers []float64) {
		for _, c := range f.columns {
			places, hypers = append(places, n.first[hyper]+c), append(hypers, values[n.first[hyper]+c])
		}
		return places, hypers
	}
	if n.kind.name == "linear" {
		return linearLeaf{values[n.first[0]], n.first[0]}
	}
	places, lengths := perInput(0)
	switch n.kind.name {
	case "periodic":
		periodPlaces, periods := perInput(1)
		return periodicLeaf{lengths, periods, places, periodPlaces}
	case "rq":
		alpha := values[n.first[1]]
		return radialLeaf{Stationary{rationalQuadratic{alpha}, 1, lengths}, places, alpha, n.first[1]}
	}
	return radialLeaf{Stationary{n.kind.form, 1, lengths}, places, 0, -1}
}

// radialLeaf is a kernel of distances in lengthscales: a form, or a rational quadratic.
type radialLeaf struct {
	Stationary
	places     []int   // of the lengthscale of every input
	alpha      float64 // of a rational quadratic; 0 for others
	alphaPlace int
}

// forward keeps the factor of the derivatives.
func (l radialLeaf) forward(x []float64, others [][]float64, c, aux []float64) {
	l.squares(x, others, aux)
	l.Radials(aux, c, aux)
}

func (l radialLeaf) hypers(x []float64, others [][]float64, c, aux, w, grad []float64) {
	for j, column := range others {
		sum, xj := 0.0, x[j]
		for i, v := range column[:len(c)] {
			sum += w[i] * aux[i] * (v - xj) * (v - xj)
		}
		grad[l.places[j]] += sum / (l.Lengths[j] * l.Lengths[j])
	}
	if l.alpha == 0 {
		return
	}
	sum := 0.0
	for i, g := range aux[:len(c)] {
		if g > 0 { // c/g is 1 + u, with u = r²/2α
			u := c[i]/g - 1
			sum += w[i] * c[i] * (u/(1+u) - math.Log1p(u))
		}
	}
	grad[l.alphaPlace] += l.alpha * sum
}

func (l radialLeaf) inputs(x []float64, others [][]float64, c, aux, w, grad []float64) {
	for j, column := range others {
		sum, xj := 0.0, x[j]
		for i, v := range column[:len(c)] {
			sum += w[i] * aux[i] * (v - xj)
		}
		grad[j] += sum / (l.Lengths[j] * l.Lengths[j])
	}
}

func (radialLeaf) variance([]float64) float64 { return 1 }

func (l radialLeaf) frequencies(rng *rand.Rand) func(freq []float64) {
	spread := l.Form.Spread(rng)
	return func(freq []float64) {
		stretch := spread()
		for j := range freq {
			freq[j] = rng.NormFloat64() * stretch / l.Lengths[j]
		}
	}
}

// periodicLeaf is exp(−2 Σ sin²(π(x_j − y_j)/p_j)/ℓ_j²) (MacKay 1998; Rasmussen & Williams 2006, eq. 4.31): functions
// that repeat after the period p_j along every input.
type periodicLeaf struct {
	lengths, periods           []float64
	lengthPlaces, periodPlaces []int
}

func (l periodicLeaf) forward(x []float64, others [][]float64, c, _ []float64) {
	clear(c)
	for j, column := range others {
		xj := x[j]
		wave := math.Pi / l.periods[j]
		over := 2 / (l.lengths[j] * l.lengths[j])
		for i, v := range column[:len(c)] {
			s := math.Sin(wave * (v - xj))
			c[i] -= s * s * over
		}
	}
	for i, v := range c {
		c[i] = math.Exp(v)
	}
}

func (l periodicLeaf) hypers(x []float64, others [][]float64, c, _, w, grad []float64) {
	for j, column := range others {
		xj := x[j]
		wave := math.Pi / l.periods[j]
		over := 2 / (l.lengths[j] * l.lengths[j])
		byLength, byPeriod := 0.0, 0.0
		for i, v := range column[:len(c)] {
			sin, cos := math.Sincos(wave * (v - xj))
			byLength += w[i] * c[i] * sin * sin
			byPeriod += w[i] * c[i] * sin * cos * wave * (v - xj)
		}
		grad[l.lengthPlaces[j]] += 2 * over * byLength
		grad[l.periodPlaces[j]] += 2 * over * byPeriod
	}
}

func (l periodicLeaf) inputs(x []float64, others [][]float64, c, _, w, grad []float64) {
	for j, column := range others {
		xj := x[j]
		wave := math.Pi / l.periods[j]
		over := 2 / (l.lengths[j] * l.lengths[j])
		sum := 0.0
		for i, v := range column[:len(c)] {
			sin, cos := math.Sincos(wave * (v - xj))
			sum += w[i] * c[i] * sin * cos
		}
		grad[j] += 2 * over * wave * sum
	}
}

func (periodicLeaf) variance([]float64) float64 { return 1 }

// frequencies samples multiples of the base frequency of every input. By exp(z cos θ) = Σ_k I_k(z) cos kθ, the multiple
// has Skellam's distribution: it is the difference of two Poisson variables of mean z/2, with z = 1/ℓ².
func (l periodicLeaf) frequencies(rng *rand.Rand) func(freq []float64) {
	return func(freq []float64) {
		for j, length := range l.lengths {
			count := distuv.Poisson{Lambda: 1 / (2 * length * length), Src: rng}
			freq[j] = 2 * math.Pi / l.periods[j] * (count.Rand() - count.Rand())
		}
	}
}

// linearLeaf is b² + 4 Σ (x_j − ½)(y_j − ½): linear functions, with independent standard normal slopes along inputs from
// −1 to 1 and the value b·N(0, 1) in the center (Rasmussen & Williams 2006, §2.1; the dot-product kernel of §4.2.2).
type linearLeaf struct {
	bias  float64
	place int
}

func (l linearLeaf) forward(x []float64, others [][]float64, c, _ []float64) {
	for i := range c {
		c[i] = l.bias * l.bias
	}
	for j, column := range others {
		slope := 4 * (x[j] - center)
		for i, v := range column[:len(c)] {
			c[i] += slope * (v - center)
		}
	}
}

func (l linearLeaf) hypers(_ []float64, _ [][]float64, _, _, w, grad []float64) {
	sum := 0.0
	for _, v := range w {
		sum += v
	}
	grad[l.place] += 2 * l.bias * l.bias * sum
}

func (l linearLeaf) inputs(_ []float64, others [][]float64, c, _, w, grad []float64) {
	for j, column := range others {
		sum := 0.0
		for i, v := range column[:len(c)] {
			sum += w[i] * (v - center)
		}
		grad[j] += 4 * sum
	}
}

func (l linearLeaf) variance(x []float64) float64 {
	v := l.bias * l.bias
	for _, u := range x {
		v += 4 * (u - center) * (u - center)
	}
	return v
}

func (linearLeaf) frequencies(*rand.Rand) func(freq []float64) { return nil }

// affine writes the coefficients of a drawn linear function to row: the constant, then the slopes of the inputs.
func (l linearLeaf) affine(row []float64, normal func() float64) {
	row[0] = l.bias * normal()
	for j := range row[1:] {
		g := normal()
		row[0] -= 2 * center * g
		row[1+j] = 2 * g
	}
}

// center is the center of the unit cube.
const center = 0.5
