//go:build study

package registry

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"bandscope/optimizers"
	"bandscope/optimizers/ntk"
	"bandscope/optimizers/testbed"
)

var (
	repeatSteps     = flag.Int("steps", 20, "how many evaluations TestEvaluationsAreApart makes of each function")
	repeatFunctions = flag.String("functions", "", "the functions of TestEvaluationsAreApart; all if empty")
	quick           = flag.String("set", "", "parameters of every method in TestEvaluationsAreApart")
)

// exactFunctions are noise-free functions of one to six variables.
func exactFunctions(t *testing.T) []exact {
	all := []exact{slope(1), slope(3), valley(), bowl(2), outside(2), level(2)}
	for _, name := range []string{"forrester", "gramacy-lee", "branin", "six-hump", "hartmann:3", "ackley:3", "levy:4",
		"rosenbrock:2", "hartmann:6"} {
		all = append(all, published(t, name))
	}
	return all
}

// TestEvaluationsAreApart runs every method without noise on functions of one to six variables: until the optimum is
// found to 1e-6, at most 5 % of the evaluations are closer than 1e-3 to an earlier one in every variable of the unit
// cube. -methods, -seeds, -steps and -set choose others than all methods, ten seeds, 20 evaluations and the defaults.
func TestEvaluationsAreApart(t *testing.T) {
	for _, spec := range Supporting(1, false) {
		if *studied != "" && !slices.Contains(strings.Split(*studied, ","), spec.Name) ||
			spec.Name == ntk.Uncertainty.Name {
			continue
		}
		t.Run(spec.Name, func(t *testing.T) {
			in := testbed.InputFor(t, spec, 1, optimizers.Data{})
			if spec.Check != nil && spec.Check(in) != nil {
				t.Skip("it needs a fidelity")
			}
			var all repeatCounts
			for _, f := range exactFunctions(t) {
				if *repeatFunctions != "" && !slices.Contains(strings.Split(*repeatFunctions, ","), f.name) {
					continue
				}
				var regrets []float64
				var sum repeatCounts
				for seed := range *seeds {
					c := optimize(t, spec, f, *repeatSteps, uint64(seed), strings.Split(*quick, ",")...)
					sum.add(c)
					regrets = append(regrets, c.regret)
				}
				slices.Sort(regrets)
				all.add(sum)
				t.Logf("%-16s %-12s %d: close %d (%d useless) of %d until found, %d of %d after; nothing better: %d; median regret %.2e", spec.Name, f.name, f.dim, sum.before, sum.useless, sum.evaluationsBefore,
					sum.after, sum.evaluationsAfter, sum.stopped, regrets[len(regrets)/2])
			}
			share := 100 * float64(all.before) / float64(all.evaluationsBefore)
			t.Logf("%-16s all: close %.1f %% (%d, %d useless) of %d until found, %.1f %% of %d after", spec.Name, share,
				all.before, all.useless, all.evaluationsBefore,
				100*float64(all.after)/float64(max(all.evaluationsAfter, 1)), all.evaluationsAfter)
			if share > 5 {
				t.Errorf("%.1f %% of the evaluations are close to an earlier one", share)
			}
		})
	}
}

func (c *repeatCounts) add(other repeatCounts) {
	c.before += other.before
	c.useless += other.useless
	c.after += other.after
	c.evaluationsBefore += other.evaluationsBefore
	c.evaluationsAfter += other.evaluationsAfter
	c.stopped += other.stopped
}
