package sheet

import (
	"archive/zip"
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// utf16 is a text as Excel saves it as "Unicode text".
func utf16(t *testing.T, text string) string {
	t.Helper()
	out, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	require.NoError(t, err)
	return out
}

func TestFormatsAreRecognized(t *testing.T) {
	latin, err := charmap.Windows1252.NewEncoder().String("temp (°C);Ausbeute\n18,5;3\n")
	require.NoError(t, err)
	for _, c := range []struct {
		text, said string
		first      []string // row of the table
	}{
		{"x,y\n1.5,2\n", "read with , and decimal point", []string{"1.5", "2"}},
		{"x;y\n1,5;2\n", "read with ; and decimal comma", []string{"1.5", "2"}},
		{"x;y\r\n1,5;2\r\n;;\r\n", "read with ; and decimal comma", []string{"1.5", "2"}},
		{"x\ty\n-1,5e-3\t2\n", "read with tabs and decimal comma", []string{"-1.5e-3", "2"}},
		{"x,y\n\"1,5\",2\n", "read with , and decimal comma", []string{"1.5", "2"}},
		{"sep=;\r\nx;y\r\n1.5;2\r\n", "read with ; and decimal point", []string{"1.5", "2"}},
		{"x;y\n1.234,5;2\n", "read with ;, decimal comma and points between thousands", []string{"1234.5", "2"}},
		{"x;y\n12.345.678;2,5\n", "read with ;, decimal comma and points between thousands", []string{"12345678", "2.5"}},
		{"x;y\n1 234,5;2\n", "read with ;, decimal comma and spaces between thousands", []string{"1234.5", "2"}},
		{"x;y\n1'234.5;2\n", "read with ;, decimal point and apostrophes between thousands", []string{"1234.5", "2"}},
		{"x,y\n\"1,234.5\",2\n", "read with ,, decimal point and commas between thousands", []string{"1234.5", "2"}},
		{"x,y\n1.234,2\n", "read with , and decimal point", []string{"1.234", "2"}},
		{"x;y\n0,125;2\n", "read with ; and decimal comma", []string{"0.125", "2"}},
		{"x;y\n1,234;2\n3,5;1\n", "read with ; and decimal comma", []string{"1.234", "2"}},
		{"x;y\n−1,5;2\n", "read with ; and decimal comma", []string{"-1.5", "2"}},
		{"solvent;y\n1,4-dioxane;2,5\n", "read with ; and decimal comma", []string{"1,4-dioxane", "2.5"}},
		{"y;note\n2,5;12\n3;a, b\n4;a\n", "read with ; and decimal comma", []string{"2.5", "12"}},
		{"\ufeffx;y\n1,5;2\n", "read with ; and decimal comma", []string{"1.5", "2"}},
		{utf16(t, "x\ty\n1,5\t2\n"), "read with tabs, decimal comma and UTF-16", []string{"1.5", "2"}},
		{latin, "read with ;, decimal comma and Windows-1252", []string{"18.5", "3"}},
		{"x\n1\n", "read with ,", []string{"1"}},
	} {
		got, err := Read([]byte(c.text), Options{})
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got.Format.String() != c.said || !reflect.DeepEqual(got.Rows[0], c.first) {
			t.Errorf("%q is %s with %q, want %s with %q", c.text, got.Format, got.Rows[0], c.said, c.first)
		}
	}
}

// What has two readings is an error with its place; what is given is used.
func TestAmbiguousNumbersAreRefused(t *testing.T) {
	for _, c := range []struct {
		text string
		o    Options
		want string // the first cell, or a part of the error
	}{
		{"x;y\n1,234;2\n", Options{}, `line 2, column 1 ("x"): 1,234 is 1234 or 1.234;`},
		{"x;y\n1,234;2\n", Options{Decimal: ','}, "1.234"},
		{"x;y\n1,234;2\n", Options{Decimal: '.'}, "1234"},
		{"x;y\n1.234;2,5\n", Options{}, `line 2, column 1 ("x"): 1.234 is 1234 or 1.234;`},
		{"x;y\n1.234;2,5\n", Options{Decimal: ','}, "1234"},
		{"x;y\n2;1,5\n1.5;2\n", Options{}, "line 2 has 1,5 with a decimal comma, and line 3 has 1.5 with a decimal point"},
		{"x;y\n1,5;2\n", Options{Decimal: '.'}, `line 2, column 1 ("x"): 1,5 does not have a decimal point`},
		{"x;y\n1;2;3\n", Options{}, "line 2: the row has 3 cells, but the header has 2"},
		{"x;y\n1;\"2\n", Options{}, "line 2, character"},
		{"sep=;\nx;y\n1;2;3\n", Options{}, "line 3: the row has 3 cells"},
		{"", Options{}, "the file is empty"},
		{"\ufeff\xff", Options{}, "begins as UTF-8"},
		{"\xd0\xcf\x11\xe0 old", Options{}, "Excel 97"},
		{"PK\x03\x04 no zip", Options{}, "not a readable workbook"},
		{"x,y\n\x00,1\n", Options{}, "not text"},
		{"x;y;z\n1;2;3\n", Options{Separator: ','}, "1;2;3"},
	} {
		got, err := Read([]byte(c.text), c.o)
		if err != nil && !strings.Contains(err.Error(), c.want) || err == nil && got.Rows[0][0] != c.want {
			t.Errorf("%q with %v: %v %v, want %q", c.text, c.o, got, err, c.want)
		}
	}
}

func TestSplitUnit(t *testing.T) {
	for head, want := range map[string][2]string{
		"temp (°C)": {"temp", "°C"}, "yield [%]": {"yield", "%"}, "time / min": {"time", "min"}, "dose": {"dose", ""},
		"a (b) (c)": {"a (b)", "c"}, "(only)": {"(only)", ""}, "rate [mL/min]": {"rate", "mL/min"}, "": {"", ""},
	} {
		if name, unit := SplitUnit(head); name != want[0] || unit != want[1] {
			t.Errorf("%q is %q with the unit %q, want %q", head, name, unit, want)
		}
	}
	if !SameUnit("µg / mL", "μg/mL") || !SameUnit("m^2", "m²") || SameUnit("mg", "Mg") || SameUnit("K", "°C") {
		t.Error("units are compared wrongly")
	}
}

func TestDates(t *testing.T) {
	for text, want := range map[string]string{
		"2026-11-03": "2026-11-03", "3.11.2026": "2026-11-03", "03.11.26": "2026-11-03", "11/13/2026": "2026-11-13",
		"13/11/2026": "2026-11-13", "5/5/2026": "2026-05-05", "plate 1": "plate 1", "2026-11-03 10:15": "2026-11-03",
	} {
		if got, _, err := Date(text); err != nil || got != want {
			t.Errorf("%s is %s (%v), want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{"3/11/2026": "3.11. or the 11.3.", "31.11.2026": "not a date"} {
		if _, _, err := Date(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// workbook is a workbook with a sheet of rows; the style of the cells is a number format.
func workbook(t testing.TB, numberFormat int, rows ...[]any) []byte {
	t.Helper()
	f := excelize.NewFile()
	for i, row := range rows {
		for j, v := range row {
			cell, _ := excelize.CoordinatesToCellName(j+1, i+1)
			require.NoError(t, f.SetCellValue("Sheet1", cell, v))
			if numberFormat > 0 && i > 0 {
				style, err := f.NewStyle(&excelize.Style{NumFmt: numberFormat})
				require.NoError(t, err)
				require.NoError(t, f.SetCellStyle("Sheet1", cell, cell, style))
			}
		}
	}
	out, err := f.WriteToBuffer()
	require.NoError(t, err)
	return out.Bytes()
}

func TestWorkbooks(t *testing.T) {
	x := 0.123456789012345 // the 15 digits of a workbook stay
	got, err := Read(workbook(t, 0, []any{"dose", "yield [%]", "note"}, []any{x, 18.25, "fine"}, nil,
		[]any{2, "3,5"}), Options{})
	require.NoError(t, err)
	if want := [][]string{{"0.123456789012345", "18.25", "fine"}, {"2", "3.5", ""}}; !reflect.DeepEqual(got.Rows, want) {
		t.Errorf("the rows are %q, want %q", got.Rows, want)
	}
	if got.Format.String() != `read from the sheet "Sheet1"` || got.Place(1) != "row 4" {
		t.Errorf("%s, %s", got.Format, got.Place(1))
	}
	if v, err := got.Number(0, 0); v != x || err != nil {
		t.Errorf("%v %v", v, err)
	}
	_, err = got.Number(0, 2)
	assert.ErrorContains(t, err, `row 2, column C ("note"): "fine" is not`)
	_, err = Read(workbook(t, 0, []any{"x"}), Options{Sheet: "Plate"})
	assert.ErrorContains(t, err, "Plate")
}

// A date is a text, and is never taken for a number; a percentage is a number of percent.
func TestWorkbookDates(t *testing.T) {
	day := time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC)
	for _, format := range []int{14, 15, 22} {
		got, err := Read(workbook(t, format, []any{"day", "y"}, []any{day, 1}), Options{})
		require.NoError(t, err)
		assert.Equal(t, "2026-11-03", got.Rows[0][0], "with the format %d the date", format)
		_, err = got.Number(0, 0)
		assert.ErrorContains(t, err, "the cell is a date (2026-11-03)")
	}
	got, err := Read(workbook(t, 9, []any{"y"}, []any{0.18}), Options{})
	require.NoError(t, err)
	if v, err := got.Number(0, 0); err != nil || v != 18 || got.Header[0] != "y (%)" {
		t.Errorf("%v, %v, %q", v, err, got.Header)
	}
	got, err = Read(workbook(t, 2, []any{"y"}, []any{18.256}), Options{}) // shown with two digits
	if err != nil || got.Rows[0][0] != "18.256" {
		t.Errorf("%q %v", got.Rows[0], err)
	}
}

// bomb is a workbook whose sheet unpacks to many bytes.
func bomb(t testing.TB, size int) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	part, err := w.Create("xl/worksheets/sheet1.xml")
	require.NoError(t, err)
	block := bytes.Repeat([]byte(" "), 1<<20)
	for range size >> 20 {
		_, err = part.Write(block)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestBombsAreRefused(t *testing.T) {
	text := bomb(t, MaxBytes+1<<20)
	if len(text) > 1<<20 {
		t.Fatalf("the bomb has %d bytes", len(text))
	}
	if _, err := Read(text, Options{}); err == nil || !strings.Contains(err.Error(), "exceeds the 67108864 bytes limit") {
		t.Errorf("%v", err)
	}
	if _, err := Read([]byte("x\n"+strings.Repeat("1\n", 20)), Options{MaxRows: 10}); err == nil ||
		!strings.Contains(err.Error(), "line 12: the table has more than 10 rows") {
		t.Errorf("%v", err)
	}
}

// Whatever a file has, reading ends, with rows as long as the header, and reads the same again when it is written.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"x;y\n1,5;2\n", "sep=\t\nx\ty\n1.234\t2,5\n", "\xff\xfex\x00;\x00\n", "a,b\n\"1,234.5\",'1'\n",
		"x\n1 234\n", "\ufeff\"\n", "PK\x03\x04", "x;y\n1.2.3;1,2,3\n"} {
		f.Add([]byte(text))
	}
	f.Add(workbook(f, 14, []any{"x", "y"}, []any{1.5, "2,5"}))

	for _, c := range extraTables {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		table, err := Read(text, Options{MaxRows: 1000})
		if err != nil {
			return
		}
		for i, row := range table.Rows {
			if len(row) != len(table.Header) {
				t.Fatalf("row %d has %d cells, the header %d", i, len(row), len(table.Header))
			}
			for j := range row {
				if v, err := table.Number(i, j); err == nil && strings.ContainsAny(row[j], ", ") {
					t.Fatalf("%q is read as %v", row[j], v)
				}
			}
		}
	})
}
