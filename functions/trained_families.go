package functions

import (
	"context"

	"bandscope/functions/trainer/evaluator"
)

// trainedFamilies are problems of which every evaluation trains a small model: they have no truth that could be asked
// for nothing.
var trainedFamilies = []Family{
	{Name: "sparse-retrieval", Title: "sparse retrieval",
		About:  "every evaluation trains embeddings; a higher recall makes searches slower, and each activation is best on a part of the front",
		Source: "Paria 2022 (thesis), ch. 5; data and sizes are ours", MinDim: 6, MaxDim: 6,
		DefaultDim: 6,
		New:        func(int, uint64) Problem { return retrieval("sparse-retrieval", retrievalDomain()) }},
	{Name: "sparse-regularizers", Title: "sparse retrieval with two regularizers",
		About:  "sparse retrieval with a choice of regularizer: a relaxation of the work of a search, or ℓ1 with a twentieth of lambda",
		Source: "Paria 2022 (thesis), ch. 5; data and sizes are ours", MinDim: 7, MaxDim: 7,
		DefaultDim: 7,
		New: func(int, uint64) Problem {
			return retrieval("sparse-regularizers",
				append(retrievalDomain(), NewChoice("regularizer", evaluator.Regularizers...)))
		}},
	{Name: "hierarchy-forecast", Title: "hierarchical forecast",
		About:  "every evaluation trains forecasts of a tree of series; the root, the leaves and coherent forecasts each need different settings",
		Source: "Paria 2022 (thesis), ch. 6; data and sizes are ours", MinDim: 5, MaxDim: 5,
		DefaultDim: 5,
		New:        func(int, uint64) Problem { return hierarchy("hierarchy-forecast", hierarchyDomain()) }},
	{Name: "hierarchy-levels", Title: "hierarchical forecast by levels",
		About:  "the hierarchical forecast with the error of every level as an objective; no setting is best for all levels",
		Source: "Paria 2022 (thesis), ch. 6; data and sizes are ours", MinDim: 5, MaxDim: 5,
		DefaultDim: 5,
		New: func(int, uint64) Problem {
			p := Problem{Domain: hierarchyDomain(),
				Objectives: []Objective{errorFor("root", 4, 10), errorFor("level1", 4.5, 11),
					errorFor("level2", 7, 13), errorFor("leaf", 11, 17)},
				Range: &Range{Ideal: []float64{4, 5, 7, 11}, Nadir: []float64{8, 9, 11, 15}},
				Regions: []Region{{"root", "box(4..4.7, any, any, any)"},
					{"leaves", "box(any, any, any, 11..11.6)"}}}
			return withEvaluator(p, evaluator.HierarchyLevels("hierarchy-levels"))
		}},
	{Name: "hierarchy-cells", Title: "hierarchical forecast with two kinds of network",
		About:  "the hierarchical forecast with a choice of network: perceptrons, or the LSTMs of the thesis, which take several times as long",
		Source: "Paria 2022 (thesis), ch. 6; data and sizes are ours", MinDim: 6, MaxDim: 6,
		DefaultDim: 6,
		New: func(int, uint64) Problem {
			return hierarchy("hierarchy-cells", append(hierarchyDomain(), NewChoice("cell", evaluator.Cells...)))
		}},
}

func retrievalDomain() Domain {
	return Domain{{Name: "lambda", Low: 0.3, High: 60, Scale: Log}, {Name: "anneal", Low: 0.02, High: 1},
		{Name: "dim", Low: 32, High: 160, Kind: Integer},
		{Name: "rate", Low: 0.03, High: 0.4, Scale: Log}, {Name: "margin", Low: 0, High: 0.5},
		NewChoice("activation", evaluator.Activations...)}
}

// retrieval is a problem of sparse embeddings. Less than a tenth of a multiplication for each row has nothing but
// collapsed embeddings, and counts as that.
func retrieval(name string, dom Domain) Problem {
	p := Problem{Domain: dom,
		Objectives: []Objective{{Name: "recall1", Unit: "%", Direction: Maximize, Range: &[2]float64{0, 100}},
			{Name: "flops_per_row", Direction: Minimize, Scale: Log, Range: &[2]float64{0.1, 160}}},
		Range: &Range{Ideal: []float64{85, 0.1}, Nadir: []float64{0, 63}},
		Regions: []Region{{"accurate", "box(74..85, 5..63)"}, {"knee", "box(62..74, 1.5..5)"},
			{"cheap", "box(35..62, 0.1..1.5)"}}}
	return withEvaluator(p, evaluator.SparseRetrieval(name))
}

func hierarchyDomain() Domain {
	return Domain{{Name: "lambda_e", Low: 1e-6, High: 1, Scale: Log}, {Name: "alpha", Low: 1, High: 32, Scale: Log},
		{Name: "basis", Low: 2, High: 12, Kind: Integer},
		{Name: "rate", Low: 1e-3, High: 5e-2, Scale: Log}, {Name: "rank", Low: 1, High: 8, Kind: Integer}}
}

// hierarchy is a problem of forecasts of a tree.
func hierarchy(name string, dom Domain) Problem {
	p := Problem{Domain: dom, Objectives: []Objective{errorFor("root", 4, 10), errorFor("leaf", 11, 17),
		{Name: "incoherence", Unit: "%", Direction: Minimize, Scale: Log, Range: &[2]float64{0.1, 6}}},
		Range: &Range{Ideal: []float64{4, 11, 0.1}, Nadir: []float64{8, 15, 4}},
		Regions: []Region{{"root", "box(4..4.7, any, any)"}, {"leaves", "box(any, 11..11.6, any)"},
			{"coherent", "box(any, any, 0.1..0.2)"}}}
	return withEvaluator(p, evaluator.HierarchyForecast(name))
}

// errorFor is the WAPE of a level of the tree, of which so much is expected.
func errorFor(level string, least, most float64) Objective {
	return Objective{Name: level + "_wape", Unit: "%", Direction: Minimize, Range: &[2]float64{least, most}}
}

// withEvaluator is a problem that trainings evaluate.
func withEvaluator(p Problem, problem *evaluator.Problem) Problem {
	p.BuiltinEvaluator = trainingEvaluator{p.Domain, problem}
	return p
}

// trainingEvaluator evaluates by a training.
type trainingEvaluator struct {
	domain Domain
	train  *evaluator.Problem
}

// Evaluate trains at an input.
func (e trainingEvaluator) Evaluate(ctx context.Context, x []float64) (Outcome, error) {
	if err := e.domain.Check(x); err != nil {
		return Outcome{}, err
	}
	o, err := e.train.Evaluate(ctx, x, func(line string) { LogLine(ctx, line) })
	return Outcome{Values: o.Values, Reason: o.Failed, Note: o.Note}, err
}
