package studying

import (
	"os"

	"github.com/spf13/cobra"

	"bandscope/sessions/headless/command"
)

// Commands are study and work.
func Commands() []*cobra.Command {
	return []*cobra.Command{studyCommand(), workCommand()}
}

func studyCommand() *cobra.Command {
	var o Options
	c := &cobra.Command{Use: "study FILE.toml", Short: "Run a table of methods on problems over seeds, which goes on whatever happens", Args: command.Args(cobra.ExactArgs(1)),
		Example: "  bandscope study small.toml\n  bandscope study small.toml --db postgres://host/studies",
		RunE: func(c *cobra.Command, a []string) error {
			return Study(c.Context(), os.Stdout, os.Stderr, a[0], o)
		}}
	c.Flags().StringVar(&o.DB, "db", "", "where it is kept: a file, or a URL of PostgreSQL; by default a file in the data folder")
	c.Flags().IntVar(&o.Workers, "workers", 0, "cells at once; 0 is one a core")
	c.Flags().BoolVar(&o.Plain, "plain", false, "without the screen")
	return c
}

func workCommand() *cobra.Command {
	var o Options
	c := &cobra.Command{Use: "work --db URL", Short: "Work on the studies of a database, until it is interrupted", Args: command.Args(cobra.NoArgs),
		Example: "  bandscope work --db postgres://host/studies",
		RunE: func(c *cobra.Command, _ []string) error {
			return Work(c.Context(), os.Stderr, o)
		}}
	c.Flags().StringVar(&o.DB, "db", "", "the database: a URL of PostgreSQL, or a file of studies")
	c.Flags().IntVar(&o.Workers, "workers", 0, "cells at once; 0 is one a core")
	return c
}
