package published

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"time"

	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
)

// column is a slice of traces with its name in tables.
type column struct {
	name string
	of   func(t *study.Trace) *[]float64
}

var columns = []column{
	{"seconds", func(t *study.Trace) *[]float64 { return &t.Seconds }},
	{"spent", func(t *study.Trace) *[]float64 { return &t.Spent }},
	{"repeats", func(t *study.Trace) *[]float64 { return &t.Repeats }},
	{"best", func(t *study.Trace) *[]float64 { return &t.Best }},
	{"simple_regret", func(t *study.Trace) *[]float64 { return &t.SimpleRegret }},
	{"cumulative_regret", func(t *study.Trace) *[]float64 { return &t.CumulativeRegret }},
	{"weighted_regret", func(t *study.Trace) *[]float64 { return &t.WeightedRegret }},
	{"hypervolume", func(t *study.Trace) *[]float64 { return &t.Hypervolume }},
	{"bayes_regret", func(t *study.Trace) *[]float64 { return &t.BayesRegret }},
}

// CSV writes a row per iteration, with the columns of the database's view result: study, cell, problem, method, seed,
// budget, dim, status; iteration, evaluations, seconds, spent, best and the regrets. Values that a run does not have,
// and numbers that are not known yet, are empty; so is the iteration of a thinned trace.
func CSV(w io.Writer, t *study.Table) error {
	out := csv.NewWriter(w)
	head := []string{"study", "cell", "problem", "method", "seed", "budget", "dim", "status", "iteration",
		"evaluations"}
	for _, c := range columns {
		head = append(head, c.name)
	}
	if err := out.Write(head); err != nil {
		return err
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		start := append(cellColumns(t, i), sanitize.Text(string(r.Status)))
		for k, evaluations := range r.Trace.Evaluations {
			iteration := strconv.Itoa(k + 1)
			if len(r.Trace.Evaluations) != r.Steps {
				iteration = ""
			}
			fields := append(append([]string(nil), start...), iteration, strconv.Itoa(evaluations))
			for _, c := range columns {
				fields = append(fields, element(*c.of(&r.Trace), k))
			}
			if err := out.Write(fields); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// CellsCSV writes a row per cell: its key, its progress, its result, the last numbers of its trace, and the measure by
// which the study compares it.
func CellsCSV(w io.Writer, t *study.Table) error {
	out := csv.NewWriter(w)
	head := []string{"study", "cell", "problem", "method", "seed", "budget", "dim", "id", "status", "steps",
		"attempts", "error", "program", "worker", "began", "ended", "run_seconds", "measure", "value", "evaluations"}
	for _, c := range columns[1:] {
		head = append(head, c.name)
	}
	if err := out.Write(head); err != nil {
		return err
	}
	measures := map[string]study.Measure{}
	for i := range t.Rows {
		r := &t.Rows[i]
		m, ok := measures[r.Problem]
		if !ok {
			m = study.MeasureFor(t.Declaration, r.Problem)
			measures[r.Problem] = m
		}
		last := len(r.Trace.Evaluations) - 1
		evaluations := ""
		if last >= 0 {
			evaluations = strconv.Itoa(r.Trace.Evaluations[last])
		}
		fields := append(cellColumns(t, i), r.ID(), sanitize.Text(string(r.Status)), strconv.Itoa(r.Steps),
			strconv.Itoa(r.Attempts), sanitize.Text(r.Error), sanitize.Text(r.Program), sanitize.Text(r.Worker),
			formatTime(r.Began), formatTime(r.Ended), number(r.Seconds), sanitize.Text(string(m)),
			element(r.Trace.Values(m), last),
			evaluations)
		for _, c := range columns[1:] {
			fields = append(fields, element(*c.of(&r.Trace), last))
		}
		if err := out.Write(fields); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// cellColumns are the columns that identify the cell of a row.
func cellColumns(t *study.Table, i int) []string {
	r := &t.Rows[i]
	return []string{sanitize.Text(t.Declaration.Name), strconv.Itoa(i), sanitize.Text(r.Problem),
		sanitize.Text(r.Method), strconv.FormatUint(r.Seed, 10), strconv.Itoa(r.Budget), strconv.Itoa(r.Dim)}
}

// element is a number of a slice; empty if it has none.
func element(v []float64, i int) string {
	if i < 0 || i >= len(v) {
		return ""
	}
	return number(v[i])
}

// number writes a number exactly; empty for NaN and infinities.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func formatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
