package cli

import (
	"maps"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"bandscope/tui/guide"
	"bandscope/tui/theme"
)

// The help of every command ends with the guides of its table, all of which exist, and the table names only commands.
func TestHelpLinksToGuides(t *testing.T) {
	root, left := Root(), maps.Clone(guideTopics)
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		path := strings.TrimPrefix(strings.TrimPrefix(c.CommandPath(), "bandscope"), " ")
		topics := guideTopics[path]
		delete(left, path)
		for _, topic := range topics {
			if _, err := guide.Find(topic); err != nil {
				t.Errorf("%s: %v", c.CommandPath(), err)
			}
		}
		var out strings.Builder
		c.SetOut(&out)
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		if topics != nil && !strings.HasSuffix(out.String(), "\n\n"+guideLine(topics)+"\n") {
			t.Errorf("the help of %s does not end with %q:\n%s", c.CommandPath(), guideLine(topics), out.String())
		}
		for _, sub := range c.Commands() {
			check(sub)
		}
	}
	check(root)
	for path := range left {
		t.Errorf("the table has %q, which is not a command", path)
	}
	for _, name := range guideNames() {
		if !strings.Contains(root.Long, name) {
			t.Errorf("the help of the program does not name the guide %s", name)
		}
	}
}

// A guide is laid out for a terminal without losing a word or a line of code, and without marks of Markdown.
func TestRender(t *testing.T) {
	const text = "# Title\n\nA *word* and [a link](x.md).\n\n<!-- a comment -->\n" +
		"| key | meaning |\n| --- | --- |\n| `a \\| b` | first |\n\n" +
		"```sh\n# no heading\n\nbandscope run -f branin -o gp-ei -n 25 --seed 7 --save a-long-name-of-a-file.jsonl\n" +
		"```\n\nEnd.\n"
	got := ansi.Strip(strings.Join(renderGuide(theme.New(true, theme.TrueColor, false), text, 40), "\n"))
	for _, want := range []string{"Title", "A word and a link.", "key", "a | b", "first", "  # no heading",
		"--save a-long-name-of-a-file.jsonl", "End."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	for _, mark := range []string{"```", "| ---", "`a", "comment"} {
		if strings.Contains(got, mark) {
			t.Errorf("%q stays in\n%s", mark, got)
		}
	}
}
