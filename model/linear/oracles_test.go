package linear

import "gonum.org/v1/gonum/mat"

// LogEvidence is log N(y; 0, prior ΦΦᵀ + noise I).
func LogEvidence(phi *mat.Dense, y []float64, prior, noise float64) (float64, error) {
	s, err := newSpectrum(phi, y)
	if err != nil {
		return 0, err
	}
	return s.log(prior, noise), nil
}

// Prior and Noise are the variances of the weights and of the observations.
func (h *Head) Prior() float64 { return h.prior }
