// Package gaussian implements the single-objective methods that use one Gaussian process, and fits the process itself.
// The methods for several objectives and the cost-aware ones build on its fits, samples and spectra. Package model/gp
// finds the hyperparameters; package model/kernel has the covariance functions.
package gaussian

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/model"
	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// Keys of parameters, and the value of noise that is not fitted.
const (
	noiseKey           = "noise"
	noiseSDKey         = "noise_sd"
	lengthscaleKey     = "lengthscale"
	hyperparametersKey = "hyperparameters"
	hyperpriorKey      = "hyperprior"
	fixedLabel         = "fixed"
)

// Params are the parameters that every Gaussian-process method has.
func Params() []param.Decl {
	return append([]param.Decl{
		kernelParam(),
		{Key: noiseKey, Role: optimizers.RoleAssumption, Label: "noise", Kind: param.Choice, Default: fittedLabel,
			Choices: []string{fittedLabel, fixedLabel},
			Help:    "Whether the standard deviation of the observation noise is fitted with the other hyperparameters or fixed.",
			Source:  "Rasmussen & Williams 2006, §5.4"},
		{Key: noiseSDKey, Label: "fixed noise sd", Kind: param.Number, Default: 1e-4, Min: 1e-6, Max: 1, Log: true,
			Help:   "Standard deviation of fixed noise, in standard deviations of the observations.",
			Source: "Rasmussen & Williams 2006, §2.2"},
		{Key: lengthscaleKey, Label: "lengthscales", Kind: param.Text, Default: fittedLabel,
			Choices: []string{fittedLabel, "0.05", "0.1", "0.2", "0.5", "1"}, Validate: validLength,
			Help:   "With fitted, each variable has its own lengthscale, fitted with the other hyperparameters. A number is the lengthscale of all variables, as a fraction of the range.",
			Source: "Rasmussen & Williams 2006, §5.4"},
		{Key: hyperparametersKey, Role: optimizers.RoleAssumption, Label: "hyperparameters", Kind: param.Choice,
			Default: integratedLabel, Choices: []string{integratedLabel, fittedLabel},
			WiderBand: integratedLabel,
			Help:      "With integrated, up to 50 results, the model averages over hyperparameters drawn from their posterior: its bands include their uncertainty. With fitted, it uses the most probable ones.",
			Source:    "Snoek et al. 2012, §3.2 (integrated); Rasmussen & Williams 2006, §5.4.1 (fitted)"},
		{Key: hyperpriorKey, Role: optimizers.RoleAssumption, Label: "hyperpriors", Kind: param.Switch, Default: true,
			Help:   "Weak log-normal priors on the hyperparameters. They prevent extreme values when there are few results, and keep lengthscales similar until the results show that they differ.",
			Source: "after Hvarfner et al. 2024: the median lengthscale grows with the square root of d"},
		{Key: "restarts", Label: "restarts", Kind: param.Integer, Default: 5, Min: 1, Max: 50,
			Help:   "Starting points of the hyperparameter search per variable; fewer when there are many results. Above 20 results, four of five searches have fewer and start from an earlier fit too. Above 50 results, the search runs again after every 25 % more, or when new results contradict the fit.",
			Source: "Paria et al. 2022, App. F.2 (maximum marginal likelihood)"},
		inferenceParam(),
	}, search.Params()...)
}

// Fit fits a process to the standardized observations of one objective. It finds the hyperparameters by maximum
// marginal likelihood, or by maximum posterior density if they have priors.
//
// The result depends only on the input, not on which fits were computed earlier. With at most refitEveryBelow
// observations, every fit searches for the hyperparameters from new starting points and also from the hyperparameters
// of an earlier fit. This keeps the model from switching to another explanation of nearly the same data only because a
// search missed the previous one. With more observations, searches run only at scheduled numbers of observations. The
// fits in between start from the previous fit, unless new observations contradict it; see warmFit.
func Fit(ctx context.Context, in optimizers.Input, objective int) (*Process, error) {
	return fitTo(ctx, in, objective, gpOptions(in), fitKind{earlier: true, draws: hyperparameterDraws})
}

// FitLimit is Fit for a limited quantity, in half of the time: with limitDraws draws of the hyperparameters, and a
// search for them that gives up bad starting points early.
func FitLimit(ctx context.Context, in optimizers.Input) (*Process, error) {
	opt := gpOptions(in)
	opt.HalveEarly = true
	return fitTo(ctx, in, 0, opt, fitKind{earlier: true, draws: limitDraws})
}

// FitFromScratch is Fit without a start from earlier fits. It is for targets that change at every step, such as
// scalarized objectives.
func FitFromScratch(ctx context.Context, in optimizers.Input, objective int) (*Process, error) {
	return fitTo(ctx, in, objective, gpOptions(in), fitKind{draws: hyperparameterDraws})
}

// CoarseEvidence returns the log evidence of the values of the only objective, in their unit, under the best of a few
// processes with equal lengthscales; see gp.IsotropicEvidence.
func CoarseEvidence(ctx context.Context, in optimizers.Input) float64 {
	f := newPrefix(in, 0, gpOptions(in), in.Data.Len())
	return gp.IsotropicEvidence(ctx, f.x, f.y, f.opt) - float64(f.n)*math.Log(f.scale.SD)
}

// fitKind says how a process is fitted.
type fitKind struct {
	earlier bool // it also starts from earlier fits
	draws   int  // of the hyperparameters, if they are integrated over
}

func fitTo(ctx context.Context, in optimizers.Input, objective int, opt gp.Options, kind fitKind) (*Process, error) {
	y := in.Data.Column(objective)
	scale := in.Scale(objective, len(y))
	key := fitKey(in, objective, opt, len(y), "start from earlier fits:", kind.earlier)
	if known, ok := fitCache.Get(key); ok && len(y) > 0 { // for example, for the next point of a batch
		if g, err := restoreFit(ctx, newPrefix(in, objective, opt, len(y)), known, kind); err == nil && g != nil {
			return integrated(ctx, in, objective, opt, scale, g, kind.draws)
		}
	}
	g, err := fitData(ctx, in, objective, opt, kind.earlier)
	if err != nil {
		return nil, fmt.Errorf("fitting the Gaussian process: %w", err)
	}
	cacheFit(key, g)
	return integrated(ctx, in, objective, opt, scale, g, kind.draws)
}

// restoreFit returns the process of all observations with known hyperparameters; nil if its inducing inputs are those of
// an earlier fit.
func restoreFit(ctx context.Context, f prefix, known *gp.GP, kind fitKind) (*gp.GP, error) {
	switch {
	case f.all == nil:
		return f.withHyperparameters(known.Kernel(), known.Noise(), known.BlockSD())
	case kind.earlier:
		return nil, nil
	}
	return f.condition(ctx, f, known)
}

func processFor(in optimizers.Input, objective int, scale model.Standardizer, g *gp.Mixture) *Process {
	over := EncodedGP{g, in.Domain}
	return &Process{Posterior: acquisition.Posterior{In: in, Objective: objective, Scale: scale,
		Surrogate: moments{over}},
		GP: over}
}

// gpOptions returns the options of the hyperparameter search that the parameters set.
func gpOptions(in optimizers.Input) gp.Options {
	p := in.Params
	opt := gp.Options{FitNoise: p.Choice(noiseKey) == fittedLabel, Noise: p.Number(noiseSDKey),
		Length: fixedLengthscale(p.Text(lengthscaleKey)),
		Starts: p.Int("restarts")}
	e, _ := kernel.Parse(p.Choice(kernelKey)) // a valid text
	if form, ok := e.Form(); ok {
		opt.Form = form
	} else {
		opt.Expression = &e
	}
	switch {
	case p.Has(shrinkageKey):
		opt.Priors = sparsePriors(p.Number(shrinkageKey))
	case p.Switch(hyperpriorKey):
		opt.Priors = &gp.WeakPriors
		if p.Choice(hyperparametersKey) == integratedLabel {
			opt.Priors = &integratedPriors
			opt.LengthFactors = lengthFactors(in.Domain, in.Dim)
		}
	}
	fidelity := -1
	if in.Fidelity != nil {
		fidelity = in.Fidelity.Index
	}
	opt.IndependentPriors = independentLengthscales(in.Domain, in.Dim, fidelity)
	if in.Domain.Encoded() {
		opt.SharedLengthscales = in.Domain.SharedLengthscales(in.Dim)
	}
	return opt
}

// withErrors adds the blocks and the known noise of the first n observations, divided by their standard deviation sd. It is the
// standard error of an observation or, if there is none, the noise that the objective declares. Where neither is known,
// the noise is fitted or fixed as the parameters say.
func withErrors(opt gp.Options, in optimizers.Input, objective, n int, sd float64) gp.Options {
	if in.Noise != nil && in.Noise[objective] > 0 {
		opt.FitNoise, opt.Noise = false, in.Noise[objective]/sd
	}
	if blocks := in.Data.Blocks; blocks != nil && slices.ContainsFunc(blocks[:n], func(b int) bool { return b >= 0 }) {
		opt.Blocks, opt.Priors = blocks[:n], blockPriors(opt.Priors)
	}
	if in.Data.SE == nil {
		return opt
	}
	opt.NoiseSDs = mat.Col(nil, objective, in.Data.SE)[:n]
	for i := range opt.NoiseSDs {
		opt.NoiseSDs[i] /= sd
	}
	if !slices.ContainsFunc(opt.NoiseSDs, func(v float64) bool { return !math.IsNaN(v) }) {
		opt.NoiseSDs = nil
	}
	return opt
}

// Process is the part of a belief that all methods with one Gaussian process share.
type Process struct {
	acquisition.Posterior
	GP EncodedGP
}

var (
	_ acquisition.Model          = (*Process)(nil)
	_ acquisition.JointPosterior = moments{}
	_ optimizers.Spectrum        = (*Process)(nil)
	_ optimizers.LeaveOneOuter   = (*Process)(nil)
	_ optimizers.Adjustable      = (*Process)(nil)
	_ optimizers.Covariant       = (*Process)(nil)
)

// moments implements acquisition.JointPosterior and acquisition.Mixture for a process.
type moments struct{ EncodedGP }

func (m moments) CrossCovariance(Z *mat.Dense) (acquisition.CrossCovariance, error) {
	return m.EncodedGP.CrossCovariance(Z)
}

// LogMarginalLikelihood returns the log evidence; NaN with inducing points, where only that of the approximation is
// known.
func (m moments) LogMarginalLikelihood() float64 {
	if inputs, _ := m.Mode().Inducing(); inputs > 0 {
		return math.NaN()
	}
	return m.EncodedGP.LogMarginalLikelihood()
}

// Components returns the processes of the mixture over the hyperparameters; nil if there is only one.
func (m moments) Components() (all []acquisition.Differentiable) {
	if !m.Integrated() {
		return nil
	}
	for _, g := range m.EncodedGP.Components() {
		all = append(all, g)
	}
	return all
}

// Thin returns every few of the processes of the mixture over the hyperparameters; itself if there is only one.
func (m moments) Thin(every int) acquisition.Differentiable {
	return moments{EncodedGP{m.Mixture.Thin(every), m.in}}
}

// PathFeatures is the number of random features of a path.
const PathFeatures = 1024

// Samples draws posterior functions: jointly at the inputs or, at more than acquisition.JointRows inputs, as paths.
func (b *Process) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	m, _ := X.Dims()
	var z *mat.Dense
	if m <= acquisition.JointRows {
		var err error
		z, err = b.GP.Sample(ctx, X, count, b.In.Stream("samples", draw))
		if err != nil {
			return nil, err
		}
	} else {
		z = mat.NewDense(count, m, nil)
		for i := range count {
			path, err := b.GP.Path(PathFeatures, b.In.Stream("samples", draw, uint64(i)))
			if err != nil {
				return nil, err
			}
			values, err := PathValues(ctx, path, X)
			if err != nil {
				return nil, err
			}
			z.SetRow(i, values)
		}
	}
	z.Apply(func(_, _ int, v float64) float64 { return b.Value(v) }, z)
	return []*mat.Dense{z}, nil
}

// pathRows is the number of inputs at which one goroutine evaluates a path at a time.
const pathRows = 64

// PathValues returns the values of a path at the rows of X.
func PathValues(ctx context.Context, path Path, X *mat.Dense) ([]float64, error) {
	n, d := X.Dims()
	values := make([]float64, n)
	err := parallel.Try((n+pathRows-1)/pathRows, func(batch int) error {
		from, end := batch*pathRows, min((batch+1)*pathRows, n)
		copy(values[from:end], path.Values(X.Slice(from, end, 0, d).(*mat.Dense)))
		return ctx.Err()
	})
	return values, err
}
