package multiobjective

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/normdist"
	"bandscope/optimizers/weights"
)

// EHVI is the expected hypervolume improvement.
var EHVI = optimizers.Register(optimizers.Spec{
	Name: "ehvi", Title: "EHVI", Family: "several objectives", Rank: 5, Multi: true,
	Pending: optimizers.PendingBeliever, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByProbability,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "expected hypervolume improvement, exact for any number of objectives",
	Source:  "Emmerich et al. 2006, with the boxes of Lacour et al. 2017 and the log domain of Ament et al. 2023; as the baseline of Paria 2022 (thesis), ch. 2",
	Params:  gaussian.Params(), ScoringParams: weights.ScoringParams(), Check: weights.Check, Fit: fitEHVI,
})

func fitEHVI(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
	b, err := fitFront(ctx, in, "expected hypervolume improvement")
	if err != nil {
		return nil, err
	}
	if in.Objectives == 1 && len(b.front) == 0 {
		b.gain = func(mean, _ []float64) float64 { return -mean[0] }
		return b, nil
	}
	x := newImprovement(b.front, b.reference)
	b.gain = func(mean, sd []float64) float64 { return x.log(mean, sd, nil, nil) }
	b.slope = x.log
	b.shown = math.Exp
	b.nonNegative = true
	return b, nil
}

// improvement is the expected hypervolume that an outcome adds to a front. In each box that the front does not
// dominate, a point z adds Π max(0, hi_k − max(lo_k, z_k)). The expectation under independent normals is therefore Π
// (ψ_k(hi_k) − ψ_k(lo_k)) with ψ_k(t) = E max(0, t − z_k) (Yang et al. 2019 for three objectives).
type improvement struct {
	levels [][]float64 // of every objective, the distinct ends of boxes, ascending
	boxes  []int32     // 2K per box: the indices of its ends among the levels of each objective
}

func newImprovement(front [][]float64, reference []float64) *improvement {
	k := len(reference)
	x := &improvement{levels: make([][]float64, k)}
	cells := improvementCells(front, reference)
	for j := range k {
		for _, c := range cells {
			x.levels[j] = append(x.levels[j], c.lo[j], c.hi[j])
		}
		slices.Sort(x.levels[j])
		x.levels[j] = slices.Compact(x.levels[j])
	}
	for _, c := range cells {
		for j := range k {
			lo, _ := slices.BinarySearch(x.levels[j], c.lo[j])
			hi, _ := slices.BinarySearch(x.levels[j], c.hi[j])
			x.boxes = append(x.boxes, int32(lo), int32(hi))
		}
	}
	return x
}

// ExpectedImprovement is the expected hypervolume that a point of independent normal outcomes with these means and
// standard deviations adds to a front, for simulations: by a table, with relative errors below 1e-4, and 0 if all
// outcomes are more than 8 standard deviations from the front. All are minimized, and points count below the reference.
// The function must not be called concurrently.
func ExpectedImprovement(front [][]float64, reference []float64) func(mean, sd []float64) float64 {
	x, table := newImprovement(front, reference), normdist.NewTable()
	values := make([][]float64, len(reference)) // ψ at the ends of boxes
	for j, ends := range x.levels {
		values[j] = make([]float64, len(ends))
	}
	return func(mean, sd []float64) float64 {
		for j, ends := range x.levels {
			for i, end := range ends {
				if sd[j] > 0 {
					values[j][i] = sd[j] * table.Improvement((end-mean[j])/sd[j])
				} else {
					values[j][i] = max(end-mean[j], 0)
				}
			}
		}
		sum, k := 0.0, len(values)
		for b := 0; b < len(x.boxes); b += 2 * k {
			product := 1.0
			for j := range k {
				product *= values[j][x.boxes[b+2*j+1]] - values[j][x.boxes[b+2*j]]
			}
			sum += product
		}
		return sum
	}
}

// level is ψ at one end of boxes: its logarithm with the derivatives by the mean and by the standard deviation, and its
// value relative to the greatest one.
type level struct{ log, byMean, bySD, value float64 }

// log returns the logarithm of the expected improvement of outcomes with these moments, and writes its derivatives to
// byMean and bySD unless they are nil. The gradient does not vanish if the standard deviations are not 0, however far
// from the front the outcomes are.
func (x *improvement) log(mean, sd, byMean, bySD []float64) float64 {
	k := len(mean)
	values := make([][]level, k)
	scale := 0.0 // the logarithm of the unit of the products
	for j, ends := range x.levels {
		values[j] = make([]level, len(ends))
		for i, end := range ends {
			l := &values[j][i]
			if math.IsInf(end, -1) {
				l.log = math.Inf(-1)
				continue
			}
			l.log, l.byMean, l.bySD = normdist.LogImprovement(mean[j], sd[j], end)
		}
		top := values[j][len(ends)-1].log
		if math.IsInf(top, -1) { // no gain is possible: no uncertainty, and beyond the reference
			return math.Inf(-1)
		}
		scale += top
		for i := range values[j] {
			values[j][i].value = math.Exp(values[j][i].log - top)
		}
	}
	products, sum := make([]float64, 0, len(x.boxes)/(2*k)), 0.0
	for b := 0; b < len(x.boxes); b += 2 * k {
		product := 1.0
		for j := range k {
			product *= values[j][x.boxes[b+2*j+1]].value - values[j][x.boxes[b+2*j]].value
		}
		products = append(products, product)
		sum += product
	}
	if sum < 1e-200 { // in units of the greatest box instead
		scale = x.rescale(values, products)
		sum = floats.Sum(products)
	}
	if byMean != nil {
		x.slopes(values, products, sum, byMean, bySD)
	}
	return scale + math.Log(sum)
}

// rescale writes the shares of the boxes relative to the greatest one, and returns the logarithm of that one.
func (x *improvement) rescale(levels [][]level, products []float64) (top float64) {
	k := len(levels)
	top = math.Inf(-1)
	for i := range products {
		products[i] = 0
		for j := range k {
			lo, hi := levels[j][x.boxes[2*(i*k+j)]].log, levels[j][x.boxes[2*(i*k+j)+1]].log
			products[i] += hi + math.Log(-math.Expm1(lo-hi))
		}
		if math.IsNaN(products[i]) { // between two ends that are both impossible
			products[i] = math.Inf(-1)
		}
		top = math.Max(top, products[i])
	}
	for i := range products {
		products[i] = math.Exp(products[i] - top)
	}
	return top
}

// slopes computes the derivatives of the logarithm of a sum of products: the sum over boxes of the share of a box times
// the derivative of the logarithm of its factor.
func (x *improvement) slopes(levels [][]level, products []float64, sum float64, byMean, bySD []float64) {
	k := len(levels)
	clear(byMean)
	clear(bySD)
	for i, p := range products {
		if p == 0 {
			continue
		}
		for j := range k {
			lo, hi := levels[j][x.boxes[2*(i*k+j)]], levels[j][x.boxes[2*(i*k+j)+1]]
			r := math.Exp(lo.log - hi.log)
			byMean[j] += p / sum * (hi.byMean - r*lo.byMean) / (1 - r)
			bySD[j] += p / sum * (hi.bySD - r*lo.bySD) / (1 - r)
		}
	}
}
