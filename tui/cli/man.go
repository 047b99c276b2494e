package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

func manCommand() *cobra.Command {
	return &cobra.Command{Use: "man [DIR]", Short: "Write the manual: its first page, or all pages into a folder",
		Args: args(cobra.MaximumNArgs(1)),
		Long: "Without DIR, write the first page of the manual to standard output.\n" +
			"With DIR, write one page per command into that folder, such as ~/.local/share/man/man1.",
		Example: "  bandscope man | man -l -\n  bandscope man ~/.local/share/man/man1",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(c *cobra.Command, a []string) error { return writeManual(os.Stdout, c.Root(), strings.Join(a, "")) }}
}

// writeManual writes the manual of a program: its first page to out, or one page per command into a folder, which it
// creates if necessary.
func writeManual(out io.Writer, root *cobra.Command, dir string) error {
	root.InitDefaultCompletionCmd()
	tidyManual(root)
	b := thisBuild()
	date := b.Date()
	header := &doc.GenManHeader{Title: strings.ToUpper(root.Name()), Section: "1", Date: &date,
		Source: root.Name() + " " + b.Version, Manual: "User Commands"}
	if dir == "" {
		return doc.GenMan(root, header, out)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	header.Title = "" // each page has that of its command
	if err := doc.GenManTree(root, header, dir); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%d pages written to %s; man %s/%s.1 shows the first\n", countPages(root), dir,
		strings.TrimSuffix(dir, "/"), root.Name())
	return err
}

// tidyManual removes the user's home folder and the generator's tag from the pages, and adds the links to guides.
func tidyManual(c *cobra.Command) {
	c.DisableAutoGenTag = true
	if line := c.Annotations[guideAnnotation]; line != "" {
		c.Long = cmp.Or(c.Long, c.Short+".") + "\n\n" + line + "."
	}
	home, err := os.UserHomeDir()
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if err == nil && home != "/" && home != "" && strings.HasPrefix(f.DefValue, home) {
			f.DefValue = "~" + strings.TrimPrefix(f.DefValue, home)
		}
	})
	for _, sub := range c.Commands() {
		tidyManual(sub)
	}
}

// countPages counts the commands that have a page.
func countPages(c *cobra.Command) int {
	n := 1
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
			n += countPages(sub)
		}
	}
	return n
}
