package report

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/log"
	"bandscope/sessions/safe"
)

// Formats are what Export writes.
var Formats = []string{"csv", "json", "txt"}

// Export writes what happened up to a state: csv has one row a point, json is one object with the
// configuration and every iteration, txt is for reading.
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

// CSVText is a text as a cell that spreadsheets do not take for a formula, as they do if it begins with =, +, - or @, whatever blanks are before.
func CSVText(s string) string {
	s = safe.Text(s)
	if strings.IndexAny(strings.TrimLeftFunc(s, unicode.IsSpace), "=+-@＝＋－＠") == 0 {
		return "'" + s
	}
	return s
}

func exportCSV(ctx context.Context, st sessions.State, w io.Writer) error {
	c := csv.NewWriter(w)
	row := []string{"step", "by"}
	for _, v := range st.Problem.Domain {
		row = append(row, CSVText(v.Name))
	}
	for _, o := range st.Problem.Objectives {
		row = append(row, CSVText(o.Name), CSVText(o.Name)+"_true")
	}
	if st.Costly() {
		row = append(row, "cost")
	}
	if err := c.Write(append(row, "failed", "seconds", "notes")); err != nil {
		return err
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for _, it := range st.Iterations {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i, x := range it.X {
			row := []string{strconv.Itoa(it.Step), CSVText(it.By)}
			for _, v := range x {
				row = append(row, number(v))
			}
			for k := range it.Y[i] {
				truth := ""
				if it.Truth != nil {
					truth = number(it.Truth[i][k])
				}
				row = append(row, number(it.Y[i][k]), truth)
			}
			if st.Costly() {
				row = append(row, number(it.Cost[i]))
			}
			if err := c.Write(append(row, strconv.FormatBool(it.Failed[i]), number(it.Seconds), CSVText(strings.Join(remarks(st, it.Step), " / ")))); err != nil {
				return err
			}
		}
	}
	c.Flush()
	return c.Error()
}

func exportJSON(ctx context.Context, st sessions.State, w io.Writer) error {
	t := AllTracesOf(st)
	all := struct {
		Config     sessions.Config `json:"config"`
		Params     param.Set       `json:"params"`                // as they are at the end
		Measure    *Measured       `json:"measured_by,omitempty"` // of several objectives
		Front      [][]Number      `json:"front,omitempty"`       // the observations that no other dominates, at the end
		Iterations []Row           `json:"iterations"`
	}{st.Config, st.Params, MeasuredOf(st), nil, []Row{}}
	for i := range st.Iterations {
		if err := ctx.Err(); err != nil {
			return err
		}
		all.Iterations = append(all.Iterations, rowOf(st, i, t))
	}
	if t.Several != nil {
		all.Front = log.CastRows[Number](Front(st, len(st.Iterations)))
	}
	return safe.IndentedJSON(w, all)
}

func exportText(ctx context.Context, st sessions.State, w io.Writer) error {
	if _, err := fmt.Fprintln(w, st.Title()); err != nil {
		return err
	}
	t := AllTracesOf(st)
	for i := range st.Iterations {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w, Line(st, i, t)); err != nil {
			return err
		}
	}
	if m := MeasuredBy(st); m != "" {
		if _, err := fmt.Fprintln(w, m); err != nil {
			return err
		}
	}
	return nil
}
