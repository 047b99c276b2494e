package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/asktell"
	"bandscope/sessions/pipe"
	"bandscope/sessions/sanitize"
	"bandscope/tui/export"
)

type askOptions struct {
	Points      int
	OnlyNew     bool // only new points, in addition to the pending ones
	JSON        bool
	Shared      []string // variables whose value all points share
	MinDistance float64  // smallest distance between them; see sessions.Batch
	FixedPoints []string // points that a person evaluates anyway, each as name=value,name=value
	Plate       plateFlags
}

func askCommand() *cobra.Command {
	var o askOptions
	c := withSessionArg(&cobra.Command{Use: "ask FILE",
		Short: "Print points to evaluate: the pending ones, then new suggestions",
		Long:  "Print -n points to evaluate. The pending points come first, the oldest at the top. If there are fewer than -n,\nthe method suggests more.",
		Example: "  bandscope ask espresso.jsonl -n 3\n  bandscope ask oven.jsonl -n 8 --same temperature --apart 0.1\n  bandscope ask espresso.jsonl -n 2 --beside dose=17,time=30\n" +
			"  bandscope ask oven.jsonl --plate 4x6 --controls 2 --sheet plate1.xlsx --sheet plate1.html",
		RunE: func(c *cobra.Command, a []string) error {
			if o.Plate.Size != "" {
				return askPlate(c.Context(), os.Stdout, os.Stderr, a[0], o, c.Flags().Changed("points"))
			}
			if err := o.Plate.unused(c); err != nil {
				return err
			}
			return ask(c.Context(), os.Stdout, os.Stderr, a[0], o)
		}})
	f := c.Flags()
	f.IntVarP(&o.Points, "points", "n", 1, "number of points; may be 0 with --beside")
	f.BoolVar(&o.OnlyNew, "more", false, "print new suggestions only, without the pending points")
	f.BoolVar(&o.JSON, "json", false, "print one JSON object per point")
	f.StringSliceVar(&o.Shared, "same", nil,
		"variable that has the same value at all points, chosen jointly; separate several with commas")
	f.Float64Var(&o.MinDistance, "apart", 0,
		"smallest distance between two points in at least one variable, as a share of its range; another level or choice is always enough")
	f.StringArrayVar(&o.FixedPoints, "beside", nil,
		"point that you evaluate anyway, as name=value,name=value; it comes first, and the suggestions take it into account; may be repeated")
	o.Plate.Flags(c)
	(&programFlag{}).Flags(c)
	completeFlag(c, "same", variableNames)
	completeFlag(c, "beside", variableWords)
	return recordsAs(c, sessions.AuthorPerson, sessions.ViaCommand)
}

func (o askOptions) parse(s *sessions.Session) (asktell.AskOptions, error) {
	w := asktell.AskOptions{Points: o.Points, OnlyNew: o.OnlyNew, Shared: o.Shared, MinDistance: o.MinDistance}
	for _, text := range o.FixedPoints {
		pairs, err := parsePairs("--beside", functions.SplitPairs(text))
		if err != nil {
			return w, asUsage(err)
		}
		position, err := encoding.ParseMap(s.State().Problem.Domain, pairs)
		if err != nil {
			return w, fmt.Errorf("--beside: %w", err)
		}
		w.FixedPoints = append(w.FixedPoints, position)
	}
	return w, nil
}

// ask prints points to evaluate after it has recorded them. It also prints the points that it found before an error.
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
	points, err := asktell.Ask(ctx, s, w, func(subject string, done, total int) {
		bar.Show(0, o.Points, progressText(subject, done, total))
	})
	bar.Clear()
	if err == nil {
		sayRest(errs, s.State(), asktell.Shortfall(s.State(), len(points), o.Points+len(w.FixedPoints)))
	}
	return errors.Join(err, printPoints(out, s.State(), points, o.JSON, shortValue), s.Close())
}

// sayRest says why there are fewer points than asked for, how many a finite space has left, and that the search is over.
func sayRest(errs io.Writer, st sessions.State, shortfall string) {
	c, finite := st.PointCount()
	switch {
	case shortfall != "":
		fmt.Fprintln(errs, "bandscope: "+sanitize.Text(shortfall))
	case finite:
		fmt.Fprintln(errs, "bandscope: "+sanitize.Text(c.String()))
	}
	if over := st.StopReason(); over != "" && !st.Exhausted() {
		fmt.Fprintln(errs, "bandscope: "+sanitize.Text(over)+"; you can still ask for more points")
	}
}

// inputText names the values of an input, with units, each value as valueText writes it.
func inputText(st sessions.State, x []float64, valueText func(functions.Variable, float64) string) string {
	parts := make([]string, len(x))
	for j, v := range st.Problem.Domain {
		parts[j] = strings.TrimSpace(v.Name + " = " + valueText(v, x[j]) + " " + v.Unit)
	}
	return strings.Join(parts, "  ")
}

// printPoints prints pending points, one per line: as JSON, or as text for people.
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
			batch = fmt.Sprintf(", point %d of %d", p.Batch.Place, p.Batch.Points)
		}
		if p.Design != nil {
			batch += ", " + p.Design.String()
		}
		if p.Plate != "" {
			batch += ", well " + p.Well + " of " + p.Plate
		}
		if p.AskedBy != nil && !isUser(*p.AskedBy) {
			batch += ", asked by " + p.AskedBy.String()
		}
		text := fmt.Sprintf("%-5v %s  (%s%s, %s)", p.Name, inputText(st, p.Input(), valueText), p.By, batch,
			p.Waiting(time.Now()))
		if len(p.Missing) > 0 {
			text += "  still missing: " + strings.Join(p.Missing, ", ")
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
	via := sessions.ViaPipe
	c := &cobra.Command{Use: "pipe [FILE]...",
		Short: "Perform acts that are given as JSON, one object per line",
		Long: "Read one JSON request per line from standard input, and write one answer per line to standard output.\n" +
			"Requests name a session: one of the given files, or one of the present folder, which \"create\" begins. Those that\n" +
			"name none are about the first file. The model stays in memory between requests. bandscope schema prints\n" +
			"their JSON Schema.",
		Example: "  echo '{\"act\":\"ask\"}' | bandscope pipe espresso.jsonl\n" +
			"  echo '{\"id\":1,\"session\":\"espresso.jsonl\",\"act\":\"status\"}' | bandscope pipe",
		Args: args(cobra.ArbitraryArgs), ValidArgsFunction: completeFurther(savedSessionWords),
		RunE: func(c *cobra.Command, a []string) error {
			amount := authorFrom(c.Context())
			amount.Via = via
			if via != sessions.ViaPipe && via != sessions.ViaPython {
				return usagef("--via is %s or %s, got %q", sessions.ViaPipe, sessions.ViaPython, via)
			}
			ctx, cancel := untilHangup(context.WithValue(c.Context(), authorKey{}, amount), os.Stdout)
			defer cancel()
			return servePipe(ctx, os.Stdin, os.Stdout, os.Stderr, a)
		}}
	(&programFlag{}).Flags(c)
	c.Flags().StringVar(&via, "via", via, "what the requests come through, which is recorded: pipe or python")
	return recordsAs(c, sessions.AuthorProgram, sessions.ViaPipe)
}

// servePipe answers requests about sessions, one JSON object per line. Others can write to their files meanwhile.
func servePipe(ctx context.Context, in io.Reader, out, errs io.Writer, paths []string) (err error) {
	folder, err := acts.NewFolder(".", authorFrom(ctx), nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	o := pipe.Options{Folder: folder, Paint: export.Paint}
	for i, path := range paths {
		s, err := openToWrite(ctx, path, errs)
		if err != nil {
			return err
		}
		if i == 0 {
			o.Session = s
		}
		if err := folder.Adopt(path, s); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	return pipe.Serve(ctx, o, in, contextWriter{ctx, out})
}
