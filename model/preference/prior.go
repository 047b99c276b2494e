package preference

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// Distribution is a family of distributions over the weights λ.
type Distribution string

// The distributions of a part of a prior (Paria 2022, thesis, §2.3 and §2.4).
const (
	Flat      Distribution = "flat"
	Dirichlet Distribution = "dirichlet"
	Normal    Distribution = "half-normal"
	Box       Distribution = "box"
)

// Bound is an end of an interval of one objective's values: in the objective's own units, or in percent of the frozen
// range, where 0 % is the worst and 100 % the best value.
type Bound struct {
	Value   float64
	Percent bool
}

// Interval is the preferred interval of one objective; Any allows all values.
type Interval struct {
	Any      bool
	From, To Bound
}

// Part is one component of a prior.
type Part struct {
	Share        float64 // positive, relative to the other parts
	Text         string  // its source text, without its share
	Distribution Distribution
	Alpha        []float64  // of a Dirichlet distribution: one for all, or one for each objective
	Box          []Interval // of boxes: one for each objective
}

// Prior is a mixture of distributions over the weights λ of a scalarization.
type Prior []Part

// BoxPart is a part whose preferred outcomes are a box.
func BoxPart(share float64, box []Interval) Part {
	parts := make([]string, len(box))
	for k, i := range box {
		parts[k] = i.String()
	}
	return Part{Share: share, Text: "box(" + strings.Join(parts, ", ") + ")", Distribution: Box, Box: box}
}

// total is the sum of the shares.
func (p Prior) total() float64 {
	sum := 0.0
	for _, part := range p {
		sum += part.Share
	}
	return sum
}

// Check returns an error if a prior does not fit a number of objectives.
func (p Prior) Check(objectives int) error {
	for _, part := range p {
		if part.Distribution == Box && len(part.Box) != objectives {
			return fmt.Errorf("%s has %d sides, the problem has %d objectives", part.Text, len(part.Box), objectives)
		}
		if n := len(part.Alpha); n > 1 && n != objectives {
			return fmt.Errorf("%s has %d values, the problem has %d objectives", part.Text, n, objectives)
		}
	}
	return nil
}

// Outcomes maps a bound of an objective, from 0, to an outcome: 0 the worst and 1 the best of the frozen range.
type Outcomes func(objective int, b Bound) float64

// span are the ends of a side of a box as outcomes, in order.
func (i Interval) span(k int, outcomes Outcomes) (lo, hi float64) {
	if i.Any {
		return 0, 1
	}
	a, b := outcomes(k, i.From), outcomes(k, i.To)
	return math.Min(a, b), math.Max(a, b)
}

// Span returns the ends of a box as outcomes; a side with Any has none.
func Span(box []Interval, outcomes Outcomes) (lo, hi []float64) {
	lo, hi = make([]float64, len(box)), make([]float64, len(box))
	for k, i := range box {
		lo[k], hi[k] = i.span(k, outcomes)
		if i.Any {
			lo[k], hi[k] = math.Inf(-1), math.Inf(1)
		}
	}
	return lo, hi
}

// Boxes are the boxes of a prior.
func (p Prior) Boxes() [][]Interval {
	var boxes [][]Interval
	for _, part := range p {
		if part.Distribution == Box {
			boxes = append(boxes, part.Box)
		}
	}
	return boxes
}

// Inside reports whether outcomes lie in one of the prior's boxes.
func (p Prior) Inside(u []float64, outcomes Outcomes) bool {
	for _, box := range p.Boxes() {
		lo, hi := Span(box, outcomes)
		inside := true
		for k, v := range u {
			inside = inside && v >= lo[k] && v <= hi[k]
		}
		if inside {
			return true
		}
	}
	return false
}

// The samples of a box are positive, and so are the weights: a box that reaches below an outcome of 0 is shifted to
// begin a little below its worse end.
const minDrawn, belowBox = 1e-3, 0.1

// Draw samples one λ of the simplex. A box samples the preferred outcome u ~ U(box), and the weights are proportional
// to it, or, if reciprocal says so, to 1/u, because the Tchebyshev scalarization prefers outcomes proportional to the
// reciprocal of its weights (thesis, §2.4).
func (p Prior) Draw(objectives int, reciprocal bool, outcomes Outcomes, rng *rand.Rand) Scalarization {
	s, _ := p.DrawPart(objectives, reciprocal, outcomes, rng)
	return s
}

// DrawPart is Draw that also returns the part of the prior of the weights.
func (p Prior) DrawPart(objectives int, reciprocal bool, outcomes Outcomes, rng *rand.Rand) (s Scalarization, number int) {
	number = p.pick(rng)
	part := p[number]
	s = Scalarization{Weights: make([]float64, objectives), Reference: p.reference(number, objectives, outcomes)}
	w := s.Weights
	sum := 0.0
	for k := range w {
		switch part.Distribution {
		case Dirichlet:
			w[k] = distuv.Gamma{Alpha: part.Alpha[k%len(part.Alpha)], Beta: 1, Src: rng}.Rand()
		case Normal:
			w[k] = math.Abs(rng.NormFloat64())
		case Box:
			lo, hi := part.Box[k].drawRange(k, outcomes)
			w[k] = lo + (hi-lo)*rng.Float64()
			if reciprocal {
				w[k] = 1 / w[k]
			}
		default:
			w[k] = rng.ExpFloat64()
		}
		sum += w[k]
	}
	for k := range w {
		w[k] /= sum
		if !(sum > 0) {
			w[k] = 1 / float64(objectives)
		}
	}
	return s, number
}

// reference are the outcomes of value 0 for a part; nil: all 0.
func (p Prior) reference(part, objectives int, outcomes Outcomes) []float64 {
	if p[part].Distribution != Box {
		return nil
	}
	var zero []float64
	for k, side := range p[part].Box {
		if lo, _ := side.span(k, outcomes); lo < 0 {
			if zero == nil {
				zero = make([]float64, objectives)
			}
			zero[k] = lo - belowBox
		}
	}
	return zero
}

// drawRange is the positive range of the samples of a side.
func (i Interval) drawRange(k int, outcomes Outcomes) (lo, hi float64) {
	lo, hi = i.span(k, outcomes)
	if lo < 0 {
		lo, hi = belowBox, hi-lo+belowBox
	}
	lo = math.Max(lo, minDrawn)
	return lo, math.Max(hi, lo+minDrawn)
}

// LogDensity is the logarithm of the density of one part of a prior, times its share of the whole, at weights that sum
// to 1, over the first K − 1 of them.
//
// A box of volume V has the weights λ = u/Σu where a ray meets it: p(λ) = ∫ r^(K−1) dr / V over the r with rλ in the
// box; with reciprocal weights u = 1/(rλ), whose volume element is Π λ⁻² r^(−K−1). For |N(0, I)| the integral over the
// ray is a gamma function.
func (p Prior) LogDensity(part int, weights []float64, reciprocal bool, outcomes Outcomes) float64 {
	k := float64(len(weights))
	d := math.Log(p[part].Share / p.total())
	logGamma := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	switch law := p[part]; law.Distribution {
	case Dirichlet:
		sum := 0.0
		for j, w := range weights {
			alpha := law.Alpha[j%len(law.Alpha)]
			sum += alpha
			d += (alpha-1)*math.Log(w) - logGamma(alpha)
		}
		return d + logGamma(sum)
	case Normal:
		sum := 0.0
		for _, w := range weights {
			sum += w * w
		}
		return d + k*math.Ln2 + logGamma(k/2) - math.Ln2 - k/2*math.Log(math.Pi*sum)
	case Box:
		from := 0.0
		end := math.Inf(1)
		volume := 0.0
		for j, w := range weights {
			lo, hi := law.Box[j].drawRange(j, outcomes)
			volume += math.Log(hi - lo)
			if reciprocal {
				lo, hi = 1/hi, 1/lo
				d -= 2 * math.Log(w)
			}
			from, end = math.Max(from, lo/w), math.Min(end, hi/w)
		}
		if !(from < end) {
			return math.Inf(-1)
		}
		if reciprocal {
			return d - volume + math.Log((math.Pow(from, -k)-math.Pow(end, -k))/k)
		}
		return d - volume + math.Log((math.Pow(end, k)-math.Pow(from, k))/k)
	}
	return d + logGamma(k) // flat
}

// pick samples a part by its share.
func (p Prior) pick(rng *rand.Rand) int {
	if len(p) == 1 {
		return 0
	}
	u := rng.Float64() * p.total()
	for i, part := range p {
		u -= part.Share
		if u < 0 {
			return i
		}
	}
	return len(p) - 1
}
