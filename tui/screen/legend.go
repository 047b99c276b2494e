package screen

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/theme"
)

// leastName is to how many columns the names of a legend are shortened at most.
const leastName = 6

// Legend writes entries into as few rows of at most w columns as they need. Where that would be more than most, the names are shortened together,
// as little as must be; if that is not enough, or names would become the same, there are more rows: no entry is ever lost.
func Legend(st theme.Style, entries []plot.Entry, w, most int) []string {
	longest := 0
	for _, e := range entries {
		name := ansi.StringWidth(st.Plain(e.Name))
		longest = max(longest, min(name, w-1-ansi.StringWidth(e.Mark)))
	}
	longest = max(longest, leastName)
	var rows []string
	for cap := longest; (rows == nil || len(rows) > most) && cap >= leastName; cap-- {
		if shorter := legendRows(st, entries, w, cap); shorter != nil {
			rows = shorter
		}
	}
	if rows == nil && len(entries) > 0 { // names that cannot be told apart when they are short
		return legendRows(st, entries, w, math.MaxInt)
	}
	return rows
}

// legendRows are the rows with names of at most so many columns; nil if two names would be the same, or nothing be left of one.
func legendRows(st theme.Style, entries []plot.Entry, w, cap int) []string {
	seen := map[string]bool{}
	painted := make([]string, 0, len(entries))
	for _, e := range entries {
		name := layout.ShortenIn(st, st.Plain(e.Name), cap)
		if seen[name] || strings.Trim(name, ".…") == "" {
			return nil
		}
		seen[name] = true
		painted = append(painted, e.Mark+" "+st.Paint(st.Dim, name))
	}
	return layout.Flow(painted, "  ", w)
}
