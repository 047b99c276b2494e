package preference

import (
	"math"
)

// Density is the density of a prior at weights λ inside the simplex, with respect to the volume of the first K−1 of
// them: the density of the weights that Draw samples. Each distribution has it in closed form. Dirichlet: its own.
// Half-normal, λ = |z|/‖z‖₁ with z ~ N(0, I): the integral over r of r^(K−1) 2^K φ_K(rλ), which is 2^(K−1) Γ(K/2)
// π^(−K/2) ‖λ‖₂^(−K). A box, u uniform over it: the integral over the part of the ray with these weights that lies in
// the box.
func (p Prior) Density(w []float64, reciprocal bool, outcomes Outcomes) float64 {
	sum := 0.0
	for _, part := range p {
		sum += part.Share * part.density(w, reciprocal, outcomes)
	}
	return sum / p.total()
}

func (p Part) density(w []float64, reciprocal bool, outcomes Outcomes) float64 {
	n := float64(len(w))
	switch p.Distribution {
	case Dirichlet:
		return dirichlet(w, p.Alpha)
	case Normal:
		square := 0.0
		for _, v := range w {
			square += v * v
		}
		return math.Pow(2, n-1) * math.Gamma(n/2) * math.Pow(math.Pi, -n/2) * math.Pow(square, -n/2)
	case Box:
		return p.boxDensity(w, reciprocal, outcomes)
	}
	return math.Gamma(n)
}

// dirichlet is the density of a Dirichlet distribution with one concentration for all or one for each.
func dirichlet(w, alpha []float64) float64 {
	log, sum := 0.0, 0.0
	for k, v := range w {
		a := alpha[k%len(alpha)]
		part, _ := math.Lgamma(a)
		if a != 1 { // 0·log 0 is 0
			log += (a - 1) * math.Log(v)
		}
		log, sum = log-part, sum+a
	}
	whole, _ := math.Lgamma(sum)
	return math.Exp(log + whole)
}

// boxDensity is the density of a box's weights. In proportion to u they are λ = u/r, u uniform: the integral of r^(K−1)
// over the lengths r for which rλ lies in the box, over its volume. In proportion to 1/u, u_k = 1/(λ_k t): that of
// t^(K−1) Π 1/(λ_k t)² over those t.
func (p Part) boxDensity(w []float64, reciprocal bool, outcomes Outcomes) float64 {
	from := 0.0
	end := math.Inf(1)
	volume := 1.0
	n := float64(len(w))
	for k, v := range w {
		lo, hi := p.Box[k].span(k, outcomes)
		zero := 0.0
		if lo < 0 {
			zero = lo - belowBox
		}
		lo, hi = math.Max(lo-zero, minDrawn), math.Max(hi-zero, minDrawn)
		if !(hi > lo) {
			return 0 // all on one side of the preferred values
		}
		if reciprocal {
			from = math.Max(from, 1/(v*hi))
			end = math.Min(end, 1/(v*lo))
			volume = volume * (hi - lo) * v * v
		} else {
			from = math.Max(from, lo/v)
			end = math.Min(end, hi/v)
			volume = volume * (hi - lo)
		}
	}
	switch {
	case !(end > from):
		return 0
	case reciprocal:
		return (math.Pow(from, -n) - math.Pow(end, -n)) / n / volume
	}
	return (math.Pow(end, n) - math.Pow(from, n)) / n / volume
}
