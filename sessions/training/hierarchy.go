package training

import (
	"fmt"

	"gonum.org/v1/gonum/stat"

	"bandscope/functions/trainer/hierarchy"
	"bandscope/optimizers/param"
)

// hierarchySource is the source of the defaults of the lab on forecasts.
const hierarchySource = "Paria 2022 (thesis), chapter 6; on a smaller scale"

// levels are the levels of the tree of series, the root first.
var levels = []string{"the root", "level 1", "level 2", "the leaves"}

// forecasts is the lab on forecasts of all series of a tree.
func forecasts() *Spec {
	l := &Spec{
		Name: "hierarchy", Title: "forecasts of a tree of series",
		About:  "Small networks forecast all series of a tree together; a regularizer pulls the embeddings of parents to those of their leaves.",
		Source: hierarchySource, Updates: keySteps, Seed: keySeed,
		Decls:     append(hierarchyDecls(), sharedDecls(1, 1, 400, 5000, hierarchySource)...),
		Live:      []string{"lambda_e", "alpha", "rate"},
		SecondRun: map[string]any{"lambda_e": 0.0},
		Columns: []Column{
			{Key: "mae", InTable: true, Label: "MAE",
				Help: "mean absolute error on the minibatch, in standard deviations of the data"},
			{Key: "penalty", InTable: true, Label: "λ_E·E_reg", Help: "the regularizer term of the loss"},
			{Key: "reg", Label: "E_reg", Help: "sum of the squared distances between embeddings and those of the leaves below them", Log: true},
			{Key: "eta", Label: "rate", Help: "the learning rate of the update"},
			{Key: "grad_data", Label: "‖∂MAE‖",
				Help: "norm of the gradient of the error with respect to the embeddings", Log: true},
			{Key: "grad_reg", Label: "‖∂E_reg‖",
				Help: "norm of the gradient of the weighted regularizer with respect to the embeddings", Log: true},
		},
	}
	for i, level := range levels {
		l.Columns = append(l.Columns, Column{Key: fmt.Sprint("drawn", i), Label: "drawn, " + level,
			Help: "number of nodes in the minibatch: " + level})
	}
	for i, level := range levels {
		l.Columns = append(l.Columns, Column{Key: fmt.Sprint("wape", i), InTable: i%3 == 0, Label: "WAPE, " + level,
			Help: "error on the test windows: " + level, Unit: "%", Validation: true})
	}
	l.Columns = append(l.Columns, Column{Key: "wape", InTable: true, Label: "WAPE",
		Help: "error on the test windows, mean of the levels", Unit: "%", Validation: true})
	for i, level := range levels {
		l.Columns = append(l.Columns, Column{Key: fmt.Sprint("smape", i), Label: "SMAPE, " + level,
			Help: "symmetric error on the test windows: " + level, Unit: "%", Validation: true})
	}
	for i, level := range levels[:3] {
		l.Columns = append(l.Columns, Column{Key: fmt.Sprint("gap", i), Label: "gap, " + level,
			Help: "gap between forecasts and the mean of their leaves' forecasts: " + level, Unit: "%", Log: true,
			Validation: true})
	}
	l.Columns = append(l.Columns, Column{Key: "incoherence", InTable: true, Label: "incoherence",
		Help: "mean gap of the levels above the leaves", Unit: "%", Log: true, Validation: true},
		Column{Key: "validation", Label: "WAPE, validation",
			Help: "error on the validation windows, mean of the levels", Unit: "%", Validation: true})
	return completeSpec(l, hierarchy.New, hierarchySetting, hierarchy.Setting.Check, hierarchyRow)
}

// hierarchyDecls are the parameters of the lab.
func hierarchyDecls() []param.Decl {
	return []param.Decl{
		{Key: "lambda_e", Label: "λ_E", Help: "The weight of the regularizer of the embeddings.",
			Kind: param.Number, Default: 1e-2, Min: 0, Max: 1000, Log: true,
			Source: "thesis, eq. 6.5; the best of the values tried"},
		{Key: "alpha", Label: "α", Help: "How many times as often a node is drawn as a node one level below.",
			Kind: param.Number, Default: 1.0, Min: 0.1, Max: 100, Log: true, Source: "thesis, eq. 6.6"},
		{Key: "tvar", Label: "TVAR", Help: "The autoregressive part, a weighted sum of the past of the series.",
			Kind: param.Switch, Default: true, Source: "thesis, eq. 6.2"},
		{Key: "basis", Label: "basis", Help: "The basis part, a sum of functions of time with the embedding of the series as coefficients.", Kind: param.Switch, Default: true, Source: "thesis, eq. 6.2"},
		{Key: "functions", Label: "K", Help: "The number of basis functions.", Kind: param.Integer,
			Default: 8, Min: 1, Max: 64, Source: hierarchySource},
		{Key: "rank", Label: "R",
			Help: "The number of representative series, the inputs of the networks.", Kind: param.Integer,
			Default: 4, Min: 1, Max: 32, Source: hierarchySource},
		{Key: "rate", Label: "rate", Help: "The learning rate of Adam at the start; it is halved six times.",
			Kind: param.Number, Default: 0.01, Min: 1e-6, Max: 10, Log: true, Source: hierarchySource},
		{Key: "cell", Label: "cell", Help: "The networks: multilayer perceptrons or LSTMs, which are much slower.", Kind: param.Choice, Default: string(hierarchy.MLP), Choices: cells(),
			Source: "thesis, §6.4"},
		{Key: "hidden", Label: "hidden",
			Help: "The number of units of every hidden layer.", Kind: param.Integer, Default: 24,
			Min: 1, Max: 128, Source: hierarchySource},
		{Key: "windows", Label: "windows",
			Help: "The number of windows in a minibatch.", Kind: param.Integer, Default: 8,
			Min: 1, Max: 32, Source: hierarchySource},
		{Key: "nodes", Label: "nodes", Help: "The number of nodes in a minibatch, the same in each of its windows.",
			Kind: param.Integer, Default: 64, Min: 1, Max: 512, Log: true, Source: hierarchySource},
	}
}

func cells() (names []string) {
	for _, c := range hierarchy.Cells() {
		names = append(names, string(c))
	}
	return names
}

func hierarchySetting(p param.Set) hierarchy.Setting {
	return hierarchy.Setting{
		Data: uint64(p.Int("data")), Seed: uint64(p.Int(keySeed)), LambdaE: p.Number("lambda_e"),
		Alpha: p.Number("alpha"), Rate: p.Number("rate"), Basis: p.Int("functions"), Rank: p.Int("rank"),
		Steps: p.Int(keySteps), Hidden: p.Int("hidden"), Windows: p.Int("windows"), Nodes: p.Int("nodes"),
		Cell: hierarchy.Cell(p.Choice("cell")), TVAR: p.Switch("tvar"), BD: p.Switch("basis"),
	}
}

func hierarchyRow(t *hierarchy.Training, judge bool) []float64 {
	l := t.Last()
	row := []float64{l.MAE, t.Setting().LambdaE * l.Reg, l.Reg, l.Rate, l.GradData, l.GradReg}
	for _, n := range l.Draws {
		row = append(row, float64(n))
	}
	if !judge {
		return append(row, nanRow(14)...)
	}
	percent := func(shares []float64) {
		for _, v := range shares {
			row = append(row, 100*v)
		}
	}
	j := t.Evaluate()
	percent(j.Test.WAPE)
	row = append(row, j.MeanWAPE())
	percent(j.Test.SMAPE)
	percent(j.Test.Coherence[:len(levels)-1])
	return append(row, j.Incoherence(), 100*stat.Mean(j.Validation.WAPE, nil))
}
