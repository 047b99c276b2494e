package evaluator

import (
	"fmt"

	"bandscope/functions/trainer/hierarchy"
)

// Cells are the kinds of networks, in the order of the choices.
var Cells = []string{string(hierarchy.MLP), string(hierarchy.LSTM)}

// HierarchyForecast trains forecasts with lambda_e, alpha, basis, rate and rank and, if there is a sixth value, with
// that cell. Its values are the WAPE of the root and of the leaves, and the mean gap between forecasts and the means of
// their leaves, all in % (Paria 2022, thesis, ch. 6).
func HierarchyForecast(name string) *Problem {
	return &Problem{name, func(x []float64) (trainingRun, error) {
		return forecast(x, func(j hierarchy.Metrics) Outcome {
			note := fmt.Sprintf("levels between %s %% · SMAPE %s %%", formatPercents(j.Test.WAPE[1:len(j.Test.WAPE)-1]),
				formatPercents(j.Test.SMAPE))
			return Outcome{Values: []float64{j.RootWAPE(), j.LeafWAPE(), j.Incoherence()}, Note: note}
		})
	}}
}

// HierarchyLevels is the same with the WAPE of every level, from the root down.
func HierarchyLevels(name string) *Problem {
	return &Problem{name, func(x []float64) (trainingRun, error) {
		return forecast(x, func(j hierarchy.Metrics) Outcome {
			o := Outcome{Note: fmt.Sprintf("incoherence %.3g %% · SMAPE %s %%", j.Incoherence(),
				formatPercents(j.Test.SMAPE))}
			for _, v := range j.Test.WAPE {
				o.Values = append(o.Values, 100*v)
			}
			return o
		})
	}}
}

// forecast starts the training with the values of the variables.
func forecast(x []float64, judge func(hierarchy.Metrics) Outcome) (trainingRun, error) {
	t, err := hierarchy.New(hierarchySetting(x))
	if err != nil {
		return trainingRun{}, err
	}
	return trainingRun{t, func() string {
		l := t.Last()
		return fmt.Sprintf("error %.3f · E_reg %.3g", l.MAE, l.Reg)
	}, func() Outcome { return judge(t.Evaluate()) }}, nil
}

// hierarchySetting is the setting for the values of the variables.
func hierarchySetting(x []float64) hierarchy.Setting {
	s := hierarchy.Defaults()
	s.LambdaE = x[0]
	s.Alpha = x[1]
	s.Basis = int(x[2])
	s.Rate = x[3]
	s.Rank = int(x[4])
	if len(x) > 5 {
		s.Cell = hierarchy.Cell(Cells[int(x[5])])
	}
	return s
}

// formatPercents formats fractions as percentages, level by level.
func formatPercents(shares []float64) string {
	text := ""
	for i, v := range shares {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%.2f", 100*v)
	}
	return text
}
