package tui

import (
	"fmt"
	"strings"
	"testing"

	"bandscope/tui/internal/golden"
	"bandscope/tui/screen"
)

// The README's table of keys is made from their commands.
func TestReadmeKeys(t *testing.T) {
	golden.Section(t, "../README.md", "keys", keyTable(groups()))
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
