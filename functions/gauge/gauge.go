// Package gauge is how values of what is measured are counted: methods minimize every objective, and of one whose values range over powers of ten they see the
// logarithm. A value in its own unit and direction goes in, the counted one comes out, and back; with it go standard deviations. Only packages that speak to
// methods count values so: what is on record, typed or read is in its own unit. Which objective has which gauge is declared in package functions.
package gauge

import "math"

// Gauge is how the values of one quantity are counted.
type Gauge struct {
	Sign  float64 // +1 where less is better, −1 where more is
	Floor float64 // above 0: decimal logarithms count, and what is below the floor counts as it does; 0: values count as they are
}

// Log reports whether logarithms count: differences are factors.
func (g Gauge) Log() bool { return g.Floor > 0 }

// Counted is what a value counts as, to be minimized.
func (g Gauge) Counted(v float64) float64 {
	if g.Log() {
		v = math.Log10(math.Max(v, g.Floor))
	}
	return g.Sign * v
}

// Value is what counts as c, in the quantity's own unit: the inverse of Counted from the floor on.
func (g Gauge) Value(c float64) float64 {
	if c *= g.Sign; g.Log() {
		return math.Pow(10, c)
	}
	return c
}

// Error is the standard deviation of what a value counts as, of which the value has one: of a logarithm to the first order, se/(v ln 10) (the delta method;
// Casella & Berger 2002, "Statistical Inference", theorem 5.5.24).
func (g Gauge) Error(v, se float64) float64 {
	if g.Log() {
		return se / (math.Max(v, g.Floor) * math.Ln10)
	}
	return se
}

// Values are those of Value, of all of a list.
func (g Gauge) Values(counted []float64) []float64 {
	values := make([]float64, len(counted))
	for i, c := range counted {
		values[i] = g.Value(c)
	}
	return values
}

// Between is the value at a part of the way from one value to another: halfway is their mean, or where logarithms count their geometric mean.
func (g Gauge) Between(from, to, part float64) float64 {
	a := g.Counted(from)
	return g.Value(a + part*(g.Counted(to)-a))
}
