package experiment

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"bandscope/functions/didyoumean"
	"bandscope/functions/numfmt"
)

// Bounds of a table of candidates.
const (
	MaxTableFile = 8 << 20 // bytes
	MaxTableRows = 10_000
	maxTableCell = 300_000 // cells, with all columns
)

// csvFile is a table as its file has it: every row has a cell in every column.
type csvFile struct {
	names []string // of the columns as the header has them
	rows  [][]string
	lines []int // where each row begins
}

// readCSV reads a table. The error names the line.
func readCSV(text []byte) (*csvFile, error) {
	if len(text) > MaxTableFile {
		return nil, fmt.Errorf("the file has %d bytes; the maximum is %d", len(text), MaxTableFile)
	}
	in := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	in.TrimLeadingSpace = true
	head, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the file is empty; its first row must name the columns")
	}
	if err != nil {
		return nil, csvError(err)
	}
	f := &csvFile{}
	for _, name := range head {
		f.names = append(f.names, strings.TrimSpace(name))
	}
	for sign, name := range map[string]string{";": "semicolons", "\t": "tabs"} {
		if len(head) == 1 && strings.Contains(head[0], sign) {
			return nil, fmt.Errorf("line 1: the columns are separated by %s; use commas between columns and a decimal "+
				"point in numbers (18.5)", name)
		}
	}
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, csvError(err)
		}
		line, _ := in.FieldPos(0)
		if f.rows, f.lines = append(f.rows, record), append(f.lines, line); len(f.rows) > MaxTableRows ||
			len(f.rows)*len(head) > maxTableCell {
			return nil, fmt.Errorf("line %d: the table has more than %d rows or %d cells", line, MaxTableRows,
				maxTableCell)
		}
		for i := range record {
			record[i] = strings.TrimSpace(record[i])
		}
	}
	if len(f.rows) < 2 {
		return nil, fmt.Errorf("the table has %s; it needs 2 or more", numfmt.Count(len(f.rows), "row"))
	}
	return f, nil
}

// csvError is an error of the syntax with its line first.
func csvError(err error) error {
	var at *csv.ParseError
	switch {
	case errors.As(err, &at) && errors.Is(err, csv.ErrFieldCount):
		return fmt.Errorf("line %d: the row has more or fewer cells than the header", at.Line)
	case errors.As(err, &at):
		return fmt.Errorf("line %d, character %d: %w", at.Line, at.Column, at.Err)
	}
	return err
}

// cellError is the error about a cell; row is −1 for the header.
func (f *csvFile) cellError(row, column int, format string, args ...any) error {
	line := 1
	if row >= 0 {
		line = f.lines[row]
	}
	name := ""
	if row >= 0 && f.names[column] != "" {
		name = fmt.Sprintf(" (%.80s)", strconv.Quote(f.names[column]))
	}
	return fmt.Errorf("line %d, column %d%s: %s", line, column+1, name, fmt.Sprintf(format, args...))
}

// column finds a column by its header, exactly or as NameFrom has it; −1 if there is none.
func (f *csvFile) column(name string) (int, error) {
	found := -1
	for i, head := range f.names {
		if head != name && NameFrom(head) != name {
			continue
		}
		if found >= 0 {
			return 0, f.cellError(-1, i, "the column has the same name as column %d: %q", found+1, name)
		}
		found = i
	}
	if found < 0 {
		var names []string
		for _, head := range f.names {
			if name := NameFrom(head); name != "" {
				names = append(names, name)
			}
		}
		return -1, fmt.Errorf("line 1: %w", didyoumean.NewUnknownError("column", name, names))
	}
	return found, nil
}

// NameFrom is a header as a name: every run of other characters becomes a low line, and none is at an end.
func NameFrom(head string) string {
	words := strings.FieldsFunc(head, func(r rune) bool {
		return !unicode.IsLetter(r) && (r < '0' || r > '9') && r != '_'
	})
	return strings.Join(words, "_")
}

// ValidName is a name that a variable, an objective or an experiment may have, for any text.
func ValidName(text string) string {
	name := NameFrom(text)
	if len(name) > maxName/2 {
		name = strings.ToValidUTF8(name[:maxName/2], "")
	}
	if name == "" || nameFault(name, false) != "" && nameFault("x_"+name, false) == "" && !slices.Contains(reservedNames, name) {
		name = "x_" + name
	}
	if slices.Contains(reservedNames, name) {
		name += "_1"
	}
	return name
}

// isMissing reports whether a cell has no value.
func isMissing(cell string) bool {
	switch strings.ToLower(cell) {
	case "", "nan", "na", "n/a", "null", "none", "failed":
		return true
	}
	return false
}

// number is the number in a cell.
func (f *csvFile) number(row, column int) (float64, error) {
	text := f.rows[row][column]
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case text == "":
		return 0, f.cellError(row, column, "the cell is empty; it must be a number")
	case err != nil || strings.ContainsAny(text, "xXpP_"):
		return 0, f.cellError(row, column, "%.80s is not a number%s", strconv.QuoteToASCII(text), numfmt.CommaHint(text))
	case !finite(v):
		return 0, f.cellError(row, column, "the value must be finite, got %s", text)
	}
	return v + 0, nil // no −0
}
