package experiment

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/sheet"
)

// The guides name the bounds of tables that the program has.
func TestBoundsInTheGuides(t *testing.T) {
	thousands := func(n int) string {
		return regexp.MustCompile(`(\d)((?:\d{3})+)$`).ReplaceAllStringFunc(fmt.Sprint(n), func(s string) string {
			first := len(s) % 3
			parts := []string{s[:first]}
			for s = s[first:]; s != ""; s = s[3:] {
				parts = append(parts, s[:3])
			}
			return strings.TrimPrefix(strings.Join(parts, ","), ",")
		})
	}
	for file, want := range map[string]string{
		"formats": fmt.Sprintf("at most %s rows, %s cells and %d MiB. A choice has at most %s different names",
			thousands(MaxTableRows), thousands(MaxTableCell), MaxTableFile>>20, thousands(maxListed)),
		"plates": fmt.Sprintf("at most %s rows, %s cells and %d MiB", thousands(sheet.MaxRows), thousands(sheet.MaxCells),
			sheet.MaxBytes>>20)} {
		text, err := os.ReadFile("../../tui/guide/" + file + ".md")
		require.NoError(t, err)
		assert.Contains(t, strings.Join(strings.Fields(string(text)), " "), want, "%s.md does not say %s", file, want)
	}
	var rows strings.Builder
	rows.WriteString(strings.Repeat("a,", 40) + "y:max\n")
	for i := range MaxTableCell/41 + 1 {
		fmt.Fprintf(&rows, "%s%d\n", strings.Repeat("1,", 40), i)
	}
	if _, err := ParseTable("t.csv", []byte(rows.String())); err == nil ||
		!strings.Contains(err.Error(), "more than 10000 rows or 300000 cells; leave out rows, or columns") {
		t.Errorf("%v", err)
	}
	rows.Reset()
	rows.WriteString("id,y:max\n")
	for i := range maxListed + 1 {
		fmt.Fprintf(&rows, "r%d,%d\n", i, i)
	}
	if _, err := ParseTable("t.csv", []byte(rows.String())); err == nil ||
		!strings.Contains(err.Error(), "more than 1000 different names; remove the column") {
		t.Errorf("%v", err)
	}
}

// An objective may be called cost, beside the cost of an evaluation.
func TestObjectiveNamedCost(t *testing.T) {
	d, err := ParseTable("t.csv", []byte("dose,cost:min\n3,14\n7,9\n"))
	if err != nil || d.Objectives[0].Name != "cost" || d.Objectives[0].Direction != functions.Minimize ||
		d.Problem().CostColumn() != "evaluation_cost" {
		t.Errorf("%+v, %v", d, err)
	}
	if d, err = ParseTable("t.csv", []byte("dose,y:min\n3,14\n7,9\n")); err != nil || d.Problem().CostColumn() != "cost" {
		t.Errorf("%+v, %v", d, err)
	}
}
