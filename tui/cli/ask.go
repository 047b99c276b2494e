package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/functions/sheet"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/eventlog"
	"bandscope/tui/export"
)

// askFiles are the files of a plate: its sheets, and a table of controls.
type askFiles struct {
	sheets   []string
	controls string
	table    tableFlags
}

func askCommand() *cobra.Command {
	c, d := actCommand(acts.Ask.Act, "  bandscope ask espresso.jsonl -n 3\n  bandscope ask oven.jsonl -n 8 --shared temperature --min-distance 0.1\n"+
		"  bandscope ask espresso.jsonl -n 2 --fixed dose=17,time=30\n  bandscope ask oven.jsonl --plate 4x6 --controls 2 --sheet plate1.xlsx --sheet plate1.html")
	var o askFiles
	f := c.Flags()
	f.StringArrayVar(&o.sheets, "sheet", nil, "file of the sheet of the plate, which ends in .csv, .xlsx or .html (to print); may be repeated")
	f.StringVar(&o.controls, "control-table", "", "table of further controls, CSV or XLSX, a well each")
	o.table.Flags(c)
	c.MarkFlagFilename("sheet", "csv", "xlsx", "html")
	c.MarkFlagFilename("control-table", "csv", "xlsx")
	run := c.RunE
	c.RunE = func(c *cobra.Command, a []string) error {
		if len(o.sheets) == 0 && o.controls == "" {
			return run(c, a)
		}
		if !c.Flags().Changed("plate") {
			return usagef("--sheet and --control-table need --plate ROWSxCOLUMNS")
		}
		return o.ask(c.Context(), os.Stdout, os.Stderr, d, a[0])
	}
	return c
}

// ask asks for the points of a plate, and writes its sheets.
func (o askFiles) ask(ctx context.Context, out, errs io.Writer, d *door, path string) error {
	format, err := o.table.Options()
	if err != nil {
		return err
	}
	for _, file := range o.sheets {
		isSheet := func(end string) bool { return strings.HasSuffix(strings.ToLower(file), end) }
		if !slices.ContainsFunc(export.PlateFormats, isSheet) {
			return usagef("--sheet must end in %s, got %q", strings.Join(export.PlateFormats, ", "), file)
		}
	}
	if o.controls != "" {
		s, err := readSession(ctx, path, io.Discard)
		if err != nil {
			return err
		}
		d.flags["control"].value, err = readControls(ctx, s.State().Problem.Domain, o.controls, format)
		if err = errors.Join(err, s.Close()); err != nil {
			return err
		}
	}
	write := func(s *sessions.Session, answer acts.Answer) (lines []string, err error) {
		plates := acts.Plates(s)
		i := slices.IndexFunc(plates, func(p acts.PlateSheet) bool { return p.Name == answer.(acts.AskAnswer).Plate })
		for _, file := range o.sheets {
			if err := writeTo(ctx, file, out, func(target io.Writer) error {
				return export.Plate(target, file, s, plates[i], format)
			}); err != nil {
				return nil, err
			}
			lines = append(lines, fmt.Sprintf("%s of %s: %s", numfmt.Count(len(plates[i].Points), "well"), plates[i].Name, file))
		}
		return lines, nil
	}
	return d.runWith(ctx, out, errs, acts.Ask.Act, path, nil, write)
}

// readControls reads a table of points.
func readControls(ctx context.Context, d functions.Domain, file string, o sheet.Options) (list []acts.Input, err error) {
	f, err := eventlog.OpenRegular(file, sheet.MaxBytes)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := sheet.ReadFrom(eventlog.WithContext(ctx, f), o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for i := range t.Rows {
		input := acts.Input{}
		for _, v := range d {
			j, err := t.Find(v.Name, v.Unit)
			if err != nil || j < 0 {
				return nil, fmt.Errorf("%s: %w", file, errors.Join(err, t.Unknown(v.Name)))
			}
			if _, err := v.Parse(t.Rows[i][j]); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", file, t.Place(i), err)
			}
			input[v.Name] = encoding.Typed(t.Rows[i][j])
		}
		list = append(list, input)
	}
	return list, nil
}
