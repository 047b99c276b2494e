package hierarchy

import (
	"math"

	"bandscope/functions/trainer"
)

// week is the days of a week: the perceptrons read the last ones singly, and those before as means of weeks.
const week = 7

// mlp is an encoder of one layer that a and b share, and a decoder for each.
type mlp struct {
	Shape
	in             Inputs
	size           int
	encode, offset block
	b, a           head

	state, code, x, dcode []float64
}

// NewMLP is the network of perceptrons. Its encoder reads the last seven days of the representative series and the
// means of the weeks of the history, which is to be whole weeks; its decoders the encoding and the features of one day.
func NewMLP(s Shape, in Inputs) Network {
	var l layout
	m := &mlp{Shape: s, in: in}
	m.encode = l.block((week+s.History/week)*s.Rank, s.Hidden)
	m.offset = l.block(1, s.Hidden)
	m.b = newHead(&l, s, s.Hidden, s.Basis, 1)
	m.a = newHead(&l, s, s.Hidden, s.History, 1)
	m.size = l.size
	return m
}

func (m *mlp) Size() int { return m.size }

func (m *mlp) Init(w []float64, source *trainer.Source) {
	m.encode.initialize(w, source, 1/math.Sqrt(float64(m.encode.rows)))
	m.b.initialize(w, source, 1/math.Sqrt(float64(m.Hidden)))
	m.a.initialize(w, source, 0.01)
}

// read writes what the encoder reads of a window.
func (m *mlp) read(row []float64, start int) {
	z := m.in.Series[start*m.Rank : (start+m.History)*m.Rank]
	n := copy(row, z[(m.History-week)*m.Rank:])
	clear(row[n:])
	for day := range m.History {
		for r, v := range z[day*m.Rank : (day+1)*m.Rank] {
			row[n+day/week*m.Rank+r] += v / week
		}
	}
}

func (m *mlp) Forward(w []float64, starts []int) (a, b []float64) {
	in, n := m.encode.rows, len(starts)
	state, code := resize(&m.state, n*in), resize(&m.code, n*m.Hidden)
	for i, start := range starts {
		m.read(state[i*in:(i+1)*in], start)
	}
	fill(code, m.offset.slice(w))
	forward(code, state, m.encode.slice(w), in, m.Hidden)
	tanh(code)
	x := resize(&m.x, n*m.Horizon*m.Features)
	m.future(x, m.in.Features, starts)
	if m.TVAR {
		a = m.a.forward(w, code, x)
	}
	if m.BD {
		b = m.b.forward(w, code, x)
	}
	return a, b
}

func (m *mlp) Backward(w, g, da, db []float64) {
	d := resize(&m.dcode, len(m.code))
	clear(d)
	if m.TVAR {
		m.a.backward(w, g, m.code, m.x, da, d)
	}
	if m.BD {
		m.b.backward(w, g, m.code, m.x, db, d)
	}
	tanhBackward(d, m.code)
	gradient(m.encode.slice(g), m.state, d, m.encode.rows, m.Hidden)
	columns(m.offset.slice(g), d)
}
