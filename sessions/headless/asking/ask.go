package asking

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"bandscope/functions/setting"
	"bandscope/sessions"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/loop"
	"bandscope/sessions/safe"
)

// AskOptions say what Ask asks for.
type AskOptions struct {
	Points int
	More   bool // besides those that are out
	JSON   bool
	Same   []string // variables whose value all points share
	Apart  float64  // how far they are apart; see sessions.Batch
	Beside []string // points that are run anyway, each as name=value,name=value
}

// Flags adds the flags that say what is asked for.
func (o *AskOptions) Flags(f *pflag.FlagSet) {
	f.IntVarP(&o.Points, "points", "n", 1, "how many; with --beside 0 for those alone")
	f.BoolVar(&o.More, "more", false, "new ones, without those that are out already")
	f.BoolVar(&o.JSON, "json", false, "one JSON object a point")
	f.StringSliceVar(&o.Same, "same", nil, "variable whose value all the points share, chosen for the best of them together; several with commas")
	f.Float64Var(&o.Apart, "apart", 0, "how far the points are apart at least, in some variable, as a share of its range, or else they differ in a level")
	f.StringArrayVar(&o.Beside, "beside", nil, "a point that is run anyway, as name=value,name=value: it goes out first, and the others are chosen beside it; may be given again")
}

// wish reads what is asked for in a session.
func (o AskOptions) wish(s *sessions.Session) (loop.Wish, error) {
	w := loop.Wish{Points: o.Points, More: o.More, Same: o.Same, Apart: o.Apart}
	for _, text := range o.Beside {
		given, err := pairsOf("--beside", strings.Split(text, ","))
		if err != nil {
			return w, command.Usage{Err: err}
		}
		at, err := setting.ReadTexts(s.State().Problem.Domain, given)
		if err != nil {
			return w, fmt.Errorf("--beside: %w", err)
		}
		w.Beside = append(w.Beside, at)
	}
	return w, nil
}

// Ask prints points to evaluate; they are on record by then. What was found before an error is printed.
func Ask(ctx context.Context, out, errs io.Writer, path string, o AskOptions) error {
	least := 1
	if len(o.Beside) > 0 {
		least = 0
	}
	if o.Points < least || o.Points > loop.MaxAsk {
		return command.Usagef("-n must be from %d to %d, got %d", least, loop.MaxAsk, o.Points)
	}
	s, err := Write(ctx, path, errs)
	if err != nil {
		return err
	}
	w, err := o.wish(s)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	bar := command.NewBar(errs)
	points, err := loop.Ask(ctx, s, w, func(what string, done, total int) { bar.Show(0, o.Points, command.Detail(what, done, total)) })
	bar.Clear()
	if over := s.State().Over(); over != "" && err == nil {
		fmt.Fprintln(errs, "bandscope: "+safe.Text(over)+"; more can be asked for all the same")
	}
	return errors.Join(err, printPoints(out, s.State(), points, o.JSON, InputText), s.Close())
}

// printPoints prints points that are out, one a line, for people with their inputs as a text.
func printPoints(out io.Writer, st sessions.State, points []loop.Point, asJSON bool, input func(sessions.State, []float64) string) error {
	for _, p := range points {
		if asJSON {
			if err := safe.JSON(out, p); err != nil {
				return err
			}
			continue
		}
		batch := ""
		if p.Batch != nil {
			batch = fmt.Sprintf(", %d of %d", p.Batch.Place, p.Batch.Points)
		}
		text := fmt.Sprintf("%-5v %s  (%s%s, out for %s)", p.Name, input(st, p.Input()), p.By, batch, ageText(float64(p.Age)))
		if len(p.Waits) > 0 {
			text += "  waits for " + strings.Join(p.Waits, ", ")
		}
		if p.Reason != "" {
			text += "  # " + p.Reason
		}
		if _, err := fmt.Fprintln(out, safe.Text(text)); err != nil {
			return err
		}
	}
	return nil
}
