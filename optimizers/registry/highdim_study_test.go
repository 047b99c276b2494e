//go:build study

package registry

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/optimizers/baselines"
	"bandscope/optimizers/gaussian"
)

// embedded is a problem in six variables, Hartmann's, as one in 30: the others have no effect.
func embedded(t *testing.T) *functions.Problem {
	t.Helper()
	p, err := functions.Find("hartmann:6", 0)
	require.NoError(t, err)
	inner := p.Truth.Value
	p.Name, p.Domain = "hartmann:6 of 30", functions.Box(30, 0, 1)
	truth := *p.Truth
	truth.Value = func(x []float64) []float64 {
		y := make([]float64, 6)
		for i := range y {
			y[i] = x[5*i+2]
		}
		return inner(y)
	}
	optimum := *truth.Optimum
	optimum.X, truth.Optimum = nil, &optimum
	p.Truth = &truth
	return p
}

// problemFor returns a problem to minimize whose least value is known: of the rover what it is short of the greatest
// reward, 5.
func problemFor(t *testing.T, name string) *functions.Problem {
	t.Helper()
	if p := embedded(t); p.Name == name {
		return p
	}
	p, err := functions.Find(name, 0)
	require.NoError(t, err)
	if p.Objectives[0].Direction == functions.Maximize {
		reward := p.Truth.Value
		p.Objectives = slices.Clone(p.Objectives)
		p.Objectives[0].Direction = functions.Minimize
		p.Truth = &functions.Truth{Optimum: &functions.Optimum{Value: 0},
			Value: func(x []float64) []float64 { return []float64{5 - reward(x)[0]} }}
	}
	return p
}

// TestHighDimension compares methods in many variables. Fixed before the first run: the functions, the number of
// evaluations, the seeds from 0 on, and what is reported, the median regret with its quartiles and the geometric mean of
// the ratio to gp-ei over the seeds with its 95 % interval. ONLY=name runs one function.
func TestHighDimension(t *testing.T) {
	methods := []optimizers.Spec{baselines.Random, gaussian.EI, gaussian.TuRBO}
	for _, c := range []struct {
		name         string
		steps, seeds int
		methods      []optimizers.Spec
	}{{"hartmann:6 of 30", 60, 5, append(slices.Clone(methods), gaussian.SAAS)}, {"ackley:10", 100, 5, methods},
		{"ackley:20", 150, 5, methods}, {"rosenbrock:40", 150, 3, methods}, {"rover:60", 150, 3, methods},
		{"ackley:100", 200, 3, methods}} {
		if only := os.Getenv("ONLY"); only != "" && only != c.name {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			p := problemFor(t, c.name)
			results := map[string][]float64{}
			for _, spec := range c.methods {
				for seed := range c.seeds {
					r := regret(t, spec, p, uint64(seed), c.steps)
					results[spec.Name] = append(results[spec.Name], r)
					fmt.Printf("%s %s seed %d: %.4g\n", c.name, spec.Name, seed, r)
				}
			}
			for _, spec := range c.methods {
				t.Log(c.name, spec.Name, summarizeRegrets(results[spec.Name], results[gaussian.EI.Name]))
			}
		})
	}
}

// summarizeRegrets describes regrets, and their ratios to others over the same seeds.
func summarizeRegrets(values, others []float64) string {
	sorted, n := slices.Sorted(slices.Values(values)), float64(len(values))
	quantile := func(p float64) float64 { // linear between the values (Hyndman & Fan 1996, type 7)
		rank := p * (n - 1)
		i := int(rank)
		next := sorted[min(i+1, len(sorted)-1)]
		return sorted[i] + (rank-float64(i))*(next-sorted[i])
	}
	logs := make([]float64, len(values))
	for i := range values {
		logs[i] = math.Log(values[i] / others[i])
	}
	mean, sd := stat.MeanStdDev(logs, nil)
	half := map[int]float64{3: 4.303, 5: 2.776, 10: 2.262}[len(values)] * sd / math.Sqrt(n) // of Student's distribution
	return strings.TrimSpace(fmt.Sprintf("median %.3g (%.3g to %.3g); ratio to gp-ei %.2g (%.2g to %.2g)", quantile(0.5),
		quantile(0.25), quantile(0.75), math.Exp(mean), math.Exp(mean-half), math.Exp(mean+half)))
}
