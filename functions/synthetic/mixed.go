// Package synthetic holds the formulas of test functions that are more than one line: functions of mixed variables (a
// Branin function with two choices, a yield over solvents, the autocorrelation of binary sequences, two machine parts
// with constraints), and the planning of a rover's trajectory among obstacles (Wang, Gehring, Kohli & Jegelka 2018,
// §4). Values come in their own units, choices as indices into the lists that are exported here. Package functions
// declares the problems.
package synthetic

// Branin is the Branin–Hoo function, given by its value b, as a mixed one rescales it: by two switches, turned and
// damped (Pelamatti, Brevault, Balesdent, Talbi & Guerin 2019, "Efficient global optimization of constrained mixed
// variable problems", J. Global Optimization 73, §4.1).
func Branin(b float64, turned, damped bool) float64 {
	h := (b - 54.8104) / 51.9496
	switch {
	case turned && damped:
		return -0.5*h + 1.4
	case turned:
		return -0.75*h + 3
	case damped:
		return 0.4 * h
	}
	return h
}

// Autocorrelation is the energy of a binary sequence of −1 and 1, the sum of its squared aperiodic autocorrelations
// over all shifts but none (Golay 1977).
func Autocorrelation(s []float64) float64 {
	energy := 0.0
	for k := 1; k < len(s); k++ {
		c := 0.0
		for i := range len(s) - k {
			c += s[i] * s[i+k]
		}
		energy += c * c
	}
	return energy
}

// MinAutocorrelation is the least energy of all sequences of a length (Mertens 1996, table 1, by exhaustive search;
// shorter ones by the same), from 3 to MaxSequenceLength.
func MinAutocorrelation(length int) float64 {
	return [...]float64{1, 2, 2, 7, 3, 8, 12, 13, 5, 10, 6, 19, 15, 24}[length-3]
}

// MaxSequenceLength is the greatest length that MinAutocorrelation knows.
const MaxSequenceLength = 16

// LowAutocorrelationSequences are all sequences of a length whose energy is the least: with one of them its negative,
// its reverse and the one with every second sign turned are among them.
func LowAutocorrelationSequences(length int) [][]float64 {
	least := MinAutocorrelation(length)
	var found [][]float64
	s := make([]float64, length)
	for bits := range 1 << length {
		for i := range s {
			s[i] = float64(bits>>i&1)*2 - 1
		}
		if Autocorrelation(s) == least {
			found = append(found, append([]float64(nil), s...))
		}
	}
	return found
}

// PressureVessel is the cost of a cylinder with two half spheres for ends (Sandgren 1990; Kannan & Kramer 1994): the
// thickness of its shell and of its heads, which are plates rolled in sixteenths of an inch, its inner radius and the
// length of its straight part, all in inches.
func PressureVessel(shell, head, radius, length float64) float64 {
	return 0.6224*shell*radius*length + 1.7781*head*radius*radius + 3.1661*shell*shell*length + 19.84*shell*shell*radius
}
