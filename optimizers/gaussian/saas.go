package gaussian

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"bandscope/model/gp"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
)

// SAAS is expected improvement with a Gaussian process whose prior assumes that few variables matter.
var SAAS = optimizers.Register(optimizers.Spec{
	Name: "saas", Title: "SAASBO", Family: "Gaussian process", Rank: 5,
	Pending: optimizers.PendingFantasies, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByProbability,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "expected improvement for many variables of which few matter: a sparse prior of the lengthscales",
	Source:  "Eriksson & Jankowiak 2021; the hyperparameters are drawn by slice sampling, not by the no-U-turn sampler of the paper",
	Params:  sparseParams(),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, err := Fit(ctx, in, 0)
		if err != nil {
			return nil, err
		}
		return b.ScoredBelief(ctx, scoreByEI)
	},
})

// shrinkageKey is the key of the parameter that says how sparse the prior is.
const shrinkageKey = "shrinkage"

// maxIntegratedSparse is maxIntegrated for a sparse prior, whose most probable lengthscales say less than their
// posterior about which inputs matter.
const maxIntegratedSparse = 150

// sparseParams are the parameters of a process with a sparse prior.
func sparseParams() []param.Decl {
	shrinkage := param.Decl{Key: shrinkageKey, Role: optimizers.RoleAssumption, Label: "shrinkage α", Kind: param.Number,
		Default: 0.1, Min: 1e-3, Max: 10, Log: true,
		Help:   "Scale of the prior of the global shrinkage. With smaller values, fewer variables have an effect until the results show it.",
		Source: "Eriksson & Jankowiak 2021, §5 (α = 0.1)"}
	decls := param.WithDefaults(param.Without(Params(), hyperpriorKey), "Eriksson & Jankowiak 2021, §4.2 (integrated)",
		map[string]any{hyperparametersKey: integratedLabel})
	for i, d := range decls {
		if d.Key == hyperparametersKey {
			decls[i].Help = fmt.Sprintf("With integrated, up to %d results, the model averages over hyperparameters drawn from their posterior. With fitted, it uses the most probable ones.", maxIntegratedSparse)
		}
		if d.Key == "restarts" {
			decls[i].Default = 1
		}
	}
	return append([]param.Decl{shrinkage}, decls...)
}

// sparsePriors are the priors of hyperparameters with a sparse prior of the lengthscales.
func sparsePriors(alpha float64) *gp.Priors {
	return &gp.Priors{LengthMedian: 0.25, LengthSD: 0.8, ScaleMedian: 1.5, ScaleSD: 1, NoiseMedian: 1e-3, NoiseSD: 1.5,
		Sparsity: alpha}
}

// Declares reports whether parameters are those of a Gaussian process: of Params, with any prior of the lengthscales.
func Declares(p param.Set) bool {
	return !slices.ContainsFunc(Params(), func(d param.Decl) bool {
		return !p.Has(d.Key) && !(d.Key == hyperpriorKey && p.Has(shrinkageKey))
	})
}

// shownVariables is the number of variables whose lengthscales are shown.
const shownVariables = 3

// shortestFact names the variables with the shortest lengthscales, which matter most: medians over the draws, in ranges
// of the variables.
func (b *Process) shortestFact() (f optimizers.Fact) {
	type variable struct {
		j      int
		length float64
	}
	var all []variable
	for c, j := range b.In.Domain.Columns(b.In.Dim) {
		var draws []float64
		for _, g := range b.GP.Draws() {
			if lengths, _, err := g.Describe(); err == nil {
				draws = append(draws, lengths[c])
			}
		}
		if draws == nil {
			return f
		}
		slices.Sort(draws)
		length := stat.Quantile(0.5, stat.LinInterp, draws, nil)
		if i := slices.IndexFunc(all, func(v variable) bool { return v.j == j }); i >= 0 {
			all[i].length = min(all[i].length, length)
		} else {
			all = append(all, variable{j, length})
		}
	}
	slices.SortStableFunc(all, func(a, b variable) int { return cmp.Compare(a.length, b.length) })
	var texts []string
	for _, v := range all[:min(len(all), shownVariables)] {
		name := fmt.Sprintf("no. %d", v.j+1)
		if b.In.Source != nil {
			name = b.In.Source.Problem.Domain[v.j].Name
		}
		texts = append(texts, name+" "+twoDigits(v.length))
	}
	return optimizers.Fact{Name: "shortest lengthscales", Value: strings.Join(texts, ", ")}
}
