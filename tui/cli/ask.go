package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/sessions"
	"bandscope/sessions/asktell"
	"bandscope/sessions/sanitize"
)

type askOptions struct {
	Points      int
	OnlyNew     bool // besides those that are out
	JSON        bool
	Shared      []string // variables whose value all points share
	MinDistance float64  // how far they are apart; see sessions.Batch
	FixedPoints []string // points that are run anyway, each as name=value,name=value
}

func askCommand() *cobra.Command {
	var o askOptions
	c := withSessionArg(&cobra.Command{Use: "ask FILE",
		Short: "Print points to evaluate: those that are out already, and what is suggested besides",
		Example: "  bandscope ask espresso.jsonl -n 3\n  bandscope ask oven.jsonl -n 8 --same temperature --apart " +
			"0.1\n  bandscope ask espresso.jsonl -n 2 --beside dose=17,time=30",
		RunE: func(c *cobra.Command, a []string) error { return ask(c.Context(), os.Stdout, os.Stderr, a[0], o) }})
	f := c.Flags()
	f.IntVarP(&o.Points, "points", "n", 1, "how many; with --beside 0 for those alone")
	f.BoolVar(&o.OnlyNew, "more", false, "new ones, without those that are out already")
	f.BoolVar(&o.JSON, "json", false, "one JSON object a point")
	f.StringSliceVar(&o.Shared, "same", nil,
		"variable whose value all the points share, chosen for the best of them together; several with commas")
	f.Float64Var(&o.MinDistance, "apart", 0,
		"how far the points are apart at least, in some variable, as a share of its "+
			"range, or else they differ in a level")
	f.StringArrayVar(&o.FixedPoints, "beside", nil,
		"a point that is run anyway, as name=value,name=value: it goes out first, and the others are chosen beside "+
			"it; may be given again")
	completeFlag(c, "same", variableNames)
	completeFlag(c, "beside", variableWords)
	return c
}

func (o askOptions) parse(s *sessions.Session) (asktell.AskOptions, error) {
	w := asktell.AskOptions{Points: o.Points, OnlyNew: o.OnlyNew, Shared: o.Shared, MinDistance: o.MinDistance}
	for _, text := range o.FixedPoints {
		given, err := parsePairs("--beside", strings.Split(text, ","))
		if err != nil {
			return w, asUsage(err)
		}
		at, err := encoding.ParseMap(s.State().Problem.Domain, given)
		if err != nil {
			return w, fmt.Errorf("--beside: %w", err)
		}
		w.FixedPoints = append(w.FixedPoints, at)
	}
	return w, nil
}

// ask prints points to evaluate; they are on record by then. What was found before an error is printed.
func ask(ctx context.Context, out, errs io.Writer, path string, o askOptions) error {
	least := 1
	if len(o.FixedPoints) > 0 {
		least = 0
	}
	if o.Points < least || o.Points > asktell.MaxAsk {
		return usagef("-n must be from %d to %d, got %d", least, asktell.MaxAsk, o.Points)
	}
	s, err := openToWrite(ctx, path, errs)
	if err != nil {
		return err
	}
	w, err := o.parse(s)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	bar := newBar(errs)
	points, err := asktell.Ask(ctx, s, w, func(what string, done, total int) {
		bar.Show(0, o.Points, progressText(what, done, total))
	})
	bar.Clear()
	if over := s.State().StopReason(); over != "" && err == nil {
		fmt.Fprintln(errs, "bandscope: "+sanitize.Text(over)+"; more can be asked for all the same")
	}
	return errors.Join(err, printPoints(out, s.State(), points, o.JSON, encoding.FormatExact), s.Close())
}

// inputText names the values of an input, with units, each value as valueText writes it.
func inputText(st sessions.State, x []float64, valueText func(functions.Variable, float64) string) string {
	parts := make([]string, len(x))
	for j, v := range st.Problem.Domain {
		parts[j] = strings.TrimSpace(v.Name + " = " + valueText(v, x[j]) + " " + v.Unit)
	}
	return strings.Join(parts, "  ")
}

// ageText is a time in its greatest unit.
func ageText(seconds float64) string {
	switch {
	case seconds < 120:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 7200:
		return fmt.Sprintf("%.0f min", seconds/60)
	case seconds < 48*3600:
		return fmt.Sprintf("%.0f h", seconds/3600)
	}
	return fmt.Sprintf("%.0f days", seconds/86400)
}

// printPoints prints points that are out, one a line, for people with their inputs as a text.
func printPoints(out io.Writer, st sessions.State, points []asktell.Point, asJSON bool,
	valueText func(functions.Variable, float64) string) error {
	for _, p := range points {
		if asJSON {
			if err := sanitize.JSON(out, p); err != nil {
				return err
			}
			continue
		}
		batch := ""
		if p.Batch != nil {
			batch = fmt.Sprintf(", %d of %d", p.Batch.Place, p.Batch.Points)
		}
		text := fmt.Sprintf("%-5v %s  (%s%s, out for %s)", p.Name, inputText(st, p.Input(), valueText), p.By, batch,
			ageText(float64(p.Age)))
		if len(p.Missing) > 0 {
			text += "  waits for " + strings.Join(p.Missing, ", ")
		}
		if p.Reason != "" {
			text += "  # " + p.Reason
		}
		if _, err := fmt.Fprintln(out, sanitize.Text(text)); err != nil {
			return err
		}
	}
	return nil
}

func pipeCommand() *cobra.Command {
	return withSessionArg(&cobra.Command{Use: "pipe FILE",
		Short: "Ask and tell by JSON, a line on standard input and one on standard output, with the belief kept in " +
			"memory",
		RunE: func(c *cobra.Command, a []string) error {
			return servePipe(c.Context(), os.Stdin, os.Stdout, os.Stderr, a[0])
		}})
}

// servePipe answers requests about a session, a JSON object a line, and keeps its file meanwhile.
func servePipe(ctx context.Context, in io.Reader, out, errs io.Writer, path string) error {
	s, err := openToWrite(ctx, path, errs)
	if err != nil {
		return err
	}
	return errors.Join(asktell.Serve(ctx, s, in, contextWriter{ctx, out}), s.Close())
}
