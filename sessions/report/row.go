package report

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
	"bandscope/sessions/sanitize"
)

// Number is a float64 for other programs. In JSON, NaN and infinities are null.
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
	Step int                `json:"step"`
	By   string             `json:"source,omitempty"`
	X    [][]encoding.Value `json:"x"`
	Y    [][]Number         `json:"y"`
	// the suggested point, if another one was evaluated
	Suggested [][]encoding.Value `json:"suggested,omitempty"`
	SE        [][]Number         `json:"se,omitempty"`      // standard errors, null if unknown
	Missing   [][]string         `json:"missing,omitempty"` // of each point the objectives without a value
	Reasons   []string           `json:"reasons,omitempty"` // why each point failed
	// whether each point is within all limits, if there are any
	Feasible   []bool   `json:"feasible,omitempty"`
	Notes      []string `json:"notes,omitempty"`  // the note on the result of each point
	Blocks     []string `json:"blocks,omitempty"` // the plate or day of the result of each point
	Best       Number   `json:"best"`
	Simple     *Number  `json:"simple_regret"`          // null if the optimum is not known
	Cumulative *Number  `json:"cumulative_regret"`      // null if the optimum is not known
	Volume     *Number  `json:"hypervolume,omitempty"`  // for several objectives
	Bayes      *Number  `json:"bayes_regret,omitempty"` // for a method with a prior over weights
	// of the evaluations that lie inside the prior's boxes
	Share *Number    `json:"share,omitempty"`
	Front [][]Number `json:"front,omitempty"` // the observations so far that no other dominates
	// of the iteration, if evaluations differ in cost
	Cost      *Number      `json:"cost,omitempty"`
	Total     *Number      `json:"total_cost,omitempty"` // of all iterations so far
	Seconds   Number       `json:"seconds"`
	Weights   []Number     `json:"weights,omitempty"` // λ that it was chosen with
	Corrected []Correction `json:"corrected,omitempty"`
	Note      string       `json:"note,omitempty"` // of the optimizer
	Marked    bool         `json:"marked,omitempty"`
	Remarks   []string     `json:"remarks,omitempty"`
}

// Correction is a correction for other programs: the values before it, and the reason.
type Correction struct {
	Point  int              `json:"point"` // of the batch, from 0
	Was    []Number         `json:"old"`
	SE     []Number         `json:"se,omitempty"`   // where the standard errors were changed
	At     []encoding.Value `json:"x,omitempty"`    // where the place was
	Cost   Number           `json:"cost,omitempty"` // where the cost was
	Reason string           `json:"reason,omitempty"`
}

// element is the i-th of some values; nil if there are none.
func element(v []float64, i int) *Number {
	if v == nil {
		return nil
	}
	n := Number(v[i])
	return &n
}

// RowFor is iteration i, from 0, for other programs.
func RowFor(st sessions.State, i int, t Traces) Row {
	row := rowFor(st, i, t)
	if t.Multiobjective != nil {
		row.Front = eventlog.CastRows[Number](Front(st, i+1))
	}
	return row
}

// rowFor is RowFor without the front, which an export writes once.
func rowFor(st sessions.State, i int, t Traces) Row {
	it := st.Iterations[i]
	row := Row{Step: it.Step, By: it.By, X: encoding.EncodeRows(st.Problem.Domain, it.Inputs()),
		Y: eventlog.CastRows[Number](it.Outcomes()), Best: Number(t.Best[i]),
		Simple: element(t.SimpleRegret, i), Cumulative: element(t.CumulativeRegret, i), Seconds: Number(it.Seconds),
		Note:    it.Note,
		Weights: eventlog.Cast[Number](it.Weights),
		Remarks: remarks(st, it.Step), Reasons: nonEmptyTexts(it, func(pt sessions.Point) string { return pt.Reason }),
		Notes:  nonEmptyTexts(it, func(pt sessions.Point) string { return pt.Note }),
		Blocks: nonEmptyTexts(it, func(pt sessions.Point) string { return pt.Block })}
	if it.Moved() {
		row.Suggested = encoding.EncodeRows(st.Problem.Domain, sessions.Column(it, sessions.Point.Planned))
	}
	if it.Incomplete() {
		row.Missing = sessions.Column(it, func(pt sessions.Point) []string { return pt.Missing })
	}
	if st.Problem.LimitedOutputs() != nil {
		for p := range it.Points {
			row.Feasible = append(row.Feasible, st.Feasible(it, p))
		}
	}
	if slices.ContainsFunc(it.Points, func(pt sessions.Point) bool { return pt.SE != nil }) {
		row.SE = eventlog.CastRows[Number](sessions.Column(it, func(pt sessions.Point) []float64 { return pt.SE }))
	}
	if st.HasCosts() {
		row.Total, row.Cost = element(t.Cost, i), element([]float64{it.Cost()}, 0)
	}
	row.Marked = slices.ContainsFunc(st.NotesAt(it.Step), func(n recorder.Note) bool { return n.Mark })
	for _, c := range it.Corrections {
		row.Corrected = append(row.Corrected,
			Correction{c.Point, eventlog.Cast[Number](c.Old), eventlog.Cast[Number](c.OldSE),
				encoding.EncodeRow(st.Problem.Domain, c.OldAt), Number(c.OldCost), c.Reason})
	}
	if t.Multiobjective != nil {
		row.Best = Number(math.NaN()) // several objectives have a front, and no best value
		row.Volume = element(t.Multiobjective.Hypervolume, i)
		row.Bayes = element(t.Multiobjective.BayesRegret, i)
		row.Share = element(t.Multiobjective.BoxShare, i)
	}
	return row
}

// nonEmptyTexts are the texts of all points; nil if all are empty.
func nonEmptyTexts(it sessions.Iteration, apply func(sessions.Point) string) []string {
	texts := sessions.Column(it, apply)
	if slices.ContainsFunc(texts, func(t string) bool { return t != "" }) {
		return texts
	}
	return nil
}

// remarks are the texts of the notes on a step.
func remarks(st sessions.State, step int) []string {
	var texts []string
	for _, n := range st.NotesAt(step) {
		if n.Text != "" {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

// Line is iteration i, from 0, in one line of text.
func Line(st sessions.State, i int, t Traces) string {
	it := st.Iterations[i]
	var b strings.Builder
	fmt.Fprintf(&b, "step %3d", it.Step)
	for p, pt := range it.Points {
		b.WriteString("  x =")
		for j, v := range pt.X {
			if j == 4 && len(pt.X) > 6 {
				fmt.Fprintf(&b, " … (%d)", len(pt.X))
				break
			}
			b.WriteString(" " + st.Problem.Domain[j].Text(v))
		}
		for k, o := range st.Problem.Outputs() {
			fmt.Fprintf(&b, "  %s = %s", o.Name, numfmt.Format(pt.Y[k]))
		}
		switch {
		case it.IncompleteAt(p):
			b.WriteString(" (still missing: " + sanitize.Text(strings.Join(pt.Missing, ", ")) + ")")
		case pt.Failed:
			b.WriteString(" (failed)")
		case !st.Feasible(it, p):
			b.WriteString(" (beyond a limit)")
		}
		if pt.Note != "" {
			b.WriteString(" (" + sanitize.Text(pt.Note) + ")")
		}
	}
	switch {
	case t.Multiobjective != nil && math.IsNaN(t.Multiobjective.Hypervolume[i]):
	case t.Multiobjective != nil:
		b.WriteString("  hypervolume " + numfmt.Format(t.Multiobjective.Hypervolume[i]))
	default:
		b.WriteString("  best " + numfmt.Format(t.Best[i]))
	}
	if t.SimpleRegret != nil {
		b.WriteString("  regret " + numfmt.Format(t.SimpleRegret[i]))
	}
	if st.HasCosts() {
		fmt.Fprintf(&b, "  cost %s (total %s)", numfmt.Format(it.Cost()), numfmt.Format(t.Cost[i]))
	}
	if it.By == sessions.ByPerson {
		b.WriteString("  (chosen by hand)")
	}
	for _, c := range it.Corrections {
		b.WriteString(sanitize.Text("  (was " + c.Describe() + ")"))
	}
	for _, n := range append([]string{it.Note}, remarks(st, it.Step)...) {
		if n != "" {
			b.WriteString("  # " + sanitize.Text(n))
		}
	}
	return b.String()
}
