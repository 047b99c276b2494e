package results

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
)

// field is the kind of a row of the form.
type field int

const (
	value       field = iota // of an objective
	se                       // its standard error
	actualInput              // the value of a variable that was actually used
	cost                     //
	failed                   // the reason of a failure
	block                    // the plate or day of the measurement
	note
	correctionReason // why the previous result was wrong
)

// kinds say what the rows of each kind are.
var kinds = [...]struct {
	key   string // in the drafts file
	label string // empty for the name of an output or a variable
	empty string // the placeholder of an empty field
	words bool   // the row takes words
	says  string // the description, with the typed text in place of %s; empty for one of its own
	term  string // of the glossary
}{
	value: {key: "value", empty: "······"},
	se: {key: "error", label: "± error", empty: "if known",
		says: "The standard error of the recorded value: %s.", term: "standard error"},
	actualInput: {key: "at"},
	cost: {key: "cost", label: "cost", empty: "if known",
		says: "The cost of the evaluation, if it was measured: %s.", term: "cost"},
	failed: {key: "failed", label: "failed", empty: "reason, if it failed", words: true, term: "observation",
		says: "The reason, if the evaluation failed: %s. A failure counts as an evaluation without a value."},
	block: {key: "block", label: "block", empty: "plate or day", words: true, term: "block",
		says: "The plate, the day or another block of the measurement: %s. The model estimates what the results of a block have in common. If it is empty, the result of a point on a plate has that plate."},
	note: {key: "note", label: "note", empty: "optional", words: true,
		says: "A note on this result: %s. The record keeps it; if you discard the point, it is the reason."},
	correctionReason: {key: "why", label: "reason", empty: "why the previous result was wrong", words: true, term: "observation",
		says: "Why the previous result was wrong: %s. The record keeps the reason with the correction."},
}

// row is one field of the form.
type row struct {
	field
	index int    // of the output or the variable
	name  string // of the output or the variable
}

// draft is the input of the form for one point.
type draft struct {
	rows       []row
	texts      []string // of each row
	reported   []string // the initial texts
	correcting bool     // the draft replaces the reported result
}

// rowsFor are the fields for a point: the missing outputs, or all of them for a correction (instead). A recorded result
// that misses a new objective has no other fields. If the session has blocks, one is for that of the result.
func rowsFor(st sessions.State, p Point, instead bool) []row {
	var rows []row
	problem := st.Problem
	for k, o := range problem.Outputs() {
		if instead || p.isMissing(o.Name) {
			rows = append(rows, row{value, k, o.Name}, row{se, k, o.Name})
		}
	}
	if p.pending {
		for j, v := range problem.Domain {
			rows = append(rows, row{actualInput, j, v.Name})
		}
		rows = append(rows, row{field: cost}, row{field: failed})
		if st.Blocks() != nil {
			rows = append(rows, row{field: block})
		}
	}
	rows = append(rows, row{field: note})
	if instead {
		rows = append(rows, row{field: correctionReason})
	}
	return rows
}

// reportedText is the recorded text of a row; empty for none.
func (r row) reportedText(st sessions.State, p Point) string {
	i, problem := p.Index, st.Problem
	number := func(v float64) string {
		if math.IsNaN(v) || v == 0 && r.field != value {
			return ""
		}
		return numfmt.Exact(v)
	}
	switch {
	case r.field == actualInput:
		return problem.Domain[r.index].Text(p.X()[r.index])
	case r.field == block:
		return st.BlockFor(p.Iteration, p.Points[i].Block)
	case !p.HasResults():
	case r.field == value:
		return number(p.Points[i].Y[r.index])
	case r.field == se && p.Points[i].SE != nil:
		return number(p.Points[i].SE[r.index])
	case r.field == cost:
		return number(p.Points[i].Cost)
	case r.field == failed:
		return p.Points[i].Reason
	case r.field == note:
		return p.Points[i].Note
	}
	return ""
}

// newDraft is an empty draft of a point, or for a correction (instead) one with the reported result. Texts that were
// typed in the draft before are kept.
func newDraft(st sessions.State, rows []row, p Point, before *draft, instead bool) *draft {
	d := &draft{rows: rows, correcting: instead}
	for _, r := range d.rows {
		text := ""
		if instead || r.field == actualInput || r.field == block {
			text = r.reportedText(st, p)
		}
		d.texts, d.reported = append(d.texts, text), append(d.reported, text)
	}
	if before != nil && before.correcting == instead {
		d.restore(before.typedTexts())
	}
	return d
}

// key is the name of a row in the drafts file.
func (r row) key() string { return strings.TrimSpace(kinds[r.field].key + " " + r.name) }

// typedTexts are the texts that were typed, by the keys of their rows.
func (d *draft) typedTexts() map[string]string {
	texts := map[string]string{}
	for i, r := range d.rows {
		if d.texts[i] != d.reported[i] {
			texts[r.key()] = d.texts[i]
		}
	}
	return texts
}

// restore sets texts that were typed before.
func (d *draft) restore(texts map[string]string) {
	for i, r := range d.rows {
		if text, ok := texts[r.key()]; ok {
			d.texts[i] = text
		}
	}
}

// typed reports whether anything was typed.
func (d *draft) typed() bool { return d.changed(0, len(d.rows)) > 0 }

// changed is how many of the rows from (inclusive) to end (exclusive) were changed.
func (d *draft) changed(from, end int) (n int) {
	for i := from; i < end; i++ {
		if d.texts[i] != d.reported[i] {
			n++
		}
	}
	return n
}

// read reads the text of a row as a number; NaN if it is empty or not a number field.
func (r row) read(p *functions.Problem, text string) (float64, error) {
	text = strings.TrimSpace(text)
	if r.field == block && len(text) > sessions.MaxBlock {
		return 0, fmt.Errorf("the name of a block has at most %d characters", sessions.MaxBlock)
	}
	if text == "" || kinds[r.field].words {
		return math.NaN(), nil
	}
	if r.field == actualInput && p.Domain[r.index].Levels() > 0 {
		return level(p.Domain[r.index], text)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(v, 0) {
		if swapped := strings.Replace(text, ",", ".", 1); swapped != text {
			if _, err := strconv.ParseFloat(swapped, 64); err == nil {
				return 0, fmt.Errorf("write %s with a decimal point", swapped)
			}
		}
		return 0, fmt.Errorf("%q is not a number", text)
	}
	switch finite := functions.Finite([]float64{v}); {
	case r.field == value && !finite:
		return 0, errors.New("the number is not finite; leave it empty and enter the reason below")
	case r.field == se && (!finite || v <= 0):
		return 0, errors.New("a standard error must be positive; leave it empty if it is unknown")
	case r.field == cost && (!finite || v <= 0):
		return 0, errors.New("a cost must be positive; leave it empty if it is unknown")
	case r.field == actualInput && !finite:
		return 0, errors.New("the number is not finite")
	}
	return v, nil
}

// level reads a value of a discrete variable; the beginning of the name of a choice is enough.
func level(v functions.Variable, text string) (float64, error) {
	x, err := v.Parse(encoding.Complete(v, text))
	if err != nil {
		return 0, err
	}
	return x, v.Check(min(max(x, v.Low), v.High)) // a value outside of the bounds is confirmed later
}

// nextChoice is the text of a row with the next level of a variable that lists its values; false for other rows.
func (r row) nextChoice(p *functions.Problem, text string, delta int) (string, bool) {
	if r.field != actualInput {
		return "", false
	}
	v := p.Domain[r.index]
	if v.Kind != functions.Choice && v.Kind != functions.Ordered {
		return "", false
	}
	x, err := level(v, text)
	if err != nil {
		return v.Text(v.Level(0)), true
	}
	n := v.Levels()
	return v.Text(v.Level((v.Nearest(x) + delta + n) % n)), true
}

// result is the entered result, by names. An error comes with the index of its row.
func (d *draft) result(p *functions.Problem) (r functions.Result, wrong int, err error) {
	r = functions.Result{Values: map[string]float64{}, SE: map[string]float64{}, At: map[string]float64{}}
	for i, f := range d.rows {
		v, err := f.read(p, d.texts[i])
		if err != nil {
			return r, i, fmt.Errorf("%s: %w", f.label(p), err)
		}
		text := strings.TrimSpace(d.texts[i])
		switch {
		case f.field == failed:
			r.Failed = text
		case f.field == block:
			r.Block = text
		case f.field == note:
			r.Note = text
		case f.field == correctionReason:
		case math.IsNaN(v):
		case f.field == value:
			r.Values[p.Outputs()[f.index].Name] = v
		case f.field == se:
			r.SE[p.Outputs()[f.index].Name] = v
		case f.field == actualInput && d.texts[i] != d.reported[i]:
			// an unchanged text means exactly the suggested value
			r.At[p.Domain[f.index].Name] = v
		case f.field == cost:
			r.Cost = v
		}
	}
	return r, 0, d.whole(p, r)
}

// whole checks a result whose fields are valid.
func (d *draft) whole(p *functions.Problem, r functions.Result) error {
	for _, o := range p.Outputs() {
		if _, ok := r.Values[o.Name]; !ok && r.SE[o.Name] != 0 {
			return fmt.Errorf("%s has a standard error but no value", o.Name)
		}
	}
	switch {
	case len(r.Values) == 0 && r.Failed == "":
		return errors.New("the form is empty; enter a value, or the reason for a failure")
	case r.Failed != "" && len(r.Values) == len(p.Outputs()):
		return errors.New("the form has all values and a reason for a failure; clear one of them")
	}
	return nil
}

// label names the row.
func (r row) label(p *functions.Problem) string {
	switch r.field {
	case value:
		return p.Outputs()[r.index].Name
	case actualInput:
		return p.Domain[r.index].Name
	}
	return kinds[r.field].label
}

// unit is the unit of the row.
func (r row) unit(p *functions.Problem) string {
	switch r.field {
	case value, se:
		return p.Outputs()[r.index].Unit
	case actualInput:
		return p.Domain[r.index].Unit
	}
	return ""
}
