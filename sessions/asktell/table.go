package asktell

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
)

// Bounds of a table, in bytes and in rows.
const (
	MaxTable = 64 << 20
	maxRows  = 100_000
)

// TableResult is the result of reporting a table.
type TableResult struct {
	Results       []TellResult // of the recorded rows, in their order
	Duplicates    int          // rows that were recorded before
	WithoutResult int          // rows without a result
}

// TellTable records the results of a CSV table, as report.Export writes it: a column for every reported objective and
// limit, the column "point" or one for every variable, and optionally "y_sd" (the standard error of an objective y),
// "cost", "failed" (true, or the reason) and "notes"; it ignores others. A row is the result of the point that it
// names, or of a pending point at its inputs, or else of a point without a suggestion. Rows that are already recorded
// are skipped, so that a table can be reported again when it has grown. TellTable checks all rows before it records
// any; the error names the row. progress may be nil.
func TellTable(ctx context.Context, s *sessions.Session, r io.Reader, force bool,
	progress sessions.Progress) (TableResult,
	error) {
	b := newSnapshot(s, time.Now())
	rows, err := b.readTable(ctx, r)
	if err != nil {
		return TableResult{}, err
	}
	var t TableResult
	var due []row
	seen := b.index()
	taken := map[Name]int{}
	for _, row := range rows {
		switch same, err := b.place(&row, seen); {
		case err != nil:
			return TableResult{}, fmt.Errorf("row %d: %w", row.number, err)
		case same:
			t.Duplicates++
			continue
		case row.empty():
			t.WithoutResult++
			continue
		}
		if row.point != nil {
			if first := taken[row.point.Name]; first > 0 {
				return TableResult{}, fmt.Errorf("rows %d and %d are both for point %v", first, row.number,
					row.point.Name)
			}
			taken[row.point.Name] = row.number
		}
		if _, err := read(b.state.Problem, row.x, row.result, force); err != nil {
			return TableResult{}, fmt.Errorf("row %d: %w", row.number, err)
		}
		due = append(due, row)
	}
	err = s.RecordTogether(func() error {
		for i, row := range due {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("%w; %s", err, goesOn(len(t.Results)))
			}
			if progress != nil {
				progress("recording rows", i, len(due))
			}
			told, err := b.tellRow(s, row)
			if err != nil {
				return fmt.Errorf("row %d: %w; %s", row.number, err, goesOn(len(t.Results)))
			}
			t.Results = append(t.Results, told)
		}
		return nil
	})
	return t, err
}

// tellRow records a row.
func (b snapshot) tellRow(s *sessions.Session, r row) (TellResult, error) {
	if r.point != nil {
		return b.tell(s, *r.point, r.result, true)
	}
	return Add(s, r.result, true)
}

func goesOn(told int) string {
	return fmt.Sprintf("%s recorded before it; report the table again to continue", numfmt.Count(told, "row"))
}

// row is a row of a table.
type row struct {
	number int       // in the file; the header is row 1
	name   string    // of its point; empty for none
	x      []float64 // nil if the row names a point and no input
	result functions.Result
	point  *Point // the pending point; nil for none
}

// empty reports whether the row has no result.
func (r row) empty() bool { return len(r.result.Values) == 0 && r.result.Failed == "" }

// tableIndex finds recorded and pending points for the rows of a table.
type tableIndex struct {
	recorded map[string][]*record // by input, and by name
	pending  map[string]*Point    // by input the first, and by name
}

// byInput and byName are keys of an input and of a point's name, which are never equal.
func byInput(x []float64) string {
	key := []byte("at")
	for _, v := range x {
		key = strconv.AppendFloat(append(key, ' '), v+0, 'g', -1, 64) // -0 is 0
	}
	return string(key)
}

func byName(name string) string { return "no " + name }

// index is the index of the snapshot's points.
func (b snapshot) index() tableIndex {
	s := tableIndex{map[string][]*record{}, map[string]*Point{}}
	for _, c := range b.recorded() {
		for _, key := range []string{byInput(c.it.Points[c.i].X), byName(nameFor(c.it, c.i).String())} {
			s.recorded[key] = append(s.recorded[key], &c)
		}
	}
	for _, p := range slices.Concat(b.pending, b.incompletePoints()) {
		if at := byInput(p.Input()); s.pending[at] == nil {
			s.pending[at] = &p
		}
		s.pending[byName(p.Name.String())] = &p
	}
	return s
}

// take marks the recorded point of a row as matched, once; false if there is none.
func (s tableIndex) take(p *functions.Problem, r row) bool {
	key := byName(r.name)
	if r.x != nil {
		key = byInput(r.x)
	}
	for _, c := range s.recorded[key] {
		if !c.matched && c.matches(p, r) {
			c.matched = true
			return true
		}
	}
	return false
}

// place finds the point of a row. It reports whether the row is already recorded.
func (b snapshot) place(r *row, seen tableIndex) (same bool, err error) {
	if r.x != nil {
		if err := b.state.Problem.Domain.Check(r.x); err != nil {
			return false, err
		}
	}
	if seen.take(b.state.Problem, *r) {
		return true, nil
	}
	if r.name != "" {
		n, err := ParseName(r.name)
		if err != nil {
			return false, err
		}
		if r.point = seen.pending[byName(r.name)]; r.point == nil {
			_, err := b.find(n)
			return false, b.known(n, err)
		}
	} else {
		r.point = seen.pending[byInput(r.x)]
	}
	if r.point != nil {
		if r.x == nil {
			r.x = r.point.Input()
		}
		if same, err := r.dropKnown(); same || err != nil {
			return same, b.known(r.point.Name, err)
		}
	}
	r.result.At = map[string]float64{}
	for j, v := range b.state.Problem.Domain {
		r.result.At[v.Name] = r.x[j]
	}
	return false, nil
}

// dropKnown removes values from a row that were reported before, and reports whether that was all.
func (r *row) dropKnown() (same bool, err error) {
	told := 0
	for name, v := range r.point.Values {
		given, ok := r.result.Values[name]
		if ok && given != float64(v) {
			return false, fmt.Errorf("point %v: %s was reported as %v and is %v here: "+
				"%w", r.point.Name, name, float64(v),
				given,
				sessions.ErrAlreadyTold)
		}
		if ok {
			told++
			delete(r.result.Values, name)
			delete(r.result.SE, name)
		}
	}
	if r.point.observed {
		r.result.Cost = 0 // it is recorded
	}
	return told > 0 && r.empty(), nil
}

// record is a recorded point with its result.
type record struct {
	it      sessions.Iteration
	i       int  // in the iteration's batch, from 0
	matched bool // a row has its result
}

// recorded are the points with complete results, including those of pending batches.
func (b snapshot) recorded() (list []record) {
	for _, it := range slices.Concat(b.state.Iterations, b.state.Pending) {
		for i := range it.Points {
			if it.HasResults() && !it.IncompleteAt(i) {
				list = append(list, record{it: it, i: i})
			}
		}
	}
	return list
}

// matches reports whether a row has the recorded result.
func (c record) matches(p *functions.Problem, r row) bool {
	y, failed := c.it.Points[c.i].Y, c.it.Points[c.i].Failed
	here := slices.Equal(c.it.Points[c.i].X, r.x)
	if r.x == nil {
		here = r.name == nameFor(c.it, c.i).String()
	}
	if !here || failed != (r.result.Failed != "") {
		return false
	}
	for k, o := range p.Outputs() {
		if v, ok := r.result.Values[o.Name]; !failed && (!ok || v != y[k]) {
			return false
		}
	}
	return true
}

// readTable reads all rows.
func (b snapshot) readTable(ctx context.Context, r io.Reader) ([]row, error) {
	limited := &io.LimitedReader{R: eventlog.WithContext(ctx, r), N: MaxTable + 1}
	in := csv.NewReader(limited)
	in.TrimLeadingSpace = true
	head, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the CSV is empty: its first row must name the columns")
	}
	if err != nil {
		return nil, fmt.Errorf("reading CSV: %w", err)
	}
	columns, err := b.columns(head)
	if err != nil {
		return nil, err
	}
	var rows []row
	for number := 2; ; number++ {
		record, err := in.Read()
		if errors.Is(err, io.EOF) && limited.N > 0 {
			return rows, nil
		}
		if limited.N <= 0 || number > maxRows+1 {
			return nil, fmt.Errorf("the CSV has more than %d rows or %d MiB", maxRows, MaxTable>>20)
		}
		if err != nil {
			return nil, fmt.Errorf("reading CSV: %w", err)
		}
		row, err := b.readRow(columns, record)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", number, err)
		}
		row.number = number
		rows = append(rows, row)
	}
}

// columns are the positions of the columns of a table.
func (b snapshot) columns(head []string) (map[string]int, error) {
	if err := report.CheckSeparator(head); err != nil {
		return nil, err
	}
	columns := map[string]int{}
	var names []string
	for i, h := range head {
		name := strings.TrimPrefix(strings.TrimSpace(strings.TrimPrefix(h, "\ufeff")), "'")
		if _, twice := columns[name]; twice && name != "" {
			return nil, fmt.Errorf("the CSV has two columns %q", sanitize.Text(name))
		}
		columns[name], names = i, append(names, name)
	}
	has := func(name string) bool { return slices.Contains(names, name) }
	list := sanitize.Text(strings.Join(names, ", "))
	if !slices.ContainsFunc(b.state.Problem.Outputs(), func(o functions.Objective) bool { return has(o.Name) }) {
		return nil, fmt.Errorf("the CSV has no column of an objective, such as %q; it has %s",
			b.state.Problem.Objectives[0].Name, list)
	}
	for _, v := range b.state.Problem.Domain {
		if !has(v.Name) && !has("point") {
			return nil, fmt.Errorf("the CSV has neither a column %q nor \"point\"; it has %s", v.Name, list)
		}
	}
	return columns, nil
}

// readRow reads a row.
func (b snapshot) readRow(columns map[string]int, record []string) (row, error) {
	cell := func(name string) string {
		if i, ok := columns[name]; ok {
			return strings.TrimSpace(record[i])
		}
		return ""
	}
	number := func(name string) (v float64, ok bool, err error) {
		text := cell(name)
		if text == "" {
			return 0, false, nil
		}
		if v, err = strconv.ParseFloat(text, 64); err != nil {
			return 0, false, fmt.Errorf("%s is %q, which is not a number%s", name, sanitize.Text(text),
				numfmt.CommaHint(text))
		}
		return v, true, nil
	}
	r := row{name: cell("point"), result: functions.Result{Values: map[string]float64{}, SE: map[string]float64{},
		Note: cell("notes")}}
	var err error
	if r.result.Cost, _, err = number("cost"); err != nil {
		return r, err
	}
	if failed := cell("failed"); failed != "" && !strings.EqualFold(failed, "false") {
		r.result.Failed = failed
		if strings.EqualFold(failed, "true") {
			r.result.Failed = "failed"
		}
	}
	for _, o := range b.state.Problem.Outputs() {
		v, ok, err := number(o.Name)
		if err != nil {
			return r, err
		}
		if ok && !(math.IsNaN(v) && r.result.Failed != "") {
			r.result.Values[o.Name] = v
		}
		if v, ok, err = number(o.Name + "_sd"); err != nil {
			return r, err
		} else if ok && !math.IsNaN(v) {
			r.result.SE[o.Name] = v
		}
	}
	given := 0
	for _, variable := range b.state.Problem.Domain {
		v, text := 0.0, cell(variable.Name)
		if text != "" {
			if v, err = variable.Parse(strings.TrimPrefix(text, "'")); err != nil {
				return r, err
			}
			given++
		}
		r.x = append(r.x, v)
	}
	if given == 0 && r.name != "" {
		r.x = nil
	} else if given < len(r.x) {
		return r, errors.New("it has values for some variables only")
	}
	return r, nil
}
