package headless

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

// Man writes the manual of a program: its first page to out, or all pages, one a command, into a folder, which is made if it is not there.
func Man(out io.Writer, root *cobra.Command, dir string) error {
	root.InitDefaultCompletionCmd()
	tidy(root)
	b := ThisBuild()
	date := b.Date()
	header := &doc.GenManHeader{Title: strings.ToUpper(root.Name()), Section: "1", Date: &date, Source: root.Name() + " " + b.Version, Manual: "User Commands"}
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
	_, err := fmt.Fprintf(out, "%d pages are in %s; man %s/%s.1 shows the first\n", pages(root), dir, strings.TrimSuffix(dir, "/"), root.Name())
	return err
}

// tidy takes what is true of this user alone, and of the generator, out of the pages.
func tidy(c *cobra.Command) {
	c.DisableAutoGenTag = true
	home, err := os.UserHomeDir()
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if err == nil && home != "/" && home != "" && strings.HasPrefix(f.DefValue, home) {
			f.DefValue = "~" + strings.TrimPrefix(f.DefValue, home)
		}
	})
	for _, sub := range c.Commands() {
		tidy(sub)
	}
}

// pages counts the commands that have a page.
func pages(c *cobra.Command) int {
	n := 1
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
			n += pages(sub)
		}
	}
	return n
}
