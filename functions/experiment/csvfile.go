package experiment

import (
	"fmt"
	"slices"
	"strings"

	"bandscope/functions/numfmt"
	"bandscope/functions/sheet"
)

// Bounds of a table of candidates.
const (
	MaxTableFile = 8 << 20 // bytes
	MaxTableRows = 10_000
	MaxTableCell = 300_000 // cells, with all columns
)

// tableFile is a table as its file has it.
type tableFile struct{ *sheet.Table }

// openTableFile reads a table. The error names the line.
func openTableFile(text []byte, o sheet.Options) (tableFile, error) {
	if len(text) > MaxTableFile {
		return tableFile{}, fmt.Errorf("the file has %d bytes; the maximum is %d, so leave out rows, or columns that are not needed", len(text), MaxTableFile)
	}
	o.MaxRows, o.MaxCells = MaxTableRows, MaxTableCell
	t, err := sheet.Read(text, o)
	if err != nil {
		return tableFile{}, err
	}
	if len(t.Rows) < 2 {
		return tableFile{}, fmt.Errorf("the table has %s; it needs 2 or more", numfmt.Count(len(t.Rows), "row"))
	}
	return tableFile{t}, nil
}

// column finds the column of a quantity.
func (f tableFile) column(name, unit string) (int, error) {
	i, err := f.Find(name, unit)
	if err == nil && i < 0 {
		err = f.Unknown(name)
	}
	return i, err
}

// ValidName is a name that a variable, an objective or an experiment may have, for any text.
func ValidName(text string) string {
	name := sheet.NameFrom(text)
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

// number is the finite number in a cell.
func (f tableFile) number(row, column int) (float64, error) {
	v, err := f.Number(row, column)
	if err == nil && !finite(v) {
		err = f.CellError(row, column, "the value must be finite, got %s", f.Rows[row][column])
	}
	return v, err
}
