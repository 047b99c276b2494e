package space

import (
	"math"
	"slices"
)

// Mixture is a set of inputs whose values, in a common unit, have a fixed sum. A model sees them as one coordinate less
// than there are components: the orthonormal basis of the plane of the simplex by Helmert's contrasts (Lancaster 1965,
// The Helmert matrices), so that the distance of two mixtures is that of their vectors of components. With one
// lengthscale for all of these coordinates no component is preferred: another order of the components turns the
// coordinates, and changes no distance.
type Mixture struct {
	Of []int // the components, increasing
	// of each component its width in the common unit, divided by the size of the simplex: the greatest range that a
	// component has between the bounds of all of them
	Weights []float64

	contrasts [][]float64 // a row each coordinate, a column each component
}

// NewMixture is a mixture of some inputs, increasing, with their weights.
func NewMixture(indices []int, weights []float64) *Mixture {
	m := &Mixture{Of: indices, Weights: weights}
	for k := 1; k < len(indices); k++ {
		row := make([]float64, len(indices))
		// coordinates between the corners of the whole simplex have the length 1, as an edge of the unit cube
		size := math.Sqrt(2 * float64(k) * float64(k+1))
		for i := range k {
			row[i] = weights[i] / size
		}
		row[k] = -float64(k) * weights[k] / size
		m.contrasts = append(m.contrasts, row)
	}
	return m
}

// component is the mixture of input j, and its number in it; nil if it is in none.
func (d *Domain) component(j int) (*Mixture, int) {
	if d == nil {
		return nil, 0
	}
	for _, m := range d.Mixtures {
		if i := slices.Index(m.Of, j); i >= 0 {
			return m, i
		}
	}
	return nil, 0
}

// LengthUnit is the length of an exchange of input j for others, in the unit cube, that a model sees as a distance of 1:
// 1 for an input in no mixture.
func (d *Domain) LengthUnit(j int) float64 {
	if m, i := d.component(j); m != nil {
		return 1 / m.Weights[i]
	}
	return 1
}

// MixtureColumn is the first column of the mixture of input j; -1 if it is in none.
func (d *Domain) MixtureColumn(j int) int {
	m, _ := d.component(j)
	if m == nil {
		return -1
	}
	return slices.Index(d.Columns(len(d.Inputs)), m.Of[0])
}

// coordinate is coordinate number c of the mixture within a point of the unit cube; 1/2 for equal components.
func (m *Mixture) coordinate(c int, u []float64) float64 {
	v := 0.5
	for i, j := range m.Of {
		v += m.contrasts[c][i] * u[j]
	}
	return v
}

// addSlope adds the slopes by the components to grad, for the slope by coordinate number c.
func (m *Mixture) addSlope(c int, slope float64, grad []float64) {
	for i, j := range m.Of {
		grad[j] += slope * m.contrasts[c][i]
	}
}
