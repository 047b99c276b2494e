package hierarchy

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// The kernels work on rows: x has n rows of as many numbers as W has rows, y and dy n rows of as many as it has
// columns.

// fill writes the bias to every row of y.
func fill(y, bias []float64) {
	for start := 0; start < len(y); start += len(bias) {
		copy(y[start:], bias)
	}
}

// forward adds x·W to y.
func forward(y, x, w []float64, in, out int) {
	for n := 0; n*in < len(x); n++ {
		row := y[n*out : (n+1)*out]
		for i, v := range x[n*in : (n+1)*in] {
			floats.AddScaled(row, v, w[i*out:(i+1)*out])
		}
	}
}

// backward adds dy·Wᵀ to dx.
func backward(dx, dy, w []float64, in, out int) {
	for n := 0; n*in < len(dx); n++ {
		row := dy[n*out : (n+1)*out]
		for i := range in {
			dx[n*in+i] += floats.Dot(row, w[i*out:(i+1)*out])
		}
	}
}

// gradient adds xᵀ·dy to the gradient by W.
func gradient(g, x, dy []float64, in, out int) {
	for n := 0; n*in < len(x); n++ {
		row := dy[n*out : (n+1)*out]
		for i, v := range x[n*in : (n+1)*in] {
			floats.AddScaled(g[i*out:(i+1)*out], v, row)
		}
	}
}

// columns adds the sums of the columns of dy, the gradient by a bias.
func columns(g, dy []float64) {
	for start := 0; start < len(dy); start += len(g) {
		floats.Add(g, dy[start:start+len(g)])
	}
}

func tanh(y []float64) {
	for i, v := range y {
		y[i] = math.Tanh(v)
	}
}

// tanhBackward turns the gradient by y = tanh(x) into that by x.
func tanhBackward(dy, y []float64) {
	for i, v := range y {
		dy[i] *= 1 - v*v
	}
}
