package guide

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"

	"bandscope/tui/theme"
)

// A guide is laid out for a terminal without losing a word or a line of code, and without marks of Markdown.
func TestRender(t *testing.T) {
	const text = "# Title\n\nA *word* and [a link](x.md).\n\n<!-- a comment -->\n" +
		"| key | meaning |\n| --- | --- |\n| `a \\| b` | first |\n\n" +
		"```sh\n# no heading\n\nbandscope run -f branin -o gp-ei -n 25 --seed 7 --save a-long-name-of-a-file.jsonl\n" +
		"```\n\nEnd.\n"
	got := ansi.Strip(strings.Join(Topic{Text: text}.Render(theme.New(true, theme.TrueColor, false), 40), "\n"))
	for _, want := range []string{"Title", "A word and a link.", "key", "a | b", "first", "  # no heading",
		"--save a-long-name-of-a-file.jsonl", "End."} {
		assert.Contains(t, got, want, "%q is missing in\n%s", want, got)
	}
	for _, mark := range []string{"```", "| ---", "`a", "comment"} {
		assert.NotContains(t, got, mark, "%q stays in\n%s", mark, got)
	}
}
