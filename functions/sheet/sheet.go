// Package sheet reads tables that people make with spreadsheets: CSV with any of the usual separators, with decimal
// points or commas, in UTF-8, UTF-16 or Windows-1252, and workbooks (XLSX). A table becomes a header and rows of texts
// in which every number has a decimal point. Format describes how a table was read, and Options set it instead. A number
// with two readings is an error. Files have a bounded size.
package sheet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions/numfmt"
)

// Bounds of a table.
const (
	MaxBytes = 64 << 20 // of a file, and of a workbook when it is unpacked
	MaxRows  = 100_000
	MaxCells = 4_000_000
	maxCell  = 32_767 // bytes, as in Excel
)

// Options say how a table is written. Zero values are recognized.
type Options struct {
	Separator rune     // between columns: comma, semicolon or tab
	Decimal   rune     // point or comma
	Sheet     string   // the sheet of a workbook; empty for the first one
	MaxRows   int      // 0 for MaxRows
	MaxCells  int      // 0 for MaxCells
	Ragged    bool     // rows may be shorter than the header
	Texts     []string // columns that are never numbers, such as the names of points
}

// Separators and Decimals are the names of Options.Separator and of Options.Decimal.
var (
	Separators = map[string]rune{"comma": ',', "semicolon": ';', "tab": '\t'}
	Decimals   = map[string]rune{"point": '.', "comma": ','}
)

// ParseOptions reads the names of a separator and of a decimal sign; empty names are recognized from the table.
func ParseOptions(separator, decimal, page string) (o Options, err error) {
	o.Sheet = page
	find := func(subject, name string, names map[string]rune, order ...string) (rune, error) {
		if name == "" {
			return 0, nil
		}
		if r, ok := names[name]; ok {
			return r, nil
		}
		for _, r := range names {
			if name == string(r) {
				return r, nil
			}
		}
		return 0, fmt.Errorf("the %s must be %s, got %q", subject, strings.Join(order, " or "), name)
	}
	o.Separator, err = find("separator", separator, Separators, "comma", "semicolon", "tab")
	if err != nil {
		return o, err
	}
	o.Decimal, err = find("decimal sign", decimal, Decimals, "point", "comma")
	return o, err
}

// Table is a table with a header. Rows have as many cells as the header, without spaces around them, and numbers have a
// decimal point. Rows without any text are left out.
type Table struct {
	Header []string
	Rows   [][]string
	Format Format

	lines    []int      // where each row begins in its file, from 1
	headLine int        // the same of the header
	dates    [][2]int   // cells that a workbook has as dates, by row and column
	raw      [][]string // the rows as they are written; nil where they do not differ
	label    string     // of a row of the file: "line" or "row"
}

// Format is how a table is written.
type Format struct {
	Workbook  string // the name of the sheet of a workbook; empty for text
	Separator rune   // 0 for a workbook
	Decimal   rune   // 0 where no number has one
	Thousands string // the sign between thousands, if any number has one
	Encoding  string // empty for UTF-8

	Comments []int    // the lines that begin with #, which are left out
	Groups   int      // the line with the names of groups of columns above the header, which is left out; 0 for none
	Units    int      // the line with the units below the header; 0 for none
	Percent  []string // the headers of the columns whose numbers have a percent sign
	OldLines bool     // lines end in carriage returns alone, as on old Macs
}

// Plain reports whether a table is CSV with commas and decimal points, of which nothing needs to be said.
func (f Format) Plain() bool {
	return f.Workbook == "" && f.Separator == ',' && f.Decimal != ',' && f.Thousands == "" && f.Encoding == "" &&
		len(f.Notices()) == 0
}

// Notices say what of the table was left out or is read in another way than it is written.
func (f Format) Notices() (list []string) {
	label := "line"
	if f.Workbook != "" {
		label = "row"
	}
	if n := len(f.Comments); n > 0 {
		shown := f.Comments[:min(n, maxNamed)]
		text := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(shown)), ", "), "[]")
		if n > len(shown) {
			text += ", …"
		}
		list = append(list, fmt.Sprintf("comments with # are left out: %s %s", label, text))
	}
	if f.Groups > 0 {
		list = append(list, fmt.Sprintf("%s %d names groups of columns and is left out", label, f.Groups))
	}
	if f.Units > 0 {
		list = append(list, fmt.Sprintf("%s %d is read as the units of the columns", label, f.Units))
	}
	for _, head := range f.Percent {
		list = append(list, fmt.Sprintf("the percent signs of %s are read as its unit: 55%% is 55", head))
	}
	if f.OldLines {
		list = append(list, "lines end in carriage returns, as on old Macs")
	}
	return list
}

// maxNamed bounds how many lines of comments a notice names.
const maxNamed = 5

// String says in one line how the table was read, as "read with ; and decimal comma".
func (f Format) String() string {
	return strings.Join(append([]string{f.signs()}, f.Notices()...), "; ")
}

// signs says where the table was read from, or with which signs.
func (f Format) signs() string {
	var parts []string
	switch {
	case f.Workbook != "":
		return "read from the sheet " + strconv.Quote(f.Workbook)
	case f.Separator == '\t':
		parts = append(parts, "tabs")
	case f.Separator != 0:
		parts = append(parts, string(f.Separator))
	}
	switch f.Decimal {
	case ',':
		parts = append(parts, "decimal comma")
	case '.':
		parts = append(parts, "decimal point")
	}
	if f.Thousands != "" {
		name := map[string]string{".": "points", ",": "commas", " ": "spaces", "'": "apostrophes"}[f.Thousands]
		parts = append(parts, name+" between thousands")
	}
	if f.Encoding != "" {
		parts = append(parts, f.Encoding)
	}
	switch n := len(parts); n {
	case 0:
		return "read"
	case 1:
		return "read with " + parts[0]
	default:
		return "read with " + strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
}

// IsWorkbook reports whether the bytes of a file begin like those of a workbook.
func IsWorkbook(text []byte) bool { return bytes.HasPrefix(text, []byte("PK\x03\x04")) }

// ReadFrom is Read of all that a reader has.
func ReadFrom(r io.Reader, o Options) (*Table, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	return Read(text, o)
}

// Read reads a table. Errors name the line and the column.
func Read(text []byte, o Options) (*Table, error) {
	if o.MaxRows == 0 {
		o.MaxRows = MaxRows
	}
	if o.MaxCells == 0 {
		o.MaxCells = MaxCells
	}
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("the file has more than %d MiB", MaxBytes>>20)
	}
	var t *Table
	var err error
	switch {
	case IsWorkbook(text):
		t, err = readWorkbook(text, o)
	case bytes.HasPrefix(text, []byte{0xd0, 0xcf, 0x11, 0xe0}):
		return nil, errors.New("the file is a workbook of Excel 97, or one with a password; save it as XLSX without a password, or as CSV")
	default:
		t, err = readText(text, o)
	}
	if err != nil {
		return nil, err
	}
	if err := t.convertPercents(o); err != nil {
		return nil, err
	}
	t.takeUnits(o)
	if err := t.convertNumbers(o); err != nil {
		return nil, err
	}
	return t, nil
}

// add appends a row of the file unless it is empty, and checks the bounds.
func (t *Table) add(record []string, line int, o Options) error {
	row := make([]string, len(record))
	empty := true
	for i, cell := range record {
		if len(cell) > maxCell {
			return fmt.Errorf("%s %d, column %d: the cell has more than %d bytes", t.label, line, i+1, maxCell)
		}
		row[i] = strings.TrimSpace(cell)
		empty = empty && row[i] == ""
	}
	if empty {
		return nil
	}
	if t.Format.Workbook != "" && strings.HasPrefix(row[0], "#") && strings.Join(row[1:], "") == "" {
		t.Format.Comments = append(t.Format.Comments, line)
		return nil
	}
	if t.Header == nil {
		for len(row) > 0 && row[len(row)-1] == "" && t.Format.Workbook != "" {
			row = row[:len(row)-1]
		}
		t.Header, t.headLine = row, line
		return nil
	}
	if len(t.Rows) == 0 && t.Format.Groups == 0 && isGroupRow(t.Header, row) {
		t.Format.Groups = t.headLine
		t.Header, t.headLine = row, line
		return nil
	}
	for o.Ragged && len(row) < len(t.Header) {
		row = append(row, "")
	}
	for len(row) > len(t.Header) && row[len(row)-1] == "" {
		row = row[:len(row)-1]
	}
	if len(row) != len(t.Header) {
		hint := ""
		if len(t.Rows) == 0 {
			hint = "; the first row must name the columns, so remove the rows above it"
		}
		return fmt.Errorf("%s %d: the row has %s, but the header has %d%s", t.label, line,
			numfmt.Count(len(row), "cell"), len(t.Header), hint)
	}
	if len(t.Rows) == o.MaxRows || (len(t.Rows)+1)*len(row) > o.MaxCells {
		return fmt.Errorf("%s %d: the table has more than %d rows or %d cells; leave out rows, or columns that are not needed",
			t.label, line, o.MaxRows, o.MaxCells)
	}
	t.Rows, t.lines = append(t.Rows, row), append(t.lines, line)
	return nil
}

// Line is where a row begins in its file, from 1; the header is row −1.
func (t *Table) Line(row int) int {
	if row < 0 {
		return t.headLine
	}
	return t.lines[row]
}

// Place names the place of a row: "line 7" of a text, "row 7" of a workbook.
func (t *Table) Place(row int) string { return fmt.Sprintf("%s %d", t.label, t.Line(row)) }

// CellError is the error about a cell; row is −1 for the header.
func (t *Table) CellError(row, column int, format string, args ...any) error {
	name := ""
	if row >= 0 && t.Header[column] != "" {
		name = fmt.Sprintf(" (%.80s)", strconv.Quote(t.Header[column]))
	}
	return fmt.Errorf("%s, column %s%s: %s", t.Place(row), t.columnName(column), name, fmt.Sprintf(format, args...))
}

// columnName is a column as its program names it: a letter in a workbook, a number in a text.
func (t *Table) columnName(column int) string {
	if t.Format.Workbook == "" {
		return strconv.Itoa(column + 1)
	}
	name := ""
	for n := column + 1; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

// Raw is a cell as it is written, with the decimal sign of the file.
func (t *Table) Raw(row, column int) string {
	if t.raw == nil {
		return t.Rows[row][column]
	}
	return t.raw[row][column]
}

// isDate reports whether a workbook has a cell as a date.
func (t *Table) isDate(row, column int) bool { return slices.Contains(t.dates, [2]int{row, column}) }

// Number is the number in a cell. The error names the place and the fault.
func (t *Table) Number(row, column int) (float64, error) {
	text := t.Rows[row][column]
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case text == "":
		return 0, t.CellError(row, column, "the cell is empty; it must be a number")
	case t.isDate(row, column):
		return 0, t.CellError(row, column, "the cell is a date (%s), which the spreadsheet perhaps made of a number; format the column as numbers and type the number again", text)
	case err != nil || strings.ContainsAny(text, "xXpP_"):
		text = t.Raw(row, column)
		return 0, t.CellError(row, column, "%.80s is not a number%s", strconv.QuoteToASCII(text), numfmt.CommaHint(text))
	}
	return v + 0, nil // no −0
}
