package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/functions/sheet"
	"bandscope/sessions"
	"bandscope/sessions/asktell"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/sanitize"
	"bandscope/tui/export"
)

// plateFlags are the flags of a plate.
type plateFlags struct {
	Size       string // ROWSxCOLUMNS; empty for no plate
	Name       string
	Sheets     []string // files to write
	Controls   string   // a number of wells, or a table of points
	Replicates int
	By         string // which points share values
	Order      string
	Table      tableFlags
}

// plateFlagNames are the flags that need --plate.
var plateFlagNames = []string{"plate-name", "sheet", "controls", "replicates", "by", "order", "separator", "decimal", "worksheet"}

// Flags adds the flags of a plate.
func (p *plateFlags) Flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&p.Size, "plate", "", "put the points into the wells of a plate of ROWSxCOLUMNS, such as 8x12; without -n they fill it")
	f.StringVar(&p.Name, "plate-name", "", "name of the plate and of the block of its results; plate 1, plate 2, … if not given")
	f.StringArrayVar(&p.Sheets, "sheet", nil, "file of the sheet of the plate, which ends in .csv, .xlsx or .html (to print); may be repeated")
	f.StringVar(&p.Controls, "controls", "", "number of wells with the control, which is the same on every plate: the best result so far, or the center of the domain; or a table of points, a well each")
	f.IntVar(&p.Replicates, "replicates", 1, "wells of each point of a plate")
	f.StringVar(&p.By, "by", "", "which points of a plate share the values of --same: plate, row or column")
	f.StringVar(&p.Order, "order", "", "order of the wells of a plate: random, from the seed, or sorted, so that few values change")
	p.Table.Flags(c)
	c.MarkFlagFilename("sheet", "csv", "xlsx", "html")
	c.MarkFlagFilename("controls", "csv", "xlsx")
	completeFlag(c, "by", fixedWords(asktell.SharePlate, asktell.ShareRow, asktell.ShareColumn))
	completeFlag(c, "order", fixedWords(sessions.PlateRandom, sessions.PlateSorted))
}

// unused returns an error if a flag of a plate is set without one.
func (p *plateFlags) unused(c *cobra.Command) error {
	for _, name := range plateFlagNames {
		if c.Flags().Changed(name) {
			return usagef("--%s needs --plate ROWSxCOLUMNS", name)
		}
	}
	return nil
}

// options are the options of the plate.
func (o askOptions) options(ctx context.Context, s *sessions.Session, givenPoints bool) (w asktell.PlateOptions, err error) {
	p := o.Plate
	w = asktell.PlateOptions{Name: p.Name, Replicates: p.Replicates, Shared: o.Shared, By: p.By, MinDistance: o.MinDistance,
		Order: p.Order, OnlyNew: o.OnlyNew}
	w.Rows, w.Columns, err = asktell.ParsePlateSize(p.Size)
	if err != nil {
		return w, asUsage(err)
	}
	switch {
	case givenPoints && o.Points < 1:
		return w, usagef("-n must be 1 or more on a plate, got %d", o.Points)
	case p.Replicates < 1:
		return w, usagef("--replicates must be 1 or more, got %d", p.Replicates)
	case len(o.FixedPoints) > 0:
		return w, usagef("--beside cannot be used with --plate; --controls names points of your own")
	case givenPoints:
		w.Points = o.Points
	}
	if n, err := strconv.Atoi(p.Controls); err == nil || p.Controls == "" {
		w.Controls = n
		if n < 0 {
			return w, usagef("--controls must be 0 or more, got %d", n)
		}
		return w, nil
	}
	w.ControlPoints, err = readControls(ctx, s, p)
	return w, err
}

// readControls reads a table of points.
func readControls(ctx context.Context, s *sessions.Session, p plateFlags) (list []map[string]float64, err error) {
	options, err := p.Table.Options()
	if err != nil {
		return nil, err
	}
	f, err := eventlog.OpenRegular(p.Controls, sheet.MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("--controls must be a number of wells or a table of points: %w", err)
	}
	defer f.Close()
	t, err := sheet.ReadFrom(eventlog.WithContext(ctx, f), options)
	for i := 0; err == nil && i < len(t.Rows); i++ {
		values := map[string]string{}
		for _, v := range s.State().Problem.Domain {
			var j int
			j, err = t.Find(v.Name, v.Unit)
			if err != nil || j < 0 {
				err = errors.Join(err, t.Unknown(v.Name))
				break
			}
			values[v.Name] = t.Rows[i][j]
		}
		var position map[string]float64
		if err == nil {
			position, err = encoding.ParseMap(s.State().Problem.Domain, values)
			if err != nil {
				err = fmt.Errorf("%s: %w", t.Place(i), err)
			}
		}
		list = append(list, position)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Controls, err)
	}
	return list, nil
}

// askPlate asks for the points of a plate, and writes its sheets or prints its wells.
func askPlate(ctx context.Context, out, errs io.Writer, path string, o askOptions, givenPoints bool) error {
	written, err := o.Plate.Table.Options()
	if err != nil {
		return err
	}
	for _, file := range o.Plate.Sheets {
		if !slices.ContainsFunc(export.PlateFormats, func(end string) bool { return strings.HasSuffix(strings.ToLower(file), end) }) {
			return usagef("--sheet must end in %s, got %q", strings.Join(export.PlateFormats, ", "), file)
		}
	}
	s, err := openToWrite(ctx, path, errs)
	if err != nil {
		return err
	}
	w, err := o.options(ctx, s, givenPoints)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	bar := newBar(errs)
	p, err := asktell.AskPlate(ctx, s, w, func(subject string, done, total int) {
		bar.Show(0, max(o.Points, 1), progressText(subject, done, total))
	})
	bar.Clear()
	if err != nil {
		return errors.Join(err, s.Close())
	}
	for _, file := range o.Plate.Sheets {
		if err := writeTo(ctx, file, out, func(target io.Writer) error {
			return export.Plate(target, file, s, p, written)
		}); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	if p.Note != "" {
		fmt.Fprintln(errs, "bandscope: "+sanitize.Text(p.Note))
	}
	return errors.Join(printPlate(out, s.State(), p, o), s.Close())
}

// printPlate prints the wells of a plate: as JSON, or as text for people.
func printPlate(out io.Writer, st sessions.State, p asktell.PlateSheet, o askOptions) error {
	if o.JSON {
		return sanitize.JSON(out, p)
	}
	for _, file := range o.Plate.Sheets {
		if _, err := fmt.Fprintf(out, "%s of %s: %s\n", numfmt.Count(len(p.Points), "well"), sanitize.Text(p.Name),
			sanitize.Text(file)); err != nil {
			return err
		}
	}
	if len(o.Plate.Sheets) > 0 {
		return nil
	}
	if _, err := fmt.Fprintf(out, "%s: %s of %d, in %s order\n", sanitize.Text(p.Name),
		numfmt.Count(len(p.Points), "well"), p.Rows*p.Columns, p.Order); err != nil {
		return err
	}
	for _, point := range p.Points {
		text := fmt.Sprintf("%-4s %-5v %s", point.Well, point.Name, inputText(st, point.Input(), shortValue))
		if kind := point.Kind(); kind != "" {
			text += "  (" + kind + ")"
		}
		if _, err := fmt.Fprintln(out, sanitize.Text(text)); err != nil {
			return err
		}
	}
	return nil
}
