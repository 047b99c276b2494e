package hierarchy

import "bandscope/functions/trainer"

// Shape is the sizes of a network.
type Shape struct {
	Rank, Hidden, Basis        int // representative series, width of every hidden layer, basis functions K
	History, Horizon, Features int // days of the history, H, days forecast, F, and features of a day
	// which of a and b is computed; the weights of the other do not change
	TVAR, BD bool
}

// Inputs is the inputs of the networks: for every day the representative series in standardized units and the features,
// row by row.
type Inputs struct{ Series, Features []float64 }

// Network computes a and b. It has its own working memory; the caller owns the weights. It is used from one goroutine
// at a time.
type Network interface {
	// Size is the number of weights.
	Size() int
	// Begin draws the weights from a stream, in a fixed order; biases start at 0, and a near 0.
	Init(w []float64, source *trainer.Source)
	// Forward is a (n·F × H, of each window its days in order; a[h] multiplies the day that is H-h before the first
	// that is forecast) and b (n·F × K) of n windows, given by the first day of their history. They are valid until the
	// next call; one that is not wanted is nil.
	Forward(w []float64, starts []int) (a, b []float64)
	// Backward adds to g the gradient by the weights, of gradients by a and b of the last Forward, which had the same
	// w.
	Backward(w, g, da, db []float64)
}

// block is a matrix of weights, row by row, at a place among all of them.
type block struct{ at, rows, cols int }

// layout gives weights their places, one block after the other.
type layout struct{ size int }

func (l *layout) block(rows, cols int) block {
	b := block{l.size, rows, cols}
	l.size += rows * cols
	return b
}

func (b block) slice(w []float64) []float64 { return w[b.at : b.at+b.rows*b.cols] }

// subrows is so many of the rows, from one on.
func (b block) subrows(from, rows int) block { return block{b.at + from*b.cols, rows, b.cols} }

// initialize draws the weights of the block as scaled normal numbers.
func (b block) initialize(w []float64, source *trainer.Source, scale float64) {
	part := b.slice(w)
	for i, z := range source.Normals(len(part)) {
		part[i] = scale * z
	}
}

// resize is a slice of so many numbers, which reuses the memory of another one if it is large enough. Its contents are
// undefined.
func resize(s *[]float64, n int) []float64 {
	if cap(*s) < n {
		*s = make([]float64, n)
	}
	*s = (*s)[:n]
	return *s
}
