package optimizers

import (
	"context"
	"math"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/digits"
	"bandscope/model/gp"
	"bandscope/model/parallel"
)

// moboUCB and moboTS draw weights from the prior at every step and optimize the scalarization of optimistic, or of drawn, objectives.
var (
	moboUCB = Spec{
		Name: "mobo-rs-ucb", Title: "MOBO-RS, UCB", Family: "several objectives", Multi: true,
		Summary: "random scalarizations of the objectives' confidence bounds, weights from a prior that you steer",
		Source:  "Paria 2022 (thesis), Alg. 2.1, table 2.1",
		Params:  append(append(weightParams(), betaParams()...), gpParams()...),
		Fit:     func(ctx context.Context, in Input) (Belief, error) { return fitMOBO(ctx, in, false) },
		Check:   checkWeights,
	}
	moboTS = Spec{
		Name: "mobo-rs-ts", Title: "MOBO-RS, Thompson sampling", Family: "several objectives", Multi: true,
		Summary: "random scalarizations of one posterior draw of every objective, weights from a prior that you steer",
		Source:  "Paria 2022 (thesis), Alg. 2.1, table 2.1",
		Params:  append(weightParams(), gpParams()...),
		Fit:     func(ctx context.Context, in Input) (Belief, error) { return fitMOBO(ctx, in, true) },
		Check:   checkWeights,
	}
)

// moboBelief is one Gaussian process an objective, and the scalarization of this step.
type moboBelief struct {
	in       Input
	parts    []*gpBelief
	paths    []*gp.Path    // of Thompson sampling; nil otherwise
	root     float64       // √β
	chosen   Scalarization // of this step
	lo, span []float64     // of every objective, standardized by its process, what an outcome of 1 is and how far 0 is from it
	fronts   *fronts       // what was found of the processes' fronts

	once       sync.Mutex // holds the search for the suggestion
	suggestion *Suggestion
}

func fitMOBO(ctx context.Context, in Input, sample bool) (Belief, error) {
	b, err := fitProcesses(ctx, in)
	if err != nil {
		return nil, err
	}
	return b, b.weigh(in, sample)
}

// weigh draws the scalarization of this step, and the functions that it is of.
func (b *moboBelief) weigh(in Input, sample bool) error {
	b.in = in
	b.chosen = DrawScalarizations(in, 1, in.Stream("weights"))[0]
	if !sample {
		b.root = math.Sqrt(betaOf(in))
		return nil
	}
	for k, part := range b.parts {
		var more []uint64
		if k > 0 {
			more = []uint64{uint64(k)}
		}
		path, err := part.gp.Path(pathFeatures, in.Stream("thompson", more...))
		if err != nil {
			return err
		}
		b.paths = append(b.paths, path)
	}
	return nil
}

// weightKeys are the parameters that the processes do not depend on.
var weightKeys = map[string]bool{"scalarization": true, "prior": true, "reference": true, "beta": true, "beta_scale": true}

// Carry keeps the processes where only the weights changed, so that steering costs no fit.
func (b *moboBelief) Carry(in Input) (Belief, bool) {
	if !sameBut(b.in, in, weightKeys) {
		return nil, false
	}
	next := &moboBelief{parts: b.parts, lo: b.lo, span: b.span, fronts: b.fronts}
	return next, next.weigh(in, b.paths != nil) == nil
}

// judgeKeys are the parameters that a method which is only judged by weights does not depend on.
var judgeKeys = map[string]bool{"scalarization": true, "prior": true}

// sameBut reports whether two inputs are the same but for some parameters and the answers.
func sameBut(a, b Input, keys map[string]bool) bool {
	if a.Step != b.Step || !a.Space().equal(b.Space()) || a.Seed != b.Seed || !equalData(a.Data, b.Data) || len(a.Params.Decls()) != len(b.Params.Decls()) {
		return false
	}
	for _, d := range b.Params.Decls() {
		if !a.Params.Has(d.Key) || !keys[d.Key] && a.Params.Value(d.Key) != b.Params.Value(d.Key) {
			return false
		}
	}
	return true
}

// equalData reports whether two data sets are the same.
func equalData(a, b Data) bool {
	same := func(a, b *mat.Dense) bool { return (a == nil) == (b == nil) && (a == nil || mat.Equal(a, b)) }
	return same(a.X, b.X) && same(a.Y, b.Y) && same(a.Failed, b.Failed)
}

// fitProcesses fits one Gaussian process an objective, and freezes the range of outcomes.
func fitProcesses(ctx context.Context, in Input) (*moboBelief, error) {
	b := &moboBelief{in: in, fronts: &fronts{}}
	lo, hi := Frozen(in)
	in.Report("fitting the objectives", 0, in.Objectives)
	b.parts = make([]*gpBelief, in.Objectives)
	if err := parallel.Try(in.Objectives, func(k int) error {
		part, err := fitGP(ctx, in, k)
		b.parts[k] = part
		return err
	}); err != nil {
		return nil, err
	}
	for k, part := range b.parts {
		if in.Objectives == 1 { // nothing to weigh: the method is that of one objective
			b.lo, b.span = []float64{0}, []float64{1}
		} else {
			b.lo = append(b.lo, (lo[k]-part.scale.Mean)/part.scale.SD)
			b.span = append(b.span, (hi[k]-lo[k])/part.scale.SD)
		}
	}
	return b, nil
}

// Weights are λ of this step.
func (b *moboBelief) Weights() []float64 { return b.chosen.Weights }

func (b *moboBelief) Legend() Legend {
	l := b.parts[0].legend()
	l.Acquisition = b.chosen.Kind + " scalarization, higher is better"
	parts := make([]string, len(b.chosen.Weights))
	for k, w := range b.chosen.Weights {
		parts[k] = digits.Of(w)
	}
	l.Facts = append([]Fact{{FactWeights, strings.Join(parts, " ")}}, l.Facts...)
	if b.paths != nil {
		l.Used = "the draw that chooses"
	}
	return l
}

// Predict returns the band of every objective.
func (b *moboBelief) Predict(ctx context.Context, X *mat.Dense) ([]Band, error) {
	var bands []Band
	for _, p := range b.parts {
		band, err := p.Predict(ctx, X)
		if err != nil {
			return nil, err
		}
		bands = append(bands, band[0])
	}
	return bands, nil
}

// Samples returns draws of every objective.
func (b *moboBelief) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	var all []*mat.Dense
	for k, p := range b.parts {
		s, err := p.Samples(ctx, X, count, draw+uint64(k)<<32)
		if err != nil {
			return nil, err
		}
		all = append(all, s[0])
	}
	return all, nil
}

// Used returns the drawn function of every objective.
func (b *moboBelief) Used(ctx context.Context, X *mat.Dense) ([][]float64, error) {
	if b.paths == nil {
		return nil, ErrAbsent
	}
	n, _ := X.Dims()
	all := make([][]float64, len(b.paths))
	for k, path := range b.paths {
		all[k] = make([]float64, n)
		for i := range n {
			all[k][i] = b.parts[k].scale.Value(path.At(X.RawRowView(i)))
		}
	}
	return all, ctx.Err()
}

// value is the scalarization at one point of the cube, with its gradient: u_k = (lo_k + span_k − f_k)/span_k of the bound or the draw f_k.
func (b *moboBelief) value(x, grad []float64) float64 {
	d := len(x)
	u, slopes := make([]float64, len(b.parts)), make([][]float64, len(b.parts))
	dmean, dsd := make([]float64, d), make([]float64, d)
	for k, p := range b.parts {
		slopes[k] = make([]float64, d)
		var f float64
		if b.paths != nil {
			f = b.paths[k].Gradient(x, slopes[k])
		} else {
			mean, sd := p.gp.Gradient(x, dmean, dsd)
			f = mean - b.root*sd
			for j := range slopes[k] {
				slopes[k][j] = dmean[j] - b.root*dsd[j]
			}
		}
		u[k] = b.outcome(k, f)
	}
	v, worst := Scalarize(b.chosen, u)
	clear(grad)
	for k, s := range slopes {
		factor := 0.0
		if worst < 0 || worst == k {
			factor = b.chosen.Weights[k]
		}
		if b.chosen.Kind == Augmented {
			factor += augmentation * b.chosen.Weights[k]
		}
		for j := range grad {
			grad[j] -= factor * s[j] / b.span[k]
		}
	}
	return v
}

// outcome maps a standardized value of an objective to [0, 1] over the frozen range, 1 being best.
func (b *moboBelief) outcome(k int, f float64) float64 {
	if b.in.Objectives == 1 {
		return -f
	}
	return 1 - (f-b.lo[k])/b.span[k]
}

// values is the scalarization at the rows of X.
func (b *moboBelief) values(ctx context.Context, X *mat.Dense) ([]float64, error) {
	n, _ := X.Dims()
	out := make([]float64, n)
	u := mat.NewDense(n, len(b.parts), nil)
	err := parallel.Try(len(b.parts), func(k int) error {
		var f, sd []float64
		var err error
		if b.paths != nil {
			f, err = pathValues(ctx, b.paths[k], X)
		} else {
			f, sd, err = b.parts[k].gp.Predict(ctx, X)
		}
		if err != nil {
			return err
		}
		for i, v := range f {
			if sd != nil {
				v -= b.root * sd[i]
			}
			u.Set(i, k, b.outcome(k, v))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i], _ = Scalarize(b.chosen, u.RawRowView(i))
	}
	return out, nil
}

// Acquisition is the scalarization of this step.
func (b *moboBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return b.values(ctx, X)
}

// Suggest maximizes the scalarization.
func (b *moboBelief) Suggest(ctx context.Context) (Suggestion, error) {
	b.once.Lock()
	defer b.once.Unlock()
	if b.suggestion != nil {
		return *b.suggestion, nil
	}
	s, err := b.search(ctx, Target{Values: b.values, Gradient: b.value}, func(v float64) float64 { return v })
	if err != nil {
		return Suggestion{}, err
	}
	if b.in.Objectives > 1 {
		s.Weights = b.chosen.Weights
	}
	b.suggestion = &s
	return s, nil
}

// search maximizes a target, beside the sample from where it is greatest among the data.
func (b *moboBelief) search(ctx context.Context, t Target, shown func(float64) float64) (Suggestion, error) {
	starts, err := b.starts(ctx, t)
	if err != nil {
		return Suggestion{}, err
	}
	x, value, err := Maximize(ctx, b.in.Space(), t, b.in.Stream("acquisition"), starts)
	if err != nil {
		return Suggestion{}, err
	}
	at := mat.NewDense(1, b.in.Dim, x)
	bands, err := b.Predict(ctx, at)
	if err != nil {
		return Suggestion{}, err
	}
	return Suggestion{X: at, Mean: bands[0].Mean, SD: bands[0].SD, Acquisition: []float64{shown(value)}, Note: repeatNote(b.in.Data, x)}, nil
}

// starts are the few data at which a target is greatest, as rows: with one objective those that are best.
func (b *moboBelief) starts(ctx context.Context, t Target) (*mat.Dense, error) {
	if b.in.Objectives == 1 || b.in.Data.Len() == 0 {
		return incumbents(b.in.Data, 3), nil
	}
	values, err := t.Values(ctx, b.in.Data.X)
	if err != nil {
		return nil, err
	}
	order := mat.NewDense(len(values), 1, values)
	order.Scale(-1, order)
	return incumbents(Data{X: b.in.Data.X, Y: order}, 3), nil
}
