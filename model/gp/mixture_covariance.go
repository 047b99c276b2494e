package gp

import "gonum.org/v1/gonum/mat"

// MixtureCovariance is the covariance of the values of a mixture with those at given points.
type MixtureCovariance struct {
	of    *Mixture
	draws []*CrossCovariance
	means *mat.Dense // of every process at the given points, minus those of the mixture; nil for one process
}

// CrossCovariance returns the covariance of values with those at the rows of Z (m×d); see GP.CrossCovariance.
func (m *Mixture) CrossCovariance(Z *mat.Dense) (*MixtureCovariance, error) {
	t := &MixtureCovariance{of: m}
	for _, g := range m.draws {
		covariances, err := g.CrossCovariance(Z)
		if err != nil {
			return nil, err
		}
		t.draws = append(t.draws, covariances)
	}
	if !m.Integrated() {
		return t, nil
	}
	n, _ := Z.Dims()
	t.means = mat.NewDense(len(m.draws), n, nil)
	for j := range n {
		t.means.SetCol(j, m.centeredMeans(Z.RawRowView(j)))
	}
	return t, nil
}

// Covariances returns the covariances of the values at the rows of X (q×d) with those at the given points, q×m.
func (t *MixtureCovariance) Covariances(X *mat.Dense) *mat.Dense {
	sum := t.draws[0].Covariances(X)
	if t.means == nil {
		return sum
	}
	for _, draw := range t.draws[1:] {
		sum.Add(sum, draw.Covariances(X))
	}
	q, _ := X.Dims()
	means := mat.NewDense(len(t.draws), q, nil)
	for j := range q {
		means.SetCol(j, t.of.centeredMeans(X.RawRowView(j)))
	}
	var between mat.Dense
	between.Mul(means.T(), t.means)
	sum.Add(sum, &between)
	sum.Scale(1/float64(len(t.draws)), sum)
	return sum
}

// Gradient writes the covariances at one input to cov (length m), and their gradients to the rows of slopes (m×d).
func (t *MixtureCovariance) Gradient(x, cov []float64, slopes *mat.Dense) {
	t.draws[0].Gradient(x, cov, slopes)
	if t.means == nil {
		return
	}
	n, d := len(t.draws), len(x)
	values, rows := make([]float64, len(cov)), mat.NewDense(len(cov), d, nil)
	for _, draw := range t.draws[1:] {
		draw.Gradient(x, values, rows)
		for j, v := range values {
			cov[j] += v
		}
		slopes.Add(slopes, rows)
	}
	mean := make([]float64, n)
	byX := mat.NewDense(n, d, nil)
	unused := make([]float64, d)
	for i, g := range t.of.draws {
		mean[i], _ = g.Gradient(x, byX.RawRowView(i), unused)
	}
	centerInPlace(mean)
	for j := range cov {
		for i := range n {
			m := t.means.At(i, j)
			cov[j] += mean[i] * m
			for l := range d { // Σ m is 0, so the mean gradient cancels
				slopes.Set(j, l, slopes.At(j, l)+byX.At(i, l)*m)
			}
		}
	}
	slopes.Scale(1/float64(n), slopes)
	for j := range cov {
		cov[j] /= float64(n)
	}
}
