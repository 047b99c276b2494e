package kernel

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/model/linalg"
)

// Matern12 and Matern32 are the rougher Matérn forms.
var (
	Matern12 Form = matern12{}
	Matern32 Form = matern32{}
)

func init() {
	register(Matern32)
	register(Matern12)
}

// matern12 is s² exp(−r), the exponential kernel (Rasmussen & Williams 2006, eq. 4.18). Its functions are continuous
// and nowhere differentiable.
type matern12 struct{}

func (matern12) Name() string { return "matern12" }

// Radial returns the factor 0 at distance 0, where the kernel has a kink: the mean of its slopes on both sides.
func (matern12) Radial(s2, r2 float64) (c, g float64) {
	r := math.Sqrt(r2)
	c = s2 * math.Exp(-r)
	return c, exponentialSlope(c, r)
}

// exponentialSlope returns the factor of the derivatives of s² exp(−r), which is c.
func exponentialSlope(c, r float64) float64 {
	if r == 0 {
		return 0
	}
	return c / r
}

func (matern12) radials(s2 float64, r2, c, g []float64) {
	for i, r := range r2 {
		c[i] = -math.Sqrt(r)
	}
	linalg.Exp(c, c)
	for i := range c {
		c[i] *= s2
		if g != nil {
			g[i] = exponentialSlope(c[i], math.Sqrt(r2[i]))
		}
	}
}

// Spread: the spectral density is Student's t with 2ν = 1 degree of freedom.
func (matern12) Spread(rng *rand.Rand) func() float64 { return studentSpread(1, rng) }

// matern32 is s² (1 + √3 r) exp(−√3 r) (Rasmussen & Williams 2006, eq. 4.17).
type matern32 struct{}

func (matern32) Name() string { return "matern32" }

func (matern32) Radial(s2, r2 float64) (c, g float64) {
	r := math.Sqrt(3 * r2)
	e := s2 * math.Exp(-r)
	return e * (1 + r), 3 * e
}

func (matern32) radials(s2 float64, r2, c, g []float64) {
	for i, r := range r2 {
		c[i] = -math.Sqrt(3 * r)
	}
	linalg.Exp(c, c)
	for i, e := range c {
		e *= s2
		c[i] = e * (1 + math.Sqrt(3*r2[i]))
		if g != nil {
			g[i] = 3 * e
		}
	}
}

// Spread: the spectral density is Student's t with 2ν = 3 degrees of freedom.
func (matern32) Spread(rng *rand.Rand) func() float64 { return studentSpread(3, rng) }

// studentSpread returns the sampler of the scales that make Student's t of a normal vector.
func studentSpread(degrees float64, rng *rand.Rand) func() float64 {
	chi := distuv.ChiSquared{K: degrees, Src: rng}
	return func() float64 { return math.Sqrt(degrees / chi.Rand()) }
}

// rationalQuadratic is s² (1 + r²/(2α))^−α, a scale mixture of squared exponentials (Rasmussen & Williams 2006, eq.
// 4.19). It is a form for one α, and not in the list of forms: expressions contain it as rq, whose α is fitted.
type rationalQuadratic struct{ alpha float64 }

func (rationalQuadratic) Name() string { return "rq" }

func (f rationalQuadratic) Radial(s2, r2 float64) (c, g float64) {
	u := r2 / (2 * f.alpha)
	c = s2 * math.Exp(-f.alpha*math.Log1p(u))
	return c, c / (1 + u)
}

// Spread: squared inverse lengthscales have a gamma distribution with shape and rate α.
func (f rationalQuadratic) Spread(rng *rand.Rand) func() float64 {
	gamma := distuv.Gamma{Alpha: f.alpha, Beta: f.alpha, Src: rng}
	return func() float64 { return math.Sqrt(gamma.Rand()) }
}
