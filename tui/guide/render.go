package guide

import (
	"regexp"
	"strings"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"

	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// sourceComment is a comment in the Markdown source, which is not printed.
var sourceComment = regexp.MustCompile(`(?m)^<!--.*-->\n`)

// Render lays the guide out in styled lines of at most w columns. Code keeps its lines, so that a command can be copied.
func (t Topic) Render(st theme.Style, w int) (lines []string) {
	code := false
	text := sourceComment.ReplaceAllString(t.Text, "")
	for _, block := range strings.Split(text, "\n\n") {
		rows := strings.Split(strings.Trim(block, "\n"), "\n")
		switch fences := strings.Count("\n"+block, "\n```"); {
		case code || fences > 0:
			for _, row := range rows {
				if !strings.HasPrefix(row, "```") {
					lines = append(lines, "  "+st.Paint(st.Mean, row))
				}
			}
			code = code != (fences%2 == 1)
		case strings.HasPrefix(rows[0], "|"):
			lines = append(lines, guideTable(st, rows, w)...)
		default:
			lines = append(lines, widget.Markdown(st, block, w)...)
		}
		lines = append(lines, "")
	}
	return lines
}

// guideTable lays out the rows of a Markdown table, the second of which is the rule below its heading.
func guideTable(st theme.Style, rows []string, w int) []string {
	t := table.New().Border(lipgloss.HiddenBorder()).BorderHeader(false).
		BorderTop(false).BorderBottom(false).BorderLeft(false).BorderRight(false).
		StyleFunc(func(int, int) lipgloss.Style { return lipgloss.NewStyle().PaddingRight(1) }).Width(w)
	for i, row := range rows {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		for j, c := range cells {
			cells[j] = strings.Join(widget.Markdown(st, strings.ReplaceAll(strings.TrimSpace(c), `\|`, "|"),
				maxCellWidth), " ")
		}
		switch i {
		case 0:
			t.Headers(cells...)
		case 1:
		default:
			t.Row(cells...)
		}
	}
	lines := strings.Split(t.String(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}

// maxCellWidth is more columns than the text of a cell has: the table wraps it.
const maxCellWidth = 1000
