package export

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/sessions/sanitize"
)

// table is one of the page's tables.
type table struct {
	Head []cell
	Rows []row
}

type row struct {
	Cells  []cell
	Failed bool
}

// cell is a text with smaller ones below it.
type cell struct {
	Text   string
	More   []string
	Number bool // aligned right
	Time   bool // not broken into lines
}

// Class is the cell's class of style: a number, a time, or words; a few words need none.
func (c cell) Class() string {
	switch {
	case c.Number:
		return "n"
	case c.Time:
		return "t"
	case len(c.Text) > 24 || len(c.More) > 0:
		return "w"
	}
	return ""
}

// Label is the text of a head in one line, with its unit.
func (c cell) Label() string {
	if len(c.More) == 0 {
		return c.Text
	}
	return c.Text + " (" + strings.Join(c.More, ", ") + ")"
}

// Empty reports whether there is nothing in the cell.
func (c cell) Empty() bool { return c.Text == "" && len(c.More) == 0 }

// Long reports whether a part of a head is so long that it may be broken anywhere.
func (t table) Long(piece string) bool { return utf8.RuneCountInString(piece) > maxPiece }

// maxPiece is the length of a part of a head, in characters, that fits into a column of a printed page.
const maxPiece = 14

// Label is the head of a column.
func (t table) Label(column int) string { return t.Head[column].Label() }

// Pieces are the parts of a name between which a line may be broken.
func (c cell) Pieces() []string { return strings.SplitAfter(c.Text, "_") }

// fact is a recommendation or a finding.
type fact struct{ Term, Text string }

// words is a cell of text, which may come from anywhere.
func words(format string, args ...any) cell {
	return cell{Text: unbroken(sanitize.Text(fmt.Sprintf(format, args...)))}
}

// unbroken is a text in which no line ends between a number and its percent sign.
func unbroken(text string) string { return strings.ReplaceAll(text, " %", "\u00a0%") }

// number is a cell with a value of four digits, or a dash for NaN and infinities.
func number(v float64) cell {
	if !functions.Finite([]float64{v}) {
		return cell{Text: "–", Number: true}
	}
	return cell{Text: numfmt.Format(v), Number: true}
}

// setTo is a cell with a value of a variable.
func setTo(v functions.Variable, x float64) cell {
	return cell{Text: sanitize.Text(v.Text(x)), Number: v.Kind != functions.Choice}
}

// given is a cell with a value as it was given.
func given(v float64) cell { return cell{Text: numfmt.Exact(v), Number: true} }

// column is the head of a column of numbers, with their unit.
func column(name, unit string) cell {
	c := cell{Text: sanitize.Text(name), Number: true}
	if unit != "" {
		c.More = []string{sanitize.Text(unit)}
	}
	return c
}

// places is the largest number of variables with their own columns; more share one column, to fit on the page.
const places = 6

// placeHead are the heads of the columns that say where a point lies.
func placeHead(p *functions.Problem) (head []cell) {
	if p.Dim() > places {
		return []cell{{Text: "at"}}
	}
	for _, v := range p.Domain {
		c := column(v.Name, v.Unit)
		c.Number = v.Kind != functions.Choice
		head = append(head, c)
	}
	return head
}

// placeCells say where a point lies, and where it was suggested, if elsewhere.
func placeCells(p *functions.Problem, x, suggested []float64) (cells []cell) {
	var moved []string
	for j, v := range x {
		c := setTo(p.Domain[j], v)
		if suggested != nil && suggested[j] != v {
			before := "suggested " + setTo(p.Domain[j], suggested[j]).Text
			c.More = []string{before}
			moved = append(moved, sanitize.Text(p.Domain[j].Name)+" "+before)
		}
		cells = append(cells, c)
	}
	if len(x) > places {
		return []cell{{Text: place(p, x), More: moved}}
	}
	return cells
}

// The characters that are as wide as a digit and as a point.
const (
	figureSpace      = "\u2007"
	punctuationSpace = "\u2008"
)

// aligned puts the points of the numbers of each column below each other; a column with exponents is left as it is.
func (t *table) aligned() *table {
	for j := range t.Head {
		most, plain := 0, true
		for _, r := range t.Rows {
			if c := r.Cells[j]; c.Number {
				most, plain = max(most, decimals(c.Text)), plain && !strings.ContainsAny(c.Text, "e×")
			}
		}
		for _, r := range t.Rows {
			if c := &r.Cells[j]; c.Number && plain && c.Text != "" {
				n := decimals(c.Text)
				if n == 0 && most > 0 {
					c.Text += punctuationSpace
				}
				c.Text += strings.Repeat(figureSpace, most-n)
			}
		}
	}
	return t
}

// decimals is the number of digits after the decimal point.
func decimals(number string) int {
	_, behind, _ := strings.Cut(number, ".")
	return len(behind)
}
