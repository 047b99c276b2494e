package gp

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/model"
)

// Mixture is a process whose hyperparameters are integrated over: an equally weighted mixture of processes of the same
// data, with hyperparameters drawn from their posterior (Rasmussen & Williams 2006, §5.2; Snoek et al. 2012, §3.2). Its
// moments follow from the laws of total expectation and total variance. A mixture of one process equals that process to
// the last digit. It is immutable and safe for concurrent use.
type Mixture struct {
	mode  *GP   // with the most probable hyperparameters
	draws []*GP // at least one
}

var _ model.Surrogate = (*Mixture)(nil)

// NewMixture returns the mixture of one process.
func NewMixture(g *GP) *Mixture { return &Mixture{g, []*GP{g}} }

// NewMixtureOf returns the mixture of several processes of the same data, given the one with the most probable
// hyperparameters.
func NewMixtureOf(mode *GP, draws []*GP) *Mixture { return &Mixture{mode, draws} }

// Mode returns the process with the most probable hyperparameters.
func (m *Mixture) Mode() *GP { return m.mode }

// Draws returns the processes of the mixture.
func (m *Mixture) Draws() []*GP { return m.draws }

// Integrated reports whether hyperparameters are integrated over.
func (m *Mixture) Integrated() bool { return len(m.draws) > 1 }

// each returns the mixture of the results of f for every process.
func (m *Mixture) each(f func(*GP) (*GP, error)) (*Mixture, error) {
	mode, err := f(m.mode)
	if err != nil {
		return nil, err
	}
	if !m.Integrated() {
		return NewMixture(mode), nil
	}
	next := &Mixture{mode: mode, draws: make([]*GP, len(m.draws))}
	for i, g := range m.draws {
		next.draws[i], err = f(g)
		if err != nil {
			return nil, err
		}
	}
	return next, nil
}

// average returns the mean of f over the processes.
func (m *Mixture) average(f func(*GP) float64) float64 {
	sum := 0.0
	for _, g := range m.draws {
		sum += f(g)
	}
	return sum / float64(len(m.draws))
}

// Noise returns the standard deviation of the noise of a future observation: the root of the mean variance.
func (m *Mixture) Noise() float64 {
	if !m.Integrated() {
		return m.mode.Noise()
	}
	return math.Sqrt(m.average(func(g *GP) float64 { return g.noise * g.noise }))
}

// MaxNoise returns the greatest noise standard deviation of all observations; see GP.MaxNoise.
func (m *Mixture) MaxNoise() float64 {
	if !m.Integrated() {
		return m.mode.MaxNoise()
	}
	return math.Sqrt(m.average(func(g *GP) float64 { return g.MaxNoise() * g.MaxNoise() }))
}

// Jitter returns the greatest jitter that was added to the diagonal of a covariance matrix; 0 for none.
func (m *Mixture) Jitter() float64 {
	most := 0.0
	for _, g := range m.draws {
		most = max(most, g.jitter)
	}
	return most
}

// LogMarginalLikelihood returns that of the process with the most probable hyperparameters.
func (m *Mixture) LogMarginalLikelihood() float64 { return m.mode.LogMarginalLikelihood() }

// Describe returns the lengthscales and the signal standard deviation of stationary processes: geometric means over the
// draws.
func (m *Mixture) Describe() (lengths []float64, scale float64, err error) {
	if !m.Integrated() {
		return m.mode.Describe()
	}
	for _, g := range m.draws {
		l, s, err := g.Describe()
		if err != nil {
			return nil, 0, err
		}
		if lengths == nil {
			lengths = make([]float64, len(l))
		}
		for j, v := range l {
			lengths[j] += math.Log(v) / float64(len(m.draws))
		}
		scale += math.Log(s) / float64(len(m.draws))
	}
	for j, v := range lengths {
		lengths[j] = math.Exp(v)
	}
	return lengths, math.Exp(scale), nil
}

// Gram returns the prior covariance of the rows of X (n×d) with each other.
func (m *Mixture) Gram(X *mat.Dense) *mat.SymDense {
	sum := m.draws[0].kernel.Gram(X)
	for _, g := range m.draws[1:] {
		sum.AddSym(sum, g.kernel.Gram(X))
	}
	if m.Integrated() {
		sum.ScaleSym(1/float64(len(m.draws)), sum)
	}
	return sum
}

// PriorCovariances returns the prior covariances of the values at the rows of X (n×d) with those at the rows of Z (m×d),
// n×m.
func (m *Mixture) PriorCovariances(X, Z *mat.Dense) *mat.Dense {
	sum := m.draws[0].kernel.Cross(X, Z)
	for _, g := range m.draws[1:] {
		sum.Add(sum, g.kernel.Cross(X, Z))
	}
	sum.Scale(1/float64(len(m.draws)), sum)
	return sum
}

// Predict returns the mean and the standard deviation of the latent function at each row of X (m×d).
func (m *Mixture) Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error) {
	if !m.Integrated() {
		return m.mode.Predict(ctx, X)
	}
	means, sds := make([][]float64, len(m.draws)), make([][]float64, len(m.draws))
	for i, g := range m.draws {
		means[i], sds[i], err = g.Predict(ctx, X)
		if err != nil {
			return nil, nil, err
		}
	}
	n, _ := X.Dims()
	mean, sd = make([]float64, n), make([]float64, n)
	values, two := make([]float64, len(m.draws)), make([]float64, len(m.draws))
	for j := range n {
		for i := range m.draws {
			values[i], two[i] = means[i][j], sds[i][j]
		}
		mean[j], sd[j] = mixtureMoments(values, two)
	}
	return mean, sd, nil
}

// mixtureMoments returns the mean and the standard deviation of an equally weighted mixture.
func mixtureMoments(means, sds []float64) (mean, sd float64) {
	n := float64(len(means))
	for _, v := range means {
		mean += v / n
	}
	variance := 0.0
	for i, v := range means {
		variance += (sds[i]*sds[i] + (v-mean)*(v-mean)) / n
	}
	return mean, math.Sqrt(variance)
}

// Means returns the posterior mean at each row of X (m×d).
func (m *Mixture) Means(X *mat.Dense) []float64 {
	n, _ := X.Dims()
	means := make([]float64, n)
	for _, g := range m.draws {
		floats.Add(means, g.Means(X))
	}
	for i := range means {
		means[i] /= float64(len(m.draws))
	}
	return means
}

// Gradient returns the mean and the standard deviation at one input, and writes their gradients to dmean and dsd,
// length d each; see GP.Gradient.
func (m *Mixture) Gradient(x, dmean, dsd []float64) (mean, sd float64) {
	if !m.Integrated() {
		return m.mode.Gradient(x, dmean, dsd)
	}
	means, sds := make([]float64, len(m.draws)), make([]float64, len(m.draws))
	byMean, bySD := make([][]float64, len(m.draws)), make([][]float64, len(m.draws))
	for i, g := range m.draws {
		byMean[i], bySD[i] = make([]float64, len(x)), make([]float64, len(x))
		means[i], sds[i] = g.Gradient(x, byMean[i], bySD[i])
	}
	mean, sd = mixtureMoments(means, sds)
	clear(dmean)
	clear(dsd)
	n := float64(len(m.draws))
	for i := range m.draws {
		for j := range x {
			dmean[j] += byMean[i][j] / n
		}
	}
	for i := range m.draws {
		for j := range x {
			if sd > 0 {
				dsd[j] += (sds[i]*bySD[i][j] + (means[i]-mean)*(byMean[i][j]-dmean[j])) / (n * sd)
			}
		}
	}
	return mean, sd
}

// LeaveOneOut returns the mean and the standard deviation of the prediction of each observation from all the others,
// noise included. The hyperparameters are drawn given all observations. Importance weights, the inverse of the density
// of an observation given the others, convert them to draws given the others (Gelfand et al. 1992). The weights are
// truncated at their mean times the root of their number (Ionides 2008).
func (m *Mixture) LeaveOneOut() (mean, sd []float64, err error) {
	if !m.Integrated() {
		return m.mode.LeaveOneOut()
	}
	means, sds := make([][]float64, len(m.draws)), make([][]float64, len(m.draws))
	for i, g := range m.draws {
		means[i], sds[i], err = g.LeaveOneOut()
		if err != nil {
			return nil, nil, err
		}
	}
	y := m.mode.y
	mean, sd = make([]float64, len(y)), make([]float64, len(y))
	weight := make([]float64, len(m.draws))
	for j := range y {
		for i := range weight {
			z := (y[j] - means[i][j]) / sds[i][j]
			weight[i] = math.Log(sds[i][j]) + z*z/2
		}
		truncatedWeights(weight)
		for i, w := range weight {
			mean[j] += w * means[i][j]
		}
		variance := 0.0
		for i, w := range weight {
			d := means[i][j] - mean[j]
			variance += w * (sds[i][j]*sds[i][j] + d*d)
		}
		sd[j] = math.Sqrt(variance)
	}
	return mean, sd, nil
}

// truncatedWeights truncates S importance weights, given by their logarithms, at √S times their mean, and normalizes
// their sum to 1.
func truncatedWeights(w []float64) {
	top, n := slices.Max(w), float64(len(w))
	sum := 0.0
	for i, v := range w {
		w[i] = math.Exp(v - top)
		sum += w[i]
	}
	most := sum / n * math.Sqrt(n)
	sum = 0
	for i, v := range w {
		w[i] = min(v, most)
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
}

// Without returns the mixture without observation i. The hyperparameters remain those drawn given all observations.
func (m *Mixture) Without(i int) (*Mixture, error) {
	return m.each(func(g *GP) (*GP, error) { return g.Without(i) })
}

// Believe returns the mixture after observations at the rows of X that equal the means of each process there; see
// GP.Believe.
func (m *Mixture) Believe(ctx context.Context, X *mat.Dense) (*Mixture, error) {
	if X == nil {
		return m, nil
	}
	return m.each(func(g *GP) (*GP, error) { return g.Believe(ctx, X) })
}

// Sample draws count functions jointly at the rows of X (m×d), as the rows of a count×m matrix: hyperparameters
// first, then a function given them.
func (m *Mixture) Sample(ctx context.Context, X *mat.Dense, count int, rng *rand.Rand) (*mat.Dense, error) {
	if !m.Integrated() {
		return m.mode.Sample(ctx, X, count, rng)
	}
	rows := make([][]int, len(m.draws)) // the rows of the functions from each process
	for i := range count {
		draw := rng.IntN(len(m.draws))
		rows[draw] = append(rows[draw], i)
	}
	n, _ := X.Dims()
	all := mat.NewDense(count, n, nil)
	for i, g := range m.draws {
		if len(rows[i]) == 0 {
			continue
		}
		z, err := g.Sample(ctx, X, len(rows[i]), rng)
		if err != nil {
			return nil, err
		}
		for k, row := range rows[i] {
			all.SetRow(row, z.RawRowView(k))
		}
	}
	return all, nil
}

// Path draws a function: hyperparameters first, then a function given them; see GP.Path.
func (m *Mixture) Path(features int, rng *rand.Rand) (*Path, error) {
	if !m.Integrated() {
		return m.mode.Path(features, rng)
	}
	return m.draws[rng.IntN(len(m.draws))].Path(features, rng)
}

// PredictPairs is Predict at the rows of X and of Z (both m×d). It also returns the covariance between the values at
// row i of X and row i of Z; see GP.PredictPairs.
func (m *Mixture) PredictPairs(ctx context.Context, X, Z *mat.Dense) (atX, atZ Moments, cov []float64, err error) {
	if !m.Integrated() {
		return m.mode.PredictPairs(ctx, X, Z)
	}
	n, _ := X.Dims()
	count := float64(len(m.draws))
	atX = newMoments(n)
	atZ = newMoments(n)
	cov = make([]float64, n)
	var x, z []Moments
	for _, g := range m.draws {
		mx, mz, c, err := g.PredictPairs(ctx, X, Z)
		if err != nil {
			return atX, atZ, nil, err
		}
		x, z = append(x, mx), append(z, mz)
		for j, v := range c {
			cov[j] += v / count
			atX.Mean[j] += mx.Mean[j] / count
			atZ.Mean[j] += mz.Mean[j] / count
		}
	}
	for j := range n {
		for i := range m.draws {
			dx, dz := x[i].Mean[j]-atX.Mean[j], z[i].Mean[j]-atZ.Mean[j]
			cov[j] += dx * dz / count
			atX.SD[j] += (x[i].SD[j]*x[i].SD[j] + dx*dx) / count
			atZ.SD[j] += (z[i].SD[j]*z[i].SD[j] + dz*dz) / count
		}
		atX.SD[j], atZ.SD[j] = math.Sqrt(atX.SD[j]), math.Sqrt(atZ.SD[j])
	}
	return atX, atZ, cov, nil
}

// Covariance returns the covariance between the values at x and at z, and writes its gradients by x to dx and by z to
// dz, length d each.
func (m *Mixture) Covariance(x, z, dx, dz []float64) float64 {
	if !m.Integrated() {
		return m.mode.Covariance(x, z, dx, dz)
	}
	d, n := len(x), float64(len(m.draws))
	clear(dx)
	clear(dz)
	unused := make([]float64, d)
	meanX, meanZ := make([]float64, len(m.draws)), make([]float64, len(m.draws))
	byX, byZ := mat.NewDense(len(m.draws), d, nil), mat.NewDense(len(m.draws), d, nil)
	oneX, oneZ := make([]float64, d), make([]float64, d)
	cov := 0.0
	for i, g := range m.draws {
		cov += g.Covariance(x, z, oneX, oneZ) / n
		for j := range d {
			dx[j] += oneX[j] / n
			dz[j] += oneZ[j] / n
		}
		meanX[i], _ = g.Gradient(x, byX.RawRowView(i), unused)
		meanZ[i], _ = g.Gradient(z, byZ.RawRowView(i), unused)
	}
	centerInPlace(meanX)
	centerInPlace(meanZ)
	for i := range m.draws {
		cov += meanX[i] * meanZ[i] / n
		for j := range d {
			dx[j] += byX.At(i, j) * meanZ[i] / n
			dz[j] += byZ.At(i, j) * meanX[i] / n
		}
	}
	return cov
}

// centerInPlace subtracts the mean of values from them.
func centerInPlace(v []float64) {
	mean := 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for i := range v {
		v[i] -= mean
	}
}

// centeredMeans returns the means of the processes at one input, minus that of the mixture.
func (m *Mixture) centeredMeans(x []float64) []float64 {
	means := make([]float64, len(m.draws))
	for i, g := range m.draws {
		means[i] = g.Mean(x)
	}
	centerInPlace(means)
	return means
}
