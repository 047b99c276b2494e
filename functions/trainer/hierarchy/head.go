package hierarchy

import (
	"math"

	"bandscope/functions/trainer"
)

// head is a decoder of one hidden layer: of an encoding e of a window and the features x of each day that is forecast,
// tanh([e; x]·W + w)·V + v. The last layer is one for all days, or one for each ("a different head of the decoder for
// each future time step", §6.4).
type head struct {
	code, features, hidden, out, horizon int
	fromCode, fromFeatures, bias         block // the two parts of W, one after the other
	last, lastBias                       []block

	pre, y, dhidden, sum []float64
}

// newHead is a decoder of so many numbers of code, with so many last layers: 1, or as many as the horizon has days.
func newHead(l *layout, s Shape, code, out, lasts int) head {
	h := head{code: code, features: s.Features, hidden: s.Hidden, out: out, horizon: s.Horizon}
	whole := l.block(code+s.Features, s.Hidden)
	h.fromCode, h.fromFeatures = whole.subrows(0, code), whole.subrows(code, s.Features)
	h.bias = l.block(1, s.Hidden)
	for range lasts {
		h.last = append(h.last, l.block(s.Hidden, out))
		h.lastBias = append(h.lastBias, l.block(1, out))
	}
	return h
}

// initialize draws the weights; those of the last layer have the scale that is given.
func (h *head) initialize(w []float64, source *trainer.Source, last float64) {
	whole := block{h.fromCode.at, h.code + h.features, h.hidden}
	whole.initialize(w, source, 1/math.Sqrt(float64(whole.rows)))
	for _, b := range h.last {
		b.initialize(w, source, last)
	}
}

// forward is the outputs, n·F rows, for n encodings and the features of their days, n·F rows too.
func (h *head) forward(w, code, x []float64) []float64 {
	rows := len(x) / h.features
	pre, part := resize(&h.pre, rows*h.hidden), resize(&h.sum, len(code)/h.code*h.hidden)
	fill(part, h.bias.slice(w))
	forward(part, code, h.fromCode.slice(w), h.code, h.hidden)
	for r := range rows {
		n := r / h.horizon
		copy(pre[r*h.hidden:], part[n*h.hidden:(n+1)*h.hidden])
	}
	forward(pre, x, h.fromFeatures.slice(w), h.features, h.hidden)
	tanh(pre)
	y := resize(&h.y, rows*h.out)
	for r := range rows {
		out := y[r*h.out : (r+1)*h.out]
		copy(out, h.lastBias[r%len(h.last)].slice(w))
		forward(out, pre[r*h.hidden:(r+1)*h.hidden], h.last[r%len(h.last)].slice(w), h.hidden, h.out)
	}
	return y
}

// backward adds the gradients by the weights, and by the encodings to dcode.
func (h *head) backward(w, g, code, x, dy, dcode []float64) {
	rows := len(x) / h.features
	d := resize(&h.dhidden, rows*h.hidden)
	clear(d)
	for r := range rows {
		last, out := h.last[r%len(h.last)], dy[r*h.out:(r+1)*h.out]
		gradient(last.slice(g), h.pre[r*h.hidden:(r+1)*h.hidden], out, h.hidden, h.out)
		columns(h.lastBias[r%len(h.last)].slice(g), out)
		backward(d[r*h.hidden:(r+1)*h.hidden], out, last.slice(w), h.hidden, h.out)
	}
	tanhBackward(d, h.pre)
	gradient(h.fromFeatures.slice(g), x, d, h.features, h.hidden)
	columns(h.bias.slice(g), d)
	sum := resize(&h.sum, len(code)/h.code*h.hidden)
	clear(sum)
	for r := range rows {
		n := r / h.horizon
		columns(sum[n*h.hidden:(n+1)*h.hidden], d[r*h.hidden:(r+1)*h.hidden])
	}
	gradient(h.fromCode.slice(g), code, sum, h.code, h.hidden)
	backward(dcode, sum, h.fromCode.slice(w), h.code, h.hidden)
}

// future is the features of the forecast days of windows, F rows each, written to x.
func (s Shape) future(x []float64, features []float64, starts []int) {
	for n, start := range starts {
		copy(x[n*s.Horizon*s.Features:(n+1)*s.Horizon*s.Features], features[(start+s.History)*s.Features:])
	}
}
