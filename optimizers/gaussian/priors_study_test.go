//go:build study

package gaussian_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions"
	"bandscope/functions/pareto"
	"bandscope/model/gp"
	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/multiobjective"
	"bandscope/optimizers/testbed"
)

var (
	priorVariants = flag.String("priors", "", "variants that TestPriors runs, with commas between them; all if empty")
	priorColumns  = flag.String("columns", "", "columns that TestPriors runs, with commas between them; all if empty")
	priorSeeds    = flag.String("priorseeds", "0-4", "first and last seed of TestPriors")
	priorResults  = flag.String("results", "", "file of lines of JSON that TestPriors continues")
)

// priorVariant is a prior of the hyperparameters: a lengthscale has the median median·d^power.
type priorVariant struct {
	name          string
	kernel        string
	median, power float64
	sd            float64
	correlation   float64
	scale         [2]float64 // median and log-sd of the signal's standard deviation
	noise         [2]float64 // the same of the noise
}

// priors returns those of the variant in d dimensions.
func (v priorVariant) priors(d int) gp.Priors {
	return gp.Priors{LengthMedian: v.median * math.Pow(float64(d), v.power), LengthSD: v.sd, Correlation: v.correlation,
		ScaleMedian: v.scale[0], ScaleSD: v.scale[1], NoiseMedian: v.noise[0], NoiseSD: v.noise[1]}
}

// priorCandidates are the variants of the study. The first is the default before it.
var priorCandidates = []priorVariant{
	{"before", "matern52", 0.25, 0, 0.8, 0, [2]float64{1.5, 1}, [2]float64{1e-3, 1.5}},
	{"before-se", "se", 0.25, 0, 0.8, 0, [2]float64{1.5, 1}, [2]float64{1e-3, 1.5}},
	{"dimension", "matern52", 0.25, 0.5, 0.8, 0, [2]float64{1.5, 1}, [2]float64{1e-3, 1.5}},
	{"correlated", "matern52", 0.25, 0.5, 0.8, 0.7, [2]float64{1.5, 1}, [2]float64{1e-3, 1.5}},
	{"correlated-se", "se", 0.25, 0.5, 0.8, 0.7, [2]float64{1.5, 1}, [2]float64{1e-3, 1.5}},
	{"weak", "matern52", 0.3, 0.5, 1, 0.9, [2]float64{1, 1}, [2]float64{1e-2, 1}},
	{"weak-se", "se", 0.3, 0.5, 1, 0.9, [2]float64{1, 1}, [2]float64{1e-2, 1}},
	{"long", "matern52", 0.5, 0.5, 0.8, 0.7, [2]float64{1.5, 1}, [2]float64{1e-2, 1}},
	{"weak-noise", "matern52", 0.3, 0.5, 1, 0.9, [2]float64{1, 1}, [2]float64{0.135, 0.5}},
	{"long-weak", "matern52", 0.5, 0.5, 1, 0.9, [2]float64{1, 1}, [2]float64{0.03, 1}},
	{"mid-noise", "matern52", 0.3, 0.5, 1, 0.9, [2]float64{1, 1}, [2]float64{0.03, 1.5}},
	{"mid-noise-se", "se", 0.3, 0.5, 1, 0.9, [2]float64{1, 1}, [2]float64{0.03, 1.5}},
	{"weak-noise-se", "se", 0.3, 0.5, 1, 0.9, [2]float64{1, 1}, [2]float64{0.135, 0.5}},
	{"hvarfner-se", "se", math.Exp(math.Sqrt2), 0.5, math.Sqrt(3), 0, [2]float64{1, 1}, [2]float64{0.135, 0.5}},
	{"correlated-noise", "matern52", 0.25, 0.5, 0.8, 0.7, [2]float64{1.5, 1}, [2]float64{0.03, 1.5}},
	{"correlated-noise-se", "se", 0.25, 0.5, 0.8, 0.7, [2]float64{1.5, 1}, [2]float64{0.03, 1.5}},
	{"correlated-more-noise", "matern52", 0.25, 0.5, 0.8, 0.7, [2]float64{1.5, 1}, [2]float64{0.1, 1}},
	{"more-correlated-noise", "matern52", 0.25, 0.5, 0.8, 0.9, [2]float64{1.5, 1}, [2]float64{0.03, 1}},
	{"less-correlated-noise", "matern52", 0.25, 0.5, 0.8, 0.5, [2]float64{1.5, 1}, [2]float64{0.03, 1.5}},
	{"correlated-noise-0.2", "matern52", 0.2, 0.5, 0.8, 0.7, [2]float64{1.5, 1}, [2]float64{0.03, 1.5}},
	{"correlated-noise-wide", "matern52", 0.25, 0.5, 1, 0.7, [2]float64{1.5, 1}, [2]float64{0.03, 2}},
	{"noise", "matern52", 0.25, 0, 0.8, 0, [2]float64{1.5, 1}, [2]float64{0.135, 0.5}},
	{"long-noise", "matern52", 1, 0.5, 1, 0, [2]float64{1, 1}, [2]float64{0.135, 0.5}},
	{"hvarfner", "matern52", math.Exp(math.Sqrt2), 0.5, math.Sqrt(3), 0, [2]float64{1, 1}, [2]float64{0.135, 0.5}},
}

// priorColumn is a problem with the number of evaluations of a search: by gp-ei, or by ehvi for several objectives. The
// first eight are those of a comparison with BoTorch, whose median regrets peer holds.
type priorColumn struct {
	problem string
	n       int
	peer    float64
}

var priorProblems = []priorColumn{{"branin", 50, 8e-4}, {"hartmann:6", 100, 0.12}, {"ackley:5", 60, 7.1},
	{"levy:5", 60, 0.24}, {"rosenbrock:4", 60, 237}, {"griewank:5", 60, 0.75}, {"styblinski-tang:5", 60, 25},
	{"michalewicz:5", 60, 1.5}, {"gramacy-lee", 60, 0}, {"goldstein-price", 60, 0}, {"hartmann:3", 60, 0},
	{"rastrigin:3", 60, 0}, {"levy:10", 60, 0}, {"ackley:10", 60, 0}, {"styblinski-tang:20", 60, 0},
	{"dtlz2-k3", 40, 0}, {"zdt1", 40, 0}}

// coverageColumn measures the bands of given data: ten functions in one to three dimensions after 8, 12, 16 and 20
// evaluations of a search.
const coverageColumn = "coverage"

// priorResult is what a variant reaches in a column: the regret or the hypervolume at the end of a search, and the bands
// after a third and two thirds of it; of the column coverage the bands alone.
type priorResult struct {
	Variant string  `json:"variant"`
	Column  string  `json:"column"`
	Seed    uint64  `json:"seed"`
	Value   float64 `json:"value"`
	Wide    float64 `json:"wide"`
	Narrow  float64 `json:"narrow"`
	Density float64 `json:"density"`
	Enough  float64 `json:"enough"` // the share of bands that cover at least 75 %
	Edge    float64 `json:"edge"`   // the share of suggested coordinates on the boundary of the cube
	Seconds float64 `json:"seconds"`
}

// TestPriors compares priors of the hyperparameters that are integrated over. Fixed before the first run: the columns,
// the numbers of evaluations, the measures (median regret or hypervolume, coverage at 95 and 50 %, log density), seeds
// 0–4 for the choice and 100–109 for its proof, and the rules: a variant is dropped if it loses on most of levy:5,
// styblinski-tang:5, ackley:5, dtlz2-k3, branin and hartmann:6; of the others, the winner is at no median worse than
// BoTorch, has no coverage below that of the default before by more than 2 points, and has the least mean rank over all
// columns. The default does not follow these rules: a variant with shorter lengthscales and more noise was better on the
// seeds of the choice, but its bands hardly narrowed with few results. Seeds 100 to 103 were seen then, so that 104 to 109
// are the proof. The test continues a file of results and reports a table; it does not fail.
func TestPriors(t *testing.T) {
	results := readPriorResults(t)
	var first, last uint64
	_, err := fmt.Sscanf(*priorSeeds, "%d-%d", &first, &last)
	require.NoError(t, err)
	columns := append([]priorColumn{{problem: coverageColumn}}, priorProblems...)
	for seed := first; seed <= last; seed++ {
		for _, c := range columns {
			for _, v := range priorCandidates {
				done := slices.ContainsFunc(results, func(r priorResult) bool {
					return r.Variant == v.name && r.Column == c.problem && r.Seed == seed
				})
				if done || !listed(*priorVariants, v.name) || !listed(*priorColumns, c.problem) {
					continue
				}
				start := time.Now()
				r := runPriors(t, v, c, seed)
				r.Variant, r.Column, r.Seed, r.Seconds = v.name, c.problem, seed, time.Since(start).Seconds()
				appendPriorResult(t, r)
				results = append(results, r)
			}
		}
	}
	for _, c := range columns {
		for _, v := range priorCandidates {
			reportPriors(t, results, c.problem, v.name)
		}
	}
}

func listed(list, name string) bool {
	return list == "" || slices.Contains(strings.Split(list, ","), name)
}

func readPriorResults(t *testing.T) (results []priorResult) {
	file, err := os.Open(*priorResults)
	if err != nil {
		return nil
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var r priorResult
		require.NoError(t, json.Unmarshal(lines.Bytes(), &r))
		results = append(results, r)
	}
	return results
}

func appendPriorResult(t *testing.T, r priorResult) {
	if *priorResults == "" {
		return
	}
	line, err := json.Marshal(r)
	require.NoError(t, err)
	file, err := os.OpenFile(*priorResults, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	require.NoError(t, err)
	_, err = file.Write(append(line, '\n'))
	require.NoError(t, err)
	require.NoError(t, file.Close())
}

// runPriors measures one cell of the study.
func runPriors(t *testing.T, v priorVariant, c priorColumn, seed uint64) (r priorResult) {
	chosen := *gaussian.IntegratedPriors
	defer func() { *gaussian.IntegratedPriors = chosen }()
	if c.problem == coverageColumn {
		bands := 0.0
		for _, s := range gaussian.CoverageSearches(t) {
			if s.Seed != seed%10+1 {
				continue
			}
			p := gaussian.Problem(t, s.Function, s.Seed)
			*gaussian.IntegratedPriors = v.priors(p.Dim())
			for n := 8; n <= 20; n += 4 {
				r.addBand(t, p, gaussian.CoverageData(s, n), s.Seed, v.kernel)
				bands++
			}
		}
		r.divideBands(bands)
		return r
	}
	p := gaussian.Problem(t, c.problem, 0)
	*gaussian.IntegratedPriors = v.priors(p.Dim())
	data := searchWith(t, p, seed, c.n, "kernel="+v.kernel)
	if len(p.Objectives) > 1 {
		points := make([][]float64, c.n)
		for i := range points {
			points[i] = data.Y.RawRowView(i)
		}
		lo, hi := pareto.Range(p.Front().Points(0), len(p.Objectives))
		reference := make([]float64, len(hi))
		for k := range reference {
			reference[k] = hi[k] + 0.1*(hi[k]-lo[k])
		}
		r.Value = pareto.Hypervolume(points, reference)
	} else {
		r.Value = slices.Min(data.Column(0)) - p.Objectives[0].Transform().Apply(p.Optimum().Value)
		for _, n := range []int{c.n / 3, 2 * c.n / 3} {
			x := data.X.Slice(0, n, 0, p.Dim()).(*mat.Dense)
			r.addBand(t, p, optimizers.Data{X: x, Y: mat.NewDense(n, 1, data.Column(0)[:n])}, seed, v.kernel)
		}
		r.divideBands(2)
	}
	r.Edge = stat.Mean(edges(data.X.Slice(c.n/4, c.n, 0, p.Dim()).(*mat.Dense)), nil)
	return r
}

// edges is 1 for every coordinate at an end of its interval, and 0 for the others.
func edges(x *mat.Dense) (list []float64) {
	n, d := x.Dims()
	for i := range n {
		for j := range d {
			at := 0.0
			if v := x.At(i, j); v < 1e-9 || v > 1-1e-9 {
				at = 1
			}
			list = append(list, at)
		}
	}
	return list
}

func (r *priorResult) addBand(t *testing.T, p *functions.Problem, data optimizers.Data, seed uint64, kernel string) {
	cell := gaussian.Coverage(t, p, data, seed, "kernel="+kernel)
	r.Wide += cell.Wide
	r.Narrow += cell.Narrow
	r.Density += cell.Density
	if cell.Wide >= 0.75 {
		r.Enough++
	}
}

func (r *priorResult) divideBands(n float64) {
	r.Wide, r.Narrow, r.Density, r.Enough = r.Wide/n, r.Narrow/n, r.Density/n, r.Enough/n
}

// searchWith returns the observations of a search by gp-ei, or by ehvi for several objectives, after the initial design
// of the method.
func searchWith(t *testing.T, p *functions.Problem, seed uint64, n int, set ...string) optimizers.Data {
	spec, objectives := gaussian.EI, len(p.Objectives)
	if objectives > 1 {
		spec = multiobjective.EHVI
	}
	in := testbed.InputFor(t, spec, p.Dim(), optimizers.Data{}, set...)
	in.Seed, in.Budget, in.Objectives = seed, n, objectives
	if objectives > 1 {
		in.Lo, in.Hi = pareto.Range(p.Front().Points(0), objectives)
	}
	x, y := mat.NewDense(n, p.Dim(), nil), mat.NewDense(n, objectives, nil)
	for step := range n {
		in.Step = step
		u, ok := testbed.Initial(t, in)
		if !ok {
			s, err := testbed.Fit(t, spec, in).Suggest(t.Context())
			require.NoError(t, err)
			u = s.X.RawRowView(0)
		}
		values, err := p.TrueValues(p.Domain.FromUnit(u))
		require.NoError(t, err)
		x.SetRow(step, u)
		for k, o := range p.Objectives {
			y.Set(step, k, o.Transform().Apply(values[k]))
		}
		in.Data = optimizers.Data{X: x.Slice(0, step+1, 0, p.Dim()).(*mat.Dense),
			Y: y.Slice(0, step+1, 0, objectives).(*mat.Dense)}
	}
	return optimizers.Data{X: x, Y: y}
}

// reportPriors logs the medians of a variant in a column with their quartiles, and the means of its bands.
func reportPriors(t *testing.T, results []priorResult, column, variant string) {
	var values []float64
	var sum priorResult
	for _, r := range results {
		if r.Column != column || r.Variant != variant {
			continue
		}
		values = append(values, r.Value)
		sum.Wide += r.Wide
		sum.Narrow += r.Narrow
		sum.Density += r.Density
		sum.Enough += r.Enough
		sum.Edge += r.Edge
		sum.Seconds += r.Seconds
	}
	if len(values) == 0 {
		return
	}
	n := float64(len(values))
	sum.divideBands(n)
	slices.Sort(values)
	quantile := func(p float64) float64 { return stat.Quantile(p, stat.LinInterp, values, nil) }
	if len(values) == 1 {
		quantile = func(float64) float64 { return values[0] }
	}
	middle := (values[(len(values)-1)/2] + values[len(values)/2]) / 2
	t.Logf("%-18s %-14s %2d seeds: %9.3g (%.3g to %.3g); 95 %%: %.1f, 50 %%: %.1f, log density %.2f, at least 75 %%: %.0f; "+
		"edges %.2f, %.1f s", column, variant, len(values), middle, quantile(0.25), quantile(0.75), 100*sum.Wide,
		100*sum.Narrow, sum.Density, 100*sum.Enough, sum.Edge/n, sum.Seconds/n)
}
