package retrieval

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// ActivationRates is p̄_j, the share of the rows (n×d) in which dimension j is not 0 (§5.3).
func ActivationRates(rows *mat.Dense) []float64 {
	n, d := rows.Dims()
	p := make([]float64, d)
	for i := range n {
		for j, v := range rows.RawRowView(i) {
			if v != 0 {
				p[j]++
			}
		}
	}
	for j := range p {
		p[j] /= float64(n)
	}
	return p
}

// Flops is F = Σ p_j², the multiplications per row of a search (5.2), where dimension j is active with the probability
// p_j.
func Flops(p []float64) float64 { return squares(p) }

func squares(v []float64) (sum float64) {
	for _, x := range v {
		sum += x * x
	}
	return sum
}

// Mean is p̄, the mean over all dimensions.
func Mean(p []float64) float64 { return total(p) / float64(len(p)) }

func total(v []float64) (sum float64) {
	for _, x := range v {
		sum += x
	}
	return sum
}

// Suboptimality is the suboptimality ratio R_sub = F/(d·p̄²), from 1 if all dimensions are equally active to 1/p̄
// (§5.5.1). It is NaN if no dimension is active.
func Suboptimality(p []float64) float64 {
	mean := Mean(p)
	return Flops(p) / (float64(len(p)) * mean * mean)
}

// CountDead is the number of dimensions that are never active.
func CountDead(p []float64) (dead int) {
	for _, x := range p {
		if x == 0 {
			dead++
		}
	}
	return dead
}

// arcFace turns the cosines of an embedding with the classes into the gradient of its loss by them, and returns the
// loss: the cross entropy of the logits scale·cosine, but scale·cos(θ + margin) for the class that is the right one
// (Deng et al. 2019; §5.5). Where θ > π − margin, the cosine is lessened by margin·sin(margin).
func arcFace(cos []float64, class int, scale, margin float64) (loss float64) {
	const edge = 1 - 1e-7
	c := max(-edge, min(edge, cos[class]))
	logit, slope := c-margin*math.Sin(margin), 1.0
	if sin, cosm := math.Sincos(margin); c > -cosm {
		s := math.Sqrt(1 - c*c)
		logit, slope = c*cosm-s*sin, cosm+c*sin/s
	}
	if c != cos[class] {
		slope = 0
	}
	cos[class] = logit
	most := cos[0]
	for _, v := range cos {
		most = max(most, v)
	}
	sum, right := 0.0, scale*(logit-most)
	for k, v := range cos {
		cos[k] = math.Exp(scale * (v - most))
		sum += cos[k]
	}
	for k := range cos {
		cos[k] *= scale / sum
	}
	cos[class] = (cos[class] - scale) * slope
	return math.Log(sum) - right
}
