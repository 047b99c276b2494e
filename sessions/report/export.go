package report

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/sanitize"
)

// Formats are what Export writes.
var Formats = []string{"csv", "json", "txt"}

// Export writes the iterations up to a state: csv has one row per point, json is one object with the configuration and
// every iteration, txt is for reading.
func Export(ctx context.Context, st sessions.State, w io.Writer, format string) error {
	switch format {
	case "csv":
		return exportCSV(ctx, st, w)
	case "json":
		return exportJSON(ctx, st, w)
	case "txt":
		return exportText(ctx, st, w)
	}
	return fmt.Errorf("the format must be one of %s, got %q", strings.Join(Formats, ", "), format)
}

// CSVText is a text as a cell that spreadsheets do not read as a formula, as they do if it begins with =, +, - or @
// after any spaces.
func CSVText(s string) string {
	s = sanitize.Text(s)
	if strings.IndexAny(strings.TrimLeftFunc(s, unicode.IsSpace), "=+-@＝＋－＠") == 0 {
		return "'" + s
	}
	return s
}

// CSVInput are the values of an input as cells: numbers with all digits, and choices by their names.
func CSVInput(x []encoding.Value) []string {
	row := make([]string, len(x))
	for j, v := range x {
		row[j] = v.String()
		if v.IsChoice() {
			row[j] = CSVText(row[j])
		}
	}
	return row
}

// csvColumns says which optional columns a table has.
type csvColumns struct{ cost, se, suggested, reasons, blocks bool }

func csvColumnsFor(st sessions.State) csvColumns {
	t := csvColumns{cost: st.HasCosts()}
	for _, it := range st.Iterations {
		for _, pt := range it.Points {
			t.se, t.suggested = t.se || pt.SE != nil, t.suggested || pt.Suggested != nil
			t.reasons, t.blocks = t.reasons || pt.Reason != "", t.blocks || pt.Block != ""
		}
	}
	return t
}

// head is the first row of a table, with or without units behind the names.
func (t csvColumns) head(p *functions.Problem, units bool) []string {
	column := func(name, end, unit string) string {
		name = CSVText(name) + end
		if units && unit != "" {
			name += " (" + sanitize.Text(unit) + ")"
		}
		return name
	}
	row := []string{"step", "source"}
	for _, v := range p.Domain {
		row = append(row, column(v.Name, "", v.Unit))
	}
	for _, o := range p.Outputs() {
		row = append(row, column(o.Name, "", o.Unit), column(o.Name, "_true", o.Unit))
		if t.se {
			row = append(row, column(o.Name, "_se", o.Unit))
		}
	}
	if t.suggested {
		for _, v := range p.Domain {
			row = append(row, column(v.Name, "_suggested", v.Unit))
		}
	}
	if t.cost {
		row = append(row, p.CostColumn())
	}
	if t.reasons {
		row = append(row, "reason")
	}
	row = append(row, "failed")
	if p.LimitedOutputs() != nil {
		row = append(row, "feasible")
	}
	if t.blocks {
		row = append(row, "block")
	}
	return append(row, "seconds", "notes")
}

// row is a point of an iteration. Missing and unknown values are empty.
func (t csvColumns) row(st sessions.State, it sessions.Iteration, i int) []string {
	row := []string{strconv.Itoa(it.Step), CSVText(it.By)}
	row = append(row, CSVInput(encoding.EncodeRow(st.Problem.Domain, it.Points[i].X))...)
	for k, y := range it.Points[i].Y {
		value := number(y)
		truth := ""
		se := ""
		if it.IncompleteAt(i) && math.IsNaN(y) {
			value = ""
		}
		if it.Points[i].Truth != nil {
			truth = number(it.Points[i].Truth[k])
		}
		row = append(row, value, truth)
		if t.se {
			if it.Points[i].SE != nil && !math.IsNaN(it.Points[i].SE[k]) {
				se = number(it.Points[i].SE[k])
			}
			row = append(row, se)
		}
	}
	if t.suggested {
		row = append(row, CSVInput(encoding.EncodeRow(st.Problem.Domain, it.Points[i].Planned()))...)
	}
	if t.cost {
		row = append(row, number(it.Points[i].Cost))
	}
	if t.reasons {
		row = append(row, CSVText(it.Points[i].Reason))
	}
	notes := remarks(st, it.Step)
	if it.Points[i].Note != "" {
		notes = append([]string{it.Points[i].Note}, notes...)
	}
	row = append(row, strconv.FormatBool(it.Points[i].Failed && !it.IncompleteAt(i)))
	if st.Problem.LimitedOutputs() != nil {
		row = append(row, strconv.FormatBool(st.Feasible(it, i)))
	}
	if t.blocks {
		row = append(row, CSVText(it.Points[i].Block))
	}
	return append(row, number(it.Seconds), CSVText(strings.Join(notes, " / ")))
}

func exportCSV(ctx context.Context, st sessions.State, w io.Writer) error {
	c := csv.NewWriter(w)
	t := csvColumnsFor(st)
	if err := c.Write(t.head(st.Problem, false)); err != nil {
		return err
	}
	for _, it := range st.Iterations {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range it.Points {
			if err := c.Write(t.row(st, it, i)); err != nil {
				return err
			}
		}
	}
	c.Flush()
	return c.Error()
}

func exportJSON(ctx context.Context, st sessions.State, w io.Writer) error {
	t := AllTracesFor(st)
	all := struct {
		Config  sessions.Config `json:"config"`
		Params  param.Set       `json:"params"`                // at the end
		Measure *OutcomeRange   `json:"measured_by,omitempty"` // for several objectives
		// the observations that no other dominates, at the end
		Front      [][]Number `json:"front,omitempty"`
		Iterations []Row      `json:"iterations"`
	}{st.Config, st.Params, OutcomeRangeFor(st), nil, []Row{}}
	for i := range st.Iterations {
		if err := ctx.Err(); err != nil {
			return err
		}
		all.Iterations = append(all.Iterations, rowFor(st, i, t))
	}
	if t.Multiobjective != nil {
		all.Front = eventlog.CastRows[Number](Front(st, len(st.Iterations)))
	}
	return sanitize.IndentedJSON(w, all)
}

func exportText(ctx context.Context, st sessions.State, w io.Writer) error {
	if _, err := fmt.Fprintln(w, st.Title()); err != nil {
		return err
	}
	t := AllTracesFor(st)
	for i := range st.Iterations {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w, Line(st, i, t)); err != nil {
			return err
		}
	}
	if m := DescribeOutcomeRange(st); m != "" {
		if _, err := fmt.Fprintln(w, m); err != nil {
			return err
		}
	}
	return nil
}
