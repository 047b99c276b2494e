package sessions

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Exports are the formats that Export writes.
var Exports = []string{"csv", "json", "txt"}

// Export writes what happened up to where the session stands: csv has one row a point, json is one object with the
// configuration and every iteration, txt is for reading.
func (st State) Export(w io.Writer, format string) error {
	switch format {
	case "csv":
		return st.exportCSV(w)
	case "json":
		return st.exportJSON(w)
	case "txt":
		return st.exportText(w)
	}
	return fmt.Errorf("the format must be one of %s, got %q", strings.Join(Exports, ", "), format)
}

// csvName keeps a name out of the reach of spreadsheets, which take a cell that begins with =, +, - or @ for a formula.
func csvName(s string) string {
	s = Sanitize(s)
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) {
		return "'" + s
	}
	return s
}

func (st State) exportCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	row := []string{"step", "by"}
	for _, v := range st.Problem.Domain {
		row = append(row, csvName(v.Name))
	}
	for _, o := range st.Problem.Objectives {
		row = append(row, csvName(o.Name), csvName(o.Name)+"_true")
	}
	if err := c.Write(append(row, "failed", "seconds")); err != nil {
		return err
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for _, it := range st.Iterations {
		for i, x := range it.X {
			row := []string{strconv.Itoa(it.Step), csvName(it.By)}
			for _, v := range x {
				row = append(row, number(v))
			}
			for k := range it.Y[i] {
				row = append(row, number(it.Y[i][k]), number(it.Truth[i][k]))
			}
			if err := c.Write(append(row, strconv.FormatBool(it.Failed[i]), number(it.Seconds))); err != nil {
				return err
			}
		}
	}
	c.Flush()
	return c.Error()
}

// iterationJSON is an iteration as export and run --json write it; values that are not finite are null in Best and the regrets.
type iterationJSON struct {
	Step       int       `json:"step"`
	By         string    `json:"by,omitempty"`
	X          [][]Float `json:"x"`
	Y          [][]Float `json:"y"`
	Best       *float64  `json:"best"`
	Simple     *float64  `json:"simple_regret"`
	Cumulative *float64  `json:"cumulative_regret"`
	Seconds    float64   `json:"seconds"`
	Note       string    `json:"note,omitempty"`
	Remarks    []string  `json:"remarks,omitempty"`
}

// finiteOrNull is nil for what JSON cannot say.
func finiteOrNull(v []float64, i int) *float64 {
	if v == nil || math.IsNaN(v[i]) || math.IsInf(v[i], 0) {
		return nil
	}
	return &v[i]
}

// Row is iteration i, from 0, as one JSON object.
func (st State) Row(i int, t Traces) any { return st.row(i, t) }

func (st State) row(i int, t Traces) iterationJSON {
	it := st.Iterations[i]
	return iterationJSON{Step: it.Step, By: it.By, X: floats(it.X), Y: floats(it.Y), Best: finiteOrNull(t.Best, i),
		Simple: finiteOrNull(t.Simple, i), Cumulative: finiteOrNull(t.Cumulative, i), Seconds: it.Seconds, Note: it.Note, Remarks: it.Remarks}
}

func (st State) exportJSON(w io.Writer) error {
	t := st.Traces()
	all := struct {
		Config     Config          `json:"config"`
		Params     any             `json:"params"` // as they are at the end
		Iterations []iterationJSON `json:"iterations"`
	}{st.Config, st.Params, []iterationJSON{}}
	for i := range st.Iterations {
		all.Iterations = append(all.Iterations, st.row(i, t))
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(all)
}

func (st State) exportText(w io.Writer) error {
	if _, err := fmt.Fprintln(w, st.Title()); err != nil {
		return err
	}
	t := st.Traces()
	for i := range st.Iterations {
		if _, err := fmt.Fprintln(w, st.Line(i, t)); err != nil {
			return err
		}
	}
	return nil
}

// Title is one line that says what the session is about.
func (st State) Title() string {
	s := fmt.Sprintf("%s · %s · seed %d · budget %d", st.Problem.Name, st.Spec.Name, st.Config.Seed, st.Config.Budget)
	if st.Config.Noise > 0 {
		s += fmt.Sprintf(" · noise %g", st.Config.Noise)
	}
	return s
}

// Line tells iteration i, from 0, in one line of text.
func (st State) Line(i int, t Traces) string {
	it := st.Iterations[i]
	var b strings.Builder
	fmt.Fprintf(&b, "step %3d", it.Step)
	for p, x := range it.X {
		b.WriteString("  x =")
		for j, v := range x {
			if j == 4 && len(x) > 6 {
				fmt.Fprintf(&b, " … (%d)", len(x))
				break
			}
			fmt.Fprintf(&b, " %.6g", v)
		}
		for k, o := range st.Problem.Objectives {
			fmt.Fprintf(&b, "  %s = %.6g", o.Name, it.Y[p][k])
		}
		if it.Failed[p] {
			b.WriteString(" (failed)")
		}
	}
	fmt.Fprintf(&b, "  best %.6g", t.Best[i])
	if t.Simple != nil {
		fmt.Fprintf(&b, "  regret %.3g", t.Simple[i])
	}
	if it.By == "person" {
		b.WriteString("  (chosen by hand)")
	}
	for _, n := range append([]string{it.Note}, it.Remarks...) {
		if n != "" {
			b.WriteString("  # " + Sanitize(n))
		}
	}
	return b.String()
}
