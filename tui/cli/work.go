package cli

import (
	"bandscope/sessions/safe"
	"bandscope/sessions/study/engine"
	"bandscope/sessions/study/store"
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"
)

func workCommand() *cobra.Command {
	var o studyOptions
	c := &cobra.Command{Use: "work --db URL", Short: "Work on the studies of a database, until it is interrupted", Args: args(cobra.NoArgs),
		Example: "  bandscope work --db postgres://host/studies",
		RunE:    func(c *cobra.Command, _ []string) error { return workDatabase(c.Context(), os.Stderr, o) }}
	c.Flags().StringVar(&o.DB, "db", "", "the database: a URL of PostgreSQL, or a file of studies")
	c.Flags().IntVar(&o.Workers, "workers", 0, "cells at once; 0 is one a core")
	return c
}

// Work works on whatever studies a database has until it is interrupted.
func workDatabase(ctx context.Context, errs io.Writer, o studyOptions) error {
	if o.DB == "" {
		return usagef("work needs --db: a URL of PostgreSQL, as in --db postgres://host/studies, or a file of studies")
	}
	if err := o.Check(); err != nil {
		return err
	}
	st, err := store.Peek(ctx, o.DB)
	if err != nil {
		return databaseError(err)
	}
	defer st.Close()
	patient(ctx)
	bar := newBar(errs)
	defer bar.Clear()
	paces := map[int64]*pace{}
	return engine.Work(ctx, st, engine.Options{Workers: o.Workers, Tell: func(text string) { bar.Print("bandscope: " + safe.Text(text)) },
		Progress: func(s store.Summary) {
			if paces[s.ID] == nil {
				paces[s.ID] = &pace{name: s.Name, bar: bar, errs: errs}
			}
			if s.Open() > 0 {
				paces[s.ID].show(s)
			}
		}})
}
