package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bandscope/functions/digits"
	"bandscope/functions/golden"
	"bandscope/optimizers"
	"bandscope/optimizers/methods"
	"bandscope/sessions/study"
	"bandscope/sessions/study/published"
	"bandscope/sessions/study/stats"
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

// What came of the studies of the papers, and the numbers that those print beside ours.
func TestReadmePublished(t *testing.T) {
	golden.Section(t, "../README.md", "published", publishedTables(published.Names(), published.Results))
}

// publishedTables are a table of all studies, and one of the numbers that are printed and were run for.
func publishedTables(names []string, results func(string) (*study.Table, bool)) string {
	var all, numbers strings.Builder
	all.WriteString("| study | from | what it asks | cells that were run |\n| --- | --- | --- | --- |\n")
	numbers.WriteString("| study | problem | method | printed | ours, with its interval at 95 % | seeds | why |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, name := range names {
		d, _ := published.Find(name)
		cells, err := d.Cells()
		if err != nil {
			panic(err)
		}
		ran := 0
		table, ok := results(name)
		if ok {
			ran = len(table.Rows) - len(slices.DeleteFunc(slices.Clone(table.Rows), func(r study.Row) bool { return r.Status == study.Done }))
			for _, b := range stats.BesidePrinted(table) {
				if b.Measure == study.Simple && b.Ours.N > 0 {
					ours := digits.Of(b.Ours.Mean)
					if b.Ours.N > 1 {
						ours += " ± " + digits.Of(b.Ours.Student)
					}
					fmt.Fprintf(&numbers, "| `%s` | `%s` | `%s` | %s | %s | %d of %d | %s |\n", name, b.Problem, b.Method, digits.Given(b.Value), ours, b.Ours.N, d.Seeds, b.Note)
				}
			}
		}
		fmt.Fprintf(&all, "| `%s` | %s | %s | %d of %d |\n", name, d.Source, d.Title, ran, len(cells))
	}
	return all.String() + "\n" + numbers.String()
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
