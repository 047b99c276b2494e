package retrieval

import (
	"math"

	"bandscope/functions/trainer"
)

// The number of classes for training, and of other, unseen classes for search.
const (
	classes         = 200
	perClass        = 10
	unseen          = 100
	RowsPerClass    = 8 // searched vectors of each unseen class: row i is of class i/RowsPerClass
	QueriesPerClass = 4 // and query vectors: query q is of class q/QueriesPerClass
)

// The inputs of the network, and their sources.
const (
	inputs   = 32
	signal   = 16
	nuisance = 8
)

// data is three sets of vectors of 32 numbers each. It never changes.
type data struct{ train, rows, queries [][]float64 }

// newData makes the data of a seed. 16 numbers depend on the class of a vector, the first of them much more than the
// last, with a variation for every vector; 8 others are larger and carry no information. The vectors are a random
// mixture of these 24, transformed by tanh, with a little noise, so that distances between raw vectors say little about
// the classes, and a few directions say much more than others.
func newData(seed uint64) *data {
	mixing := trainer.NewSource(seed, 1).Normals(inputs * (signal + nuisance))
	for i := range mixing {
		mixing[i] /= math.Sqrt(signal + nuisance)
	}
	g := spectrum()
	centres := trainer.NewSource(seed, 2).Normals((classes + unseen) * signal)
	for i := range centres {
		centres[i] *= g[i%signal]
	}
	draws := trainer.NewSource(seed, 3)
	set := func(first, classes, each int) [][]float64 {
		const width = signal + nuisance + inputs
		noise := draws.Normals(classes * each * width)
		rows := make([][]float64, classes*each)
		for i := range rows {
			centre := centres[(first+i/each)*signal:][:signal]
			rows[i] = vector(mixing, centre, g, noise[i*width:][:width])
		}
		return rows
	}
	d := &data{}
	d.train = set(0, classes, perClass)
	d.rows = set(classes, unseen, RowsPerClass)
	d.queries = set(classes, unseen, QueriesPerClass)
	return d
}

// spectrum is how much each signal varies between classes: as k^(-1/2), with a root mean square of 1.
func spectrum() []float64 {
	g := make([]float64, signal)
	for k := range g {
		g[k] = 1 / math.Sqrt(float64(k+1))
	}
	rms := math.Sqrt(squares(g) / signal)
	for k := range g {
		g[k] /= rms
	}
	return g
}

func vector(mixing, centre, g, noise []float64) []float64 {
	var hidden [signal + nuisance]float64
	for k := range signal {
		hidden[k] = centre[k] + 0.35*g[k]*noise[k]
	}
	for k := signal; k < signal+nuisance; k++ {
		hidden[k] = 1.5 * noise[k]
	}
	x := make([]float64, inputs)
	for i := range x {
		sum := 0.0
		for k, v := range hidden {
			sum += mixing[i*len(hidden)+k] * v
		}
		x[i] = math.Tanh(sum) + 0.05*noise[len(hidden)+i]
	}
	return x
}
