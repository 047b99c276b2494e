package sheet

import (
	"fmt"
	"strings"
	"unicode"

	"bandscope/functions/didyoumean"
)

const maxUnit = 24 // bytes, with its brackets

// SplitUnit is a header without the unit behind it, and the unit: "temp (°C)", "yield [%]" and "time / min" have one.
func SplitUnit(head string) (name, unit string) {
	head = strings.TrimSpace(head)
	for _, pair := range []string{"()", "[]"} {
		if !strings.HasSuffix(head, pair[1:]) {
			continue
		}
		if index := strings.LastIndex(head, pair[:1]); index > 0 && len(head)-index <= maxUnit {
			return strings.TrimSpace(head[:index]), strings.TrimSpace(head[index+1 : len(head)-1])
		}
	}
	if name, unit, ok := strings.Cut(head, " / "); ok && name != "" && unit != "" && len(unit) < maxUnit &&
		!strings.Contains(unit, " / ") {
		return strings.TrimSpace(name), strings.TrimSpace(unit)
	}
	return head, ""
}

// SameUnit reports whether two units are the same, up to spaces, the two signs for micro and ^.
func SameUnit(a, b string) bool {
	normal := func(unit string) string {
		return strings.NewReplacer("µ", "μ", "^", "", "²", "2", "³", "3", "º", "°", "·", "*").Replace(
			strings.Join(strings.FieldsFunc(unit, unicode.IsSpace), ""))
	}
	return normal(a) == normal(b)
}

// NameFrom is a header as a name: every run of other characters becomes a low line, and none is at an end.
func NameFrom(head string) string {
	words := strings.FieldsFunc(head, func(r rune) bool {
		return !unicode.IsLetter(r) && (r < '0' || r > '9') && r != '_'
	})
	return strings.Join(words, "_")
}

// Find finds the column of a quantity: one whose header is its name, or its name as NameFrom has it, or else its name
// with a unit, in capitals or not; −1 if there is none. Two such columns are an error, and so is another unit than the
// quantity has; an empty unit is any.
func (t *Table) Find(name, unit string) (int, error) {
	base := func(head string) string {
		name, _ := SplitUnit(head)
		return name
	}
	for _, fits := range []func(head string) bool{
		func(head string) bool { return strings.TrimPrefix(head, "'") == name },
		func(head string) bool { return NameFrom(head) == name },
		func(head string) bool { return NameFrom(base(head)) == name },
		func(head string) bool { return strings.EqualFold(NameFrom(base(head)), name) },
	} {
		found := -1
		for i, head := range t.Header {
			if !fits(head) {
				continue
			}
			if found >= 0 {
				return 0, t.CellError(-1, i, "the column has the same name as column %s: %q", t.columnName(found), name)
			}
			found = i
		}
		if found < 0 {
			continue
		}
		if _, columnUnit := SplitUnit(t.Header[found]); columnUnit != "" && unit != "" && !SameUnit(columnUnit, unit) &&
			t.Header[found] != name && NameFrom(t.Header[found]) != name {
			return 0, t.CellError(-1, found, "%s is in %s here, but in %s in the problem; convert the column, and change its header", name, columnUnit, unit)
		}
		return found, nil
	}
	return -1, nil
}

// Unknown is the error about a column that is not there.
func (t *Table) Unknown(name string) error {
	var names []string
	for _, head := range t.Header {
		if name, _ := SplitUnit(head); NameFrom(name) != "" {
			names = append(names, NameFrom(name))
		}
	}
	return fmt.Errorf("%s: %w", t.Place(-1), didyoumean.NewUnknownError("column", name, names))
}
