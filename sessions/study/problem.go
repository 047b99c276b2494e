package study

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/functions/experiment"
	"bandscope/functions/expression"
	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
)

// The keys of a problem's entry, except the parameters that all its methods share.
const (
	KeyNoise      = "noise"
	KeyCost       = "cost"
	KeyCostBudget = "cost_budget"
	KeyBudget     = "budget"
)

var problemKeys = []string{KeyNoise, KeyCost, KeyCostBudget, KeyBudget}

// problem is an entry of the list of problems with its function and settings.
type problem struct {
	entry      // in canonical form, without the budget
	function   *functions.Problem
	experiment *experiment.Declaration // of your own problem; nil of a test function
	noise      float64
	cost       string
	costBudget float64 // the budget in cost
	budget     string  // as it was given; empty for the study's
	own        []OwnFile
}

// readProblem reads an entry of the list of problems, some of which are your own.
func readProblem(text string, seed uint64, ownFiles []OwnFile) (problem, error) {
	e, err := readEntry(text)
	if err != nil {
		return problem{}, err
	}
	p := problem{own: ownFiles}
	p.function, p.experiment, err = findProblem(e.name, seed, ownFiles)
	if err != nil {
		return problem{}, err
	}
	p.name, p.values = p.function.Name, map[string]string{}
	shared := sharedBy(p.compatibleMethods(), len(p.function.Objectives))
	for _, key := range slices.Sorted(maps.Keys(e.values)) {
		value := e.values[key]
		switch key {
		case KeyNoise:
			p.noise, err = p.number(key, value)
		case KeyCostBudget:
			p.costBudget, err = p.number(key, value)
		case KeyCost:
			p.cost = value
			if !strings.ContainsAny(value, `"'`) {
				p.cost = strings.Join(strings.Fields(value), " ")
			}
			p.values[key] = p.cost
		case KeyBudget:
			p.budget = value
		default:
			err = p.share(shared, key, value)
		}
		if err == nil && key == KeyNoise && p.experiment != nil {
			err = fmt.Errorf("noise is only added to test functions; declare the noise of %s in its objectives", p.name)
		}
		if err != nil {
			return problem{}, fmt.Errorf("%s: %w", e.name, err)
		}
	}
	return p, nil
}

// number reads a value that is a number of at least 0; 0 is the same as none.
func (p *problem) number(key, text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 1) {
		return 0, fmt.Errorf("%s must be a number of at least 0, got %q", key, text)
	}
	v = numfmt.Round(v)
	if v > 0 {
		p.values[key] = numfmt.Exact(v)
	}
	return v, nil
}

// share takes a parameter for all methods of the problem.
func (p *problem) share(shared []param.Decl, key, text string) error {
	index := slices.IndexFunc(shared, func(d param.Decl) bool { return d.Key == key })
	if index < 0 {
		keys := slices.Clone(problemKeys)
		for _, d := range shared {
			keys = append(keys, d.Key)
		}
		return didyoumean.NewUnknownError("key of a problem", key, keys)
	}
	v, err := shared[index].Parse(text)
	if err == nil {
		p.values[key] = shared[index].Format(v)
	}
	return err
}

// compatibleMethods are the methods that can be run on the problem.
func (p *problem) compatibleMethods() []optimizers.Spec {
	return registry.Supporting(len(p.function.Objectives), p.function.LimitedOutputs() != nil)
}

// sharedBy are the parameters that all of some methods have.
func sharedBy(specs []optimizers.Spec, objectives int) (shared []param.Decl) {
	for i, s := range specs {
		declared := s.ParamsFor(objectives)
		if i == 0 {
			shared = slices.Clone(declared)
			continue
		}
		shared = slices.DeleteFunc(shared, func(d param.Decl) bool {
			return !slices.ContainsFunc(declared, func(other param.Decl) bool {
				return other.Key == d.Key && other.Kind == d.Kind
			})
		})
	}
	return shared
}

// sharedParams are the parameters that the entry shares between methods.
func (p *problem) sharedParams() map[string]string {
	params := maps.Clone(p.values)
	for _, key := range problemKeys {
		delete(params, key)
	}
	return params
}

// iterations is the budget of a run: the entry's own, else the study's, else the experiment's, else that of the papers for
// so many variables; of a table at most the number of its rows.
func (p *problem) iterations(study string) (int, error) {
	n, err := p.declaredIterations(study)
	if t := p.function.Table; t != nil {
		n = min(n, len(t.X))
	}
	return n, err
}

func (p *problem) declaredIterations(study string) (int, error) {
	text, dim := strings.TrimSpace(study), p.function.Dim()
	if p.budget != "" {
		text = p.budget
	}
	if text == "" && p.experiment != nil && p.experiment.Budget > 0 {
		return p.experiment.Budget, nil
	}
	if text == "" {
		return sessions.DefaultBudget(dim), nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		e, err := expression.ParseNumber("budget", text, []expression.Variable{{Name: "d"}})
		if err != nil {
			return 0, err
		}
		v := e.Value([]float64{float64(dim)})
		if v != math.Trunc(v) || !(math.Abs(v) <= sessions.MaxBudget) {
			return 0, fmt.Errorf("the budget %s is %s for d = %d, but must be a whole number in [1, %d]; use floor(…) or ceil(…) to round", text, numfmt.Exact(v), dim, sessions.MaxBudget)
		}
		n = int(v)
	}
	if n < 1 || n > sessions.MaxBudget {
		return 0, fmt.Errorf("the budget must be a whole number in [1, %d], got %s", sessions.MaxBudget, text)
	}
	return n, nil
}

// method reads an entry of the list of methods for the problem: its canonical form, and the parameters of its runs that
// differ from their defaults.
func (p *problem) method(text string) (canonical entry, params map[string]any, err error) {
	e, err := readEntry(text)
	if err != nil {
		return entry{}, nil, err
	}
	spec, err := FindMethod(e.name, p.own)
	if err != nil {
		return entry{}, nil, err
	}
	defaults := param.Defaults(spec.ParamsFor(len(p.function.Objectives)))
	shared := p.sharedParams()
	for _, key := range slices.Sorted(maps.Keys(e.values)) {
		if _, both := shared[key]; both {
			return entry{}, nil, fmt.Errorf("%s is given by %s and by %s; give it once", key, p.entry, e.name)
		}
		defaults, err = defaults.WithText(key, e.values[key])
		if err != nil {
			return entry{}, nil, fmt.Errorf("%s: %w", e.name, err)
		}
	}
	canonical = entry{spec.Name, map[string]string{}}
	for key, v := range defaults.Changed() {
		d, _ := defaults.Decl(key)
		canonical.values[key] = d.Format(v)
	}
	for _, key := range slices.Sorted(maps.Keys(shared)) {
		if !defaults.Has(key) {
			continue
		}
		defaults, err = defaults.WithText(key, shared[key])
		if err != nil {
			return entry{}, nil, fmt.Errorf("%s: %w", e.name, err)
		}
	}
	return canonical, defaults.Changed(), nil
}
