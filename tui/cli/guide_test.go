package cli

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
		require.NoError(t, c.Help())
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
		assert.Contains(t, guideCommand().Long, name, "the help of bandscope guide does not name the guide %s", name)
	}
}

// The program's help fits on a screen, has no flags, and names every command once, in a group or in the last lines.
func TestRootHelp(t *testing.T) {
	var out strings.Builder
	root := Root()
	root.SetOut(&out)
	root.SetArgs([]string{"--help"})
	require.NoError(t, root.Execute())
	text := strings.TrimSuffix(out.String(), "\n")
	lines := strings.Split(text, "\n")
	if len(lines) > 40 || strings.Contains(text, "  -") {
		t.Errorf("%d lines:\n%s", len(lines), text)
	}
	for _, line := range lines {
		if len(line) > helpWidth {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	_, also, _ := strings.Cut(text, "Also: ")
	for _, c := range root.Commands() {
		grouped := strings.Contains(text, "\n  "+c.Name()+" ")
		named := slices.Contains(strings.Fields(strings.ReplaceAll(also, ",", " ")), c.Name())
		if c.Name() != "help" && grouped == named {
			t.Errorf("%s is in a group: %v, in the last lines: %v\n%s", c.Name(), grouped, named, text)
		}
	}
}
