package sessions

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gonum.org/v1/gonum/floats"

	"bandscope/functions/digits"
	"bandscope/optimizers/param"
	"bandscope/sessions/log"
)

// Exports are the formats that Export writes.
var Exports = []string{"csv", "json", "txt"}

// Export writes what happened up to where the session stands: csv has one row a point, json is one object with the
// configuration and every iteration, txt is for reading.
func (st State) Export(ctx context.Context, w io.Writer, format string) error {
	switch format {
	case "csv":
		return st.exportCSV(ctx, w)
	case "json":
		return st.exportJSON(ctx, w)
	case "txt":
		return st.exportText(ctx, w)
	}
	return fmt.Errorf("the format must be one of %s, got %q", strings.Join(Exports, ", "), format)
}

// CSVText is a text as a cell that spreadsheets do not take for a formula, as they do if it begins with =, +, - or @, whatever blanks are before.
func CSVText(s string) string {
	s = Sanitize(s)
	if strings.IndexAny(strings.TrimLeftFunc(s, unicode.IsSpace), "=+-@＝＋－＠") == 0 {
		return "'" + s
	}
	return s
}

func (st State) exportCSV(ctx context.Context, w io.Writer) error {
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
			if err := c.Write(append(row, strconv.FormatBool(it.Failed[i]), number(it.Seconds), CSVText(strings.Join(st.texts(it.Step), " / ")))); err != nil {
				return err
			}
		}
	}
	c.Flush()
	return c.Error()
}

// Number is a float64 for other programs, whose JSON cannot say that it is not finite: it is null then.
type Number float64

// MarshalJSON writes the number or null.
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// Row is an iteration for other programs, as run --json and export write it.
type Row struct {
	Step       int        `json:"step"`
	By         string     `json:"by,omitempty"`
	X          [][]Number `json:"x"`
	Y          [][]Number `json:"y"`
	Best       Number     `json:"best"`
	Simple     *Number    `json:"simple_regret"`          // null where the optimum is not known
	Cumulative *Number    `json:"cumulative_regret"`      //
	Volume     *Number    `json:"hypervolume,omitempty"`  // of problems with several objectives
	Bayes      *Number    `json:"bayes_regret,omitempty"` // where the method has a prior over weights
	Share      *Number    `json:"share,omitempty"`        // of the evaluations that lie inside the prior's boxes
	Front      [][]Number `json:"front,omitempty"`        // the observations so far that no other dominates
	Cost       *Number    `json:"cost,omitempty"`         // of the iteration, where evaluations do not all cost the same
	Total      *Number    `json:"total_cost,omitempty"`   // of all iterations so far
	Seconds    Number     `json:"seconds"`
	Weights    []Number   `json:"weights,omitempty"` // λ that it was chosen with
	Corrected  []Amended  `json:"corrected,omitempty"`
	Note       string     `json:"note,omitempty"` // of the optimizer
	Marked     bool       `json:"marked,omitempty"`
	Remarks    []string   `json:"remarks,omitempty"`
}

// Amended is a correction for other programs: what was on record before, and why it was changed.
type Amended struct {
	Point  int      `json:"point"` // of the batch, from 0
	Was    []Number `json:"was"`
	Reason string   `json:"reason,omitempty"`
}

// element is the i-th of values that may not be there.
func element(v []float64, i int) *Number {
	if v == nil {
		return nil
	}
	n := Number(v[i])
	return &n
}

// Row is iteration i, from 0, for other programs.
func (st State) Row(i int, t Traces) Row {
	row := st.row(i, t)
	if t.Several != nil {
		row.Front = log.CastRows[Number](st.ObservedFront(i + 1))
	}
	return row
}

// row is Row without the front, which an export tells once.
func (st State) row(i int, t Traces) Row {
	it := st.Iterations[i]
	row := Row{Step: it.Step, By: it.By, X: log.CastRows[Number](it.X), Y: log.CastRows[Number](it.Y), Best: Number(t.Best[i]),
		Simple: element(t.Simple, i), Cumulative: element(t.Cumulative, i), Seconds: Number(it.Seconds), Note: it.Note, Weights: log.Cast[Number](it.Weights),
		Remarks: st.texts(it.Step)}
	if st.Costly() {
		row.Total, row.Cost = element(t.Spent, i), element([]float64{floats.Sum(it.Cost)}, 0)
	}
	row.Marked = slices.ContainsFunc(st.NotesAt(it.Step), func(n Note) bool { return n.Mark })
	for _, c := range it.Corrections {
		row.Corrected = append(row.Corrected, Amended{c.Point, log.Cast[Number](c.Old), c.Reason})
	}
	if t.Several != nil {
		row.Best = Number(math.NaN()) // several objectives have a front, and no best value
		row.Volume, row.Bayes, row.Share = element(t.Several.Hypervolume, i), element(t.Several.BayesRegret, i), element(t.Several.Share, i)
	}
	return row
}

func (st State) exportJSON(ctx context.Context, w io.Writer) error {
	t := st.AllTraces()
	all := struct {
		Config     Config     `json:"config"`
		Params     param.Set  `json:"params"`                // as they are at the end
		Measure    *Measure   `json:"measured_by,omitempty"` // of several objectives
		Front      [][]Number `json:"front,omitempty"`       // the observations that no other dominates, at the end
		Iterations []Row      `json:"iterations"`
	}{st.Config, st.Params, st.Measured(), nil, []Row{}}
	for i := range st.Iterations {
		if err := ctx.Err(); err != nil {
			return err
		}
		all.Iterations = append(all.Iterations, st.row(i, t))
	}
	if t.Several != nil {
		all.Front = log.CastRows[Number](st.ObservedFront(len(st.Iterations)))
	}
	return writeJSON(w, all, "  ")
}

func (st State) exportText(ctx context.Context, w io.Writer) error {
	if _, err := fmt.Fprintln(w, st.Title()); err != nil {
		return err
	}
	t := st.AllTraces()
	for i := range st.Iterations {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w, st.Line(i, t)); err != nil {
			return err
		}
	}
	if m := st.MeasuredBy(); m != "" {
		if _, err := fmt.Fprintln(w, m); err != nil {
			return err
		}
	}
	return nil
}

// Title is one line that says what the session is about.
func (st State) Title() string {
	s := fmt.Sprintf("%s · %s · seed %d · budget %d", st.Problem.Name, st.Spec.Name, st.Config.Seed, st.Config.Budget)
	if st.Problem.Cost != nil {
		s += " · cost " + st.Problem.Cost.Text
	}
	if st.Config.CostBudget > 0 {
		s += " up to " + digits.Given(st.Config.CostBudget)
	}
	if st.Config.Noise > 0 {
		s += " · noise " + digits.Given(st.Config.Noise)
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
			b.WriteString(" " + digits.Of(v))
		}
		for k, o := range st.Problem.Objectives {
			fmt.Fprintf(&b, "  %s = %s", o.Name, digits.Of(it.Y[p][k]))
		}
		if it.Failed[p] {
			b.WriteString(" (failed)")
		}
	}
	switch {
	case t.Several != nil && math.IsNaN(t.Several.Hypervolume[i]):
	case t.Several != nil:
		b.WriteString("  hypervolume " + digits.Of(t.Several.Hypervolume[i]))
	default:
		b.WriteString("  best " + digits.Of(t.Best[i]))
	}
	if t.Simple != nil {
		b.WriteString("  regret " + digits.Of(t.Simple[i]))
	}
	if st.Costly() {
		fmt.Fprintf(&b, "  cost %s of %s", digits.Of(floats.Sum(it.Cost)), digits.Of(t.Spent[i]))
	}
	if it.By == ByPerson {
		b.WriteString("  (chosen by hand)")
	}
	for _, c := range it.Corrections {
		b.WriteString(Sanitize("  (was " + numbers(c.Old) + because(c.Reason) + ")"))
	}
	for _, n := range append([]string{it.Note}, st.texts(it.Step)...) {
		if n != "" {
			b.WriteString("  # " + Sanitize(n))
		}
	}
	return b.String()
}
