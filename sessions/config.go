package sessions

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/functions/external"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/program"
	"bandscope/optimizers/registry"
	"bandscope/sessions/fitcache"
	"bandscope/sessions/recorder"
)

// Config is what a session is started with.
type Config struct {
	Problem string `json:"problem"` // as functions.Find takes it, or the name of the experiment, which New fills in

	// your own experiment; nil if Problem is a test function
	Experiment *experiment.Declaration `json:"experiment,omitempty"`
	// where it was read; nil if unknown
	ExperimentFile *ExperimentFile `json:"experiment_file,omitempty"`

	// as registry.Find takes it; empty is the default for the problem, which New fills in
	Optimizer string `json:"optimizer"`
	// the program that a method with parameters is, if one was declared; it says which program, and starts none
	Program *program.Declaration `json:"program,omitempty"`

	Seed uint64 `json:"seed"` //
	// standard deviation of the observation noise, in the problem's units
	Noise  float64 `json:"noise"`
	Budget int     `json:"budget"` // planned iterations T; 0 takes DefaultBudget
	// an expression of the variables, as functions.ParseCost reads it; empty is the problem's own
	Cost string `json:"cost,omitempty"`
	// what the evaluations may cost together; 0 is no such bound
	CostBudget float64 `json:"cost_budget,omitempty"`
	// of an experiment, experiment.FailuresLearned: they are a limit of their own; New fills it in. Otherwise they say
	// nothing
	Failures string `json:"failures,omitempty"`
	// the session is a playground: a person moves results to see what a belief makes of them, and values are scaled by the
	// declared range alone
	Playground bool `json:"playground,omitempty"`
	// of the optimizer; New adds the defaults of the missing ones
	Params map[string]any `json:"params,omitempty"`
}

// DefaultBudget is the number of iterations T that Nadigatla 2022, table 5.1, uses for problems of that many inputs.
func DefaultBudget(dim int) int {
	switch {
	case dim <= 2:
		return 50
	case dim <= 4:
		return 100
	case dim <= 30:
		return 200
	case dim <= 60:
		return 500
	}
	return 1000
}

// MaxBudget bounds the planned number of iterations.
const MaxBudget = 1_000_000

// setup is a configuration with what it names.
type setup struct {
	config       Config
	problem      *functions.Problem
	spec         *optimizers.Spec
	params       param.Set
	readErr      error  // why the cost or a constraint on record is not read; nothing is evaluated then
	outcomeRange *Range // that the session began with; nil where it declared none
	programs     *external.Host
	fits         *fitcache.Store
}

// resolve finds the problem and the method of a configuration and adds the defaults; the error reports an invalid
// configuration.
func resolve(cfg Config) (setup, error) { return find(cfg, false) }

// find is resolve. A cost or a constraint that is on record already and cannot be read does not keep the rest from
// being read.
func find(cfg Config, recorded bool) (setup, error) {
	p, err := cfg.FindProblem()
	if err == nil {
		err = cfg.checkPlayground(p)
	}
	if err != nil {
		return setup{}, err
	}
	cost := cfg.Cost
	if x := cfg.Experiment; x != nil {
		if cost == "" {
			cost = x.Cost
		}
		if cfg.Noise != 0 {
			return setup{}, fmt.Errorf("noise is only added to test functions; declare the noise of %s in its objectives", x.Name)
		}
		if cfg.Budget == 0 {
			cfg.Budget = x.Budget
		}
	}
	var unread error
	if cost != "" {
		p.Cost, err = functions.ParseCost(cost, p)
		if err != nil && !recorded {
			return setup{}, err
		} else if err != nil {
			p.Cost, unread = functions.InvalidCost(cost), fmt.Errorf("no more points can be evaluated: %w", err)
		}
	}
	if x := cfg.Experiment; x != nil {
		for _, text := range x.Constraints {
			if _, err := functions.ParseConstraint(text, p.Domain); err != nil && !recorded {
				return setup{}, err
			} else if err != nil {
				unread = fmt.Errorf("no more points can be evaluated: %w", err)
			}
		}
	}
	if !(cfg.CostBudget >= 0) || math.IsInf(cfg.CostBudget, 0) {
		return setup{}, fmt.Errorf("the cost budget must be at least 0, got %g", cfg.CostBudget)
	}
	spec, params, err := cfg.findMethod(p)
	if err != nil {
		return setup{}, err
	}
	cfg.Optimizer = spec.Name
	if !(cfg.Noise >= 0) || math.IsInf(cfg.Noise, 0) {
		return setup{}, fmt.Errorf("the noise must be a standard deviation of at least 0, got %g", cfg.Noise)
	}
	cfg.Budget, err = iterationBudget(cfg.Budget, p)
	if err != nil {
		return setup{}, err
	}
	cfg.Problem = p.Name
	cfg.Params = map[string]any{}
	for _, d := range params.Decls() {
		cfg.Params[d.Key] = params.Value(d.Key)
	}
	set := setup{config: cfg, problem: p, spec: spec, params: params, readErr: unread}
	if _, err := set.state("").check(params); err != nil {
		return setup{}, fmt.Errorf("%s: %w", spec.Name, err)
	}
	return set, nil
}

// iterationBudget is the number of iterations of a configuration; of 0 the default, and of a table at most its rows.
func iterationBudget(n int, p *functions.Problem) (int, error) {
	if n == 0 {
		n = DefaultBudget(p.Dim())
		if p.Table != nil {
			n = min(n, len(p.Table.X))
		}
	}
	if n < 1 || n > MaxBudget {
		return 0, fmt.Errorf("the budget must be in [1, %d] iterations, got %d", MaxBudget, n)
	}
	return n, nil
}

// findMethod finds the optimizer of a configuration, or the default for the problem, and completes its parameters.
func (c Config) findMethod(p *functions.Problem) (*optimizers.Spec, param.Set, error) {
	n := len(p.Objectives)
	spec, err := c.FindOptimizer(cmp.Or(c.Optimizer, registry.Default(n)))
	if err != nil {
		return nil, param.Set{}, err
	}
	limited := p.LimitedOutputs() != nil
	switch fitting := strings.Join(registry.SupportingNames(n, limited), ", "); {
	case !spec.Supports(n, false):
		return nil, param.Set{}, fmt.Errorf("%s optimizes one objective, but %s has %d; use one of %s", spec.Name, p.Name, n,
			fitting)
	case !spec.Supports(n, limited):
		return nil, param.Set{}, fmt.Errorf("%s does not support limits, but %s has some; use one of %s",
			spec.Name, p.Name, fitting)
	}
	params, err := param.Defaults(spec.ParamsForInputs(n, p.Dim())).WithAll(c.Params)
	if err != nil {
		return nil, param.Set{}, fmt.Errorf("%s: %w", spec.Name, err)
	}
	return spec, params, nil
}

// FindOptimizer finds a method by its name: the program that is declared, or one that registry.Find knows.
func (c Config) FindOptimizer(name string) (*optimizers.Spec, error) {
	if c.Program != nil && name == c.Program.MethodName() {
		return registry.Program(c.Program), nil
	}
	return registry.Find(name)
}

// state is the state before any event; id is the header's.
func (s setup) state(id string) State {
	return State{Config: s.config, Problem: s.problem, Spec: s.spec, Params: s.params, Range: s.outcomeRange,
		Place: recorder.Place{Head: id}, cache: &sessionCache{values: map[any]any{}, fits: s.fits}, programs: s.programs}
}

// dropUnknownParams is a configuration on record without the parameters that the optimizer does not declare (any more),
// with a notice for each.
func (c Config) dropUnknownParams() (Config, []string) {
	spec, err := c.FindOptimizer(c.Optimizer)
	if err != nil {
		return c, nil // resolve reports the error
	}
	objectives := 1
	if p, err := c.FindProblem(); err == nil {
		objectives = len(p.Objectives)
	}
	declared := param.Defaults(spec.ParamsFor(objectives))
	known := map[string]any{}
	var dropped []string
	for _, key := range slices.Sorted(maps.Keys(c.Params)) {
		if _, err := declared.Decl(key); err != nil {
			dropped = append(dropped, fmt.Sprintf(
				"this version does not know the parameter %s of %s and ignores it", key, spec.Name))
			continue
		}
		known[key] = c.Params[key]
	}
	c.Params = known
	return c, dropped
}

// Defaults are the parameters of the configuration's optimizer for its problem, at their defaults. Without the name of
// one they are those of the problem's default.
func (c Config) Defaults() (param.Set, error) {
	p, err := c.FindProblem()
	if err != nil {
		return param.Set{}, err
	}
	if c.Optimizer == "" {
		c.Optimizer = registry.Default(len(p.Objectives))
	}
	spec, err := c.FindOptimizer(c.Optimizer)
	if err != nil {
		return param.Set{}, err
	}
	return param.Defaults(spec.ParamsForInputs(len(p.Objectives), p.Dim())), nil
}
