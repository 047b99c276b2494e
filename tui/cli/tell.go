package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"bandscope/functions/numfmt"
	"bandscope/functions/sheet"
	"bandscope/sessions/acts"
	"bandscope/sessions/eventlog"
)

func tellCommand() *cobra.Command {
	c, d := actCommand(acts.Tell.Act, "  bandscope tell espresso.jsonl 7 extraction=18.2 bitterness=3\n"+
		"  bandscope tell espresso.jsonl 8 --failed 'the machine leaked'\n"+
		"  bandscope tell plate.jsonl 3 yield=42 --at solvent=DMF --block monday\n"+
		"  bandscope tell plate.jsonl --sheet plate1.xlsx")
	var file string
	var table tableFlags
	c.Flags().StringVar(&file, "sheet", "", "table of results instead of a point, CSV or XLSX, as bandscope ask --plate and bandscope export write it; columns are named like objectives and variables, or point")
	table.Flags(c)
	c.MarkFlagFilename("sheet", "csv", "tsv", "xlsx")
	run := c.RunE
	c.RunE = func(c *cobra.Command, a []string) error {
		if file == "" {
			return run(c, a)
		}
		for name, g := range d.flags {
			if len(a) > 1 || g.value != nil && name != "force" {
				return usagef("--sheet can only be used with --force and how the table is written: the table contains everything else")
			}
		}
		return tellTable(c.Context(), os.Stdout, os.Stderr, a[0], file, table, d.flags["force"].value == true)
	}
	return c
}

// tellTable reports the results of a table.
func tellTable(ctx context.Context, out, errs io.Writer, path, file string, table tableFlags, force bool) error {
	options, err := table.Options()
	if err != nil {
		return err
	}
	f, err := eventlog.OpenRegular(file, sheet.MaxBytes)
	if err != nil {
		return err
	}
	defer f.Close()
	s, err := openToWrite(ctx, path, errs)
	if err != nil {
		return err
	}
	progress, done := newProgress(errs)
	t, err := acts.TellTable(ctx, s, f, options, force, progress)
	done()
	sayFormat(errs, file, t.Format)
	for _, result := range t.Results {
		err = errors.Join(err, printLines(out, result.Text()))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", file, actError(acts.Tell.Explain(err))), s.Close())
	}
	_, err = fmt.Fprintf(out, "%s recorded; %s already recorded, %s without a result\n",
		numfmt.Count(len(t.Results), "result"), numfmt.Count(t.Duplicates, "row"), numfmt.Count(t.WithoutResult, "row"))
	return errors.Join(err, s.Close())
}
