package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/report"
)

// settings is a configuration as flags give it.
type settings struct {
	Function  string
	File      string // of the experiment, in place of a function; empty for none
	Optimizer string // empty is the default for the function
	Seed      uint64
	Noise     float64
	Budget    int
	Set       []string // key=value

	Cost          string  // an expression of the variables, empty for the problem's own
	CostBudget    float64 // what the evaluations may cost together, 0 for no such bound
	Import        string  // a CSV file of earlier observations, empty for none
	Prior         string  // over the weights of several objectives; empty is the default
	Scalarization string
}

// settingsFor are the problem, the method and the seed of a configuration.
func settingsFor(cfg sessions.Config) settings {
	return settings{Function: cfg.Problem, Optimizer: cfg.Optimizer, Seed: cfg.Seed}
}

// Config reads the setting; what it names wrongly is an error of usage.
func (s settings) Config() (sessions.Config, error) {
	cfg, err := s.configWithoutParams()
	if err != nil {
		return cfg, asUsage(err)
	}
	values, err := parseParams(cfg, s.pairs())
	if err != nil {
		return cfg, asUsage(err)
	}
	cfg.Params = values
	return cfg, nil
}

// configWithoutParams is what the setting says without the parameters of the method.
func (s settings) configWithoutParams() (sessions.Config, error) {
	cfg := sessions.Config{Problem: s.Function, Optimizer: s.Optimizer, Seed: s.Seed, Noise: s.Noise, Budget: s.Budget,
		Cost: s.Cost, CostBudget: s.CostBudget}
	if s.File == "" {
		return cfg, nil
	}
	return cfg.WithExperiment(s.File)
}

// Start makes a session of the setting.
func (s settings) Start(ctx context.Context) (*sessions.Session, error) {
	cfg, err := s.Config()
	if err != nil {
		return nil, err
	}
	if s.Import == "" {
		session, err := sessions.New(ctx, cfg)
		return session, asUsage(err)
	}
	f, err := eventlog.OpenRegular(s.Import, report.MaxBytes)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	session, err := report.ReadTable(ctx, cfg, f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Import, err)
	}
	return session, nil
}

// parseParams reads key=value pairs.
func parseParams(cfg sessions.Config, pairs []string) (map[string]any, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	params, err := cfg.Defaults()
	if err != nil {
		return nil, err
	}
	params, err = withPairs(params, pairs)
	return params.Changed(), err
}

// withPairs gives parameters the values of --set, each as key=value; what is wrong with them is an error of usage.
func withPairs(params param.Set, pairs []string) (param.Set, error) {
	for _, p := range pairs {
		key, value, ok := strings.Cut(p, "=")
		if !ok {
			return params, usagef("--set takes key=value, got %q", p)
		}
		var err error
		if params, err = params.WithText(strings.TrimSpace(key), value); err != nil {
			return params, asUsage(err)
		}
	}
	return params, nil
}

// pairsOf are the parameters that the settings give and each of some methods has, as key=value. One that none of them
// has is an error.
func (s settings) pairsOf(names []string) ([][]string, error) {
	all := make([][]string, len(names))
	unused := s.pairs()
	for i, m := range names {
		cfg := sessions.Config{Problem: s.Function, Optimizer: m}
		declared, err := cfg.Defaults()
		if err != nil {
			return nil, asUsage(err)
		}
		all[i] = slices.DeleteFunc(s.pairs(), func(pair string) bool {
			key, _, _ := strings.Cut(pair, "=")
			return !declared.Has(strings.TrimSpace(key))
		})
		if _, err := parseParams(cfg, all[i]); err != nil {
			return nil, asUsage(err)
		}
		unused = slices.DeleteFunc(unused, func(pair string) bool { return slices.Contains(all[i], pair) })
	}
	if len(unused) > 0 {
		key, _, _ := strings.Cut(unused[0], "=")
		return nil, usagef("none of %s has a parameter %q", s.Optimizer, key)
	}
	return all, nil
}

// pairs are all parameters that the setting gives.
func (s settings) pairs() []string {
	set := slices.Clone(s.Set)
	for _, short := range [][2]string{
		{registry.KeyFor(optimizers.RolePrior), s.Prior},
		{registry.KeyFor(optimizers.RoleScalarization), s.Scalarization}} {
		if short[1] != "" {
			set = append(set, short[0]+"="+short[1])
		}
	}
	return set
}

// checkFlags says what is wrong with the flags that a command was given: that one is empty, as by a shell's variable
// that is not set, or that a session would be about two things.
func checkFlags(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" && err == nil {
			err = fmt.Errorf("--%s is given, but empty: leave it out, or give it a value", f.Name)
		}
	})
	if f := c.Flags().Lookup("problem"); f != nil && f.Changed && c.Flags().Changed("function") {
		err = errors.Join(err, errors.New("--problem does not go with --function: a session is about the one or the "+
			"other"))
	}
	return err
}

// Flags adds the flags that say what a session is about, with what a shell offers for them.
func (s *settings) Flags(c *cobra.Command) {
	f, prior, scalarization := c.Flags(), registry.KeyFor(optimizers.RolePrior),
		registry.KeyFor(optimizers.RoleScalarization)
	f.StringVarP(&s.Function, "function", "f", "forrester", "what is optimized; see list functions")
	f.StringVar(&s.File, "problem", "", "file of an experiment of one's own, in place of a function")
	f.StringVarP(&s.Optimizer, "optimizer", "o", "",
		fmt.Sprintf("how the next point is chosen; see list optimizers (default %s, or of several objectives %s)",
			registry.Default(1), registry.Default(2)))
	f.Uint64Var(&s.Seed, "seed", 1, "everything random comes from it")
	f.Float64Var(&s.Noise, "noise", 0, "standard deviation of the observation noise, in the function's units")
	f.IntVar(&s.Budget, "budget", 0, "planned number of iterations; 0 takes what the papers use for the dimension")
	f.StringVar(&s.Prior, prior, "", "prior over the weights of several objectives: flat, dirichlet(2), "+
		"box(-80..-70, any), a region's name, or a mixture with +")
	f.StringVar(&s.Scalarization, scalarization, "", "of several objectives: linear, tchebyshev or augmented")
	f.StringArrayVar(&s.Set, "set", nil, "a parameter of the optimizer, as key=value; may be repeated")
	f.StringVar(&s.Import, "import", "", "CSV file of earlier observations that the session begins with: columns "+
		"named like variables and objectives")
	f.StringVar(&s.Cost, "cost", "", "what an evaluation costs, as an expression of the variables such as 1 + exp(x1)")
	f.Float64Var(&s.CostBudget, "cost-budget", 0, "what the evaluations may cost together; 0 is no such bound")
	completeFlag(c, "function", functionWords)
	c.MarkFlagFilename("problem", "toml")
	completeFlag(c, "optimizer", s.OptimizerWords)
	completeFlag(c, "set", s.SetWords)
	completeFlag(c, prior, s.ParamWords(prior))
	completeFlag(c, scalarization, s.ParamWords(scalarization))
	c.MarkFlagFilename("import", "csv")
}

// checkUnset checks that no flag says what a session is about, where a file says it. A session in a file may be
// compared with what its experiment's file says now.
func checkUnset(c *cobra.Command, file string) (err error) {
	setting := &cobra.Command{}
	(&settings{}).Flags(setting)
	setting.Flags().SortFlags = false
	setting.Flags().VisitAll(func(f *pflag.Flag) {
		if err == nil && c.Flags().Changed(f.Name) && (file == "" || f.Name != "problem") {
			err = usagef("--%s does not go with %s: the session in the file has its own", f.Name, file)
		}
	})
	return err
}

// args makes what is wrong with arguments an error of the caller; an empty one always is.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, a []string) error {
		if i := slices.Index(a, ""); i >= 0 {
			return asUsage(fmt.Errorf("argument %d is empty", i+1))
		}
		return asUsage(check(c, a))
	}
}
