package functions

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions/numfmt"
)

// Mixture is a set of variables, the components, whose values have a fixed sum, such as the fractions of a recipe
// (Cornell 2002, Experiments with Mixtures).
type Mixture struct {
	Components []string `json:"components"`      // the names of the variables
	Total      float64  `json:"total,omitempty"` // their sum, in their unit; 0 is 1
}

// Sum is the total of the mixture.
func (m Mixture) Sum() float64 { return cmp.Or(m.Total, 1) }

// Text is the mixture as a constraint: "a + b + c == 1".
func (m Mixture) Text() string {
	return strings.Join(m.Components, " + ") + " == " + numfmt.Exact(m.Sum())
}

// Indices are the positions of the components in a domain; nil if one is not there.
func (m Mixture) Indices(d Domain) (list []int) {
	for _, name := range m.Components {
		j := slices.IndexFunc(d, func(v Variable) bool { return v.Name == name })
		if j < 0 {
			return nil
		}
		list = append(list, j)
	}
	return list
}

// Reach is the least and the greatest value that component i of some can have, given the bounds of all and their total.
func (m Mixture) Reach(components Domain, i int) (low, high float64) {
	least, most := m.Sum(), m.Sum()
	for k, v := range components {
		if k != i {
			least, most = least-v.High, most-v.Low
		}
	}
	return max(components[i].Low, least), min(components[i].High, most)
}

// Size is the greatest range of values that a component can have.
func (m Mixture) Size(components Domain) (size float64) {
	for i := range components {
		low, high := m.Reach(components, i)
		size = max(size, high-low)
	}
	return size
}

// Check returns an error if the variables of a domain cannot be the components of the mixture, which names the conflict.
func (m Mixture) Check(d Domain) error {
	indices := m.Indices(d)
	low := -m.Sum()
	high := -m.Sum()
	slack := 0.0
	var parts Domain
	for _, j := range indices {
		v := d[j]
		switch {
		case v.Kind == Choice:
			return fmt.Errorf("the component %s is a choice; a component must be a number", v.Name)
		case v.Scale == Log:
			return fmt.Errorf("the component %s has a logarithmic scale; a component needs a linear one", v.Name)
		case v.Low < 0:
			return fmt.Errorf("low of the component %s must not be below 0, got %s", v.Name, numfmt.Exact(v.Low))
		}
		low = low + v.Low
		high = high + v.High
		slack = slack + stepSlack*v.High
		parts = append(parts, v)
	}
	total := numfmt.Exact(m.Sum())
	switch {
	case low > slack:
		return fmt.Errorf("the lower bounds of the components sum to %s, more than the total %s: %s; lower one of them",
			numfmt.Exact(low+m.Sum()), total, parts.boundsText(func(v Variable) float64 { return v.Low }))
	case high < -slack:
		return fmt.Errorf("the upper bounds of the components sum to %s, less than the total %s: %s; raise one of them",
			numfmt.Exact(high+m.Sum()), total, parts.boundsText(func(v Variable) float64 { return v.High }))
	case m.Size(parts) <= slack:
		return fmt.Errorf("the bounds of the components leave one mixture only: %s; widen them",
			parts.boundsText(func(v Variable) float64 { return v.Low }))
	}
	return m.checkSteps(parts)
}

// checkSteps returns an error if all components have steps of which no sum is the total.
func (m Mixture) checkSteps(parts Domain) error {
	places := decimals(m.Sum())
	for _, v := range parts {
		if v.Steps() == 0 && v.Kind != Integer {
			return nil
		}
		places = max(places, decimals(v.Low), decimals(v.step()))
	}
	if power := math.Pow10(places); m.Sum()*power < 1<<53 {
		rest, common := math.Round(m.Sum()*power), 0.0
		var steps []string
		for _, v := range parts {
			rest -= math.Round(v.Low * power)
			common = gcd(math.Round(v.step()*power), common)
			steps = append(steps, v.Name+" "+numfmt.Exact(v.step()))
		}
		if math.Mod(rest, common) != 0 {
			return fmt.Errorf("no values on the grids of the steps sum to %s: all sums are %s plus a multiple of %s (the steps are %s); change a step or a lower bound", numfmt.Exact(m.Sum()),
				numfmt.Exact(numfmt.Round(m.Sum()-rest/power)), numfmt.Exact(common/power), strings.Join(steps, ", "))
		}
	}
	return nil
}

// step is the distance between the values of a variable on a grid; 1 of an integer.
func (v Variable) step() float64 { return cmp.Or(v.Step, 1) }

// gcd is the greatest common divisor of two whole numbers, of which one may be 0.
func gcd(a, b float64) float64 {
	for b != 0 {
		a, b = b, math.Mod(a, b)
	}
	return a
}

// boundsText lists a bound of every variable.
func (d Domain) boundsText(bound func(Variable) float64) string {
	parts := make([]string, len(d))
	for i, v := range d {
		parts[i] = v.Name + " " + numfmt.Exact(bound(v))
	}
	return strings.Join(parts, ", ")
}

// SetMixtures makes variables of the problem components of mixtures, which constrain it; their names are in its domain.
func (p *Problem) SetMixtures(list ...Mixture) error {
	for i, m := range list {
		c, err := ParseConstraint(m.Text(), p.Domain)
		if err != nil {
			return err
		}
		p.Constraints = slices.Insert(p.Constraints, i, c)
	}
	p.Mixtures = list
	return nil
}

// MixtureOf is the mixture of which variable j is a component; nil if there is none.
func (p *Problem) MixtureOf(j int) *Mixture {
	for i, m := range p.Mixtures {
		if slices.Contains(m.Components, p.Domain[j].Name) {
			return &p.Mixtures[i]
		}
	}
	return nil
}

// WithValue is a point at which variable j has another value. In a mixture all other components keep their ratio, so
// that the point moves in the direction of Cox 1971 (Biometrika 58); if all others are 0 they become equal.
func (p *Problem) WithValue(x []float64, j int, value float64) []float64 {
	y := slices.Clone(x)
	m := p.MixtureOf(j)
	if m == nil {
		y[j] = value
		return y
	}
	indices := m.Indices(p.Domain)
	rest := 0.0
	for _, k := range indices {
		if k != j {
			rest += max(x[k], 0)
		}
	}
	y[j] = min(value, m.Sum())
	left := m.Sum() - y[j]
	for _, k := range indices {
		switch {
		case k == j:
		case rest > 0:
			y[k] = max(x[k], 0) * left / rest
		default:
			y[k] = left / float64(len(indices)-1)
		}
	}
	return y
}
