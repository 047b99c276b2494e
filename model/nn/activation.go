package nn

import (
	"fmt"
	"math"

	"bandscope/model/linalg"
	"bandscope/model/parallel"
)

// Activation is the nonlinearity φ.
type Activation string

// The activations: tanh is that of Paria et al. 2022, erf and ReLU those of Dai et al. 2022.
const (
	Tanh Activation = "tanh"
	Erf  Activation = "erf"
	ReLU Activation = "relu"
)

// Activations lists them by name.
func Activations() []string { return []string{string(Tanh), string(Erf), string(ReLU)} }

func (a Activation) check() error {
	switch a {
	case Tanh, Erf, ReLU:
		return nil
	}
	return fmt.Errorf("the activation must be one of tanh, erf, relu, got %q", a)
}

// parallelFrom is the number of values from which on all cores are used.
const parallelFrom = 1 << 15

// apply replaces z by φ(z), and fills slope, if it is not nil, with φ'(z).
func (a Activation) apply(z, slope []float64) {
	parallel.SplitHalves(len(z), len(z) >= parallelFrom, func(from, end int) {
		part := slope
		if part != nil {
			part = part[from:end]
		}
		a.serial(z[from:end], part)
	})
}

func (a Activation) serial(z, slope []float64) {
	switch a {
	case Tanh:
		linalg.Tanh(z, z)
		for i := range slope {
			slope[i] = 1 - z[i]*z[i]
		}
	case Erf:
		for i := range slope {
			slope[i] = -z[i] * z[i]
		}
		linalg.Exp(slope, slope)
		for i := range slope {
			slope[i] *= 2 / math.SqrtPi
		}
		linalg.Erf(z, z)
	default:
		for i, x := range z {
			z[i] = max(x, 0)
			if slope == nil {
				continue
			}
			slope[i] = 0
			if x > 0 {
				slope[i] = 1
			}
		}
	}
}

// curve replaces z by φ”(z), given φ(z) and φ'(z).
func (a Activation) curve(z, value, slope []float64) {
	for i, x := range z {
		switch a {
		case Tanh:
			z[i] = -2 * value[i] * slope[i]
		case Erf:
			z[i] = -2 * x * slope[i]
		default:
			z[i] = 0
		}
	}
}
