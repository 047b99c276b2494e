// Package weights holds the preferences of the user between several objectives: the prior over the weights of a
// scalarization, the posterior given the user's answers, and the outcomes and the reference point in which they are
// given. Methods sample scalarizations from it; sessions and screens score results with it. Distributions of weights
// and learning from answers are in model/preference.
package weights

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/pareto"
	"bandscope/model/preference"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// The scalarizations of objectives u in [0, 1], greater is better (thesis, eq. 2.7 and 2.8).
const (
	Linear     = "linear"
	Tchebyshev = "tchebyshev"
	Augmented  = "augmented"
)

// Augmentation is ρ of the augmented Tchebyshev scalarization (Knowles 2006).
const Augmentation = 0.05

// Params declare the prior over the weights, which the user can edit while a search runs.
func Params() []param.Decl {
	return append([]param.Decl{
		{Key: "scalarization", Role: optimizers.RoleScalarization, Label: "scalarization", Kind: param.Choice,
			Default: Tchebyshev, Choices: []string{Linear, Tchebyshev, Augmented},
			Help:   "How the weights combine the objectives into one value: their weighted sum, or the smallest weighted objective, which reaches every part of a Pareto front.",
			Source: "Paria 2022 (thesis), eq. 2.7 and 2.8; augmented: Knowles 2006"},
		{Key: "prior", Role: optimizers.RolePrior, Label: "prior over λ", Kind: param.Text,
			Default: string(preference.Flat),
			Choices: []string{string(preference.Flat), "dirichlet(3)", string(preference.Normal),
				"box(70%..90%, 70%..90%)"},
			Help:   "Distribution of the weights: flat, dirichlet(α), half-normal, box(from..to, …) of preferred values, the name of a region, or a mixture such as 0.3 top + 0.7 flat.",
			Source: "Paria 2022 (thesis), §2.3 (flat), §2.4 (boxes)", Validate: preference.ValidPrior},
	}, referenceParam())
}

// ScoringParams are Params for a method that does not use them to choose points.
func ScoringParams() []param.Decl {
	decls := Params()
	for i := range decls {
		if decls[i].Key != "reference" {
			decls[i].Label += " (score)"
			decls[i].Help += " This method does not use it to choose points; it only scores the results."
		}
	}
	return decls
}

// referenceParam declares the reference point of the hypervolume.
func referenceParam() param.Decl {
	return param.Decl{Key: "reference", Label: "reference point", Kind: param.Text, Default: "-10%",
		Choices: []string{"-10%", "0%", "-50%"},
		Help:    "Outcomes count for the hypervolume if they are better than this point. One value for all objectives or one for each, in their units or in % of the range of the outcomes. The hypervolume is counted within the limits of objectives.",
		Source:  "the nadir and a tenth of the range, as in Emmerich et al. 2006",
		Validate: func(text string) error {
			_, err := parseReference(text)
			return err
		}}
}

// Check returns an error if the prior or the reference point does not fit the problem.
func Check(in optimizers.Input) error {
	if !in.Params.Has("reference") { // of one objective
		return nil
	}
	if in.Params.Has("prior") {
		prior, err := PriorFor(in)
		if err == nil {
			err = prior.Check(in.Objectives)
		}
		if err != nil {
			return fmt.Errorf("prior: %w", err)
		}
	}
	bounds, err := parseReference(in.Params.Text("reference"))
	if err == nil && len(bounds) > 1 && len(bounds) != in.Objectives {
		err = fmt.Errorf("want one value or one for each of the %d objectives, got %d", in.Objectives, len(bounds))
	}
	if err != nil {
		return fmt.Errorf("reference: %w", err)
	}
	return nil
}

// PriorFor is the user's prior over weights, before any answers.
func PriorFor(in optimizers.Input) (preference.Prior, error) {
	return preference.ParsePrior(in.Params.Text("prior"), in.Regions)
}

// OutcomesFor maps bounds in an objective's own units, or in percent of the frozen range, to outcomes.
func OutcomesFor(in optimizers.Input) preference.Outcomes {
	lo, hi := ObjectiveRange(in)
	return func(k int, b preference.Bound) float64 {
		switch {
		case b.Percent:
			return b.Value / 100
		case in.Transforms != nil:
			return (hi[k] - in.Transforms[k].Apply(b.Value)) / (hi[k] - lo[k])
		}
		return (hi[k] - b.Value) / (hi[k] - lo[k])
	}
}

func parseReference(text string) ([]preference.Bound, error) {
	var bounds []preference.Bound
	for _, singular := range strings.Split(text, ",") {
		b, err := preference.ParseBound(singular)
		if err != nil {
			return nil, err
		}
		bounds = append(bounds, b)
	}
	return bounds, nil
}

// Reference is the reference point of the hypervolume as outcomes, one for each objective.
func Reference(in optimizers.Input) []float64 {
	text := referenceParam().Default.(string)
	if in.Params.Has("reference") {
		text = in.Params.Text("reference")
	}
	bounds, err := parseReference(text)
	if err != nil {
		panic("weights: unchecked reference point: " + err.Error())
	}
	outcome := OutcomesFor(in)
	out := make([]float64, in.Objectives)
	for k := range out {
		out[k] = outcome(k, bounds[k%len(bounds)])
	}
	return out
}

// ReferenceWithinLimits is Reference, but not beyond the limits of objectives: outcomes that are worse are not feasible,
// and do not count for the hypervolume.
func ReferenceWithinLimits(in optimizers.Input) []float64 {
	out, outcome := Reference(in), OutcomesFor(in)
	for _, l := range in.Limits {
		k := l.Objective
		if k < 0 {
			continue
		}
		bound := l.Max
		if outcome(k, preference.Bound{Value: 1}) > outcome(k, preference.Bound{Value: 0.5}) { // it is maximized
			bound = l.Min
		}
		if l.Log {
			bound = math.Pow(10, bound)
		}
		if !math.IsInf(bound, 0) {
			out[k] = max(out[k], outcome(k, preference.Bound{Value: bound}))
		}
	}
	return out
}

// newSampler draws scalarizations of a kind from the prior.
func newSampler(in optimizers.Input) func(kind string, rng *rand.Rand) preference.Scalarization {
	prior := checkedPrior(in)
	outcome := OutcomesFor(in)
	return func(kind string, rng *rand.Rand) preference.Scalarization {
		s := prior.Draw(in.Objectives, kind != Linear, outcome, rng)
		s.Kind = kind
		return s
	}
}

func checkedPrior(in optimizers.Input) preference.Prior {
	prior, err := PriorFor(in)
	if err != nil {
		panic("weights: unchecked prior: " + err.Error())
	}
	return prior
}

func scalarValue(s preference.Scalarization, u []float64) float64 {
	v, _ := Scalarize(s, u)
	return v
}

// DrawScalarizations samples scalarizations from the posterior given the user's answers; without answers, from the
// prior.
func DrawScalarizations(in optimizers.Input, count int, rng *rand.Rand) []preference.Scalarization {
	out := make([]preference.Scalarization, count)
	if len(in.Answers) == 0 {
		kind, draw := in.Params.Choice("scalarization"), newSampler(in)
		for i := range out {
			out[i] = draw(kind, rng)
		}
		return out
	}
	posterior := LearnPosterior(in)
	for i := range out {
		out[i] = posterior.SampleParticle(rng).Scalarization
	}
	return out
}

// Scalarize is the value of outcomes u, higher is better; worst is the objective that decides it, −1 if all do.
func Scalarize(s preference.Scalarization, u []float64) (value float64, worst int) {
	sum := 0.0
	least := math.Inf(1)
	worst = 0
	for k, w := range s.Weights {
		v := u[k]
		if s.Reference != nil {
			v -= s.Reference[k]
		}
		v *= w
		sum += v
		if v < least {
			least, worst = v, k
		}
	}
	switch s.Kind {
	case Linear:
		return sum, -1
	case Augmented:
		return least + Augmentation*sum, worst
	}
	return least, worst
}

// ObjectiveRange is the range of the minimized objectives, from outcome 1 to outcome 0. It is the input's, or that of
// the initial design, and does not change with further data.
func ObjectiveRange(in optimizers.Input) (lo, hi []float64) {
	if in.Lo != nil {
		return in.Lo, in.Hi
	}
	n := min(search.InitialCount(in), in.Data.Len())
	points := make([][]float64, n)
	for i := range points {
		points[i] = mat.Row(nil, i, in.Data.Y)
	}
	return pareto.Range(points, in.Objectives)
}
