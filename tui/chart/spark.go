package chart

import (
	"math"

	"bandscope/tui/theme"
)

// bars are the fillings of a cell of a sparkline, from the lowest value to the highest.
var (
	bars      = []rune("▁▂▃▄▅▆▇█")
	plainBars = []rune("_.-=+*#@")
)

// Spark draws values in a row of w cells, each the mean of the values that fall into it, from the least to the greatest
// of them. NaN and infinite values are gaps and, on a logarithmic scale, values that are not positive. With fewer
// values than cells the rest is blank.
func Spark(values []float64, w int, log bool, st theme.Style) string {
	cells := means(values, w, log)
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range cells {
		if !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	fill := bars
	if st.ASCII {
		fill = plainBars
	}
	line := make([]rune, max(w, 0))
	for i := range line {
		line[i] = ' '
		if i >= len(cells) || math.IsNaN(cells[i]) {
			continue
		}
		level := 0
		if hi > lo {
			level = min(int(float64(len(fill))*(cells[i]-lo)/(hi-lo)), len(fill)-1)
		}
		line[i] = fill[level]
	}
	return string(line)
}

// means are the means of the values that fall into each of at most w cells, NaN where none does.
func means(values []float64, w int, log bool) []float64 {
	cells := make([]float64, max(min(w, len(values)), 0))
	for i := range cells {
		sum, n := 0.0, 0
		for _, v := range values[i*len(values)/len(cells) : (i+1)*len(values)/len(cells)] {
			if log {
				v = math.Log(v)
			}
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				sum, n = sum+v, n+1
			}
		}
		cells[i] = sum / float64(n) // NaN where there is none
	}
	return cells
}
