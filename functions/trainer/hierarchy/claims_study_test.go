//go:build study

package hierarchy

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/floats"

	"bandscope/functions/internal/paired"
)

// What the thesis claims of its forecaster (chapter 6), each over ten seeds of the data, and judged by a rule that
// stands before it: a paired mean difference with its 95 % interval by Student's t. A claim holds where the whole
// interval is on its side; where it covers 0 the claim is not seen. Each rule is judged twice: of one training for each
// seed of the data, with the same seed, and of the mean of ten trainings for each (their seeds are that of the data,
// and 10, 20, … more), which differ by their draws as much as the claims are about. Errors are WAPE on the windows of
// the test in percent, so that differences are points.
const seeds, repeats = 10, 10

// variant is a way of training.
type variant func(s *Setting)

// outcome is what comes of a training; what comes of it once its embeddings are projected to the means of their
// leaves'; and that of repeating the last week.
type outcome struct {
	Metrics
	projected Metrics
	naive     Scores
}

// outcomes are those of a variant, by seed of the data, as many for each as there are trainings.
type outcomes [][]outcome

// trained are whole trainings of a variant.
func (v variant) trained(t *testing.T, cell Cell) outcomes {
	t.Helper()
	all := make(outcomes, seeds)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range all {
		all[i] = make([]outcome, repeats)
		for k := range all[i] {
			s := Defaults()
			s.Data, s.Seed, s.Cell = uint64(i+1), uint64(i+1+10*k), cell
			v(&s)
			group.Go(func() error {
				tr, err := New(s)
				if err != nil {
					return err
				}
				for range s.Steps {
					if err := tr.Step(); err != nil {
						return err
					}
				}
				all[i][k] = outcome{tr.Evaluate(), tr.Project().Evaluate(), tr.Panel().Naive()}
				return nil
			})
		}
	}
	require.NoError(t, group.Wait())
	return all
}

// first are those of the first so many trainings of each seed.
func (all outcomes) first(trainings int) outcomes {
	few := make(outcomes, len(all))
	for i := range all {
		few[i] = all[i][:trainings]
	}
	return few
}

// mapped are other outcomes in the place of these.
func (all outcomes) mapped(apply func(o outcome) Metrics) outcomes {
	other := make(outcomes, len(all))
	for i, row := range all {
		for _, o := range row {
			other[i] = append(other[i], outcome{Metrics: apply(o)})
		}
	}
	return other
}

// better are, training by training, those of two variants that are better on the windows of the validation, in the mean
// over the levels.
func (all outcomes) better(than outcomes) outcomes {
	chosen := make(outcomes, len(all))
	for i := range all {
		for k, o := range all[i] {
			if other := than[i][k]; floats.Sum(other.Validation.WAPE) < floats.Sum(o.Validation.WAPE) {
				o = other
			}
			chosen[i] = append(chosen[i], o)
		}
	}
	return chosen
}

// measure is a number of an outcome.
type measure func(o outcome) float64

func meanWAPE(level int) measure { return func(o outcome) float64 { return 100 * o.Test.WAPE[level] } }

func mean(o outcome) float64 { return o.MeanWAPE() }

func gap(level int) measure { return func(o outcome) float64 { return 100 * o.Test.Coherence[level] } }

// of is a measure, by seed, in the mean over its trainings.
func (m measure) of(all outcomes) []float64 {
	values := make([]float64, len(all))
	for i, row := range all {
		for _, o := range row {
			values[i] += m(o) / float64(len(row))
		}
	}
	return values
}

// accuracy is told by these, level by level from the root and their mean; sums by the gaps.
var accuracy, gaps = []measure{meanWAPE(0), meanWAPE(1), meanWAPE(2), meanWAPE(3), mean},
	[]measure{gap(0), gap(1), gap(2)}

// table logs rows of cells, which tabs divide.
func table(t *testing.T, title string, rows []string) {
	t.Helper()
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, row)
	}
	w.Flush()
	t.Logf("%s\n%s", title, b.String())
}

// means are the cells of a row: each measure's mean over the seeds.
func means(all outcomes, measures ...[]measure) string {
	var cells []string
	for _, m := range slices.Concat(measures...) {
		cells = append(cells, fmt.Sprintf("%.3f", paired.NewInterval(m.of(all)).Mean))
	}
	return strings.Join(cells, "\t")
}

// against is two rows, of one training for each seed and of all of them: a - b of each measure of the accuracy, and
// what that says of a having the smaller mean.
func against(claim string, a, b outcomes) []string {
	var rows []string
	for _, trainings := range []int{1, repeats} {
		few, other := a.first(trainings), b.first(trainings)
		row := fmt.Sprintf("%s\t%d\t", claim, trainings)
		for _, m := range accuracy {
			row += fmt.Sprintf("%v\t", paired.Difference(m.of(few), m.of(other)))
		}
		rows = append(rows, row+string(paired.Difference(measure(mean).of(few), measure(mean).of(other)).Below()))
	}
	return rows
}

// ratio is two cells of a measure of a over that of b, a geometric mean with its interval: of one training for each
// seed and of all, with what they say of it being below 1.
func ratio(m measure, a, b outcomes) string {
	var cells []string
	for _, trainings := range []int{1, repeats} {
		mean, low, high, n := paired.Ratio(m.of(a.first(trainings)), m.of(b.first(trainings)))
		verdict := paired.Interval{Mean: math.Log(mean), Half: math.Log(high/low) / 2, N: n}.Below()
		cells = append(cells, fmt.Sprintf("%.3f, %.3f to %.3f, %s", mean, low, high, verdict))
	}
	return strings.Join(cells, "\t")
}

// tells logs how long a study took of processors.
func tells(t *testing.T) {
	processor := func() time.Duration {
		var used syscall.Rusage
		if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
			return 0
		}
		return time.Duration(used.Utime.Nano())
	}
	begin := processor()
	t.Cleanup(func() { t.Logf("%.0f s of processor time", (processor() - begin).Seconds()) })
}

func weight(lambda float64) variant { return func(s *Setting) { s.LambdaE = lambda } }

// heads are the columns of means, and of differences.
const heads, sides = "root\tlevel 1\tlevel 2\tleaves\tmean\tgap root\tgap 1\tgap 2",
	"\ttrainings\troot\tlevel 1\tlevel 2\tleaves\tmean"

// Both parts of the forecaster and the regularizer are needed (table 6.2). Rule: the mean WAPE over the levels of
// HIRED, at its default λ_E = 0.01 and α = 1, is below that without the regularizer, of TVAR alone, of BD alone, and of
// repeating the last week; and with λ_E chosen by the windows of the validation, as the thesis chooses it, it is below
// that without. Single levels are told beside it and judge nothing. With both kinds of networks, each judged for
// itself.
func TestClaimOfTheAblations(t *testing.T) {
	tells(t)
	for _, cell := range Cells() {
		hired, without := weight(1e-2).trained(t, cell), weight(0).trained(t, cell)
		tvar, bd := variant(func(s *Setting) { s.BD = false }).trained(t, cell),
			variant(func(s *Setting) { s.TVAR = false }).trained(t, cell)
		naive := hired.mapped(func(o outcome) Metrics { return Metrics{Test: o.naive} })
		rows := []string{string(cell) + "\t" + heads}
		differences := []string{string(cell) + sides}
		for _, c := range []struct {
			name string
			of   outcomes
		}{{"HIRED", hired}, {"λ_E = 0", without}, {"TVAR alone", tvar}, {"BD alone", bd},
			{"repeating the week", naive}} {
			rows = append(rows, c.name+"\t"+means(c.of, accuracy, gaps))
			if c.name != "HIRED" {
				differences = append(differences, against("better than "+c.name, hired, c.of)...)
			}
		}
		if cell == MLP {
			chosen := hired
			for _, e := range []float64{1e-4, 1e-3, 1e-1, 1} {
				chosen = chosen.better(weight(e).trained(t, cell))
			}
			rows = append(rows, "λ_E by validation\t"+means(chosen, accuracy, gaps))
			differences = append(differences, against("so chosen, better than λ_E = 0", chosen, without)...)
		}
		table(t, "means in percent", rows)
		table(t, "differences in points", differences)
	}
}

// The regularizer helps up to a point, and makes forecasts add up (tables 6.2 and 6.3). Rules: the mean WAPE at the
// default λ_E = 0.01 is below those at both ends, 0 and 1; the gap between parents' forecasts and the means of their
// leaves' is smaller at 0.01 than at 0, at each level, and smaller at each of 1e-4, 1e-3, … than at the weight before,
// in the mean over the levels. TVAR alone, and embeddings projected to the means, add up to rounding, 1e-12. Whether
// the exact projection forecasts better is judged by the mean WAPE, too.
func TestClaimOfTheSum(t *testing.T) {
	tells(t)
	weights := []float64{0, 1e-4, 1e-3, 1e-2, 1e-1, 1}
	found := map[float64]outcomes{}
	incoherence := measure(outcome.Incoherence)
	rows, falls := []string{"λ_E\t" + heads}, []string{"gap\tof one training\tof all"}
	for i, e := range weights {
		found[e] = weight(e).trained(t, MLP)
		rows = append(rows, fmt.Sprintf("%g\t%s", e, means(found[e], accuracy, gaps)))
		if i > 0 {
			falls = append(falls, fmt.Sprintf("at %g, times that at %g\t%s", e, weights[i-1],
				ratio(incoherence, found[e], found[weights[i-1]])))
		}
	}
	for level := range 3 {
		falls = append(falls, fmt.Sprintf("at 0.01, times that at 0, level %d\t%s", level,
			ratio(gap(level), found[1e-2], found[0])))
	}
	table(t, "means in percent", rows)
	table(t, "coherence", falls)
	rows = []string{sides}
	for _, end := range weights {
		if end != 1e-2 {
			rows = append(rows, against(fmt.Sprintf("0.01 better than %g", end), found[1e-2], found[end])...)
		}
	}
	for _, e := range []float64{0, 1e-3, 1e-2} {
		projected := found[e].mapped(func(o outcome) Metrics { return o.projected })
		adds(t, projected)
		rows = append(rows, against(fmt.Sprintf("better by projecting at %g", e), projected, found[e])...)
	}
	table(t, "differences in points", rows)
	adds(t, variant(func(s *Setting) { s.BD = false }).trained(t, MLP))
}

// adds fails where forecasts do not add up to rounding.
func adds(t *testing.T, all outcomes) {
	t.Helper()
	for i, row := range all {
		for _, o := range row {
			if most := slices.Max(o.Test.Coherence); !(most < 1e-12) {
				t.Errorf("seed %d: a gap is %g", i+1, most)
			}
		}
	}
}

// Drawing the top more often makes the top better, the best mean is not that of uniform draws, and no α is best at all
// levels (fig. 6.4). Rules: at α = 4, which draws the levels equally often, root and mean are below those at α = 1; and
// leaves at α = 16 are above those at α = 1.
func TestClaimOfOversampling(t *testing.T) {
	tells(t)
	found := map[float64]outcomes{}
	rows, differences := []string{"α\t" + heads}, []string{sides}
	for _, alpha := range []float64{1, 2, 4, 8, 16, 32} {
		found[alpha] = variant(func(s *Setting) { s.Alpha = alpha }).trained(t, MLP)
		rows = append(rows, fmt.Sprintf("%g\t%s", alpha, means(found[alpha], accuracy, gaps)))
		if alpha > 1 {
			differences = append(differences, against(fmt.Sprintf("α = %g better than 1", alpha), found[alpha],
				found[1])...)
		}
	}
	table(t, "means in percent", rows)
	table(t, "differences in points", differences)
	for _, trainings := range []int{1, repeats} {
		single := found[1].first(trainings)
		four, sixteen := found[4].first(trainings), found[16].first(trainings)
		t.Logf("of %d trainings: that the root is better at α = 4: %s; that the leaves are worse at α = 16: %s",
			trainings,
			paired.Difference(meanWAPE(0).of(four), meanWAPE(0).of(single)).Below(),
			paired.Difference(meanWAPE(3).of(sixteen), meanWAPE(3).of(single)).Above())
	}
}
