package sheet

import (
	"bytes"
	"slices"
	"strings"
)

// newLines is a text whose lines end in line feeds, and whether some ended in carriage returns alone.
func newLines(text []byte) ([]byte, bool) {
	if bytes.Count(text, []byte("\r")) == bytes.Count(text, []byte("\r\n")) {
		return text, false
	}
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(text, []byte("\r"), []byte("\n")), true
}

// blankComments is a text with empty lines in place of those that begin with #, and their numbers. They are no comments
// if half of the lines or more begin so, such as colors. The last one above the table is its header, without the #, if
// the line below it has as many cells and a number, as numpy.savetxt writes it.
func blankComments(text []byte, skipped int) ([]byte, []int) {
	if !bytes.Contains(text, []byte("#")) {
		return text, nil
	}
	lines := bytes.Split(text, []byte("\n"))
	top := 0
	for top < len(lines) && isComment(lines[top]) {
		top++
	}
	rows, marked := 0, 0
	for _, line := range lines[top:] {
		if len(bytes.TrimSpace(line)) > 0 {
			rows++
		}
		if isComment(line) {
			marked++
		}
	}
	header := -1
	if top > 0 && top < len(lines) && isHeaderOf(lines[top-1], lines[top]) {
		header = top - 1
		lines[header] = append([]byte(" "), lines[header][1:]...)
	}
	var numbers []int
	quoted := false
	for i, line := range lines {
		comment := i < top || 2*marked < rows
		if i != header && comment && !quoted && isComment(line) {
			lines[i] = nil
			numbers = append(numbers, i+1+skipped)
			continue
		}
		if bytes.Count(line, []byte(`"`))%2 == 1 {
			quoted = !quoted
		}
	}
	return bytes.Join(lines, []byte("\n")), numbers
}

func isComment(line []byte) bool { return bytes.HasPrefix(line, []byte("#")) }

// isHeaderOf reports whether a comment names the columns of the row below it.
func isHeaderOf(comment, row []byte) bool {
	sign := recognizeSeparator(append(append(bytes.Clone(comment), '\n'), row...))
	names, err := newReader(comment[1:], sign).Read()
	if err != nil {
		return false
	}
	cells, err := newReader(row, sign).Read()
	if err != nil || len(cells) != len(names) || len(cells) < 2 {
		return false
	}
	isNumber := func(text string) bool { return readingOf(strings.TrimSpace(text)).isNumber }
	return slices.ContainsFunc(cells, isNumber) && !slices.ContainsFunc(names, isNumber)
}

// isGroupRow reports whether the first row has names of groups of columns, such as ",conditions,,results", and the
// second one names the columns.
func isGroupRow(first, second []string) bool {
	named := 0
	for _, cell := range first {
		if strings.Contains(cell, ":") {
			return false
		}
		if cell != "" {
			named++
		}
	}
	if len(second) < 3 || len(second) < len(first) || 2*named > len(second) {
		return false
	}
	seen := map[string]bool{"": true}
	for _, cell := range second {
		if seen[cell] || readingOf(cell).isNumber {
			return false
		}
		seen[cell] = true
	}
	return true
}

// notUnits are words in the place of a number that are no units.
var notUnits = []string{"nan", "na", "n/a", "null", "none", "failed", "pending", "true", "false", "?"}

// takeUnits takes a first row with units below the header into the header: it has no number, although other columns
// than the units have numbers in all further rows.
func (t *Table) takeUnits(o Options) {
	if len(t.Rows) < 2 {
		return
	}
	units := t.Rows[0]
	rest := &Table{Header: t.Header, Rows: t.Rows[1:]}
	numeric := rest.numericColumns(o)
	some := false
	for j, cell := range units {
		short := len(cell) < maxUnit-2
		word := slices.Contains(notUnits, strings.ToLower(cell))
		switch isNumeric := slices.Contains(numeric, j); {
		case cell == "" || cell == "-" || cell == "–":
		case !isNumeric || !short || word || readingOf(cell).isNumber || isPercent(cell):
			return
		default:
			some = true
		}
	}
	if !some {
		return
	}
	for j, cell := range units {
		_, known := SplitUnit(t.Header[j])
		cell = strings.Trim(cell, "[]() ")
		if known == "" && cell != "" && cell != "-" && cell != "–" {
			t.Header[j] += " (" + cell + ")"
		}
	}
	t.Format.Units = t.lines[0]
	t.Rows, t.lines = t.Rows[1:], t.lines[1:]
	if t.raw != nil {
		t.raw = t.raw[1:]
	}
	for i := range t.dates {
		t.dates[i][0]--
	}
}

// isPercent reports whether a cell is a number with a percent sign.
func isPercent(cell string) bool {
	number, ok := strings.CutSuffix(cell, "%")
	return ok && readingOf(strings.TrimSpace(number)).isNumber
}

// convertPercents takes the percent signs of a column of numbers as its unit. All its numbers must have one, as 0.5 may
// be 50% or 0.5%.
func (t *Table) convertPercents(o Options) error {
	for j, head := range t.Header {
		if slices.Contains(o.Texts, head) {
			continue
		}
		percents := 0
		plain := -1
		texts := 0
		for i, row := range t.Rows {
			switch {
			case isPercent(row[j]):
				percents++
			case readingOf(row[j]).isNumber:
				plain = i
			case row[j] != "":
				texts++
			}
		}
		_, unit := SplitUnit(head)
		switch {
		case percents == 0 || percents < texts:
			continue
		case plain >= 0:
			return t.CellError(plain, j, "%s has no percent sign, but other numbers of the column have one; write all numbers of the column with it, or none", t.Rows[plain][j])
		case unit != "" && !strings.Contains(unit, "%"):
			return t.CellError(-1, j, "the header has the unit %s, but the numbers below it have percent signs; change one of them", unit)
		case unit == "":
			t.Header[j] += " (%)"
		}
		t.Format.Percent = append(t.Format.Percent, head)
		for i, row := range t.Rows {
			if isPercent(row[j]) {
				t.set(i, j, strings.TrimSpace(strings.TrimSuffix(row[j], "%")))
			}
		}
	}
	return nil
}

// IsZero reports whether nothing was read.
func (f Format) IsZero() bool { return f.Workbook == "" && f.Separator == 0 }
