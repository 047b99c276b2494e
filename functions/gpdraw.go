package functions

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/rng"
)

// The draw of Dai et al. 2022, §5.1 and App. F.1: a squared-exponential Gaussian process with lengthscale 0.1 on 1,000
// equally spaced points of [0, 1].
const (
	drawLength = 0.1
	drawPoints = 1000
)

// gpDraw is another function for every seed: in one dimension the draw of Dai et al., in two its like on the unit
// square.
var gpDraw = Family{Name: "gp-draw", Title: "draw from a Gaussian process",
	About:  "a smooth random function, different for every seed",
	Source: "Dai et al. 2022, §5.1 and App. F.1", MinDim: 1, MaxDim: 2, DefaultDim: 1, Seeded: true,
	New: func(d int, seed uint64) Problem {
		if d == 2 {
			return draw2D(seed)
		}
		return draw1D(seed)
	}}

// drawRank is how many knots carry a draw: the kernel's eigenvalues fall off so fast that the knots, 1/80 apart,
// determine the 1,000 points to 1e-8.
const drawRank = 81

// drawFactor takes standard normal numbers to the values at the 1,000 points, 1000×drawRank: the kernel's square root
// by way of the knots (Nyström), computed once.
var drawFactor = sync.OnceValue(func() *mat.Dense {
	place := func(i, n int) float64 { return float64(i) / float64(n-1) }
	knots := mat.NewSymDense(drawRank, nil)
	for i := range drawRank {
		for j := i; j < drawRank; j++ {
			knots.SetSym(i, j, drawCovariance(place(i, drawRank)-place(j, drawRank)))
		}
	}
	var eigen mat.EigenSym
	eigen.Factorize(knots, true)
	var vectors, cross, factor mat.Dense
	eigen.VectorsTo(&vectors)
	for j, v := range eigen.Values(nil) { // columns become v/√λ; what rounding made of tiny eigenvalues is left out
		scale := 0.0
		if v > 1e-11 {
			scale = 1 / math.Sqrt(v)
		}
		for i := range drawRank {
			vectors.Set(i, j, vectors.At(i, j)*scale)
		}
	}
	cross.ReuseAs(drawPoints, drawRank)
	cross.Apply(func(i, j int, _ float64) float64 {
		return drawCovariance(place(i, drawPoints) - place(j, drawRank))
	}, &cross)
	factor.Mul(&cross, &vectors)
	return &factor
})

func drawCovariance(lag float64) float64 { return math.Exp(-lag * lag / (2 * drawLength * drawLength)) }

// draw1D draws the 1,000 values and joins them by a natural cubic spline.
func draw1D(seed uint64) Problem {
	rng := rng.New(seed, 0, "gp draw")
	z := mat.NewVecDense(drawRank, nil)
	for i := range drawRank {
		z.SetVec(i, rng.NormFloat64())
	}
	y := mat.NewVecDense(drawPoints, nil)
	y.MulVec(drawFactor(), z)
	x := make([]float64, drawPoints)
	best := 0
	for i := range x {
		x[i] = float64(i) / (drawPoints - 1)
		if y.AtVec(i) < y.AtVec(best) {
			best = i
		}
	}
	var spline interp.NaturalCubic
	if err := spline.Fit(x, y.RawVector().Data); err != nil {
		panic("functions: " + err.Error()) // the grid ascends
	}
	place := goldenSection(x[max(best-1, 0)], x[min(best+1, drawPoints-1)], spline.Predict)
	for _, edge := range []float64{x[best], 0, 1} { // a minimum on the edge has no slope of its own
		if spline.Predict(edge) < spline.Predict(place) {
			place = edge
		}
	}
	return singleObjective(Box(1, 0, 1), at(spline.Predict(place), []float64{place}), func(x []float64) float64 {
		return spline.Predict(x[0])
	})
}

// drawFeatures is how many random Fourier features make up a draw on the square.
const drawFeatures = 2000

// squareWaves are random Fourier features that make up a draw on the plane (Rahimi & Recht 2007): two frequencies, a
// phase and a weight each.
func squareWaves(seed uint64) [][4]float64 {
	rng := rng.New(seed, 0, "gp draw", 2)
	w := make([][4]float64, drawFeatures)
	for i := range w {
		w[i] = [4]float64{rng.NormFloat64() / drawLength, rng.NormFloat64() / drawLength, 2 * math.Pi * rng.Float64(),
			rng.NormFloat64() * math.Sqrt(2.0/drawFeatures)}
	}
	return w
}

// waves is the sum of such features.
func waves(w [][4]float64) func(x []float64) float64 {
	return func(x []float64) float64 {
		sum := 0.0
		for _, v := range w {
			sum += v[3] * math.Cos(v[0]*x[0]+v[1]*x[1]+v[2])
		}
		return sum
	}
}

// draw2D is a draw on the unit square.
func draw2D(seed uint64) Problem {
	w := squareWaves(seed)
	f := waves(w)
	inside := func(x []float64) []float64 { return []float64{min(max(x[0], 0), 1), min(max(x[1], 0), 1)} }
	grid := squareGrid(w)
	lowest := mat.Min(grid)
	var best []float64
	for i := range squarePoints {
		for j := range squarePoints {
			// A valley's floor is less than this below the nearest point of the grid.
			if grid.At(i, j) > lowest+0.05 || !isValley(grid, i, j) {
				continue
			}
			x := inside(refine(func(x []float64) float64 {
				return f(inside(x))
			}, []float64{squarePlace(i), squarePlace(j)}))
			if best == nil || f(x) < f(best) {
				best = x
			}
		}
	}
	return singleObjective(Box(2, 0, 1), at(f(best), best), f)
}

// squarePoints is how many points a side of the grid has on which the minimum of a draw is looked for, six to a
// lengthscale.
const squarePoints = 61

func squarePlace(i int) float64 { return float64(i) / (squarePoints - 1) }

// squareGrid evaluates a sum of features on the grid, as a product of the parts that depend on one variable:
// cos(a+b) = cos a cos b − sin a sin b.
func squareGrid(w [][4]float64) *mat.Dense {
	rows, columns := mat.NewDense(squarePoints, 2*len(w), nil), mat.NewDense(squarePoints, 2*len(w), nil)
	for i := range squarePoints {
		for k, v := range w {
			sin, cos := math.Sincos(v[0]*squarePlace(i) + v[2])
			rows.Set(i, 2*k, v[3]*cos)
			rows.Set(i, 2*k+1, -v[3]*sin)
			sin, cos = math.Sincos(v[1] * squarePlace(i))
			columns.Set(i, 2*k, cos)
			columns.Set(i, 2*k+1, sin)
		}
	}
	var grid mat.Dense
	grid.Mul(rows, columns.T())
	return &grid
}

// isValley reports whether no neighbour on the grid is lower.
func isValley(grid *mat.Dense, i, j int) bool {
	for a := max(i-1, 0); a <= min(i+1, squarePoints-1); a++ {
		for b := max(j-1, 0); b <= min(j+1, squarePoints-1); b++ {
			if grid.At(a, b) < grid.At(i, j) {
				return false
			}
		}
	}
	return true
}
