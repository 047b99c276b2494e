package evaluator

import (
	"fmt"
	"math"

	"bandscope/functions/trainer/retrieval"
)

// The choices of the retrieval problems, in order.
var (
	Activations  = []string{string(retrieval.ReLU), string(retrieval.SThresh)}
	Regularizers = []string{string(retrieval.FLOPs), string(retrieval.L1)}
)

// relaxationFactor is the ratio of λ for the relaxation to λ for ℓ1, so that the two lead to a similar cost of search.
const relaxationFactor = 20

// SparseRetrieval trains embeddings with lambda, anneal, dim, rate, margin and the activation and, if there is a
// seventh value, with that regularizer, where λ for ℓ1 is 20 times smaller. Its values are recall@1 in % and the
// multiplications per row (Paria 2022, thesis, ch. 5).
func SparseRetrieval(name string) *Problem {
	return &Problem{name, func(x []float64) (trainingRun, error) {
		t, err := retrieval.New(retrievalSetting(x))
		if err != nil {
			return trainingRun{}, err
		}
		return trainingRun{t, func() string {
			l := t.Last()
			return fmt.Sprintf("loss %.2f · λ %.3g · F %.3g", l.Metric, l.Lambda, l.Flops)
		}, func() Outcome { return retrievalOutcome(t.Evaluate()) }}, nil
	}}
}

// retrievalSetting is the setting for the values of the variables.
func retrievalSetting(x []float64) retrieval.Setting {
	s := retrieval.Defaults()
	s.Lambda = x[0]
	s.Anneal = x[1]
	s.Dim = int(x[2])
	s.Rate = x[3]
	s.Margin = x[4]
	s.Activation = retrieval.Activation(Activations[int(x[5])])
	if len(x) > 6 {
		s.Regularizer = retrieval.Regularizer(Regularizers[int(x[6])])
	}
	if s.Regularizer == retrieval.L1 {
		s.Lambda /= relaxationFactor
	}
	return s
}

// retrievalOutcome is the outcome of a search among unseen classes.
func retrievalOutcome(j retrieval.Metrics) Outcome {
	note := fmt.Sprintf("prec@4 %.1f %% · p̄ %.3g", j.Precision4, j.Mean)
	if !math.IsNaN(j.Sub) {
		note += fmt.Sprintf(" · R_sub %.3g", j.Sub)
	}
	return Outcome{Values: []float64{j.Recall1, j.Flops},
		Note: note + fmt.Sprintf(" · %d dead · index %.0f B a row", j.Dead, j.IndexBytes)}
}
