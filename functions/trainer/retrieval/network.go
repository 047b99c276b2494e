package retrieval

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"bandscope/functions/trainer"
)

// parameters are a network's, or as many numbers for each of them: a gradient, a momentum. They are parts of one slice.
type parameters struct {
	all         []float64
	w1          []float64 // inputs×hidden
	b1          []float64 // hidden
	w2          []float64 // hidden×dim
	gamma, beta []float64 // dim, of the batch norm
	wc          []float64 // dim×classes: the vectors of the classes, as columns
}

func newParameters(hidden, dim int) parameters {
	p := parameters{all: make([]float64, inputs*hidden+hidden+hidden*dim+2*dim+dim*classes)}
	rest := p.all
	for _, part := range []struct {
		of   *[]float64
		size int
	}{{&p.w1, inputs * hidden}, {&p.b1, hidden}, {&p.w2, hidden * dim}, {&p.gamma, dim}, {&p.beta, dim},
		{&p.wc, dim * classes}} {
		*part.of, rest = rest[:part.size:part.size], rest[part.size:]
	}
	return p
}

// initialParameters are the parameters at the start of a training.
func initialParameters(s Setting) parameters {
	p := newParameters(s.Hidden, s.Dim)
	draws := trainer.NewSource(s.Seed, 10)
	copy(p.w1, draws.Normals(len(p.w1)))
	floats.Scale(math.Sqrt(2.0/inputs), p.w1)
	copy(p.w2, draws.Normals(len(p.w2)))
	floats.Scale(math.Sqrt(1/float64(s.Hidden)), p.w2)
	for i, v := range draws.Normals(len(p.wc)) {
		p.wc[i%s.Dim*classes+i/s.Dim] = v
	}
	uneven := trainer.NewSource(s.Seed, 12)
	for j, n := range uneven.Normals(s.Dim) {
		p.gamma[j] = math.Exp(s.SpreadGamma * n)
	}
	for j, n := range uneven.Normals(s.Dim) {
		p.beta[j] = s.SpreadBeta * n
	}
	return p
}

// project writes the hidden layer of x and the input of the batch norm: h = max(xW1 + b1, 0), u = hW2.
func (p *parameters) project(x, h, u []float64) {
	copy(h, p.b1)
	for a, v := range x {
		floats.AddScaled(h, v, p.w1[a*len(h):][:len(h)])
	}
	clear(u)
	for a, v := range h {
		if v <= 0 {
			h[a] = 0
			continue
		}
		floats.AddScaled(u, v, p.w2[a*len(u):][:len(u)])
	}
}

// activate turns the normalized preactivations xhat of a row into its embedding e = a/ν, ν = √(‖a‖² + 1e-12), with a
// the activations of γ·x̂ + β. The dimensions that are not 0 are written to support, which is as long as the row; how
// many they are and ν are returned.
func (p *parameters) activate(act Activation, xhat, e []float64, support []int32) (active int, nu float64) {
	gamma := p.gamma[:len(xhat)]
	beta := p.beta[:len(xhat)]
	e = e[:len(xhat)]
	support = support[:len(xhat)]
	low, high := act.deadZone()
	sum := 1e-12
	for j, x := range xhat {
		a := shrinkBeyond(gamma[j]*x+beta[j], low, high)
		e[j] = a
		if a != 0 {
			support[active] = int32(j)
			active++
			sum += a * a
		}
	}
	nu = math.Sqrt(sum)
	for _, j := range support[:active] {
		e[j] /= nu
	}
	return active, nu
}
