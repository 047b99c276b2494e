package tui

import (
	"fmt"
	"strings"
	"testing"

	"bandscope/optimizers"
	"bandscope/optimizers/methods"
	"bandscope/tui/internal/golden"
	"bandscope/tui/screen"
)

// The README's table of keys is made from their commands.
func TestReadmeKeys(t *testing.T) {
	golden.Section(t, "../README.md", "keys", keyTable(groups()))
}

// What methods do with what is no box of real numbers, in their own words.
func TestReadmeInputs(t *testing.T) {
	golden.Section(t, "../README.md", "inputs", inputTable(methods.All()))
}

// inputTable is a table with a row for all methods that say the same.
func inputTable(specs []optimizers.Spec) string {
	var rows []string
	names := map[string][]string{}
	for _, s := range specs {
		row := fmt.Sprintf("%s | %s | %s", s.Levels, s.Constraints, s.Limits)
		if names[row] == nil {
			rows = append(rows, row)
		}
		names[row] = append(names[row], "`"+s.Name+"`")
	}
	var b strings.Builder
	b.WriteString("| method | integers, ordered values and choices | known constraints | limits on what is measured |\n| --- | --- | --- | --- |\n")
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(names[row], ", "), row)
	}
	return b.String()
}

// keyTable is a table with a row for every heading.
func keyTable(groups []screen.Group) string {
	var b strings.Builder
	b.WriteString("| where | keys |\n| --- | --- |\n")
	for _, g := range groups {
		var keys []string
		for _, k := range g.Bindings {
			shown, does := k.Help().Key, k.Help().Desc
			if long := g.Long[shown]; long != "" {
				does = long
			}
			if shown != "" {
				keys = append(keys, fmt.Sprintf("`%s` %s", shown, strings.ReplaceAll(does, "|", `\|`)))
			}
		}
		fmt.Fprintf(&b, "| %s | %s |\n", g.Title, strings.Join(keys, " · "))
	}
	return b.String()
}
