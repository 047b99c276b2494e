package optimizers

import (
	"context"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions/param"
	"bandscope/model"
	"bandscope/model/law"
	"bandscope/model/nn"
)

// neuralGreedy minimizes one freshly trained network. Its belief shows the networks that it could have trained as well.
var neuralGreedy = Spec{
	Name: "neural-greedy", Title: "Neural Greedy", Family: "neural network",
	Summary: "the minimum of one wide network, trained from scratch every time",
	Source:  "Paria et al. 2022, Alg. 1 and 2; Nadigatla 2022, Alg. 3",
	Params:  append(networkParams(), designParams()...),
	Fit: func(ctx context.Context, in Input) (Belief, error) {
		b := &greedyBelief{in: in, scale: model.Standardize(in.Data.Column(0)), arch: archOf(in),
			trained: map[[2]uint64]*nn.Fitted{}, turn: make(chan struct{}, 1)}
		b.turn <- struct{}{}
		in.Report("training the network", 0, 0)
		used, err := b.train(ctx, "surrogate", func(done, total int) { in.Report("training the network", done, total) })
		if err != nil {
			return nil, err
		}
		b.used = used
		return b, nil
	},
}

// networkParams are the parameters of a trained network.
func networkParams() []param.Decl {
	return []param.Decl{
		{Key: "gamma", Label: "γ  init scale", Kind: param.Number, Default: 2.0, Min: 0.1, Max: 20, Log: true,
			Help:   "Scale of weights and biases at initialization, σ_W = σ_b = γ: small γ gives smooth networks, large γ wiggly ones.",
			Source: "Paria et al. 2022, App. F.2: tuned in [0.5, 5]"},
		{Key: "sigma2", Label: "σ² noise variance", Kind: param.Number, Default: 0.0, Min: 0, Max: 10,
			Help:   "Variance of the perturbation of the targets, and weight of the distance from initialization; for standardized targets.",
			Source: "Paria et al. 2022, Alg. 2; 0 in App. F.2"},
		{Key: "nu", Label: "ν  scale", Kind: param.Number, Default: 1.0, Min: 0.01, Max: 100, Log: true,
			Help:   "Scale of the surrogate's randomness: larger values explore more.",
			Source: "Paria et al. 2022, Alg. 2; 1 in App. F.2"},
		{Key: "width", Label: "width m", Kind: param.Integer, Default: 5000, Min: 8, Max: 20000, Log: true,
			Help:   "Units of each hidden layer.",
			Source: "Paria et al. 2022, App. F.2"},
		{Key: "depth", Label: "hidden layers L", Kind: param.Integer, Default: 1, Min: 1, Max: 4,
			Help:   "Number of hidden layers. Above one, choose a width of a few hundred: the weights between two layers grow with its square.",
			Source: "Paria et al. 2022, App. F.2"},
		{Key: "activation", Label: "activation φ", Kind: param.Choice, Default: string(nn.Tanh), Choices: nn.Activations(),
			Help:   "The nonlinearity of the hidden units.",
			Source: "Paria et al. 2022, App. A (tanh)"},
		{Key: "last_bias", Label: "last bias", Kind: param.Choice, Default: "normal", Choices: []string{"normal", "zero"},
			Help:   "Where the last bias starts: drawn from N(0, 1), as Propositions 1 and 2 need it, or 0. It is trained in both cases.",
			Source: "Paria et al. 2022, App. A (normal), App. F.2 (zero)"},
		{Key: "trainer", Label: "trainer", Kind: param.Choice, Default: string(nn.GaussNewton),
			Choices: []string{string(nn.GaussNewton), string(nn.Adam)},
			Help:    "Gauss–Newton in function space solves an n×n system a step; Adam is what the papers used, hundreds of times slower.",
			Source:  "Adam: Paria et al. 2022, App. F.2"},
		{Key: "epochs", Label: "Adam epochs", Kind: param.Integer, Default: 5000, Min: 1, Max: 1_000_000, Log: true,
			Help: "Full-batch epochs of Adam.", Source: "Nadigatla 2022, App. A"},
		{Key: "rate", Label: "Adam rate", Kind: param.Number, Default: 0.001, Min: 1e-6, Max: 1, Log: true,
			Help: "Learning rate of Adam.", Source: "Paria et al. 2022, App. F.2"},
		{Key: "ensemble", Label: "ensemble M", Kind: param.Integer, Default: 8, Min: 2, Max: 100,
			Help:   "How many independently trained networks the band is made of. It changes what is shown, never what is chosen.",
			Source: "for the eye only"},
		{Key: "band", Label: "band", Kind: param.Choice, Default: ensembleBand, Choices: bandChoices(),
			Help:   "What band and samples are: M trained networks, or a law of networks of infinite width. It changes what is shown, never what is chosen.",
			Source: "Paria et al. 2022, Prop. 1 (trained), Prop. 2 (posterior), App. C (the others)"},
	}
}

// archOf describes the network that the parameters ask for.
func archOf(in Input) nn.Arch {
	p := in.Params
	hidden := make([]int, p.Int("depth"))
	for i := range hidden {
		hidden[i] = p.Int("width")
	}
	return nn.Arch{Inputs: in.Dim, Hidden: hidden, Activation: nn.Activation(p.Choice("activation")),
		SigmaW: p.Number("gamma"), SigmaB: p.Number("gamma"), ZeroLastBias: p.Choice("last_bias") == "zero"}
}

// greedyBelief is the network that chooses, with the others that could have been trained, which are trained when they are
// asked for.
type greedyBelief struct {
	in    Input
	scale model.Standardizer
	arch  nn.Arch
	used  *nn.Fitted

	turn    chan struct{} // holds a token while nobody trains
	trained map[[2]uint64]*nn.Fitted

	once       sync.Mutex // holds the search for the suggestion
	suggestion *Suggestion
}

// train trains one network on the data, with random numbers of its own.
func (b *greedyBelief) train(ctx context.Context, purpose string, progress func(done, total int), more ...uint64) (*nn.Fitted, error) {
	p := b.in.Params
	var x *mat.Dense
	if b.in.Data.X != nil {
		x = centered(b.in.Data.X)
	}
	f, err := nn.SimpleSMB(ctx, b.arch, x, b.scale.Apply(b.in.Data.Column(0)), nn.Options{Sigma2: p.Number("sigma2"), Nu: p.Number("nu"),
		Trainer: nn.Trainer(p.Choice("trainer")), Epochs: p.Int("epochs"), Rate: p.Number("rate"), Progress: progress},
		b.in.Stream(purpose, more...))
	if err != nil {
		return nil, fmt.Errorf("training the network: %w", err)
	}
	return f, nil
}

// centered maps inputs from the unit cube to [−1, 1]^d, where networks of this parameterisation are at home.
func centered(X *mat.Dense) *mat.Dense {
	var c mat.Dense
	c.Apply(func(_, _ int, v float64) float64 { return 2*v - 1 }, X)
	return &c
}

func (b *greedyBelief) Legend() Legend {
	m := b.in.Params.Int("ensemble")
	l := Legend{Mean: "their mean", Band: fmt.Sprintf("±2 sd over %d trained networks", m), Samples: "trained networks",
		Used: "the network that chooses", Acquisition: "the network that chooses, lower is better", Lower: true}
	r := b.used.Report
	l.Facts = []Fact{{"p parameters", fmt.Sprint(b.arch.Params())}}
	untrained := b.in.Data.Len() == 0
	if name := b.in.Params.Choice("band"); name != ensembleBand {
		l.Mean, l.Band, l.Samples = "its mean", "±2 sd of "+lawNames[law.Kind(name)], "draws from the law"
	} else if untrained {
		l.Band, l.Samples = fmt.Sprintf("±2 sd over %d untrained networks", m), "untrained networks"
	}
	if untrained {
		l.Used, l.Acquisition = "the network, untrained", "the network, untrained, lower is better"
		return l
	}
	l.Facts = append(l.Facts, Fact{"iterations", fmt.Sprint(r.Iterations)}, Fact{"training RMSE", fmt.Sprintf("%.2g", r.RMSE*b.scale.SD)})
	if !r.Converged {
		l.Warnings = append(l.Warnings, fmt.Sprintf("not converged after %d iterations: a larger γ bends more", r.Iterations))
	}
	return l
}

// ensemble returns the first count networks of a draw, training those that are not yet trained.
func (b *greedyBelief) ensemble(ctx context.Context, count int, draw uint64) ([]*nn.Fitted, error) {
	select {
	case <-b.turn:
		defer func() { b.turn <- struct{}{} }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	nets := make([]*nn.Fitted, count)
	for i := range nets {
		key := [2]uint64{draw, uint64(i)}
		f, ok := b.trained[key]
		if !ok {
			b.in.Report("training networks", i, count)
			var err error
			if f, err = b.train(ctx, "ensemble", nil, draw, uint64(i)); err != nil {
				return nil, err
			}
			b.trained[key] = f
		}
		nets[i] = f
	}
	return nets, nil
}

// Samples are independently trained networks, or joint draws from the law that the band is.
func (b *greedyBelief) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	if l, err := b.law(ctx); l != nil || err != nil {
		return b.lawSamples(ctx, l, X, count, draw, err)
	}
	nets, err := b.ensemble(ctx, count, draw)
	if err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	c := centered(X)
	out := mat.NewDense(count, n, nil)
	for i, f := range nets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out.SetRow(i, b.back(f.Eval(c)))
	}
	return []*mat.Dense{out}, nil
}

// back maps standardized values to the objective's units, in place.
func (b *greedyBelief) back(v []float64) []float64 {
	for i := range v {
		v[i] = b.scale.Value(v[i])
	}
	return v
}

// Predict is the mean and the spread of the ensemble, or the law at infinite width. The spread is the law of Paria et al. 2022, Prop. 1, estimated from M draws: the
// spread of trained networks, not a Bayesian posterior.
func (b *greedyBelief) Predict(ctx context.Context, X *mat.Dense) ([]Band, error) {
	if l, err := b.law(ctx); l != nil || err != nil {
		return b.lawBand(ctx, l, X, err)
	}
	samples, err := b.Samples(ctx, X, b.in.Params.Int("ensemble"), 0)
	if err != nil {
		return nil, err
	}
	_, n := samples[0].Dims()
	band := Band{make([]float64, n), make([]float64, n)}
	for j := range n {
		band.Mean[j], band.SD[j] = stat.MeanStdDev(mat.Col(nil, j, samples[0]), nil)
	}
	return []Band{band}, nil
}

// Used is the network that the suggestion minimizes.
func (b *greedyBelief) Used(ctx context.Context, X *mat.Dense) ([][]float64, error) {
	v, err := b.Acquisition(ctx, X)
	return [][]float64{v}, err
}

// Acquisition is the network that chooses, in the objective's units.
func (b *greedyBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return b.back(b.used.Eval(centered(X))), nil
}

// Suggest minimizes the network that chooses.
func (b *greedyBelief) Suggest(ctx context.Context) (Suggestion, error) {
	b.once.Lock()
	defer b.once.Unlock()
	if b.suggestion != nil {
		return *b.suggestion, nil
	}
	at := make([]float64, b.in.Dim)
	x, value, err := Maximize(ctx, b.in.Dim, Target{
		Values: func(_ context.Context, X *mat.Dense) ([]float64, error) {
			v := b.used.Eval(centered(X))
			for i := range v {
				v[i] = -v[i]
			}
			return v, nil
		},
		Gradient: func(x, grad []float64) float64 {
			for j, v := range x {
				at[j] = 2*v - 1
			}
			v := b.used.Gradient(at, grad)
			for j := range grad {
				grad[j] *= -2
			}
			return -v
		},
	}, b.in.Stream("acquisition"), incumbents(b.in.Data, 3))
	if err != nil {
		return Suggestion{}, err
	}
	value = b.scale.Value(-value)
	b.suggestion = &Suggestion{X: mat.NewDense(1, b.in.Dim, x), Mean: []float64{value}, Acquisition: []float64{value},
		Note: repeatNote(b.in.Data, x)}
	return *b.suggestion, nil
}
