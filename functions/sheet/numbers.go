package sheet

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A number is read in one of these ways.
var (
	plainNumber = regexp.MustCompile(`^[-+−]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$`)
	commaNumber = regexp.MustCompile(`^[-+−]?(\d*,\d+|\d+,)([eE][-+]?\d+)?$`)
	// groups of thousands, with the sign between them, and a decimal sign
	grouped = regexp.MustCompile(`^[-+−]?\d{1,3}(?:([., '’\x{a0}\x{202f}\x{2009}])\d{3})+(?:([.,])\d+)?(?:[eE][-+]?\d+)?$`)
	// 1.234 and 1,234: a decimal sign, or one between thousands; 0.123 has only one reading
	eitherWay = regexp.MustCompile(`^[-+−]?[1-9]\d{0,2}[.,]\d{3}$`)
)

// reading is what one cell says about the numbers of a table.
type reading struct {
	isNumber  bool
	decimal   rune // that the number must have; 0 where it has none, or may have either
	thousands string
	either    bool // it has two readings
}

// readingOf reads one cell.
func readingOf(cell string) reading {
	if eitherWay.MatchString(cell) {
		return reading{isNumber: true, either: true}
	}
	switch m := grouped.FindStringSubmatch(cell); {
	case plainNumber.MatchString(cell):
		if strings.Contains(cell, ".") {
			return reading{isNumber: true, decimal: '.'}
		}
		return reading{isNumber: true}
	case commaNumber.MatchString(cell):
		return reading{isNumber: true, decimal: ','}
	case m == nil || !sameGroups(cell, m[1]) || m[1] == m[2]:
		return reading{}
	default:
		r := reading{isNumber: true, thousands: groupSign(m[1])}
		switch {
		case m[2] != "":
			r.decimal = rune(m[2][0])
		case m[1] == ".":
			r.decimal = ','
		case m[1] == ",":
			r.decimal = '.'
		}
		return r
	}
}

// sameGroups reports whether the thousands of a number have only one sign between them.
func sameGroups(cell, sign string) bool {
	digits := 0
	for i := strings.Index(cell, sign); i >= 0 && i < len(cell); i += len(sign) + digits {
		if !strings.HasPrefix(cell[i:], sign) {
			return strings.IndexAny(cell[i:i+1], ".,eE") == 0
		}
		digits = 3
	}
	return true
}

// groupSign is a sign between thousands, one of each kind.
func groupSign(sign string) string {
	switch sign {
	case ".", ",":
		return sign
	case "'", "’":
		return "'"
	}
	return " "
}

// convertNumbers writes all numbers of a table with a decimal point. Whether it has decimal commas follows from the
// columns of numbers, unless the options say it.
func (t *Table) convertNumbers(o Options) error {
	if t.Format.Workbook != "" {
		return t.convertTyped(o)
	}
	return t.convertColumns(o, t.numericColumns(o))
}

// convertTyped is convertColumns for a workbook. Numbers have points there, and only a text that was typed in place of a
// number has another sign.
func (t *Table) convertTyped(o Options) error {
	for _, j := range t.numericColumns(o) {
		for i, row := range t.Rows {
			r := readingOf(row[j])
			decimal := r.decimal
			if r.either {
				var err error
				r, err = t.readEither(i, j, '.', false)
				if err != nil {
					return err
				}
				decimal = '.'
			}
			if r.isNumber {
				t.set(i, j, plainText(row[j], r, decimal))
			}
		}
	}
	return nil
}

// numericColumns are the columns most of whose cells are numbers, of those with any text; without Options.Texts.
func (t *Table) numericColumns(o Options) (list []int) {
	for j, head := range t.Header {
		if slices.Contains(o.Texts, head) {
			continue
		}
		numbers, texts := 0, 0
		for _, row := range t.Rows {
			switch {
			case readingOf(row[j]).isNumber:
				numbers++
			case row[j] != "":
				texts++
			}
		}
		if numbers > 0 && numbers >= texts {
			list = append(list, j)
		}
	}
	return list
}

// cell is a place in a table.
type cell struct{ row, column int }

// convertColumns converts the numbers in some columns.
func (t *Table) convertColumns(o Options, columns []int) error {
	decimal, err := t.decimalSign(o, columns)
	if err != nil {
		return err
	}
	t.Format.Decimal = decimal
	other := map[rune]string{'.': ",", ',': "."}[decimal]
	for i, row := range t.Rows {
		for _, j := range columns {
			r := readingOf(row[j])
			if !r.isNumber {
				continue
			}
			if r.either {
				r, err = t.readEither(i, j, decimal, o.Decimal != 0)
				if err != nil {
					return err
				}
			}
			if r.thousands == other && r.thousands != "" || r.thousands == " " || r.thousands == "'" {
				t.Format.Thousands = r.thousands
			}
			t.set(i, j, plainText(row[j], r, decimal))
		}
	}
	return nil
}

// set changes a cell, and keeps how it was written.
func (t *Table) set(row, column int, text string) {
	if text == t.Rows[row][column] {
		return
	}
	if t.raw == nil {
		t.raw = slices.Clone(t.Rows)
	}
	if &t.raw[row][0] == &t.Rows[row][0] {
		t.Rows[row] = slices.Clone(t.Rows[row])
	}
	t.Rows[row][column] = text
}

// plainText is a number with a decimal point and nothing between thousands.
func plainText(text string, r reading, decimal rune) string {
	text = strings.ReplaceAll(text, "−", "-")
	if r.thousands != "" {
		sign := func(c rune) rune {
			if c == decimal || c >= '0' && c <= '9' || strings.ContainsRune("+-eE", c) {
				return c
			}
			return -1
		}
		text = strings.Map(sign, text)
	}
	if decimal == ',' {
		text = strings.Replace(text, ",", ".", 1)
	}
	return text
}

// readEither reads a number such as 1.234. With the decimal sign of the table it is an ordinary number. With the other
// one it is thousands if the sign was given, and otherwise an error.
func (t *Table) readEither(row, column int, decimal rune, explicit bool) (reading, error) {
	text := t.Rows[row][column]
	sign := rune('.')
	if strings.Contains(text, ",") {
		sign = ','
	}
	if sign == decimal {
		return reading{isNumber: true, decimal: decimal}, nil
	}
	if explicit {
		return reading{isNumber: true, thousands: string(sign)}, nil
	}
	plain := strings.Replace(text, string(sign), "", 1)
	return reading{}, t.CellError(row, column, "%s is %s or %s; write it without a sign between thousands, or say which decimal sign the table has (--decimal point or --decimal comma)", text, plain,
		strings.Replace(text, ",", ".", 1))
}

// decimalSign is the decimal sign of a table: the given one, or the only one that its numbers can have. Numbers such as
// 1,234 decide only with semicolons or tabs between the columns, where a comma must be one.
func (t *Table) decimalSign(o Options, columns []int) (rune, error) {
	first, either := map[rune]cell{}, map[string]cell{}
	for i, row := range t.Rows {
		for _, j := range columns {
			r := readingOf(row[j])
			if _, known := first[r.decimal]; r.isNumber && r.decimal != 0 && !known {
				first[r.decimal] = cell{i, j}
			}
			for _, sign := range []string{".", ","} {
				if _, known := either[sign]; r.either && strings.Contains(row[j], sign) && !known {
					either[sign] = cell{i, j}
				}
			}
		}
	}
	comma, commas := first[',']
	point, points := first['.']
	switch lone, ambiguous := either[","]; {
	case o.Decimal != 0:
		if wrong, ok := first[otherSign(o.Decimal)]; ok {
			return 0, t.CellError(wrong.row, wrong.column, "%s does not have a decimal %s, which was given for the table",
				t.Rows[wrong.row][wrong.column], signName(o.Decimal))
		}
		return o.Decimal, nil
	case commas && points:
		return 0, fmt.Errorf("%s has %s with a decimal comma, and %s has %s with a decimal point; use one of them in the table", t.Place(comma.row), t.Rows[comma.row][comma.column], t.Place(point.row),
			t.Rows[point.row][point.column])
	case commas:
		return ',', nil
	case points:
		return '.', nil
	case ambiguous:
		_, err := t.readEither(lone.row, lone.column, '.', false)
		return 0, err
	case len(either) > 0:
		return '.', nil
	}
	return 0, nil
}

func otherSign(decimal rune) rune { return '.' + ',' - decimal }

func signName(decimal rune) string {
	if decimal == ',' {
		return "comma"
	}
	return "point"
}
