package search

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

const (
	// distance, in every variable of the unit cube, below which a point can only refine an evaluated one
	closeRadius = 1e-3
	// radius of the neighborhood of an evaluated point: a share of the mean distance of as many evenly spread points, so
	// that the neighborhoods never cover the space, and its largest value
	spacingShare = 0.25
	maxSpacing   = 0.05
	// gain, relative to the difference of the median and the best result, that counts as an improvement
	minGain = 1e-9
	// gain, relative to the range of the results, that is worth another evaluation close to an evaluated point
	minRefinement = 1e-6
	// evaluations in a row, each close to an earlier one and gaining less, after which a point is refined no more
	maxFailures = 2
	// standard deviations below the predicted mean at which a value still counts as possible
	promisingSDs = 3
)

// Prediction predicts the objective at the rows of X; the SD is nil if there is none.
type Prediction func(ctx context.Context, X *mat.Dense) (optimizers.Band, error)

// neighbors tells where something is gained by another evaluation without noise, near the points that were evaluated.
type neighbors struct {
	in      optimizers.Input
	space   Space
	predict Prediction  // nil: no improvement is predicted, as with several objectives
	points  [][]float64 // observed, in their order, and after them the failed ones
	values  []float64   // of the observed points; +Inf if they count for no best value
	gain    float64     // the least improvement
	spacing float64

	refinement float64 // the least improvement by a refinement after which another one is useful
}

func newNeighbors(in optimizers.Input, space Space, predict Prediction) neighbors {
	n := neighbors{in: in, space: space, predict: predict, points: evaluatedPoints(in), values: in.Data.Column(0)}
	if in.Objectives > 1 {
		n.predict = nil
	}
	if len(n.values) > 0 {
		sorted := slices.Sorted(slices.Values(n.values))
		n.gain = minGain * (sorted[len(sorted)/2] - sorted[0])
		n.refinement = minRefinement * (sorted[len(sorted)-1] - sorted[0])
	}
	var met []bool
	if in.Feasible != nil {
		met = in.Feasible.FeasibleData()
	}
	for i := range n.values {
		if i < len(met) && !met[i] || !in.Fidelity.IsFull(n.points[i]) {
			n.values[i] = math.Inf(1)
		}
	}
	n.spacing = space.spacing(n.points)
	return n
}

// spacing is the radius of the neighborhoods of some points in the space.
func (s Space) spacing(points [][]float64) float64 {
	inside := 1
	width := 1.0
	free := 0
	for j := range s.Dim {
		if low, high := s.Bounds(j); high > low && !s.Domain.Stepwise(j) {
			width = min(width, high-low)
			free++
		}
	}
	for _, x := range points {
		if s.contains(x) {
			inside++
		}
	}
	mean := width * math.Pow(float64(inside), -1/float64(max(free, 1)))
	return min(max(spacingShare*mean, closeRadius), maxSpacing)
}

// useful reports whether an evaluation at a point may gain something: everywhere outside of the neighborhoods of the
// evaluated points; inside of them where the model expects that the result may be better than the best one. A point
// that is close to an evaluated one must not repeat it or a failure, nor continue refinements that failed.
func (n neighbors) useful(ctx context.Context, x []float64) (bool, error) {
	if !n.space.near(x, n.points, n.spacing) {
		return true, nil
	}
	if n.space.near(x, n.points, closeRadius) {
		if n.predict == nil || n.space.near(x, n.points, RepeatRadius) ||
			n.space.near(x, n.points[len(n.values):], closeRadius) || n.failures(x) >= maxFailures {
			return false, nil
		}
	}
	return n.promises(ctx, x)
}

// failures counts the latest refinements close to a point, in a row, that gained too little on the results before them.
func (n neighbors) failures(x []float64) (count int) {
	best := math.Inf(1)
	for i, v := range n.values {
		if n.space.near(x, n.points[i:i+1], closeRadius) && n.space.near(n.points[i], n.points[:i], closeRadius) {
			count++
			if v < best-n.refinement {
				count = 0
			}
		}
		best = min(best, v)
	}
	return count
}

// promises reports whether the result at a point may be better than the best one, by more than rounding. Without a
// standard deviation, the prediction in the neighborhood of an evaluated point is the result there with the predicted
// change to the point, because the model need not agree with the results.
func (n neighbors) promises(ctx context.Context, x []float64) (bool, error) {
	best := math.Inf(1)
	for _, v := range n.values {
		best = min(best, v)
	}
	if n.predict == nil || math.IsInf(best, 1) {
		return true, nil
	}
	nearest := n.nearest(x)
	both := mat.NewDense(2, len(x), nil)
	both.SetRow(0, x)
	both.SetRow(1, n.points[nearest])
	band, err := n.predict(ctx, both)
	if err != nil {
		return false, err
	}
	least := band.Mean[0]
	switch {
	case band.SD != nil:
		least -= promisingSDs * band.SD[0]
	case n.space.near(x, n.points[nearest:nearest+1], n.spacing):
		least += n.in.Data.Y.At(nearest, 0) - band.Mean[1]
	}
	return least < best-n.gain, nil
}

// nearest is the observed point that is nearest to x, by the largest difference of a variable.
func (n neighbors) nearest(x []float64) (nearest int) {
	least := math.Inf(1)
	for i := range n.values {
		distance := 0.0
		for j, v := range n.points[i] {
			distance = max(distance, math.Abs(v-x[j]))
		}
		if distance < least {
			nearest, least = i, distance
		}
	}
	return nearest
}
