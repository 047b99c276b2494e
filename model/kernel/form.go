package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"bandscope/model/linalg"
)

// Form is the shape of a stationary kernel as a function of distances in lengthscales. It also provides the derivatives
// and the sampling of functions that a Gaussian process needs; to add a form, register it in a file of its own.
type Form interface {
	// Name is the value of the kernel parameter.
	Name() string
	// Radial returns the covariance c for the variance s² at squared distance r², and the factor g = −2 dc/d(r²) of its
	// derivatives.
	Radial(s2, r2 float64) (c, g float64)
	// Spread returns a function that samples the factor by which a standard normal vector is stretched for a frequency
	// of the form's spectral density (Rasmussen & Williams 2006, §4.2), which is a scale mixture of normals.
	Spread(rng *rand.Rand) func() float64
}

// batchRadial is a form that computes Radial for many squared distances faster than one by one, equal up to the last
// few digits.
type batchRadial interface {
	radials(s2 float64, r2, c, g []float64)
}

// SE and Matern52 are the stationary forms.
var (
	SE       = register(squaredExponential{})
	Matern52 = register(matern52{})
)

// forms lists all forms, in the order of files and of registration.
var forms []Form

// register adds a form to the list.
func register(f Form) Form {
	forms = append(forms, f)
	return f
}

// FormNames lists the names of all forms.
func FormNames() []string {
	names := make([]string, len(forms))
	for i, f := range forms {
		names[i] = f.Name()
	}
	return names
}

// FindForm returns the form with the given name. The error for an unknown name lists the forms.
func FindForm(name string) (Form, error) {
	i := slices.IndexFunc(forms, func(f Form) bool { return f.Name() == name })
	if i < 0 {
		return nil, fmt.Errorf("the kernel must be one of %s, got %q", strings.Join(FormNames(), ", "), name)
	}
	return forms[i], nil
}

// squaredExponential is s² exp(−r²/2) (Rasmussen & Williams 2006, eq. 4.9).
type squaredExponential struct{}

func (squaredExponential) Name() string { return "se" }

func (squaredExponential) Radial(s2, r2 float64) (c, g float64) {
	c = s2 * math.Exp(-r2/2)
	return c, c
}

func (squaredExponential) radials(s2 float64, r2, c, g []float64) {
	for i, r := range r2 {
		c[i] = -r / 2
	}
	linalg.Exp(c, c)
	for i, e := range c {
		c[i] = s2 * e
	}
	copy(g, c)
}

// Spread: the spectral density is normal.
func (squaredExponential) Spread(*rand.Rand) func() float64 {
	return func() float64 { return 1 }
}

// matern52 is s² (1 + √5 r + 5r²/3) exp(−√5 r) (Rasmussen & Williams 2006, eq. 4.17).
type matern52 struct{}

func (matern52) Name() string { return "matern52" }

func (matern52) Radial(s2, r2 float64) (c, g float64) {
	r := math.Sqrt(5 * r2)
	e := s2 * math.Exp(-r)
	return e * (1 + r + r*r/3), e * 5 / 3 * (1 + r)
}

func (matern52) radials(s2 float64, r2, c, g []float64) { linalg.Matern52(s2, r2, c, g) }

// Spread: the spectral density is Student's t with 2ν = 5 degrees of freedom.
func (matern52) Spread(rng *rand.Rand) func() float64 { return studentSpread(5, rng) }
