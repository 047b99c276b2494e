package hierarchy

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions/trainer"
)

// The sizes: the number of days, of which the first are for training; the days that a model reads and forecasts; and
// the held-out windows, one after the other from the last training day, the first of them for validation and the others
// for the test.
const (
	Days         = 252
	TrainingDays = 182
	History      = 28
	Horizon      = 7
	Windows      = 10
	Validation   = 5
	Features     = 7 // features of a day, from the calendar alone
	basis        = 9 // functions of time that generate the data
)

// The streams of random numbers of the data.
const (
	streamEmbeddings = 21 + iota
	streamNoise
	streamGlobal
)

// Panel is the series of one seed. It must not be changed.
type Panel struct {
	Tree     Tree
	Series   *mat.Dense // Days × nodes, in the data's units
	Expected *mat.Dense // Days × nodes, without noise: the best possible forecast
	// over all nodes and training days; a single linear map standardizes all series, so that means of leaves remain
	// means
	Mean, SD float64
}

// NewPanel is the panel of a seed.
func NewPanel(seed uint64) *Panel {
	p := &Panel{Tree: completeTree(4, 3)}
	nodes := p.Tree.Size()
	theta, functions := p.embeddings(seed), bases(seed)
	p.Series, p.Expected = mat.NewDense(Days, nodes, nil), mat.NewDense(Days, nodes, nil)
	p.Expected.Mul(functions, theta.T())
	leaves := p.Tree.Leaves(0)
	noise := trainer.NewSource(seed, streamNoise).Normals(Days * len(leaves))
	for j, leaf := range leaves {
		u := 0.0
		for t := range Days {
			u = 0.5*u + math.Sqrt(0.75)*noise[t*len(leaves)+j]
			p.Series.Set(t, leaf, max(0, p.Expected.At(t, leaf)+1.5*u))
		}
	}
	transposed := mat.NewDense(nodes, Days, nil)
	for _, m := range []*mat.Dense{p.Series, p.Expected} {
		transposed.Copy(m.T())
		p.Tree.Mean(transposed.RawMatrix().Data, Days)
		m.Copy(transposed.T())
	}
	p.Mean, p.SD = stat.PopMeanStdDev(p.Series.RawMatrix().Data[:TrainingDays*nodes], nil)
	return p
}

// embeddings are the coefficients (nodes × basis): those of a child are those of its parent plus a random step, which
// is smaller on every level.
func (p *Panel) embeddings(seed uint64) *mat.Dense {
	theta := mat.NewDense(p.Tree.Size(), basis, nil)
	theta.SetRow(0, []float64{10, 1.2, .8, .5, -.4, 1.5, -1, 2, .8})
	spread := [...]float64{3, .8, .8, .4, .4, .8, .8, 1.5, .5}
	step := [...]float64{0, 0.4, 0.25, 0.15}
	source := trainer.NewSource(seed, streamEmbeddings)
	for i := 1; i < p.Tree.Size(); i++ {
		for k, z := range source.Normals(basis) {
			theta.Set(i, k, theta.At(p.Tree.Parent[i], k)+step[p.Tree.Level[i]]*spread[k]*z)
		}
	}
	return theta
}

// bases are the functions of time (Days × basis): a constant, two harmonics of the week, one of the quarter, a line,
// and a random one.
func bases(seed uint64) *mat.Dense {
	b, g := mat.NewDense(Days, basis, nil), 0.0
	z := trainer.NewSource(seed, streamGlobal).Normals(Days)
	for t := range Days {
		if t > 0 {
			g = 0.9*g + math.Sqrt(0.19)*z[t]
		}
		sin1, cos1 := math.Sincos(2 * math.Pi * float64(t) / 7)
		sin2, cos2 := math.Sincos(4 * math.Pi * float64(t) / 7)
		sin3, cos3 := math.Sincos(2 * math.Pi * float64(t) / 91)
		b.SetRow(t, []float64{1, sin1, cos1, sin2, cos2, sin3, cos3, float64(t) / Days, g})
	}
	return b
}

// WindowStart is the first forecast day of held-out window k.
func WindowStart(k int) int { return TrainingDays + Horizon*k }

// StandardizedSeries is the series in standardized units, Days × nodes, row by row.
func (p *Panel) StandardizedSeries() []float64 {
	z := make([]float64, Days*p.Tree.Size())
	for i, v := range p.Series.RawMatrix().Data {
		z[i] = (v - p.Mean) / p.SD
	}
	return z
}

// Calendar is the features of all days, Days × Features, row by row: the harmonics of the week and of the quarter, and
// the time from -1/2 to 1/2.
func Calendar() []float64 {
	x := make([]float64, 0, Days*Features)
	for t := range Days {
		for _, turns := range []float64{1. / 7, 2. / 7, 1. / 91} {
			sin, cos := math.Sincos(2 * math.Pi * turns * float64(t))
			x = append(x, sin, cos)
		}
		x = append(x, float64(t)/Days-0.5)
	}
	return x
}

// RepresentativeNodes are the nodes of the representative series, Z (§6.8.2), which successive projection picks from
// the training days in the units of the data.
func (p *Panel) RepresentativeNodes(rank int) []int {
	return project(mat.DenseCopyOf(p.Series.Slice(0, TrainingDays, 0, p.Tree.Size())), rank)
}

// project is the successive projection algorithm of Gillis & Vavasis (2014): it picks the longest column (the first of
// equal ones), projects all columns orthogonally to it, picks the longest one again, and so on. It changes the matrix.
func project(residual *mat.Dense, rank int) (picked []int) {
	days, columns := residual.Dims()
	for range rank {
		best, most := 0, -1.0
		for j := range columns {
			c := residual.ColView(j)
			if n := mat.Dot(c, c); n > most {
				best, most = j, n
			}
		}
		picked = append(picked, best)
		if most == 0 {
			continue
		}
		var along mat.VecDense
		u := mat.VecDenseCopyOf(residual.ColView(best))
		along.MulVec(residual.T(), u)
		for t := range days {
			for j := range columns {
				residual.Set(t, j, residual.At(t, j)-u.AtVec(t)*along.AtVec(j)/most)
			}
		}
	}
	return picked
}
