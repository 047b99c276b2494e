package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/functions/sheet"
	"bandscope/sessions"
	"bandscope/sessions/asktell"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/sanitize"
)

type tellOptions struct {
	SE, At []string // name=value
	Failed string
	Cost   float64
	Note   string
	Force  bool
	Sheet  string // a table instead of a point
	Table  tableFlags
	Block  string
}

func tellCommand() *cobra.Command {
	var o tellOptions
	c := &cobra.Command{Use: "tell FILE POINT|new [NAME=VALUE]...",
		Short: "Report the result of a pending point, or of a new one",
		Long:  "Report the result of a pending point by its number, or with \"new\" the result of a point that was not suggested.\nYou can report some objectives now and the others later.",
		Args:  args(cobra.MinimumNArgs(1)),
		Example: "  bandscope tell espresso.jsonl 7 extraction=18.2 bitterness=3\n" +
			"  bandscope tell espresso.jsonl 8 --failed 'the machine leaked'\n" +
			"  bandscope tell espresso.jsonl new --at dose=17,time=30 extraction=18 bitterness=4\n" +
			"  bandscope tell plate.jsonl 3 yield=42 --at solvent=DMF --block monday\n" +
			"  bandscope tell plate.jsonl --sheet plate1.xlsx",
		ValidArgsFunction: completeFurther(savedSessionWords, pendingWords, objectiveWords),
		RunE: func(c *cobra.Command, a []string) error {
			return tellResult(c.Context(), os.Stdout, os.Stderr, a[0], a[1:], o)
		}}
	f := c.Flags()
	f.StringVar(&o.Failed, "failed", "", "reason why the evaluation failed, instead of values")
	f.Float64Var(&o.Cost, "cost", 0, "measured cost of the evaluation")
	f.StringSliceVar(&o.SE, "sd", nil, "standard error of a value, as name=value; separate several with commas")
	f.StringArrayVar(&o.At, "at", nil, "actual value of a variable, as name=value; separate several with commas, and put a name with a comma in double quotes")
	f.StringVar(&o.Note, "note", "", "note about the result")
	f.StringVar(&o.Block, "block", "", "plate, day or batch in which the result was measured, whose common shift the model estimates")
	f.StringVar(&o.Sheet, "sheet", "", "table of results instead of a point, CSV or XLSX, as bandscope ask --plate and bandscope export write it; columns are named like objectives and variables, or point")
	f.StringVar(&o.Sheet, "csv", "", "the same as --sheet")
	o.Table.Flags(c)
	f.BoolVar(&o.Force, "force", false, "accept unexpected values")
	c.MarkFlagFilename("sheet", "csv", "tsv", "xlsx")
	c.MarkFlagFilename("csv", "csv")
	completeFlag(c, "sd", objectiveListWords)
	completeFlag(c, "at", variableWords)
	return recordsAs(c, sessions.AuthorPerson, sessions.ViaCommand)
}

// result reads a result from flags and from words of values; at is where it was measured, as typed.
func (o tellOptions) result(values []string) (r functions.Result, position map[string]string, err error) {
	r = functions.Result{Failed: o.Failed, Cost: o.Cost, Note: o.Note, Block: o.Block}
	r.Values, err = parseNumbers("a result", values)
	if err != nil {
		return r, nil, asUsage(err)
	}
	r.SE, err = parseNumbers("--sd", o.SE)
	if err != nil {
		return r, nil, asUsage(err)
	}
	position, err = parsePairs("--at", functions.SplitPairs(strings.Join(o.At, ",")))
	if err != nil {
		return r, nil, asUsage(err)
	}
	return r, position, nil
}

// newPoint replaces the number of a point that was not suggested.
const newPoint = "new"

// tellResult records a result: the point's number, or new, and name=value words.
func tellResult(ctx context.Context, out, errs io.Writer, path string, words []string, o tellOptions) error {
	if o.Sheet != "" {
		return tellTable(ctx, out, errs, path, words, o)
	}
	if len(words) == 0 {
		return usagef("which point? Give its number, as in bandscope tell %s 7 name=value", path)
	}
	name, err := asktell.ParseName(words[0])
	if err != nil && words[0] != newPoint {
		return asUsage(err)
	}
	r, position, err := o.result(words[1:])
	if err != nil {
		return err
	}
	s, err := openToWrite(ctx, path, errs)
	if err != nil {
		return err
	}
	r.At, err = encoding.ParseMap(s.State().Problem.Domain, position)
	if err != nil {
		return errors.Join(fmt.Errorf("--at: %w", err), s.Close())
	}
	var reported asktell.TellResult
	if words[0] == newPoint {
		reported, err = asktell.Add(s, r, o.Force)
	} else {
		reported, err = asktell.Tell(s, name, r, o.Force)
	}
	if err == nil {
		return errors.Join(printResult(out, s.State(), reported), s.Close())
	}
	return errors.Join(withAdvice(err, path), s.Close())
}

func tellTable(ctx context.Context, out, errs io.Writer, path string, words []string, o tellOptions) error {
	if len(words) > 0 || len(o.SE) > 0 || len(o.At) > 0 || o.Failed != "" || o.Note != "" || o.Cost != 0 || o.Block != "" {
		return usagef("--sheet can only be used with --force and how the table is written: the table contains everything else")
	}
	options, err := o.Table.Options()
	if err != nil {
		return err
	}
	f, err := eventlog.OpenRegular(o.Sheet, sheet.MaxBytes)
	if err != nil {
		return err
	}
	defer f.Close()
	s, err := openToWrite(ctx, path, errs)
	if err != nil {
		return err
	}
	progress, done := newProgress(errs)
	t, err := asktell.TellTable(ctx, s, f, options, o.Force, progress)
	done()
	sayFormat(errs, o.Sheet, t.Format)
	st := s.State()
	for _, result := range t.Results {
		err = errors.Join(err, printResult(out, st, result))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", o.Sheet, withAdvice(err, path)), s.Close())
	}
	_, err = fmt.Fprintf(out, "%s recorded; %s already recorded, %s without a result\n",
		numfmt.Count(len(t.Results), "result"), numfmt.Count(t.Duplicates, "row"), numfmt.Count(t.WithoutResult, "row"))
	return errors.Join(err, s.Close())
}

// withAdvice adds to an error of a result what the user can do.
func withAdvice(err error, path string) error {
	var known asktell.AlreadyToldError
	switch {
	case errors.As(err, &known) && known.Step != "":
		return fmt.Errorf("%w; to correct it, run bandscope correct %s 'step %s = VALUE' (separate several values with commas)", err, path, known.Step)
	case errors.As(err, &known) && known.Rest:
		return fmt.Errorf("%w; you can correct it after you report the other points of its batch", err)
	case errors.As(err, &known):
		return fmt.Errorf("%w; to correct it, run bandscope correct %s 'point %s = VALUE' (separate several values with commas; ? if one is not known yet)", err, path, known.Point)
	case errors.Is(err, asktell.ErrNeedsForce):
		return fmt.Errorf("%w Nothing was recorded; --force records it", err)
	case errors.Is(err, functions.ErrNotFinite):
		return fmt.Errorf("%w (--failed REASON)", err)
	}
	return err
}

func printResult(out io.Writer, st sessions.State, t asktell.TellResult) error {
	text := fmt.Sprintf("point %v:", t.Name)
	if t.Step > 0 {
		text = fmt.Sprintf("point %v is step %d:", t.Name, t.Step)
	}
	for _, o := range st.Problem.Outputs() {
		if v, ok := t.Values[o.Name]; ok {
			text += "  " + strings.TrimSpace(o.Name+" = "+numfmt.Exact(float64(v))+" "+o.Unit)
		}
	}
	if t.Failed != "" {
		text += "  failed (" + t.Failed + ")"
	}
	if len(t.Missing) > 0 {
		text += "  still missing: " + strings.Join(t.Missing, ", ")
	}
	if t.Breaks != "" {
		text += "  (recorded although " + t.Breaks + ")"
	}
	_, err := fmt.Fprintln(out, sanitize.Text(text))
	return err
}

// parsePairs reads name=value words.
func parsePairs(subject string, words []string) (map[string]string, error) {
	m := map[string]string{}
	for _, w := range words {
		name, text, ok := strings.Cut(w, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return nil, fmt.Errorf("%s must be name=value, got %q", subject, w)
		}
		if _, twice := m[name]; twice {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		m[name] = text
	}
	return m, nil
}

// parseNumbers reads name=value words whose values are numbers.
func parseNumbers(subject string, words []string) (map[string]float64, error) {
	texts, err := parsePairs(subject, words)
	if err != nil {
		return nil, err
	}
	m := map[string]float64{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		m[name], err = strconv.ParseFloat(strings.TrimSpace(texts[name]), 64)
		if err != nil {
			return nil, fmt.Errorf("%s is %q, which is not a number%s", name, texts[name],
				numfmt.CommaHint(texts[name]))
		}
	}
	return m, nil
}
