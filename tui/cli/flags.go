package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bandscope/optimizers"
	"bandscope/optimizers/methods"
)

// CheckFlags says what is wrong with the flags that a command was given: that one is empty, as by a shell's variable that is not set, or that a session would be
// about two things.
func checkFlags(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" && err == nil {
			err = fmt.Errorf("--%s is given, but empty: leave it out, or give it a value", f.Name)
		}
	})
	if f := c.Flags().Lookup("problem"); f != nil && f.Changed && c.Flags().Changed("function") {
		err = errors.Join(err, errors.New("--problem does not go with --function: a session is about the one or the other"))
	}
	return err
}

// Flags adds the flags that say what a session is about, with what a shell offers for them.
func (s *settings) Flags(c *cobra.Command) {
	f, prior, scalarization := c.Flags(), methods.KeyOf(optimizers.RolePrior), methods.KeyOf(optimizers.RoleScalarization)
	f.StringVarP(&s.Function, "function", "f", "forrester", "what is optimized; see list functions")
	f.StringVar(&s.File, "problem", "", "file of an experiment of one's own, in place of a function")
	f.StringVarP(&s.Optimizer, "optimizer", "o", "", fmt.Sprintf("how the next point is chosen; see list optimizers (default %s, or of several objectives %s)", methods.Default(1), methods.Default(2)))
	f.Uint64Var(&s.Seed, "seed", 1, "everything random comes from it")
	f.Float64Var(&s.Noise, "noise", 0, "standard deviation of the observation noise, in the function's units")
	f.IntVar(&s.Budget, "budget", 0, "planned number of iterations; 0 takes what the papers use for the dimension")
	f.StringVar(&s.Prior, prior, "", "prior over the weights of several objectives: flat, dirichlet(2), box(-80..-70, any), a region's name, or a mixture with +")
	f.StringVar(&s.Scalarization, scalarization, "", "of several objectives: linear, tchebyshev or augmented")
	f.StringArrayVar(&s.Set, "set", nil, "a parameter of the optimizer, as key=value; may be repeated")
	f.StringVar(&s.Import, "import", "", "CSV file of earlier observations that the session begins with: columns named like variables and objectives")
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

// Unset checks that no flag says what a session is about, where a file says it. A session in a file may be compared with what its experiment's file says now.
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
