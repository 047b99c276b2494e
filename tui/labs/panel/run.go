package panel

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/optimizers/param"
	"bandscope/sessions/training"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Color is the colour of a run, wherever it is drawn.
func Color(st theme.Style, run int) theme.Color { return st.Series[run%len(st.Series)] }

// Glyph is the mark of a run, wherever it is drawn, so that runs differ without colours too.
func Glyph(run int) theme.Glyph {
	if run == 0 {
		return theme.GlyphFilled
	}
	return theme.GlyphHollow
}

// Name names a run by the parameters that differ between the runs, such as "λ 1.4, regularizer l1". It is empty for a
// single run.
func Name(st training.State, run int) string {
	var parts []string
	for _, d := range DifferingParams(st) {
		parts = append(parts, d.Label+" "+d.Format(st.Runs[run].Params.Value(d.Key)))
	}
	return strings.Join(parts, ", ")
}

// DifferingParams are the parameters that differ between the runs.
func DifferingParams(st training.State) []param.Decl {
	if len(st.Runs) < 2 {
		return nil
	}
	a, b := st.Runs[0].Params, st.Runs[1].Params
	return slices.DeleteFunc(slices.Clone(a.Decls()), func(d param.Decl) bool {
		return a.Value(d.Key) == b.Value(d.Key)
	})
}

// Values are the values of a column after each update of a run. Where an update has no value, the last one before it is
// repeated; before the first value they are NaN.
func Values(r training.Run, column int) []float64 {
	values, last := make([]float64, len(r.Trace)), math.NaN()
	for i, row := range r.Trace {
		if !math.IsNaN(row[column]) {
			last = row[column]
		}
		values[i] = last
	}
	return values
}

// DescribeTraces describes a column over the updates by the first and the last value of each run, with the names of the
// runs if there are two.
func DescribeTraces(st training.State, column int, name func(run int) string) string {
	parts := make([]string, len(st.Runs))
	for i, r := range st.Runs {
		values := Values(r, column)
		first := slices.IndexFunc(values, func(v float64) bool { return !math.IsNaN(v) })
		parts[i] = "not measured yet"
		if first >= 0 {
			parts[i] = fmt.Sprintf("%s at update %d, %s now", widget.Number(values[first]), first+1,
				widget.Number(values[len(values)-1]))
		}
		if len(st.Runs) > 1 {
			parts[i] += " (" + name(i) + ")"
		}
	}
	return strings.Join(parts, "; ")
}
