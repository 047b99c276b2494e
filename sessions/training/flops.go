package training

import (
	"bandscope/functions/trainer/retrieval"
	"bandscope/optimizers/param"
)

// flopsSource is the source of the defaults of the lab on sparse embeddings.
const flopsSource = "Paria 2022 (thesis), chapter 5; on a smaller scale, with an uneven start"

// flops is the lab on sparse embeddings.
func flops() *Spec {
	return completeSpec(&Spec{
		Name: "flops", Title: "sparse embeddings and the cost of search",
		About:  "A small network learns sparse embeddings of classes; a regularizer keeps the cost of searching them low.",
		Source: flopsSource, Updates: keySteps, Seed: keySeed,
		Decls:     append(flopsDecls(), sharedDecls(1, 1, 300, 5000, flopsSource)...),
		Live:      []string{"regularizer", "lambda", "anneal", "rate", "margin"},
		SecondRun: map[string]any{"regularizer": string(retrieval.L1), "lambda": 1.4},
		Columns:   flopsColumns(),
	}, retrieval.New, flopsSetting, retrieval.Setting.Check, flopsRow)
}

// flopsDecls are the parameters of the lab.
func flopsDecls() []param.Decl {
	return []param.Decl{
		{Key: "regularizer", Label: "regularizer",
			Help: "The regularizer in the loss: the relaxation of the FLOPs of a search, or the ℓ1 norm.",
			Kind: param.Choice, Default: string(retrieval.FLOPs),
			Choices: []string{string(retrieval.FLOPs), string(retrieval.L1)}, Source: "thesis, §5.4"},
		{Key: "lambda", Label: "λ", Help: "The weight of the regularizer after the annealing.", Kind: param.Number,
			Default: 18.0, Min: 0, Max: 1000, Log: true, Source: flopsSource},
		{Key: "anneal", Label: "annealing", Help: "The share of the updates during which the weight grows as λ·(t/T)²; with 0 it is λ from the first update.", Kind: param.Number, Default: 0.8, Min: 0, Max: 1,
			Source: "thesis, §5.5"},
		{Key: "activation", Label: "activation",
			Help: "The activation that makes values 0: ReLU, a soft threshold at ½, or the identity (dense).",
			Kind: param.Choice, Default: string(retrieval.SThresh),
			Choices: []string{string(retrieval.ReLU), string(retrieval.SThresh), string(retrieval.Identity)},
			Source:  "thesis, §5.5"},
		{Key: "uneven_gamma", Label: "uneven γ",
			Help:    "The standard deviation of ln γ_j over the dimensions at the start; 0 is an even start.",
			Kind:    param.Number,
			Default: 0.8, Min: 0, Max: 3, Source: flopsSource},
		{Key: "uneven_beta", Label: "uneven β",
			Help:    "The standard deviation of β_j over the dimensions at the start; 0 is an even start.",
			Kind:    param.Number,
			Default: 0.0, Min: 0, Max: 3, Source: flopsSource},
		{Key: "rate", Label: "rate", Help: "The learning rate of stochastic gradient descent with momentum 0.9; it drops to a tenth after 74 % of the updates.", Kind: param.Number, Default: 0.2, Min: 1e-6, Max: 100,
			Log: true, Source: flopsSource},
		{Key: "margin", Label: "margin", Help: "The margin of the ArcFace loss, in radians.", Kind: param.Number,
			Default: 0.2, Min: 0, Max: 1.5, Source: flopsSource},
		{Key: "scale", Label: "scale", Help: "The scale of the ArcFace loss.", Kind: param.Number, Default: 16.0,
			Min: 0.1, Max: 256, Log: true, Source: flopsSource},
		{Key: "dim", Label: "dimensions",
			Help: "The number of dimensions of the embedding.", Kind: param.Integer, Default: 128,
			Min: 2, Max: 512, Log: true, Source: flopsSource},
		{Key: "hidden", Label: "hidden",
			Help: "The number of units of the hidden layer.", Kind: param.Integer, Default: 64,
			Min: 1, Max: 512, Log: true, Source: flopsSource},
		{Key: "batch", Label: "examples",
			Help: "The number of examples in a minibatch.", Kind: param.Integer, Default: 128,
			Min: 2, Max: 1024, Log: true, Source: flopsSource},
	}
}

// flopsColumns are the measurements of the lab.
func flopsColumns() []Column {
	return []Column{
		{Key: "metric", InTable: true, Label: "metric loss", Help: "the ArcFace loss on the minibatch"},
		{Key: "penalty", InTable: true, Label: "λ(t)·reg", Help: "the regularizer term of the loss"},
		{Key: "relaxation", Label: "F̃", Help: "the relaxation of the FLOPs: the sum of the squared mean absolute activations"},
		{Key: "l1", Label: "ℓ1", Help: "the sum of the mean absolute activations"},
		{Key: "weight", Label: "λ(t)", Help: "the annealed weight of the regularizer"},
		{Key: "eta", Label: "rate", Help: "the learning rate of the update"},
		{Key: "flops", InTable: true, Label: "F",
			Help: "multiplications per row of a search, on the minibatch: the sum of the squared activation probabilities", Log: true},
		{Key: "mean", Label: "p̄", Help: "the mean activation probability, on the minibatch"},
		{Key: "sub", InTable: true, Label: "R_sub",
			Help: "F divided by its value if all dimensions were equally active, on the minibatch"},
		{Key: "dead", InTable: true, Label: "dead", Help: "dimensions that no example of the minibatch activates"},
		{Key: "recall", InTable: true, Label: "recall@1",
			Help: "share of queries of unseen classes whose best match has their class", Unit: "%",
			Validation: true},
		{Key: "precision", Label: "precision@4",
			Help: "share of the four best matches that have the class of the query",
			Unit: "%", Validation: true},
		{Key: "search", InTable: true, Label: "F, unseen",
			Help: "multiplications per row of a search among unseen classes", Log: true, Validation: true},
		{Key: "unseen_mean", Label: "p̄, unseen", Help: "the mean activation probability among unseen classes",
			Validation: true},
		{Key: "unseen_sub", Label: "R_sub, unseen",
			Help:       "F divided by its value if all dimensions were equally active, among unseen classes",
			Validation: true},
		{Key: "unseen_dead", Label: "dead, unseen",
			Help: "dimensions that no example of the unseen classes activates", Validation: true},
		{Key: "bytes", Label: "index", Help: "memory of the inverted index per row", Unit: "B",
			Validation: true},
	}
}

func flopsSetting(p param.Set) retrieval.Setting {
	return retrieval.Setting{
		Data: uint64(p.Int("data")), Seed: uint64(p.Int(keySeed)),
		Activation:  retrieval.Activation(p.Choice("activation")),
		Regularizer: retrieval.Regularizer(p.Choice("regularizer")),
		Lambda:      p.Number("lambda"), Anneal: p.Number("anneal"), Dim: p.Int("dim"), Hidden: p.Int("hidden"),
		Batch: p.Int("batch"), Steps: p.Int(keySteps),
		Rate: p.Number("rate"), Margin: p.Number("margin"), Scale: p.Number("scale"),
		SpreadGamma: p.Number("uneven_gamma"), SpreadBeta: p.Number("uneven_beta"),
	}
}

func flopsRow(t *retrieval.Training, judge bool) []float64 {
	l := t.Last()
	norm := l.Relaxation
	if t.Setting().Regularizer == retrieval.L1 {
		norm = l.L1
	}
	row := []float64{l.Metric, l.Lambda * norm, l.Relaxation, l.L1, l.Lambda, l.Rate, l.Flops, l.Mean, l.Sub,
		float64(l.Dead)}
	if !judge {
		return append(row, nanRow(7)...)
	}
	j := t.Evaluate()
	return append(row, j.Recall1, j.Precision4, j.Flops, j.Mean, j.Sub, float64(j.Dead), j.IndexBytes)
}
