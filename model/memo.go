package model

import "slices"

// Memo provides a function and its gradient separately, as gonum/optimize needs them, although they are computed
// together: it remembers the last point. It is not safe for concurrent use.
type Memo struct {
	eval func(x, grad []float64) float64
	at   []float64
	f    float64
	grad []float64
}

// NewMemo wraps a function of d values that returns its value and fills in its gradient.
func NewMemo(d int, eval func(x, grad []float64) float64) *Memo {
	return &Memo{eval: eval, grad: make([]float64, d)}
}

func (m *Memo) update(x []float64) {
	if m.at == nil || !slices.Equal(m.at, x) {
		m.f = m.eval(x, m.grad)
		m.at = append(m.at[:0], x...)
	}
}

// Func is the function.
func (m *Memo) Func(x []float64) float64 {
	m.update(x)
	return m.f
}

// Grad fills in the gradient.
func (m *Memo) Grad(grad, x []float64) {
	m.update(x)
	copy(grad, m.grad)
}
