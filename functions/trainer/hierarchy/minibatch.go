package hierarchy

import (
	"gonum.org/v1/gonum/floats"
)

// window is the days of a window: those read and those forecast.
const window = History + Horizon

// workspace is the memory of an update.
type workspace struct {
	net        Network
	starts     []int // first day of the history of each window
	nodes      []int // drawn with replacement, so that the root can occur several times (§6.5)
	draws      []int // number of them on each level
	g, regular []float64
	theta      []float64 // K × nodes of the minibatch
	dtheta     []float64
	past       []float64 // H × nodes, of one window
	forecast   []float64 // F × nodes, and then its gradient
	da, db     []float64
}

func (t *Training) newWorkspace() *workspace {
	s := t.setting
	w := &workspace{net: t.network(), starts: make([]int, s.Windows), nodes: make([]int, s.Nodes),
		draws: make([]int, t.data.panel.Tree.Levels()),
		g:     make([]float64, len(t.w)), regular: make([]float64, len(t.w)-t.networkSize()),
		theta: make([]float64, s.Basis*s.Nodes), dtheta: make([]float64, s.Basis*s.Nodes),
		past: make([]float64, History*s.Nodes), forecast: make([]float64, Horizon*s.Nodes)}
	if s.TVAR {
		w.da = make([]float64, s.Windows*Horizon*History)
	}
	if s.BD {
		w.db = make([]float64, s.Windows*Horizon*s.Basis)
	}
	return w
}

// draw is the minibatch of the next update: windows uniformly, then nodes by their probabilities.
func (w *workspace) draw(t *Training) {
	for i := range w.starts {
		w.starts[i] = t.batches.IntN(TrainingDays - window + 1)
	}
	clear(w.draws)
	for i := range w.nodes {
		u, node := t.batches.Float64(), 0
		for node < len(t.cumulative)-1 && t.cumulative[node] <= u {
			node++
		}
		w.nodes[i] = node
		w.draws[t.data.panel.Tree.Level[node]]++
	}
}

// error is the mean absolute error of the minibatch, with its gradients by a, b and the embeddings in da, db and g.
func (w *workspace) error(t *Training, a, b []float64) float64 {
	const history, horizon = History, Horizon
	k := t.setting.Basis
	nodes := len(w.nodes)
	all := t.data.panel.Tree.Size()
	embeddings := t.embeddings()
	for i, node := range w.nodes {
		for j, v := range embeddings[node*k : (node+1)*k] {
			w.theta[j*nodes+i] = v
		}
	}
	clear(w.dtheta)
	sum, weight := 0.0, 1/float64(len(w.starts)*horizon*nodes)
	for n, start := range w.starts {
		for h := range history {
			row := t.data.standard[(start+h)*all : (start+h+1)*all]
			for i, node := range w.nodes {
				w.past[h*nodes+i] = row[node]
			}
		}
		for f := range horizon {
			index := n*horizon + f
			y := w.forecast[f*nodes : (f+1)*nodes]
			clear(y)
			if a != nil {
				forecast(y, a[index*history:(index+1)*history], w.past)
			}
			if b != nil {
				forecast(y, b[index*k:(index+1)*k], w.theta)
			}
			truth := t.data.standard[(start+history+f)*all : (start+history+f+1)*all]
			for i, node := range w.nodes {
				switch d := y[i] - truth[node]; {
				case d > 0:
					sum, y[i] = sum+d, weight
				case d < 0:
					sum, y[i] = sum-d, -weight
				default: // also NaN, which the sum must show
					sum, y[i] = sum+d, 0
				}
			}
			if a != nil {
				products(w.da[index*history:(index+1)*history], w.past, y)
			}
			if b != nil {
				products(w.db[index*k:(index+1)*k], w.theta, y)
				for j, v := range b[index*k : (index+1)*k] {
					floats.AddScaled(w.dtheta[j*nodes:(j+1)*nodes], v, y)
				}
			}
		}
	}
	g := w.g[t.networkSize():]
	for i, node := range w.nodes {
		for j := range k {
			g[node*k+j] += w.dtheta[j*nodes+i]
		}
	}
	return sum * weight
}

// forecast adds to y what the weights make of the rows: Σ_j weights_j·rows_j.
func forecast(y, weights, rows []float64) {
	for j, v := range weights {
		floats.AddScaled(y, v, rows[j*len(y):(j+1)*len(y)])
	}
}

// products are the inner products of the rows with y.
func products(values, rows, y []float64) {
	for j := range values {
		values[j] = floats.Dot(rows[j*len(y):(j+1)*len(y)], y)
	}
}
