package retrieval

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The gradient of every block of parameters is that of the loss by central differences. Where a difference spans a kink
// of an activation no gradient is right, so that a setting is taken that has none within reach.
func TestGradientsAreThoseOfDifferences(t *testing.T) {
	for _, act := range []Activation{ReLU, SThresh, Identity} {
		for _, regularizer := range []Regularizer{FLOPs, L1} {
			t.Run(fmt.Sprint(act, regularizer), func(t *testing.T) {
				s := Defaults()
				s.Activation, s.Regularizer, s.Seed = act, regularizer, 3
				s.Dim, s.Hidden, s.Batch, s.SpreadGamma, s.SpreadBeta = 9, 7, 11, 0.4, 0.3
				tr, err := New(s)
				require.NoError(t, err)
				for a := range tr.p.b1 {
					tr.p.b1[a] = 0.1 * float64(a-3)
				}
				b := newBatch(s)
				for i := range b.example {
					b.example[i] = 173 * i
				}
				const lambda = 3
				value := func() float64 {
					b.forward(&tr.p, tr.data)
					metric := b.loss(&tr.p)
					if regularizer == L1 {
						return metric + lambda*total(b.meanAbs)
					}
					return metric + lambda*squares(b.meanAbs)
				}
				value()
				b.backward(&tr.p, tr.data, lambda)
				for _, block := range []struct {
					name    string
					p, grad []float64
				}{{"W1", tr.p.w1, b.grad.w1}, {"b1", tr.p.b1, b.grad.b1}, {"W2", tr.p.w2, b.grad.w2},
					{"γ", tr.p.gamma, b.grad.gamma}, {"β", tr.p.beta, b.grad.beta}, {"Wc", tr.p.wc, b.grad.wc}} {
					largest := 0.0
					for i := 0; i < len(block.p); i += 1 + len(block.p)/40 {
						grad := block.grad[i]
						difference := slope(&block.p[i], value)
						if !(math.Abs(difference-grad) <= 2e-9) {
							t.Errorf("the gradient by %s[%d] is %v, its difference %v", block.name, i, grad, difference)
						}
						largest = max(largest, math.Abs(grad))
					}
					if largest < 1e-3 {
						t.Errorf("the gradient by %s is at most %v, which shows nothing", block.name, largest)
					}
				}
			})
		}
	}
}

// slope is the derivative of what value gives by a parameter, by central differences of the fourth order: of those of
// the second, with a step of 1e-6, the rounding of a loss near 10 is more than what is to be seen.
func slope(p *float64, value func() float64) float64 {
	const h = 1e-4
	was := *p
	valueAt := func(step float64) float64 {
		*p = was + step
		defer func() { *p = was }()
		return value()
	}
	return (8*(valueAt(h)-valueAt(-h)) - (valueAt(2*h) - valueAt(-2*h))) / (12 * h)
}
