package cli

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"bandscope/functions/sheet"
	"bandscope/sessions/sanitize"
)

// tableFlags say how a table is written, where that is not to be recognized.
type tableFlags struct{ Separator, Decimal, Worksheet string }

// Flags adds the flags of a table.
func (t *tableFlags) Flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&t.Separator, "separator", "", "separator of the columns of a table, if it is not recognized: comma, semicolon or tab")
	f.StringVar(&t.Decimal, "decimal", "", "decimal sign of the numbers of a table, if it is not recognized: point or comma")
	f.StringVar(&t.Worksheet, "worksheet", "", "sheet of a workbook; the first one if not given")
	completeFlag(c, "separator", fixedWords("comma", "semicolon", "tab"))
	completeFlag(c, "decimal", fixedWords("point", "comma"))
}

// Options are the options of a table; an unknown name is an error of usage.
func (t tableFlags) Options() (sheet.Options, error) {
	o, err := sheet.ParseOptions(t.Separator, t.Decimal, t.Worksheet)
	return o, asUsage(err)
}

// sayFormat says how a table was read, unless it is CSV with commas and decimal points.
func sayFormat(errs io.Writer, path string, f sheet.Format) {
	if !f.IsZero() && !f.Plain() {
		fmt.Fprintf(errs, "bandscope: %s: %s\n", sanitize.Text(path), sanitize.Text(f.String()))
	}
}

// fixedWords completes the same words everywhere.
func fixedWords(words ...string) completer {
	return func(context.Context, []string, string) []string { return slices.Clone(words) }
}
