package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"bandscope/functions/numfmt"
	"bandscope/optimizers/inspection"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
)

// checkSearches measures the bands of a method in the course of its own searches.
func (o methodCheckOptions) checkSearches(ctx context.Context, out, errs io.Writer) error {
	position := slices.Compact(slices.Sorted(slices.Values(o.At)))
	if len(position) == 0 || position[0] < 2 || position[len(position)-1] > maxCalibrationData {
		return usagef("--at must name numbers of evaluations in [2, %d], got %v", maxCalibrationData, o.At)
	}
	if o.Over != "" {
		return usagef("--search measures one setting: leave out --over, and compare settings by --set")
	}
	spec, params, err := o.method()
	if err != nil {
		return err
	}
	p := diagnostics.SearchPlan{Functions: o.Functions, Config: o.config(spec, params), Seeds: o.Seeds, At: position}
	progress, done := newProgress(errs)
	rows, err := diagnostics.MeasureSearchCalibration(ctx, p, progress)
	done()
	if ctx.Err() != nil {
		return errors.New("interrupted; the measurements are not kept")
	}
	if err != nil {
		return err
	}
	if o.JSON {
		return searchRowsJSON(out, rows)
	}
	return searchRowsTable(out, p, rows)
}

// searchRowsTable prints the coverage in the course of searches, a row for each function and number of evaluations.
func searchRowsTable(out io.Writer, p diagnostics.SearchPlan, rows []diagnostics.SearchRow) error {
	fmt.Fprintf(out, "coverage of the bands of %s during its searches (%%), mean over %d seeds\n\n", p.Config.Optimizer,
		p.Seeds)
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	head := []string{"function", "evaluations"}
	for _, l := range inspection.Levels {
		head = append(head, percent(l))
	}
	fmt.Fprintln(t, strings.Join(append(head, "log density", "searches below 75 %"), "\t"))
	for _, r := range rows {
		cells := []string{r.Function, strconv.Itoa(r.Evaluations)}
		if r.Function == "" {
			cells = []string{"all", "all"}
		}
		for _, m := range r.Coverage {
			cells = append(cells, fmt.Sprintf("%.0f ± %.0f", 100*m.Value, 100*m.HalfWidth))
		}
		fmt.Fprintln(t, strings.Join(append(cells, numfmt.Format(r.LogDensity.Value), percent(r.Narrow)), "\t"))
	}
	return t.Flush()
}

type searchRowJSON struct {
	Function    string              `json:"function,omitempty"`    // absent: all of them
	Evaluations int                 `json:"evaluations,omitempty"` // absent: after all that were asked for
	Bands       []searchCoverageRow `json:"bands"`
	LogDensity  report.Number       `json:"log_density"`
	Narrow      report.Number       `json:"below_75"`
}

type searchCoverageRow struct {
	Nominal float64       `json:"nominal"`
	Inside  report.Number `json:"inside"`
	Half    report.Number `json:"interval_half"`
}

func searchRowsJSON(out io.Writer, rows []diagnostics.SearchRow) error {
	for _, r := range rows {
		row := searchRowJSON{Function: r.Function, Evaluations: r.Evaluations,
			LogDensity: report.Number(r.LogDensity.Value), Narrow: report.Number(r.Narrow)}
		for l, m := range r.Coverage {
			row.Bands = append(row.Bands, searchCoverageRow{inspection.Levels[l], report.Number(m.Value),
				report.Number(m.HalfWidth)})
		}
		if err := sanitize.JSON(out, row); err != nil {
			return err
		}
	}
	return nil
}
