package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A plate is asked for, its sheets are written once, and it comes back filled; wrong words say what would be right.
func TestPlatesAtTheCommandLine(t *testing.T) {
	dir := experiment(t)
	write := func(name, text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("controls.csv", "dose;time\n15,5;30\n")
	write("filled.csv", "\ufeffplate\twell\textraction (%)\tbitterness\r\nplate 1\tA1\t18,25\t3\r\nplate 1\tA2\t\t\r\n")
	write("either.csv", "plate;well;extraction;bitterness\nplate 1;A2;1,234;3\n")
	for _, c := range []struct {
		line   string
		status int
		want   string // on standard output and standard error
	}{
		{"ask s.jsonl --controls 2", 2, "plate.size is missing"},
		{"ask s.jsonl --plate 2by3", 2, `--plate must be ROWSxCOLUMNS, up to 32x48, such as 8x12, got "2by3"`},
		{"ask s.jsonl --plate 2x3 --sheet plate.pdf", 2, "--sheet must end in .csv, .html, .xlsx"},
		{"ask s.jsonl --plate 2x3 -n 7", 2, "need 7 wells, but a plate of 2x3 has 6"},
		{"ask s.jsonl --plate 2x3 --control-table none.csv", 1, "none.csv: no such file"},
		{"ask s.jsonl --plate 2x3 --order diagonal", 2, `no plate.order "diagonal"`},
		{"ask s.jsonl --plate 2x3 --fixed dose=15,time=30", 2, "control instead of fixed"},
		{"ask s.jsonl --plate 2x3 --control-table controls.csv --sheet p.csv --sheet p.html --sheet p.xlsx", 0, "6 wells of plate 1: p.xlsx"},
		{"ask s.jsonl --plate 2x3 --control-table controls.csv --sheet p.csv", 1, "p.csv exists already"},
		{"ask s.jsonl --plate 2x3 --control-table controls.csv", 0, "dose = 15.5 g  time = 30  (control)"},
		{"ask s.jsonl --plate 2x3 --control-table controls.csv --json", 0, `"well":"B3"`},
		{"tell s.jsonl --sheet filled.csv", 0, "filled.csv: read with tabs and decimal comma"},
		{"tell s.jsonl --sheet filled.csv", 0, "0 results recorded; 1 row already recorded, 1 row without a result"},
		{"tell s.jsonl --sheet either.csv", 1, `line 2, column 3 ("extraction"): 1,234 is 1234 or 1.234`},
		{"tell s.jsonl --sheet either.csv --decimal comma", 1, "is outside the expected range"},
		{"tell s.jsonl --sheet either.csv --decimal dot", 2, "the decimal sign must be point or comma"},
		{"tell s.jsonl --sheet p.xlsx --worksheet other", 2, "no sheet of the workbook"},
		{"tell s.jsonl --sheet p.xlsx", 0, "0 results recorded; 0 rows already recorded, 6 rows without a result"},
		{"tell s.jsonl 2 extraction=18 bitterness=2 --block monday", 0, "is step 2"},
	} {
		out, errs, status := run(t, dir, c.line)
		if status != c.status || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: status %d, want %d and %q:\n%s%s", c.line, status, c.status, c.want, out, errs)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "p.html"))
	require.NoError(t, err)
	for _, want := range []string{"<h1>plate 1</h1>", `class="well control"`, "15.5 g", ">B3<", "thick frame: control", "<small>g</small>"} {
		assert.Contains(t, string(page), want, "the page does not have %q", want)
	}
}
