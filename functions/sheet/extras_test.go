package sheet

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// extraTables are tables with more than a header and rows; want is the table with | between cells, or the error.
var extraTables = []struct{ name, text, want, notice string }{
	{"comments", "# a \"run\", of May\nx,y\n1,2\n#3,9\n# later\n4,5\n6,7\n", "x|y 1|2 4|5 6|7", "comments with # are left out: line 1, 4, 5"},
	{"a header of numpy", "# made by hand\n# x y,z\n0.5,2\n3,4\n", "x y|z 0.5|2 3|4", "comments with # are left out: line 1"},
	{"a header #", "#,x\n1,8\n2,9\n", "|x 1|8 2|9", ""},
	{"colors", "color,y\n#ff0000,2\n#00ff00,3\n#0000ff,4\n", "color|y #ff0000|2 #00ff00|3 #0000ff|4", ""},
	{"quoted", "n,y\n\"#1\",2\na,3\nb,4\n", "n|y #1|2 a|3 b|4", ""},
	{"old Mac", "x;y\r1,5;2\r3;4\r", "x|y 1.5|2 3|4", "lines end in carriage returns"},
	{"mixed line ends", "x,y\r\n1,2\r3,4\n", "x|y 1|2 3|4", "lines end in carriage returns"},
	{"units", "x,s,y (g)\n[°C],,g\n1,a,2\n3,b,4\n", "x (°C)|s|y (g) 1|a|2 3|b|4", "line 2 is read as the units"},
	{"a first failure is no unit", "s,y\na,failed\nb,4\n", "s|y a|failed b|4", ""},
	{"a first text is no unit", "s,y\na,spilt\nb,4\n", "s|y a|spilt b|4", ""},
	{"groups", ",Conditions,,Results\nrun,T,s,y\n1,20,a,80\n2,30,b,90\n", "run|T|s|y 1|20|a|80 2|30|b|90", "line 1 names groups of columns"},
	{"groups and units", "In,,,Out\nT,p,s,y\nK,bar,,%\n1,20,a,80\n2,30,b,90\n", "T (K)|p (bar)|s|y (%) 1|20|a|80 2|30|b|90", "line 3 is read as the units"},
	{"a title", "Screening of May\nx,y\n1,2\n", "line 2: the row has 2 cells, but the header has 1; the first row must name the columns, so remove the rows above it", ""},
	{"percent", "s,y\na,65%\nb,7 %\nc,\n", "s|y (%) a|65 b|7 c|", "the percent signs of y are read as its unit"},
	{"percent with commas", "s;y\na;65,5%\nb;7,25%\n", "s|y (%) a|65.5 b|7.25", "the percent signs of y"},
	{"percent and other numbers", "s,y\na,65%\nb,0.7\n", "line 3, column 2 (\"y\"): 0.7 has no percent sign, but other numbers of the column have one", ""},
	{"percent of grams", "s,y (g)\na,65%\nb,7%\n", "the header has the unit g, but the numbers below it have percent signs", ""},
	{"names with percent", "s,y\n5% Pd/C,6\n10% Pd/C,7\n", "s|y 5% Pd/C|6 10% Pd/C|7", ""},
}

// Comments, old line ends, rows of units and of groups and percent signs are read, and a notice says so.
func TestExtraRows(t *testing.T) {
	for _, c := range extraTables {
		t.Run(c.name, func(t *testing.T) {
			table, err := Read([]byte(c.text), Options{})
			if err != nil {
				assert.Contains(t, err.Error(), c.want, "%v, want %s", err, c.want)
				return
			}
			var rows []string
			for _, row := range slices.Insert(slices.Clone(table.Rows), 0, table.Header) {
				rows = append(rows, strings.Join(row, "|"))
			}
			notices := table.Format.Notices()
			assert.Equal(t, c.want, strings.Join(rows, " "))
			if c.notice == "" && notices != nil || !strings.Contains(strings.Join(notices, "; "), c.notice) {
				t.Errorf("%q, want %s", notices, c.notice)
			}
			if c.notice != "" && table.Format.Plain() {
				t.Error("the notice is not shown")
			}
		})
	}
	table, err := Read(workbook(t, 0, []any{"In", nil, nil}, []any{"x", "s", "y"}, []any{"K", nil, "g"}, []any{"# spilt"},
		[]any{1, "a", 2}, []any{3, "b", 4}), Options{})
	if err == nil {
		err = table.CellError(1, 0, "%s", table.Format)
	}
	if want := `row 6, column A ("x (K)"): read from the sheet "Sheet1"; comments with # are left ` +
		`out: row 4; row 1 names groups of columns and is left out; row 3 is read as the units of the columns`; err.Error() != want {
		t.Errorf("%v", err)
	}
}
