package published_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions/study/published"
	"bandscope/sessions/study/stats"
)

// Medians that the notes of studies give are those of the stored runs at the end of the budget, rounded as the note
// rounds them.
func TestNotesAgreeWithResults(t *testing.T) {
	for _, c := range []struct{ study, problem, text string }{
		{"thesis-4.1", "branin-fidelity cost_budget=3000",
			"cost-ids 1.5e-6, ids 3.8e-5, gp-ucb 3.8e-5, ei-per-cost 2.4e-5, gp-ei 2.1e-3, mes 2.9e-3, cost-mes 6.0e-3"},
		{"thesis-2.6", "branin4-currin4 prior=top scalarization=tchebyshev", "mobo-rs-ucb 0.0016, ehvi 0.0014"},
		{"thesis-2.6", "branin4-currin4 prior=mid scalarization=tchebyshev", "mobo-rs-ucb 0.00007, moead-ego 0.0014"},
		{"thesis-2.6", "branin4-currin4 prior=flat scalarization=tchebyshev", "mobo-rs-ucb 0.0024, smsego 0.0013"},
		{"thesis-2.6", "branin4-currin4 prior=top scalarization=linear", "mobo-rs-ucb 0.00002, ehvi 0.0026"},
		{"thesis-2.6", "branin4-currin4 prior=mid scalarization=linear", "mobo-rs-ucb 0, smsego 0.0006"},
		{"thesis-2.6", "branin4-currin4 prior=flat scalarization=linear", "mobo-rs-ucb 0.00005, ehvi 0.0011"},
		{"paria-noiseless", "branin",
			"posterior-greedy 2e-6, neural-lin-ts 0.015, neural-ucb 0.23, gp-ei 1e-7, neural-greedy 4e-6, random 1"},
		{"paria-noiseless", "levy:15",
			"posterior-greedy 3.7, neural-lin-ts 4.3, neural-ucb 99, gp-ei 1.5, neural-greedy 1.7, random 51"},
		{"paria-noiseless", "styblinski-tang:10",
			"posterior-greedy 42, neural-lin-ts 169, neural-ucb 184, gp-ei 77, neural-greedy 42, random 139"},
	} {
		t.Run(c.study+" "+c.problem, func(t *testing.T) {
			declaration, _ := published.Find(c.study)
			medians := finalMedians(t, c.study, c.problem)
			for _, statement := range strings.Split(c.text, ", ") {
				method, number, _ := strings.Cut(statement, " ")
				require.Contains(t, declaration.Note, number)
				want, err := strconv.ParseFloat(number, 64)
				require.NoError(t, err)
				require.InDelta(t, want, medians[method], halfDigit(number), statement)
			}
		})
	}
}

// halfDigit is half of the last digit of a decimal number.
func halfDigit(number string) float64 {
	mantissa, exponent, _ := strings.Cut(number, "e")
	_, decimals, _ := strings.Cut(mantissa, ".")
	power, _ := strconv.Atoi(exponent)
	return 0.5001 * math.Pow10(power-len(decimals))
}

// finalMedians are the medians of the measure of a problem at the end of its budget, by the names of the methods.
func finalMedians(t *testing.T, name, problem string) map[string]float64 {
	t.Helper()
	table, ok := published.Results(name)
	require.True(t, ok)
	medians := map[string]float64{}
	runs := stats.CurvesFor(table, stats.DefaultAxis)
	for p, about := range runs.Problems {
		if about.Name != problem {
			continue
		}
		for m, method := range runs.Methods {
			name, _, _ := strings.Cut(method, " ")
			medians[name] = about.Sign * runs.BandAt(p, m, []float64{about.End}).Median[0]
		}
	}
	require.NotEmpty(t, medians)
	return medians
}
