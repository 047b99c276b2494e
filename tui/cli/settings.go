package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bandscope/functions/experiment"
	"bandscope/functions/numfmt"
	"bandscope/functions/sheet"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/program"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
)

// settings is a configuration from flags.
type settings struct {
	Function  string
	File      string // of your own experiment, instead of a function; empty for none
	Optimizer string // empty is the default for the function
	Seed      uint64
	Noise     float64
	Budget    int
	Set       []string // key=value

	SuggestTimeout time.Duration // of a method that is a program; 0 is the default

	Cost          string  // an expression of the variables, empty for the problem's own
	CostBudget    float64 // limit of the total cost of all evaluations; 0 for none
	Import        string  // a table of earlier observations, empty for none
	ImportTable   tableFlags
	Prior         string // over the weights of several objectives; empty is the default
	Scalarization string
}

// settingsFor are the problem, the method and the seed of a configuration.
func settingsFor(cfg sessions.Config) settings {
	return settings{Function: cfg.Problem, Optimizer: cfg.Optimizer, Seed: cfg.Seed}
}

// Config returns the configuration; an unknown name is an error of usage.
func (s settings) Config() (sessions.Config, error) {
	cfg, err := s.configWithoutParams()
	if err != nil {
		return cfg, asUsage(err)
	}
	declared, err := cfg.Defaults()
	if err != nil {
		return cfg, asUsage(err)
	}
	for _, short := range s.shortFlags() {
		if short[1] != "" && !declared.Has(short[0]) {
			return cfg, usagef("--%s needs a problem and a method with several objectives, such as -f thesis-xy -o %s",
				short[0], registry.Steered())
		}
	}
	values, err := parseParams(cfg, s.pairs())
	if err != nil {
		return cfg, asUsage(err)
	}
	cfg.Params = values
	return cfg, nil
}

// configWithoutParams is the configuration without the parameters of the method.
func (s settings) configWithoutParams() (sessions.Config, error) {
	cfg := sessions.Config{Problem: s.Function, Optimizer: s.Optimizer, Seed: s.Seed, Noise: s.Noise, Budget: s.Budget,
		Cost: s.Cost, CostBudget: s.CostBudget}
	if s.SuggestTimeout != 0 && (!isProgram(s.Optimizer) || s.SuggestTimeout < 0) {
		return cfg, errors.New("--suggest-timeout needs a time above 0, and a method that is a program: add -o 'exec:COMMAND'")
	}
	if isProgram(s.Optimizer) {
		d, err := allowProgram(s.Optimizer, s.SuggestTimeout)
		if err != nil {
			return cfg, err
		}
		cfg.Optimizer = d.MethodName()
		if !program.IsName(s.Optimizer) {
			cfg.Program = d
		}
	}
	if file := s.experimentFile(); file != "" {
		var err error
		cfg, err = cfg.WithExperiment(file)
		if err != nil {
			return cfg, err
		}
	}
	if cfg.Optimizer == "" && s.Prior != "" {
		if p, err := cfg.FindProblem(); err == nil && len(p.Objectives) > 1 {
			cfg.Optimizer = registry.Steered()
		}
	}
	return cfg, nil
}

// AllowProgram allows the program that the settings name, for a session that is opened.
func (s settings) AllowProgram() error {
	return (&programFlag{s.Optimizer, s.SuggestTimeout}).Allow()
}

// experimentFile is the file of your own experiment: that of --problem, or one that -f names; empty for a function.
func (s settings) experimentFile() string {
	if s.File == "" && (experiment.Tabulated(s.Function) || strings.EqualFold(filepath.Ext(s.Function), ".toml")) {
		return s.Function
	}
	return s.File
}

// defaultNotice says which method was chosen and why, if the settings name none; nil otherwise.
func (s settings) defaultNotice(st sessions.State) []string {
	if n := len(st.Problem.Objectives); s.Optimizer == "" && st.Spec.Name == registry.Default(n) {
		return []string{registry.DescribeDefault(n) + "; -o chooses another"}
	}
	return nil
}

// Start makes a session of the setting.
func (s settings) Start(ctx context.Context) (*sessions.Session, error) {
	cfg, err := s.Config()
	if err != nil {
		return nil, err
	}
	if d := cfg.Experiment; d != nil && d.Table != nil {
		sayFormat(os.Stderr, d.Table.File, d.Table.Format)
		if d.Table.Label != "" {
			fmt.Fprintf(os.Stderr, "%s names the rows of the table and is not a variable\n", sanitize.Text(d.Table.Label))
		}
	}
	if s.Import == "" {
		session, err := sessions.New(ctx, cfg)
		return session, asUsage(err)
	}
	options, err := s.ImportTable.Options()
	if err != nil {
		return nil, err
	}
	f, err := eventlog.OpenRegular(s.Import, sheet.MaxBytes)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	session, format, err := report.ReadTable(ctx, cfg, f, options)
	sayFormat(os.Stderr, s.Import, format)
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

// withPairs sets parameters to the values of --set, each as key=value; a wrong one is an error of usage.
func withPairs(params param.Set, pairs []string) (param.Set, error) {
	for _, p := range pairs {
		key, value, ok := strings.Cut(p, "=")
		if !ok {
			return params, usagef("--set takes key=value, got %q", p)
		}
		var err error
		params, err = params.WithText(strings.TrimSpace(key), value)
		if err != nil {
			return params, asUsage(err)
		}
	}
	return params, nil
}

// pairsOf are, for each of some methods, the parameters of the settings that it has for the problem of a configuration, as
// key=value. Some methods are programs with declarations. A parameter that no method has is an error.
func (s settings) pairsOf(base sessions.Config, names []string,
	declarations map[string]*program.Declaration) ([][]string, error) {
	all := make([][]string, len(names))
	unused := s.pairs()
	for i, m := range names {
		cfg := base
		cfg.Optimizer, cfg.Program = m, declarations[m]
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
		return nil, usagef("there is no parameter %q of %s", key, s.Optimizer)
	}
	return all, nil
}

// pairs are all parameters that the settings give.
func (s settings) pairs() []string {
	set := slices.Clone(s.Set)
	for _, short := range s.shortFlags() {
		if short[1] != "" {
			set = append(set, short[0]+"="+short[1])
		}
	}
	return set
}

// shortFlags are the parameters that have flags of their own, each with its value; an empty value is not set.
func (s settings) shortFlags() [][2]string {
	return [][2]string{
		{registry.KeyFor(optimizers.RolePrior), s.Prior},
		{registry.KeyFor(optimizers.RoleScalarization), s.Scalarization}}
}

// checkFlags reports a flag that is empty, as from a shell variable that is not set, and flags that name two problems.
func checkFlags(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" && err == nil {
			err = fmt.Errorf("--%s is empty: give it a value, or leave it out", f.Name)
		}
	})
	if f := c.Flags().Lookup("problem"); f != nil && f.Changed && c.Flags().Changed("function") {
		err = errors.Join(err, errors.New("--problem cannot be used with --function: choose one of them"))
	}
	return err
}

// Flags adds the flags of a problem and a method, with their shell completions.
func (s *settings) Flags(c *cobra.Command) {
	f := c.Flags()
	prior := registry.KeyFor(optimizers.RolePrior)
	scalarization := registry.KeyFor(optimizers.RoleScalarization)
	f.StringVarP(&s.Function, "function", "f", "forrester", "function to optimize; see bandscope list functions")
	f.StringVar(&s.File, "problem", "", "file of your own experiment (TOML) or of measured candidates (CSV), instead of a function")
	f.StringVarP(&s.Optimizer, "optimizer", "o", "",
		fmt.Sprintf("method, or a program as 'exec:COMMAND' or a .toml file; see bandscope list optimizers (default %s, %s for several objectives, and %s with --prior)",
			registry.Default(1), registry.Default(2), registry.Steered()))
	f.Uint64Var(&s.Seed, "seed", 1, "seed of all random numbers")
	f.Float64Var(&s.Noise, "noise", 0, "standard deviation of the observation noise, in the function's units")
	f.IntVar(&s.Budget, "budget", 0, "planned number of iterations; 0 is the number that papers use for the dimension")
	f.StringVar(&s.Prior, prior, "", "prior over the weights of several objectives: flat, dirichlet(2), box(-80..-70, any), the name of a region, or a mixture with +")
	f.StringVar(&s.Scalarization, scalarization, "", "scalarization of several objectives: linear, tchebyshev or augmented")
	f.StringArrayVar(&s.Set, "set", nil, "parameter of the method, as key=value; may be repeated")
	f.StringVar(&s.Import, "import", "", "table of earlier results to start with, CSV or XLSX; columns are named like variables and objectives")
	f.StringVar(&s.Cost, "cost", "", "cost of an evaluation, as an expression of the variables such as 1 + exp(x1)")
	f.Float64Var(&s.CostBudget, "cost-budget", 0, "limit of the total cost of all evaluations; 0 is no limit")
	suggestTimeoutFlag(c, &s.SuggestTimeout)
	completeFlag(c, "function", functionWords)
	c.MarkFlagFilename("problem", "toml", "csv", "tsv", "xlsx")
	completeFlag(c, "optimizer", s.OptimizerWords)
	completeFlag(c, "set", s.SetWords)
	completeFlag(c, prior, s.ParamWords(prior))
	completeFlag(c, scalarization, s.ParamWords(scalarization))
	s.ImportTable.Flags(c)
	c.MarkFlagFilename("import", "csv", "tsv", "xlsx")
}

// checkUnset checks that no flag sets a problem or a method if a session file sets them. With a file, --problem
// is allowed: the session is then compared with the current file of its experiment; and so is a program, which may then
// be started.
func checkUnset(c *cobra.Command, file string) (err error) {
	setting := &cobra.Command{}
	(&settings{}).Flags(setting)
	setting.Flags().SortFlags = false
	setting.Flags().VisitAll(func(f *pflag.Flag) {
		if file != "" && (f.Name == "problem" || f.Name == "suggest-timeout" ||
			f.Name == "optimizer" && isProgram(c.Flags().Lookup(f.Name).Value.String())) {
			return
		}
		if err == nil && c.Flags().Changed(f.Name) {
			err = usagef("--%s cannot be used with %s: the session in the file has its own", f.Name, file)
		}
	})
	return err
}

// args turns the error of a check of arguments into an error of usage, which shows how the command is used. An empty
// argument is always an error.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, a []string) error {
		if i := slices.Index(a, ""); i >= 0 {
			return asUsage(fmt.Errorf("argument %d is empty", i+1))
		}
		if check(c, a) != nil {
			return usagef("got %s; usage: %s", numfmt.Count(len(a), "argument"), c.UseLine())
		}
		return nil
	}
}
