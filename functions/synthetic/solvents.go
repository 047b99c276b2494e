package synthetic

import "math"

// Solvent is one that a reaction can be run in.
type Solvent struct {
	Name     string
	Polarity float64 // normalized E_T(30) (Reichardt 1994): 0 of tetramethylsilane, 1 of water
	Price    float64 // of a batch
}

// Solvents are the five of the reaction, in the order of its choices.
var Solvents = []Solvent{{"toluene", 0.099, 2}, {"THF", 0.207, 4}, {"DMSO", 0.444, 14}, {"acetonitrile", 0.460, 11},
	{"ethanol", 0.654, 9}}

// Rates are the constants (1/min) of two reactions one after the other, A → B → C, in a solvent at a temperature (°C):
// by Arrhenius's law with activation energies of 50 and 70 kJ/mol from those at 40 °C, whose logarithms are of first
// and of second order in the polarity. Heat and polarity help the second reaction more than the first.
func (s Solvent) Rates(temperature float64) (first, second float64) {
	const gas, reference = 8.314e-3, 313.15 // kJ/(mol K), K
	warmth := (1/reference - 1/(temperature+273.15)) / gas
	first = 0.004 * math.Exp(6*s.Polarity+50*warmth)
	second = 0.0012 * math.Exp(7*s.Polarity*s.Polarity+70*warmth)
	return first, second
}

// Yield is how much of A is B after a time (min), in percent.
func (s Solvent) Yield(temperature, time float64) float64 {
	first, second := s.Rates(temperature)
	return consecutive(first, second, time)
}

// consecutive is the percentage of B in A → B → C: a/(b − a)·(e^(−at) − e^(−bt)), and where the rates are the same
// at·e^(−at).
func consecutive(a, b, time float64) float64 {
	if a == b {
		return 100 * a * time * math.Exp(-a*time)
	}
	return 100 * a / (b - a) * math.Exp(-a*time) * -math.Expm1((a-b)*time)
}

// Cost is that of a batch: the solvent, the heat above 20 °C and the time.
func (s Solvent) Cost(temperature, time float64) float64 {
	return s.Price + 0.05*(temperature-20) + 0.1*time
}
