package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/functions/sheet"
	"bandscope/functions/tomlfile"
)

// Table has the candidates of an experiment that can be evaluated at these inputs only. It is part of the declaration, so
// that nothing depends on its file later.
type Table struct {
	File    string   `json:"file"` // as the declaration names it; for information only
	SHA256  string   `json:"sha256"`
	Columns []string `json:"columns"` // the variables in their order, then the objectives and the limits at the beginning
	Rows    []Cells  `json:"rows"`    // choices by their index, from 0; NaN where a measurement failed, or is pending
	// rows without values are not measured yet, unless they are among Failed: people or programs evaluate them
	Pending bool     `json:"pending,omitempty"`
	Failed  []int    `json:"failed,omitempty"` // with Pending: the indices of rows whose measurement failed
	Label   string   `json:"label,omitempty"`  // the column that names the rows
	Labels  []string `json:"labels,omitempty"`

	Format sheet.Format `json:"-"` // how the file was read; zero if it was not read here
}

// Cells are the numbers of a row. In JSON, NaN is null.
type Cells []float64

// MarshalJSON writes NaN as null.
func (c Cells) MarshalJSON() ([]byte, error) {
	text := []byte{'['}
	for i, v := range c {
		if i > 0 {
			text = append(text, ',')
		}
		if math.IsNaN(v) {
			text = append(text, "null"...)
		} else {
			text = strconv.AppendFloat(text, v, 'g', -1, 64)
		}
	}
	return append(text, ']'), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (c *Cells) UnmarshalJSON(text []byte) error {
	var list []*float64
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	*c = make(Cells, len(list))
	for i, v := range list {
		(*c)[i] = math.NaN()
		if v != nil {
			(*c)[i] = *v
		}
	}
	return nil
}

// problemTable is the table with the outputs of a problem in their order; NaN for one without a column.
func (t *Table) problemTable(p *functions.Problem) *functions.Table {
	dim, outputs := p.Dim(), p.Outputs()
	columns := make([]int, len(outputs))
	for k, o := range outputs {
		columns[k] = slices.Index(t.Columns, o.Name)
	}
	x, y := make([][]float64, len(t.Rows)), make([][]float64, len(t.Rows))
	for i, row := range t.Rows {
		x[i], y[i] = row[:dim:dim], make([]float64, len(outputs))
		for k, c := range columns {
			y[i][k] = math.NaN()
			if c >= 0 {
				y[i][k] = row[c]
			}
		}
	}
	table := functions.NewTable(x, y)
	table.Labels = t.Labels
	return table
}

// sameInputs are the indices of two rows with the same inputs, of which there are dim; 0 and 0 if all differ.
func (t *Table) sameInputs(dim int) (first, second int) {
	x := make([][]float64, len(t.Rows))
	for i, row := range t.Rows {
		x[i] = row[:dim]
	}
	all := functions.NewTable(x, nil)
	for i, row := range x {
		if last := all.Row(row); last != i {
			return i, last
		}
	}
	return 0, 0
}

// table checks the table of a declaration that is right otherwise.
func (c *checker) table() {
	t, position := c.Table, Place{Table: tableTable, Key: "file"}
	if t == nil {
		return
	}
	fault := func(format string, args ...any) {
		c.addFault(position, "%s", "the table "+fmt.Sprintf(format, args...))
	}
	if text := textFault(t.File, maxAbout); text != "" {
		fault("file %s", text)
		return
	}
	if n := len(t.Rows); n < 2 || n > MaxTableRows || n*len(t.Columns) > MaxTableCell {
		fault("must have 2 to %d rows and at most %d cells, got %d rows of %d", MaxTableRows, MaxTableCell, n,
			len(t.Columns))
		return
	}
	if dim := len(c.Variables); len(t.Columns) < dim || !slices.Equal(t.Columns[:dim], variableNames(c.Variables)) {
		fault("must begin with the columns of the variables, in their order")
		return
	}
	for _, o := range slices.Concat(c.Objectives, c.Limits) {
		if !slices.Contains(t.Columns[len(c.Variables):], o.Name) {
			fault("has no column %s; the columns are %s", o.Name, joinWords(t.Columns, "and"))
			return
		}
	}
	if n := len(t.Labels); n != 0 && n != len(t.Rows) {
		fault("has %d labels for %d rows", n, len(t.Rows))
		return
	}
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			fault("has %d cells in row %d; it must have %d", len(row), i+1, len(t.Columns))
			return
		}
		for j, v := range c.Variables {
			if x := row[j]; !finite(x) || x != v.Snap(x) || v.Kind == functions.Real {
				fault("has the value %g of %s in row %d, which the variable does not take", row[j], v.Name, i+1)
				return
			}
		}
		if slices.ContainsFunc(row, func(v float64) bool { return math.IsInf(v, 0) }) {
			fault("has a value that is not finite in row %d", i+1)
			return
		}
	}
	if first, second := t.sameInputs(len(c.Variables)); second > 0 {
		fault("has the same inputs in rows %d and %d", first+1, second+1)
	}
}

// FileReader returns the content of a file that a declaration names, at most so many bytes and one more. The path is
// relative to the declaration and stays in its folder.
type FileReader func(path string, most int) ([]byte, error)

// Tabulated reports whether a file is a table of candidates, by its name.
func Tabulated(file string) bool {
	return slices.Contains([]string{".csv", ".tsv", ".xlsx"}, strings.ToLower(filepath.Ext(file)))
}

// ParseTable reads a table of candidates that needs no other file: a header marks the columns of objectives as yield:max
// or cost:min, and all other columns that differ between rows are variables. The error has all faults, as tomlfile.Faults.
func ParseTable(file string, text []byte) (*Declaration, error) {
	f := &tomlfile.Faults{File: file}
	d, err := readMarked(file, text)
	if err != nil {
		f.List = []tomlfile.Fault{{Text: err.Error()}}
		return nil, f
	}
	if err := d.Check(); err != nil {
		f.List = err.(*tomlfile.Faults).List
		return nil, f
	}
	return d, nil
}

// ParseResults reads a table as ParseTable does, but as results of an experiment that can be evaluated anywhere between
// the least and the greatest value of each variable, repeats included. It
// returns the rows beside the declaration: the variables, then the objectives; and how the file was read.
func ParseResults(file string, text []byte, o sheet.Options) (*Declaration, []Cells, sheet.Format, error) {
	d, in, err := readMarkedColumns(file, text, o)
	if err == nil {
		err = d.takeTable(in)
	}
	if err != nil {
		return nil, nil, sheet.Format{}, err
	}
	rows := d.Table.Rows
	if d.Table.Pending { // the others are no results
		rows = nil
		for _, m := range d.Table.Measurements(len(d.Variables)) {
			rows = append(rows, slices.Concat(m.X, m.Values))
		}
	}
	d.Table = nil
	for j, v := range d.Variables {
		if v.Kind == functions.Ordered {
			d.Variables[j] = functions.Variable{Name: v.Name, Low: v.Low, High: v.High}
		}
	}
	return d, rows, in.Format, d.Check()
}

func readMarked(file string, text []byte) (*Declaration, error) {
	d, in, err := readMarkedColumns(file, text, sheet.Options{})
	if err == nil {
		err = d.takeTable(in)
	}
	if err == nil {
		err = d.checkRows(in)
	}
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256(text)
	d.Table.File, d.Table.SHA256 = filepath.Base(file), hex.EncodeToString(hash[:])
	return d, nil
}

// readMarkedColumns reads a table whose header marks the objectives, which it declares.
func readMarkedColumns(file string, text []byte, options sheet.Options) (*Declaration, tableFile, error) {
	in, err := openTableFile(text, options)
	if err != nil {
		return nil, in, err
	}
	name := sheet.NameFrom(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	if nameFault(name, true) != "" || slices.Contains(functions.FamilyNames(), name) {
		name = "table_" + name
	}
	d := &Declaration{Name: name}
	for i, head := range in.Header {
		head, unit := sheet.SplitUnit(head)
		base, mark, _ := strings.Cut(head, ":")
		if name, inside := sheet.SplitUnit(base); unit == "" {
			base, unit = name, inside
		}
		o := functions.Objective{Name: sheet.NameFrom(base), Unit: unit}
		switch strings.ToLower(strings.TrimSpace(mark)) {
		case "max", "maximize":
			o.Direction = functions.Maximize
		case "min", "minimize":
			o.Direction = functions.Minimize
		default:
			continue
		}
		in.Header[i] = o.Name
		d.Objectives = append(d.Objectives, o)
	}
	if d.Objectives == nil {
		return nil, in, fmt.Errorf("line 1: no column is marked as an objective; write yield:max or cost:min in the header, or declare the table in a file: [table] file = %q", filepath.Base(file))
	}
	return d, in, nil
}

// takeTable fills in what follows from the table's file: the values of the variables, all variables where none is
// declared, and the rows. The error names the line and the column.
func (d *Declaration) takeTable(in tableFile) error {
	d.Table = &Table{Format: in.Format}
	outputs := objectiveNames(slices.Concat(d.Objectives, d.Limits))
	if len(d.Variables) == 0 {
		d.Variables = in.undeclaredVariables(outputs)
		d.takeLabels(in)
	}
	if len(d.Variables) == 0 {
		return fmt.Errorf("line 1: no column is a variable: %+q", in.Header)
	}
	d.Table.Columns = append(variableNames(d.Variables), outputs...)
	var units []string
	for _, v := range d.Variables {
		units = append(units, v.Unit)
	}
	for _, o := range slices.Concat(d.Objectives, d.Limits) {
		units = append(units, o.Unit)
	}
	columns := make([]int, len(d.Table.Columns))
	for k, name := range d.Table.Columns {
		var err error
		columns[k], err = in.column(name, units[k])
		if err != nil {
			return err
		}
	}
	d.Table.Rows = make([]Cells, len(in.Rows))
	for i := range in.Rows {
		d.Table.Rows[i] = make(Cells, len(columns))
	}
	for j := range d.Variables {
		values, err := in.variable(&d.Variables[j], columns[j])
		if err != nil {
			return err
		}
		for i, v := range values {
			d.Table.Rows[i][j] = v
		}
	}
	return d.takeOutputs(in, columns)
}

// checkRows reports rows with the same inputs, and a column of an objective without numbers.
func (d *Declaration) checkRows(in tableFile) error {
	dim := len(d.Variables)
	if first, second := d.Table.sameInputs(dim); second > 0 {
		return fmt.Errorf("line %d: the variables have the same values as in line %d; keep one of the rows, or their mean",
			in.Line(second), in.Line(first))
	}
	for k := dim; k < len(d.Table.Columns); k++ {
		if !d.Table.Pending && !slices.ContainsFunc(d.Table.Rows, func(row Cells) bool { return finite(row[k]) }) {
			return fmt.Errorf("the column %s has no number", d.Table.Columns[k])
		}
	}
	return nil
}

// nameAndUnit is the name of a column and its unit; without one if another column has the same name, as in "dose (g)"
// and "dose (mol)".
func (f tableFile) nameAndUnit(column int) (name, unit string) {
	base, unit := sheet.SplitUnit(f.Header[column])
	for i, head := range f.Header {
		if other, _ := sheet.SplitUnit(head); i != column && sheet.NameFrom(other) == sheet.NameFrom(base) {
			return sheet.NameFrom(f.Header[column]), ""
		}
	}
	return sheet.NameFrom(base), unit
}

// undeclaredVariables are the columns that are no outputs, no descriptors of another column, have a name and differ
// between rows.
func (f tableFile) undeclaredVariables(outputs []string) (list functions.Domain) {
	for i, head := range f.Header {
		name, unit := f.nameAndUnit(i)
		base, _, dotted := strings.Cut(head, ".")
		if name == "" || slices.Contains(outputs, name) || slices.Contains(outputs, head) ||
			dotted && slices.Contains(f.Header, base) {
			continue
		}
		if !slices.ContainsFunc(f.Rows, func(row []string) bool { return row[i] != f.Rows[0][i] }) {
			continue
		}
		list = append(list, functions.Variable{Name: name, Unit: unit})
	}
	return list
}

// variable sets the values of a variable from its column, and returns the value of each row: of a choice, the index of
// its name.
func (f tableFile) variable(v *functions.Variable, column int) ([]float64, error) {
	text := -1 // a row whose cell is not a number
	for i, row := range f.Rows {
		if row[column] == "" {
			return nil, f.CellError(i, column, "the cell is empty; a variable has a value in every row")
		}
		if !isNumber(row[column]) && text < 0 {
			text = i
		}
	}
	if v.Kind == functions.Choice || v.Kind == functions.Real && text >= 0 &&
		!slices.ContainsFunc(f.Rows, func(row []string) bool { return isNumber(row[column]) }) {
		v.Kind = functions.Choice
		return f.choice(v, column)
	}
	v.Kind = functions.Ordered
	values := make([]float64, len(f.Rows))
	for i := range f.Rows {
		var err error
		values[i], err = f.number(i, column)
		if err != nil {
			return nil, err
		}
	}
	v.Values = slices.Clone(values)
	slices.Sort(v.Values)
	v.Values = slices.Compact(v.Values)
	if len(v.Values) < 2 {
		return nil, f.CellError(-1, column, "%s is %s in every row; leave the variable out", v.Name,
			numfmt.Exact(v.Values[0]))
	}
	v.Low, v.High = v.Values[0], v.Values[len(v.Values)-1]
	return values, nil
}

// choice is variable for names.
func (f tableFile) choice(v *functions.Variable, column int) ([]float64, error) {
	values := make([]float64, len(f.Rows))
	var first []int // the row of each choice
	for i := range f.Rows {
		name := f.Raw(i, column)
		index := slices.Index(v.Choices, name)
		if index < 0 {
			index = len(v.Choices)
			v.Choices, first = append(v.Choices, name), append(first, i)
			if text := choiceFault(name); text != "" {
				return nil, f.CellError(i, column, "%s", text)
			}
		}
		if len(v.Choices) > maxListed {
			return nil, f.CellError(i, column, "the column has more than %d different names; remove the column if it only names the rows, or declare the variables in a file without it: [table]", maxListed)
		}
		values[i] = float64(index)
	}
	if len(v.Choices) < 2 {
		return nil, f.CellError(-1, column, "%s is %q in every row; leave the variable out", v.Name, v.Choices[0])
	}
	v.High = float64(len(v.Choices) - 1)
	return values, f.descriptors(v, column, values, first)
}

// descriptors reads the columns that are named after the column of a choice and a property, as in "solvent.boiling".
func (f tableFile) descriptors(v *functions.Variable, column int, values []float64, first []int) error {
	for k, head := range f.Header {
		base, property, dotted := strings.Cut(head, ".")
		if !dotted || base != f.Header[column] && sheet.NameFrom(base) != v.Name {
			continue
		}
		d := functions.Descriptor{Name: sheet.NameFrom(property), Values: make([]float64, len(v.Choices))}
		for i, c := range values {
			x, err := f.number(i, k)
			if err != nil {
				return err
			}
			if from := first[int(c)]; from == i {
				d.Values[int(c)] = x
			} else if d.Values[int(c)] != x {
				return f.CellError(i, k, "%s of %s is %s, but %s in line %d", d.Name, v.Choices[int(c)], numfmt.Exact(x),
					numfmt.Exact(d.Values[int(c)]), f.Line(from))
			}
		}
		v.Descriptors = append(v.Descriptors, d)
	}
	return nil
}
