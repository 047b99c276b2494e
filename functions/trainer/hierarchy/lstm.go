package hierarchy

import (
	"math"

	"bandscope/functions/trainer"
)

// lstm is an encoder and a decoder for each of a and b.
type lstm struct {
	Shape
	in               Inputs
	size             int
	readA, readB     recurrence // over the history
	a                head
	write            recurrence // over the horizon
	last, lastOffset block      // of the states of write

	past, future, x        []float64 // inputs of the recurrences, day by day; features window by window, for a
	b, code, dread, dwrite []float64
}

// NewLSTM is the network of the thesis (§6.4, figure 6.2), several times slower than that of perceptrons. For each of a
// and b an LSTM encoder reads the features and the representative series of the history, day by day from a state of 0.
// From the last state, a decoder of one hidden layer with a last layer for each day of the horizon, which also reads
// that day's features, makes a. From the last state and cell an LSTM decoder, which reads the features of the horizon
// day by day, and a linear layer make b.
//
// The thesis does not say whether the parts share an encoder: here they do not, as figure 6.2 draws them
// ("separately"). Nor does it say how the encoding goes into the LSTM decoder (here as its state, as in sequence to
// sequence), whether the hidden layer is one for all days and of what nonlinearity (here it is, of tanh, and as wide as
// the LSTM, where table 6.5 has a width for it alone), or how weights begin (here as the perceptrons', with 1 as the
// bias of the forget gates).
func NewLSTM(s Shape, in Inputs) Network {
	var l layout
	m := &lstm{Shape: s, in: in}
	m.readB = newRecurrence(&l, s.Rank+s.Features, s.Hidden, s.History)
	m.write = newRecurrence(&l, s.Features, s.Hidden, s.Horizon)
	m.last, m.lastOffset = l.block(s.Hidden, s.Basis), l.block(1, s.Basis)
	m.readA = newRecurrence(&l, s.Rank+s.Features, s.Hidden, s.History)
	m.a = newHead(&l, s, s.Hidden, s.History, s.Horizon)
	m.size = l.size
	return m
}

func (m *lstm) Size() int { return m.size }

func (m *lstm) Init(w []float64, source *trainer.Source) {
	m.readB.initialize(w, source)
	m.write.initialize(w, source)
	m.last.initialize(w, source, 1/math.Sqrt(float64(m.Hidden)))
	m.readA.initialize(w, source)
	m.a.initialize(w, source, 0.01)
}

// read writes the inputs of windows.
func (m *lstm) read(starts []int) {
	n, in := len(starts), m.Rank+m.Features
	past := resize(&m.past, m.History*n*in)
	future := resize(&m.future, m.Horizon*n*m.Features)
	x := resize(&m.x, n*m.Horizon*m.Features)
	m.Shape.future(x, m.in.Features, starts)
	for i, start := range starts {
		for t := range m.History {
			row := past[(t*n+i)*in:][:in]
			copy(row[copy(row, m.in.Series[(start+t)*m.Rank:][:m.Rank]):], m.in.Features[(start+t)*m.Features:])
		}
		for f := range m.Horizon {
			copy(future[(f*n+i)*m.Features:][:m.Features], x[(i*m.Horizon+f)*m.Features:])
		}
	}
}

func (m *lstm) Forward(w []float64, starts []int) (a, b []float64) {
	m.read(starts)
	if m.TVAR {
		code, _ := m.readA.forward(w, m.past, nil, nil)
		m.code = code
		a = m.a.forward(w, code, m.x)
	}
	if m.BD {
		h, c := m.readB.forward(w, m.past, nil, nil)
		m.write.forward(w, m.future, h, c)
		b = resize(&m.b, len(starts)*m.Horizon*m.Basis)
		fill(b, m.lastOffset.slice(w))
		m.rows(len(starts), func(day, window int) {
			forward(b[window*m.Basis:][:m.Basis], m.write.states[day*m.Hidden:][:m.Hidden], m.last.slice(w), m.Hidden,
				m.Basis)
		})
	}
	return a, b
}

// rows calls f with the numbers of the rows of every day of the horizon and window: among the decoder's states, which
// are day by day and have a beginning, and among the rows of b, which are window by window.
func (m *lstm) rows(n int, f func(state, row int)) {
	for i := range n {
		for day := range m.Horizon {
			f((day+1)*n+i, i*m.Horizon+day)
		}
	}
}

func (m *lstm) Backward(w, g, da, db []float64) {
	n := len(m.x) / (m.Horizon * m.Features)
	last := m.History * n * m.Hidden
	if m.TVAR {
		d := resize(&m.dread, last+n*m.Hidden)
		clear(d)
		m.a.backward(w, g, m.code, m.x, da, d[last:])
		m.readA.backward(w, g, m.past, d, nil)
	}
	if m.BD {
		dwrite := resize(&m.dwrite, (m.Horizon+1)*n*m.Hidden)
		clear(dwrite)
		columns(m.lastOffset.slice(g), db)
		m.rows(n, func(state, row int) {
			dy := db[row*m.Basis:][:m.Basis]
			gradient(m.last.slice(g), m.write.states[state*m.Hidden:][:m.Hidden], dy, m.Hidden, m.Basis)
			backward(dwrite[state*m.Hidden:][:m.Hidden], dy, m.last.slice(w), m.Hidden, m.Basis)
		})
		dcell := m.write.backward(w, g, m.future, dwrite, nil)
		d := resize(&m.dread, last+n*m.Hidden)
		clear(d)
		copy(d[last:], dwrite)
		m.readB.backward(w, g, m.past, d, dcell)
	}
}
