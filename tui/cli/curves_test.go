package cli

import (
	"math"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/internal/golden"
	"bandscope/tui/theme"
)

// The medians of a benchmark stand over the cost, each with its letter, and begin where the median of the seeds does.
func TestCurves(t *testing.T) {
	nan := math.NaN()
	results := []studyResult{
		{Method: "cost-ids", Median: []float64{nan, 10, 3, 1, 0.1, 0.1, 0.001, 0.001}},
		{Method: "gp-ei", Median: []float64{nan, nan, 10, 5, 5, 2, 1, 1}},
	}
	golden.Check(t, "curves-80", ansi.Strip(curves(results, 400, true, 80, theme.New(true, theme.NoColor, false))), false)
}
