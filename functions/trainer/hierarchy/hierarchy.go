// Package hierarchy trains forecasts of all series of a tree at once (Paria 2022, thesis, chapter 6, HIRED): each
// forecast is the series' own past with weights that change over time (TVAR) plus the series' embedding times a basis
// of functions of time (BD); embeddings are regularized towards the means of their leaves. It holds the data (Panel: 85
// series generated from a seed, each the mean of its leaves, equation 6.1), the networks of the weights and the basis
// (Network: multilayer perceptrons or LSTMs, with gradients written by hand, equation 6.2), the training, its scores on
// held-out windows, and the exact theory of regularized embeddings in a hierarchy of two levels (TwoLevel: sections 6.6
// and 6.7). Sums are in a fixed order, so that a seed gives the same numbers on every run.
package hierarchy

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Cell is the kind of networks that compute the weights of the past and the basis.
type Cell string

// The cells: multilayer perceptrons, and the thesis's LSTMs, which take several times as long.
const (
	MLP  Cell = "mlp"
	LSTM Cell = "lstm"
)

// Cells are all cells.
func Cells() []Cell { return []Cell{MLP, LSTM} }

// Setting is the setting of a training; equal settings give equal trainings, bit by bit.
type Setting struct {
	Data, Seed uint64  // seeds of the data, and of the weights and minibatches
	LambdaE    float64 // weight of the regularizer of the embeddings, λ_E (equation 6.5)
	Alpha      float64 // oversampling of the top: a node of depth d is drawn with a probability ∝ α^-d (equation 6.6)
	Rate       float64 // learning rate of Adam at the start; it is halved after every sixth of the steps
	Basis      int     // number of basis functions, K
	Rank       int     // number of representative series, the inputs of the networks, R
	Steps      int     // updates of the whole training
	Hidden     int     // width of every hidden layer
	Windows    int     // windows of a minibatch
	Nodes      int     // nodes of a minibatch, the same in each of its windows
	Cell       Cell
	TVAR, BD   bool // the parts of the forecast; one may be off
}

// Defaults is the default setting.
func Defaults() Setting {
	return Setting{Data: 1, LambdaE: 1e-2, Alpha: 1, Rate: 0.01, Basis: 8, Rank: 4, Steps: 300, Hidden: 24, Windows: 8,
		Nodes: 64, Cell: MLP, TVAR: true, BD: true}
}

// Check returns an error that names an invalid value and its bounds.
func (s Setting) Check() error {
	for _, n := range []struct {
		what        string
		is, lo, top int
	}{
		{"the number of basis functions", s.Basis, 1, 64},
		{"the number of representative series", s.Rank, 1, 32},
		{"the number of updates", s.Steps, 1, 20_000},
		{"the width of the hidden layers", s.Hidden, 1, 128},
		{"the number of windows in a minibatch", s.Windows, 1, 32},
		{"the number of nodes in a minibatch", s.Nodes, 1, 512},
	} {
		if n.is < n.lo || n.is > n.top {
			return fmt.Errorf("%s must be in [%d, %d], got %d", n.what, n.lo, n.top, n.is)
		}
	}
	for _, v := range []struct {
		what        string
		is, lo, top float64
	}{
		{"λ_E", s.LambdaE, 0, 1e6},
		{"α", s.Alpha, 0.01, 1000},
		{"the learning rate", s.Rate, 1e-9, 100},
	} {
		if math.IsNaN(v.is) || v.is < v.lo || v.is > v.top {
			return fmt.Errorf("%s must be in [%g, %g], got %g", v.what, v.lo, v.top, v.is)
		}
	}
	if !slices.Contains(Cells(), s.Cell) {
		names := make([]string, len(Cells()))
		for i, c := range Cells() {
			names[i] = string(c)
		}
		return fmt.Errorf("there is no cell %q; choose %s", s.Cell, strings.Join(names, " or "))
	}
	if !s.TVAR && !s.BD {
		return errors.New("a forecast needs at least one of its parts, the autoregression or the basis")
	}
	return nil
}
