package acts

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/floats/scalar"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/functions/sheet"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
)

// TableResult is the result of reporting a table.
type TableResult struct {
	Results       []TellAnswer // of the recorded rows, in their order
	Duplicates    int          // rows that were recorded before
	WithoutResult int          // rows without a result
	Format        sheet.Format // how the table was read
}

// TellTable records the results of a table, CSV or a workbook, as report.Export or a sheet of a plate writes it: a column
// for every reported objective and limit, the column "point" or one for every variable, and optionally "y_sd" (the
// standard error of an objective y), "cost", "failed" (true, or the reason), "notes" and "block"; it ignores others. A
// row is the result of the point that it names, or of a pending point at its inputs, or else of a point without a
// suggestion. Rows that are already recorded are skipped, so that a table can be reported again when it has grown.
// TellTable checks all rows before it records any; the error names the row. progress may be nil.
func TellTable(ctx context.Context, s *sessions.Session, r io.Reader, o sheet.Options, force bool,
	progress sessions.Progress) (TableResult, error) {
	b := newSnapshot(s, time.Now())
	o.Texts = slices.Clone(textColumns)
	for _, v := range b.state.Problem.Domain {
		if v.Kind == functions.Choice {
			o.Texts = append(o.Texts, v.Name, cmp.Or(v.Header, v.Name))
		}
	}
	table, err := sheet.ReadFrom(eventlog.WithContext(ctx, r), o)
	if err != nil {
		return TableResult{}, err
	}
	t := TableResult{Format: table.Format}
	rows, err := b.readTable(ctx, table)
	if err != nil {
		return t, err
	}
	var due []row
	seen := b.index()
	taken := map[Name]string{}
	for _, row := range rows {
		switch same, err := b.place(&row, seen); {
		case err != nil:
			return t, fmt.Errorf("%s: %w", row.place, err)
		case same:
			t.Duplicates++
			continue
		case row.empty():
			t.WithoutResult++
			continue
		}
		if row.point != nil {
			if first, twice := taken[row.point.Name]; twice {
				return t, fmt.Errorf("%s and %s are both for point %v", first, row.place, row.point.Name)
			}
			taken[row.point.Name] = row.place
		}
		if _, err := read(b.state, row.x, row.result, force); err != nil {
			return t, fmt.Errorf("%s: %w", row.place, err)
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
			result, err := b.tellRow(s, row)
			if err != nil {
				return fmt.Errorf("%s: %w; %s", row.place, err, goesOn(len(t.Results)))
			}
			t.Results = append(t.Results, result)
		}
		return nil
	})
	return t, err
}

// tellRow records a row.
func (b snapshot) tellRow(s *sessions.Session, r row) (TellAnswer, error) {
	if r.point != nil {
		return b.tell(s, *r.point, r.result, true)
	}
	input := encoding.EncodeMap(b.state.Problem.Domain, r.x)
	r.result.At = nil
	return add(s, input, r.result, true)
}

func goesOn(count int) string {
	return fmt.Sprintf("%s recorded before it; report the table again to continue", numfmt.Count(count, "row"))
}

// row is a row of a table.
type row struct {
	place  string    // in the file, such as "line 7"
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

// byInput and namedKey are keys of an input and of a point's name, which are never equal.
func byInput(x []float64) string {
	key := []byte("at")
	for _, v := range x {
		key = strconv.AppendFloat(append(key, ' '), v+0, 'g', -1, 64) // -0 is 0
	}
	return string(key)
}

func namedKey(name string) string { return "no " + name }

// index is the index of the snapshot's points.
func (b snapshot) index() tableIndex {
	s := tableIndex{map[string][]*record{}, map[string]*Point{}}
	for _, c := range b.recorded() {
		for _, key := range []string{byInput(c.it.Points[c.i].X), namedKey(nameFor(c.it, c.i).String())} {
			s.recorded[key] = append(s.recorded[key], &c)
		}
	}
	for _, p := range slices.Concat(b.pending, b.incompletePoints()) {
		if key := byInput(p.Input()); s.pending[key] == nil {
			s.pending[key] = &p
		}
		s.pending[namedKey(p.Name.String())] = &p
	}
	return s
}

// take marks the recorded point of a row as matched, once; false if there is none.
func (s tableIndex) take(p *functions.Problem, r row) bool {
	key := namedKey(r.name)
	if r.name == "" { // several points may have the same input, such as the replicates of a plate
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

// snap replaces the input of a row by that of the point that it names, if they differ in digits only that a spreadsheet
// does not keep.
func (s tableIndex) snap(r *row) {
	if r.name == "" || r.x == nil {
		return
	}
	var inputs [][]float64
	if p := s.pending[namedKey(r.name)]; p != nil {
		inputs = append(inputs, p.Input())
	}
	for _, c := range s.recorded[namedKey(r.name)] {
		inputs = append(inputs, c.it.Points[c.i].X)
	}
	for _, x := range inputs {
		if floats.EqualFunc(x, r.x, func(a, b float64) bool { return scalar.EqualWithinRel(a, b, 1e-13) }) {
			r.x = slices.Clone(x)
			return
		}
	}
}

// place finds the point of a row. It reports whether the row is already recorded.
func (b snapshot) place(r *row, seen tableIndex) (same bool, err error) {
	seen.snap(r)
	if r.x != nil {
		wider, _, err := b.state.Reaching(r.x)
		if err == nil {
			err = wider.Problem.Domain.Check(r.x)
		}
		if err != nil {
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
		r.point = seen.pending[namedKey(r.name)]
		if r.point == nil {
			if r.empty() && len(seen.recorded[namedKey(r.name)]) > 0 {
				return false, nil // an empty row of a sheet, whose result came in another way
			}
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
	count := 0
	for name, v := range r.point.Values {
		values, ok := r.result.Values[name]
		if ok && values != float64(v) {
			return false, fmt.Errorf("point %v: %s was reported as %v and is %v here: %w", r.point.Name, name, float64(v),
				values,
				sessions.ErrAlreadyTold)
		}
		if ok {
			count++
			delete(r.result.Values, name)
			delete(r.result.SE, name)
		}
	}
	if r.point.observed {
		r.result.Cost = 0 // it is recorded
	}
	return count > 0 && r.empty(), nil
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
