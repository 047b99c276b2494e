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
	"bandscope/tui/widget"
)

// field is what is entered in a row of the form.
type field int

const (
	value       field = iota // of an objective
	se                       // its standard error
	actualInput              // where the point was really run, of a variable
	cost                     //
	failed                   // why
	note
	correctionReason // why what was told before was wrong
)

// row is one field of the form.
type row struct {
	field
	index int    // of what is measured, or of the variable
	name  string // of that
}

// draft is what was typed of one point.
type draft struct {
	rows       []row
	texts      []string // of each row
	reported   []string // as they were at first
	correcting bool     // of all that was told of the point before
}

// rowsFor are the fields for a point: of what is measured only what is not told yet, or all of it where it is told
// anew, and of one that was told before an objective was added nothing else.
func rowsFor(problem *functions.Problem, p Point, instead bool) []row {
	var rows []row
	for k, o := range problem.Outputs() {
		if instead || p.lacks(o.Name) {
			rows = append(rows, row{value, k, o.Name}, row{se, k, o.Name})
		}
	}
	if p.pending {
		for j, v := range problem.Domain {
			rows = append(rows, row{actualInput, j, v.Name})
		}
		rows = append(rows, row{field: cost}, row{field: failed})
	}
	if rows = append(rows, row{field: note}); instead {
		rows = append(rows, row{field: correctionReason})
	}
	return rows
}

// reportedText is what is on record of a row, as it was told before; empty for nothing.
func (r row) reportedText(problem *functions.Problem, p Point) string {
	i := p.Index
	number := func(v float64) string {
		if math.IsNaN(v) || v == 0 && r.field != value {
			return ""
		}
		return numfmt.Exact(v)
	}
	switch {
	case r.field == actualInput:
		return problem.Domain[r.index].Text(p.X()[r.index])
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

// newDraft is an empty draft of a point, or what was told of it where it is told anew, but for what was typed in the
// one before.
func newDraft(problem *functions.Problem, rows []row, p Point, before *draft, instead bool) *draft {
	d := &draft{rows: rows, correcting: instead}
	for _, r := range d.rows {
		text := ""
		if instead || r.field == actualInput {
			text = r.reportedText(problem, p)
		}
		d.texts, d.reported = append(d.texts, text), append(d.reported, text)
	}
	if before != nil && before.correcting == instead {
		d.restore(before.typedTexts())
	}
	return d
}

// key names what is typed in a row.
func (r row) key() string {
	return strings.TrimSpace([...]string{value: "value", se: "error", actualInput: "at", cost: "cost", failed: "failed",
		note: "note", correctionReason: "why"}[r.field] + " " + r.name)
}

// typedTexts are the texts that were typed, by what they are of.
func (d *draft) typedTexts() map[string]string {
	kept := map[string]string{}
	for i, r := range d.rows {
		if d.texts[i] != d.reported[i] {
			kept[r.key()] = d.texts[i]
		}
	}
	return kept
}

// restore takes over texts that were typed.
func (d *draft) restore(kept map[string]string) {
	for i, r := range d.rows {
		if text, ok := kept[r.key()]; ok {
			d.texts[i] = text
		}
	}
}

// typed reports whether anything was.
func (d *draft) typed() bool { return d.changed(0, len(d.rows)) > 0 }

// changed is how many of the rows from one to before another are not as they were at first.
func (d *draft) changed(from, to int) (n int) {
	for i := from; i < to; i++ {
		if d.texts[i] != d.reported[i] {
			n++
		}
	}
	return n
}

// read reads the text of a row as a number; NaN where it says none. The error says what is wrong with it.
func (r row) read(p *functions.Problem, text string) (float64, error) {
	text = strings.TrimSpace(text)
	if text == "" || r.field == failed || r.field == note || r.field == correctionReason {
		return math.NaN(), nil
	}
	if r.field == actualInput && p.Domain[r.index].Levels() > 0 {
		return level(p.Domain[r.index], text)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(v, 0) {
		if swapped := strings.Replace(text, ",", ".", 1); swapped != text {
			if _, err := strconv.ParseFloat(swapped, 64); err == nil {
				return 0, fmt.Errorf("write %s, with a point", swapped)
			}
		}
		return 0, fmt.Errorf("%q is not a number", text)
	}
	switch finite := functions.Finite([]float64{v}); {
	case r.field == value && !finite:
		return 0, errors.New("this is no finite number: leave it empty, and say below why it failed")
	case r.field == se && (!finite || v <= 0):
		return 0, errors.New("an error is a positive number; leave it empty where it is not known")
	case r.field == cost && (!finite || v <= 0):
		return 0, errors.New("a cost is a positive number; leave it empty where it was not measured")
	case r.field == actualInput:
		if d := p.Domain[r.index]; !(v >= d.Low && v <= d.High) {
			return 0, fmt.Errorf("%s lies in [%s, %s]", d.Name, widget.Number(d.Low), widget.Number(d.High))
		}
	}
	return v, nil
}

// level reads a value of a variable that takes levels; of a choice the beginning of its name is enough.
func level(v functions.Variable, text string) (float64, error) {
	x, err := v.Parse(encoding.Complete(v, text))
	if err != nil {
		return 0, err
	}
	return x, v.Check(x)
}

// nextChoice is the text of a row with the next level of a variable that is chosen rather than typed, a choice or one
// that lists its numbers; false of other rows.
func (r row) nextChoice(p *functions.Problem, text string, by int) (string, bool) {
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
	return v.Text(v.Level((v.Nearest(x) + by + n) % n)), true
}

// result is what was entered, by names. Where something is wrong with it, that is told with the row in which it is.
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
		case f.field == note:
			r.Note = text
		case f.field == correctionReason:
		case math.IsNaN(v):
		case f.field == value:
			r.Values[p.Outputs()[f.index].Name] = v
		case f.field == se:
			r.SE[p.Outputs()[f.index].Name] = v
		case f.field == actualInput && d.texts[i] != d.reported[i]:
			// otherwise it was run where it is said to be, to the last digit
			r.At[p.Domain[f.index].Name] = v
		case f.field == cost:
			r.Cost = v
		}
	}
	return r, 0, d.whole(p, r)
}

// whole says what is wrong with a result of which each part is right.
func (d *draft) whole(p *functions.Problem, r functions.Result) error {
	for _, o := range p.Outputs() {
		if _, ok := r.Values[o.Name]; !ok && r.SE[o.Name] != 0 {
			return fmt.Errorf("%s has an error and no value", o.Name)
		}
	}
	switch {
	case len(r.Values) == 0 && r.Failed == "":
		return errors.New("nothing is entered yet: type a value, or why it failed; esc leaves")
	case r.Failed != "" && len(r.Values) == len(p.Outputs()):
		return errors.New("there is a value of everything, and a reason why it failed: empty one of them")
	}
	return nil
}

// label names the row.
func (r row) label(p *functions.Problem) string {
	switch r.field {
	case value:
		return p.Outputs()[r.index].Name
	case se:
		return "± error"
	case actualInput:
		return p.Domain[r.index].Name
	}
	return map[field]string{cost: "cost", failed: "failed", note: "note", correctionReason: "why anew"}[r.field]
}

// unit is that of what is entered in the row.
func (r row) unit(p *functions.Problem) string {
	switch r.field {
	case value, se:
		return p.Outputs()[r.index].Unit
	case actualInput:
		return p.Domain[r.index].Unit
	}
	return ""
}
