package hierarchy

import "math"

// shrinkage is u = x/(x+λ), the share of a direction of eigenvalue x that ridge regression keeps.
func shrinkage(x, lambda float64) float64 { return x / (x + lambda) }

// RidgeRisk is the risk of ridge regression in a fixed design (Paria 2022, Proposition 6.1 (6.23), which is an equality
// there): the spectrum is that of Σ, theta the true parameters in its eigenbasis, noise is σ²/n, lambda the weight.
func RidgeRisk(spectrum, theta []float64, noise, lambda float64) float64 {
	var bias, variance float64
	for j, x := range spectrum {
		u := shrinkage(x, lambda)
		lost := (1 - u) * theta[j]
		bias += x * lost * lost
		variance += u * u
	}
	return bias + noise*variance
}

// RidgeBound is factor · (σ²d/n) · S/(S+λ) at λ = σ²d/(nB²), a bound on RidgeRisk for ‖θ*‖ ≤ B; noise is σ²/n, trace is
// S = tr Σ, or r² above it. Corollary 6.1 (6.24) has the factor 1, and is false from three dimensions on. With 5/4 it
// holds, and with less not in all dimensions: with u_j = x_j/(x_j+λ) ≤ s = S/(S+λ), the bias is at most u(1-u) σ²d/n
// for the u of some direction, and the variance at most (u² + (d-1)s²) σ²/n. Their sum over s σ²d/n is convex in s: it
// is 1 at s = u, and at s = 1, the limit of endless other eigenvalues, (u(1-u)d + u² + d-1)/d, whose maximum, at u =
// d/(2(d-1)), is the least factor in d ≥ 3 dimensions, (d²/(4(d-1)) + d-1)/d < 5/4.
func RidgeBound(factor, trace, norm, noise float64, dims int) float64 {
	ols := noise * float64(dims)
	return factor * ols * shrinkage(trace, ols/(norm*norm))
}

// Counterexample is a design in which Corollary 6.1 fails for four or more dimensions: one eigenvalue 1 and all others
// 10⁶, the true parameters of norm B = √d along the first, σ = 1 and n = 1, so that λ = 1. The corollary's proof puts
// tr Σ in place of each x_j in x/(x/λ+1)², which is greatest at x = λ and falls from there. The risk is nearly 1.25 d -
// 0.75, above the bound and above the risk d of least squares. (With the first eigenvalue 3 it fails for three, too.)
func Counterexample(dims int) (risk, bound float64) {
	spectrum := make([]float64, dims)
	theta := make([]float64, dims)
	norm := math.Sqrt(float64(dims))
	var trace float64
	for j := range spectrum {
		spectrum[j] = 1e6
		if j == 0 {
			spectrum[j] = 1
		}
		trace += spectrum[j]
	}
	theta[0] = norm
	return RidgeRisk(spectrum, theta, 1, 1), RidgeBound(1, trace, norm, 1, dims)
}
