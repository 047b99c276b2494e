package experimentform

import "slices"

// rootLines are the fields of the experiment, those beside each other in one line.
var rootLines = [][]string{{"name", "budget"}, {"about", "duration"}, {"cost", "failures"}, {"constraints"}}

// The widths of the mark before a field, and of the labels of the experiment's first and second fields in a line;
// minFault is the least width of an error below its field.
const (
	markWidth   = 3
	labelWidth  = 12
	secondLabel = 9
	minFault    = 34
)

// slots are the columns of all tables, each with the fields that have it: bounds of a variable have the columns of the
// bounds of a value. The lists of a variable are in the columns of its bounds.
var slots = [][]string{{"name", "components"}, {"kind", "direction"}, {"unit"},
	{"low", "at_least", "values", "choices", "total"}, {"high", "at_most"}, {"range", "descriptors"}, {"scale"},
	{"noise", "step"}, {"worthwhile"}}

// slot is the column of a field.
func slot(key string) int {
	return slices.IndexFunc(slots, func(keys []string) bool { return slices.Contains(keys, key) })
}

// slotWidths are the least widths of the columns, which fit a window of 80 columns.
var slotWidths = [...]int{10, 10, 4, 8, 8, 8, 8, 5, 6}

// column is where a column begins, and how wide it is.
type column struct{ x, width int }

type columns []column

// maxSpareName is how many more columns a name takes in a wide window before the others widen too.
const maxSpareName = 14

// maxSpareLast is how many more columns the last field takes in a wide window before all others: as its heading needs.
const maxSpareLast = 4

// columnsFor are the columns of the tables in a form of w columns: names and lists are wider in a wide one.
func columnsFor(w int) columns {
	spare := w - markWidth
	for _, n := range slotWidths {
		spare -= n + 1
	}
	spare = max(spare+1, 0) // behind the last one is no blank
	last := min(spare, maxSpareLast)
	name := min(spare-last, maxSpareName)
	c, x := make(columns, len(slotWidths)), markWidth
	for i, n := range slotWidths {
		switch i {
		case 0:
			n += name
		case 5:
			n += min(spare-last-name, maxSpareName)
		case len(slotWidths) - 1:
			n += last
		}
		c[i] = column{x, n}
		x += n + 1
	}
	return c
}

// at is where a field of a row begins, and how wide it is: lists have the columns up to the next field of their kind.
func (c columns) at(key string) (x, width int) {
	first, last := slot(key), slot(key)
	switch {
	case key == "values":
		last = slot("range")
	case key == "choices":
		last = slot("high")
	case key == "components":
		last = slot("unit")
	case key == "descriptors":
		last = len(c) - 1
	}
	return c[first].x, c[last].x + c[last].width - c[first].x
}
