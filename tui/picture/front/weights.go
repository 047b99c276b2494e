package front

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"bandscope/model/preference"
	"bandscope/optimizers"
	"bandscope/optimizers/weights"
	"bandscope/sessions"
)

// weightPDF is the density of the prior over weights where it has a closed form; nil after answers, when it must be
// estimated from draws.
func weightPDF(st sessions.State) func(w []float64) float64 {
	if !st.HasWeightPrior() || len(st.Input().Answers) > 0 {
		return nil
	}
	prior, err := weights.PriorFor(st.Input())
	if err != nil {
		return nil
	}
	outcomes, reciprocal := weights.OutcomesFor(st.Input()),
		st.Params.ValueByRole(optimizers.RoleScalarization) != weights.Linear
	return func(w []float64) float64 { return prior.Density(w, reciprocal, outcomes) }
}

// marginalPDF is the density of one of K weights where it has a closed form: with two weights, and for a Dirichlet
// distribution, whose marginals are beta distributions.
func marginalPDF(st sessions.State, k int) func(w float64) float64 {
	density := weightPDF(st)
	n := len(st.Problem.Objectives)
	if density == nil {
		return nil
	}
	if n == 2 {
		return func(w float64) float64 {
			if k == 0 {
				return density([]float64{w, 1 - w})
			}
			return density([]float64{1 - w, w})
		}
	}
	prior, _ := weights.PriorFor(st.Input())
	margin := make(preference.Prior, len(prior))
	for i, part := range prior {
		alpha, rest := 1.0, float64(n-1)
		switch part.Distribution {
		case preference.Flat:
		case preference.Dirichlet:
			alpha, rest = 0, 0
			for j := range n {
				if a := part.Alpha[j%len(part.Alpha)]; j == k {
					alpha = a
				} else {
					rest += a
				}
			}
		default:
			return nil
		}
		margin[i] = preference.Part{Share: part.Share, Distribution: preference.Dirichlet,
			Alpha: []float64{alpha, rest}}
	}
	return func(w float64) float64 { return margin.Density([]float64{w, 1 - w}, false, nil) }
}

// minBandwidth is the least width of the kernel of an estimated density of weights.
const minBandwidth = 0.01

// kernelDensity estimates the density of values in [0, 1] at some places by Gaussian kernels of Silverman's width
// (Silverman 1986, eq. 3.31), reflected at both ends so that no mass is lost beyond them.
func kernelDensity(values, points []float64) []float64 {
	out := make([]float64, len(points))
	if len(values) == 0 {
		return out
	}
	width := bandwidth(values)
	const bins = 400
	counts := make([]float64, bins)
	for _, v := range values {
		counts[min(max(int(v*bins), 0), bins-1)]++
	}
	norm := 1 / (math.Sqrt(2*math.Pi) * width * float64(len(values)))
	kernel := func(d float64) float64 { return math.Exp(-d * d / (2 * width * width)) }
	for b, n := range counts {
		if n == 0 {
			continue
		}
		v := (float64(b) + 0.5) / bins
		for i, x := range points {
			out[i] += n * norm * (kernel(x-v) + kernel(x+v) + kernel(2-x-v))
		}
	}
	return out
}

// bandwidth is Silverman's rule: 0.9 times the lesser of the standard deviation and the interquartile range over
// 1.34, by n^(−1/5).
func bandwidth(values []float64) float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	spread := stat.StdDev(sorted, nil)
	if iqr := (stat.Quantile(0.75, stat.Empirical, sorted, nil) - stat.Quantile(0.25, stat.Empirical, sorted, nil)) /
		1.34; iqr > 0 {
		spread = math.Min(spread, iqr)
	}
	if math.IsNaN(spread) {
		spread = 0
	}
	return math.Max(0.9*spread*math.Pow(float64(len(values)), -0.2), minBandwidth)
}

// column takes one weight of every draw.
func column(draws []preference.Scalarization, k int) []float64 {
	out := make([]float64, len(draws))
	for i, s := range draws {
		out[i] = s.Weights[k]
	}
	return out
}

// kernelDensity2D estimates the density of three weights by Gaussian kernels, of Silverman's width for two dimensions,
// over the triangle with equal sides. The part of a kernel outside of the triangle is added inside, so that the edges
// are no darker than the density.
func kernelDensity2D(draws []preference.Scalarization) func(w []float64) float64 {
	const nodes = triangleCols * triangleRows
	counts, inside := make([]float64, nodes), make([]bool, nodes)
	within := 0.0
	for n := range nodes {
		if _, ok := weightsAt(float64(n%triangleCols)/(triangleCols-1), float64(n/triangleCols)/(triangleRows-1)); ok {
			inside[n] = true
			within++
		}
	}
	xs, ys := make([]float64, len(draws)), make([]float64, len(draws))
	for i, s := range draws {
		xs[i], ys[i] = corner(s.Weights)
		counts[int(math.Round(ys[i]*(triangleRows-1)))*triangleCols+int(math.Round(xs[i]*(triangleCols-1)))]++
	}
	height := math.Sqrt(3) / 2
	width := max(math.Sqrt((stat.Variance(xs, nil)+height*height*stat.Variance(ys, nil))/2)*
		math.Pow(float64(len(draws)), -1.0/6), 1.5*minBandwidth)
	dx, dy := 1/float64(triangleCols-1), height/float64(triangleRows-1)
	reachX, reachY := int(3*width/dx), int(3*width/dy)
	z, sum := make([]float64, nodes), 0.0
	for n := range nodes {
		if !inside[n] {
			continue
		}
		mass, whole := 0.0, 0.0
		for b := max(n/triangleCols-reachY, 0); b <= min(n/triangleCols+reachY, triangleRows-1); b++ {
			for a := max(n%triangleCols-reachX, 0); a <= min(n%triangleCols+reachX, triangleCols-1); a++ {
				m := b*triangleCols + a
				if !inside[m] {
					continue
				}
				x, y := float64(a-n%triangleCols)*dx, float64(b-n/triangleCols)*dy
				kernel := math.Exp(-(x*x + y*y) / (2 * width * width))
				mass, whole = mass+kernel*counts[m], whole+kernel
			}
		}
		z[n] = mass / whole
		sum += z[n]
	}
	return func(w []float64) float64 {
		x, y := corner(w)
		i, j := int(math.Round(x*(triangleCols-1))), int(math.Round(y*(triangleRows-1)))
		// the triangle's area is 1/2
		return z[min(max(j, 0), triangleRows-1)*triangleCols+min(max(i, 0), triangleCols-1)] * 2 * within / sum
	}
}
