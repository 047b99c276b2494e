package retrieval

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// batch is the working memory of one update in addition to the parameters: n examples, in rows. It is reused, so that
// updates do not allocate.
type batch struct {
	s       Setting
	example []int
	hidden  []float64 // n×hidden
	xhat    []float64 // n×dim, the preactivations, later normalized
	e       []float64 // n×dim, embeddings
	de      []float64 // n×dim, the gradient by the embeddings, later by earlier values
	cos     []float64 // n×classes, cosines, later the gradient by them
	support []int32   // n×dim: the dimensions of each row that are not 0
	active  []int     // n: the number of those
	nu      []float64 // n: the norms of the activations

	wHat, norm            []float64 // dim×classes, the vectors of the classes with norm 1; classes, 1/‖w‖
	mean, variance        []float64 // dim
	meanAbs, p            []float64 // dim: ā and p̄
	sumDz, sumDzX, scales []float64 // dim
	inner                 []float64 // classes
	grad                  parameters
}

func newBatch(s Setting) *batch {
	n := s.Batch
	many := func(size int) []float64 { return make([]float64, size) }
	return &batch{s: s, example: make([]int, n), hidden: many(n * s.Hidden), xhat: many(n * s.Dim), e: many(n * s.Dim),
		de: many(n * s.Dim), cos: many(n * classes),
		support: make([]int32, n*s.Dim), active: make([]int, n), nu: many(n), wHat: many(s.Dim * classes),
		norm: many(classes), mean: many(s.Dim), variance: many(s.Dim),
		meanAbs: many(s.Dim), p: many(s.Dim), sumDz: many(s.Dim), sumDzX: many(s.Dim), scales: many(s.Dim),
		inner: many(classes), grad: newParameters(s.Hidden, s.Dim)}
}

// supportRow are the non-zero dimensions of row i.
func (b *batch) supportRow(i int) []int32 { return b.support[i*b.s.Dim:][:b.active[i]] }

const epsilon = 1e-5 // of the batch norm

// forward computes the embeddings of the examples with the statistics of the batch.
func (b *batch) forward(p *parameters, d *data) {
	dim, n := b.s.Dim, float64(len(b.example))
	clear(b.mean)
	clear(b.variance)
	for i, position := range b.example {
		u := b.xhat[i*dim:][:dim]
		p.project(d.train[position], b.hidden[i*b.s.Hidden:][:b.s.Hidden], u)
		floats.Add(b.mean, u)
	}
	floats.Scale(1/n, b.mean)
	for i := range b.example {
		for j, v := range b.xhat[i*dim:][:dim] {
			v -= b.mean[j]
			b.xhat[i*dim+j] = v
			b.variance[j] += v * v
		}
	}
	floats.Scale(1/n, b.variance)
	for j, v := range b.variance {
		b.scales[j] = 1 / math.Sqrt(v+epsilon)
	}
	clear(b.p)
	clear(b.meanAbs)
	for i := range b.example {
		x, e := b.xhat[i*dim:][:dim], b.e[i*dim:][:dim]
		floats.Mul(x, b.scales)
		b.active[i], b.nu[i] = p.activate(b.s.Activation, x, e, b.support[i*dim:][:dim])
		for _, j := range b.supportRow(i) {
			b.p[j]++
			b.meanAbs[j] += math.Abs(e[j])
		}
	}
	floats.Scale(1/n, b.p)
	floats.Scale(1/n, b.meanAbs)
}

// loss is the metric loss of the examples; it replaces cos by the gradient by the cosines.
func (b *batch) loss(p *parameters) float64 {
	clear(b.norm)
	for j := range b.s.Dim {
		for k, w := range p.wc[j*classes:][:classes] {
			b.norm[k] += w * w
		}
	}
	for k, v := range b.norm {
		b.norm[k] = 1 / math.Sqrt(v)
	}
	for j := range b.s.Dim {
		floats.MulTo(b.wHat[j*classes:][:classes], p.wc[j*classes:][:classes], b.norm)
	}
	clear(b.cos)
	sum, n := 0.0, float64(len(b.example))
	for i, position := range b.example {
		cos, e := b.cos[i*classes:][:classes], b.e[i*b.s.Dim:][:b.s.Dim]
		for _, j := range b.supportRow(i) {
			floats.AddScaled(cos, e[j], b.wHat[int(j)*classes:][:classes])
		}
		sum += arcFace(cos, position/perClass, b.s.Scale, b.s.Margin)
		floats.Scale(1/n, cos)
	}
	return sum / n
}

// backward is the gradient of the loss, with the regularizer times lambda, after forward and loss.
func (b *batch) backward(p *parameters, d *data, lambda float64) {
	clear(b.grad.all)
	b.embeddings(lambda)
	b.classes()
	b.normalization(p)
	b.layers(p, d)
}

// embeddings turns the gradient by the cosines into that by the normalized class vectors and, in de, that by the values
// before the activation, which is 0 where the embeddings are 0.
func (b *batch) embeddings(lambda float64) {
	dim, n := b.s.Dim, float64(len(b.example))
	clear(b.de)
	clear(b.sumDz)
	clear(b.sumDzX)
	for i := range b.example {
		dc := b.cos[i*classes:][:classes]
		e := b.e[i*dim:][:dim]
		de := b.de[i*dim:][:dim]
		x := b.xhat[i*dim:][:dim]
		along := 0.0
		for _, j := range b.supportRow(i) {
			floats.AddScaled(b.grad.wc[int(j)*classes:][:classes], e[j], dc)
			penalty := lambda / n
			if b.s.Regularizer == FLOPs {
				penalty *= 2 * b.meanAbs[j]
			}
			de[j] = floats.Dot(dc, b.wHat[int(j)*classes:][:classes]) + math.Copysign(penalty, e[j])
			along += de[j] * e[j]
		}
		for _, j := range b.supportRow(i) {
			de[j] = (de[j] - e[j]*along) / b.nu[i]
			b.sumDz[j] += de[j]
			b.sumDzX[j] += de[j] * x[j]
		}
	}
}

// classes propagates the gradient through the normalization of the class vectors.
func (b *batch) classes() {
	clear(b.inner)
	for j := range b.s.Dim {
		g, w := b.grad.wc[j*classes:][:classes], b.wHat[j*classes:][:classes]
		for k, v := range g {
			b.inner[k] += v * w[k]
		}
	}
	for j := range b.s.Dim {
		g, w := b.grad.wc[j*classes:][:classes], b.wHat[j*classes:][:classes]
		for k, v := range g {
			g[k] = (v - w[k]*b.inner[k]) * b.norm[k]
		}
	}
}

// normalization propagates the gradient de through the batch norm.
func (b *batch) normalization(p *parameters) {
	dim, n := b.s.Dim, float64(len(b.example))
	copy(b.grad.gamma, b.sumDzX)
	copy(b.grad.beta, b.sumDz)
	floats.Mul(b.scales, p.gamma)
	floats.Scale(1/n, b.sumDz)
	floats.Scale(1/n, b.sumDzX)
	for i := range b.example {
		x, du := b.xhat[i*dim:][:dim], b.de[i*dim:][:dim]
		for j, v := range du {
			du[j] = b.scales[j] * (v - b.sumDz[j] - x[j]*b.sumDzX[j])
		}
	}
}

// layers propagates the gradient through the two layers.
func (b *batch) layers(p *parameters, d *data) {
	dim, hidden := b.s.Dim, b.s.Hidden
	for i, position := range b.example {
		du, h := b.de[i*dim:][:dim], b.hidden[i*hidden:][:hidden]
		for a, v := range h {
			if v > 0 {
				floats.AddScaled(b.grad.w2[a*dim:][:dim], v, du)
				h[a] = floats.Dot(du, p.w2[a*dim:][:dim])
			}
		}
		floats.Add(b.grad.b1, h)
		for a, v := range d.train[position] {
			floats.AddScaled(b.grad.w1[a*hidden:][:hidden], v, h)
		}
	}
}
