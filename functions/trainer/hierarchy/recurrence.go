package hierarchy

import (
	"math"

	"bandscope/functions/trainer"
)

// recurrence is a layer of LSTM cells (Hochreiter & Schmidhuber 1997, with the forget gate of Gers et al. 2000) over
// days: of an input x and the state h and cell c of the day before, gates i, f, g, o of [x; h]·W + w, then c := σ(f)·c
// + σ(i)·tanh(g) and h := σ(o)·tanh(c). Everything is day by day, with a row for each of n windows in a day.
type recurrence struct {
	in, hidden, days int
	// the two parts of W, one after the other; columns are the gates i, f, g, o of all cells
	fromInput, fromState, bias block

	gates         []float64 // days·n × 4·hidden, the gates after σ or tanh; then their gradients
	states, cells []float64 // (days+1)·n × hidden, with those before the first day
	cellOutputs   []float64 // tanh of the cells, days·n × hidden
	dcell         []float64 // n × hidden
}

func newRecurrence(l *layout, in, hidden, days int) recurrence {
	whole := l.block(in+hidden, 4*hidden)
	return recurrence{in: in, hidden: hidden, days: days, fromInput: whole.subrows(0, in),
		fromState: whole.subrows(in, hidden), bias: l.block(1, 4*hidden)}
}

// initialize draws the weights; the bias of the forget gate starts at 1, so that a cell keeps its value (Jozefowicz et
// al. 2015).
func (r *recurrence) initialize(w []float64, source *trainer.Source) {
	whole := block{r.fromInput.at, r.in + r.hidden, 4 * r.hidden}
	whole.initialize(w, source, 1/math.Sqrt(float64(whole.rows)))
	for j := r.hidden; j < 2*r.hidden; j++ {
		r.bias.slice(w)[j] = 1
	}
}

// forward is the state after the last day and its cell, for n windows that start with a state and a cell, or nil for 0.
// x has days·n rows.
func (r *recurrence) forward(w, x, state, cell []float64) (h, c []float64) {
	rows := len(x) / r.in
	n := rows / r.days
	day := n * r.hidden
	states := resize(&r.states, (r.days+1)*day)
	cells := resize(&r.cells, (r.days+1)*day)
	bent := resize(&r.cellOutputs, r.days*day)
	clear(states[:day])
	clear(cells[:day])
	copy(states, state)
	copy(cells, cell)
	gates := resize(&r.gates, rows*4*r.hidden)
	fill(gates, r.bias.slice(w))
	forward(gates, x, r.fromInput.slice(w), r.in, 4*r.hidden)
	for t := range r.days {
		now := gates[t*4*day : (t+1)*4*day]
		forward(now, states[t*day:(t+1)*day], r.fromState.slice(w), r.hidden, 4*r.hidden)
		for k := 0; k < day; k += r.hidden {
			i, f, g, o := r.split(now[4*k:])
			for j := range r.hidden {
				i[j] = sigmoid(i[j])
				f[j] = sigmoid(f[j])
				g[j] = math.Tanh(g[j])
				o[j] = sigmoid(o[j])
				offset := t*day + k + j
				cells[offset+day] = f[j]*cells[offset] + i[j]*g[j]
				bent[offset] = math.Tanh(cells[offset+day])
				states[offset+day] = o[j] * bent[offset]
			}
		}
	}
	return states[r.days*day:], cells[r.days*day:]
}

// split is the gates of a window on a day, at the beginning of a slice.
func (r *recurrence) split(gates []float64) (i, f, g, o []float64) {
	h := r.hidden
	return gates[:h], gates[h : 2*h], gates[2*h : 3*h], gates[3*h : 4*h]
}

// backward is the backpropagation through time of the last forward. dstates has the gradient by the state after each
// day, (days+1)·n rows with the initial state first, and dcell that by the last cell, or nil for 0. The gradients
// through the days are added to dstates, so that its first n rows are the gradient by the initial state; the result is
// the gradient by the initial cell, valid until the next call.
func (r *recurrence) backward(w, g, x, dstates, dcell []float64) []float64 {
	day := len(r.states) / (r.days + 1)
	d := resize(&r.dcell, day)
	clear(d)
	copy(d, dcell)
	for t := r.days - 1; t >= 0; t-- {
		now := r.gates[t*4*day : (t+1)*4*day]
		for k := 0; k < day; k += r.hidden {
			i, f, g, o := r.split(now[4*k:])
			for j := range r.hidden {
				offset := t*day + k + j
				dh, bent := dstates[offset+day], r.cellOutputs[offset]
				dc := d[k+j] + dh*o[j]*(1-bent*bent)
				d[k+j] = dc * f[j]
				o[j] = dh * bent * o[j] * (1 - o[j])
				f[j] = dc * r.cells[offset] * f[j] * (1 - f[j])
				i[j], g[j] = dc*g[j]*i[j]*(1-i[j]), dc*i[j]*(1-g[j]*g[j])
			}
		}
		backward(dstates[t*day:(t+1)*day], now, r.fromState.slice(w), r.hidden, 4*r.hidden)
	}
	gradient(r.fromInput.slice(g), x, r.gates, r.in, 4*r.hidden)
	gradient(r.fromState.slice(g), r.states[:r.days*day], r.gates, r.hidden, 4*r.hidden)
	columns(r.bias.slice(g), r.gates)
	return d
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
