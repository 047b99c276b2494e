package cli

import (
	"maps"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"bandscope/tui/guide"
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
