// Package asking is the commands by which a person at a shell, or a script, has a session suggest and tells what came of it: ask, tell, status and pipe. Words
// and options go in, lines for people or JSON come out, and what is wrong with a word says what would be right. Which points there are and what a
// result does is package loop's; how a session begins is package headless's.
package asking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"bandscope/functions"
	"bandscope/functions/digits"
	"bandscope/functions/setting"
	"bandscope/sessions"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/headless/labs"
	"bandscope/sessions/log"
	"bandscope/sessions/loop"
	"bandscope/sessions/safe"
	"bandscope/sessions/shelf"
)

// patience is how long a command waits for another process to leave a session's file.
var patience = 5 * time.Second

// Write opens a session, by its path or the name under which it is kept, that is to be written to, and writes what should be known of it to errs.
func Write(ctx context.Context, path string, errs io.Writer) (*sessions.Session, error) {
	path = command.FileOf(path, shelf.DefaultDir())
	s, err := sessions.OpenToWrite(ctx, path, patience)
	if locked := (*log.Locked)(nil); errors.As(err, &locked) {
		by := locked.By
		if by == "" {
			by = "another process"
		}
		return nil, fmt.Errorf("%s: %s writes to this file, and did not leave it within %v: end it there, or try again; nothing was recorded", path, by, patience)
	}
	if errors.Is(err, log.ErrReadOnly) {
		return nil, fmt.Errorf("%w%s", err, command.Copying("run", path))
	}
	return command.Notify(s, err, errs)
}

// InputText names the values of an input, with units.
func InputText(st sessions.State, x []float64) string {
	parts := make([]string, len(x))
	for j, v := range st.Problem.Domain {
		parts[j] = strings.TrimSpace(v.Name + " = " + setting.Given(v, x[j]) + " " + v.Unit)
	}
	return strings.Join(parts, "  ")
}

// shownInput is InputText with at most four significant digits.
func shownInput(st sessions.State, x []float64) string {
	parts := make([]string, len(x))
	for j, v := range st.Problem.Domain {
		parts[j] = strings.TrimSpace(v.Name + " = " + v.Text(x[j]) + " " + v.Unit)
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

// TellOptions say what Tell tells besides values.
type TellOptions struct {
	SE, At []string // name=value
	Failed string
	Cost   float64
	Note   string
	Force  bool
	CSV    string // a table in place of a point
}

// Flags adds the flags that say so.
func (o *TellOptions) Flags(f *pflag.FlagSet) {
	f.StringVar(&o.Failed, "failed", "", "it failed, and why")
	f.Float64Var(&o.Cost, "cost", 0, "what it cost, where that was measured")
	f.StringSliceVar(&o.SE, "sd", nil, "standard error of a value, as name=value; several with commas")
	f.StringSliceVar(&o.At, "at", nil, "what a variable really was, as name=value, a choice by its name; several with commas")
	f.StringVar(&o.Note, "note", "", "what else there is to say")
	f.StringVar(&o.CSV, "csv", "", "a table of results in place of a point, as export writes it: columns named like objectives and variables, or point")
	f.BoolVar(&o.Force, "force", false, "take values outside of what is expected")
}

// result reads what is told with the words of values, but for where it was measured, which stays as it is typed.
func (o TellOptions) result(values []string) (r functions.Result, at map[string]string, err error) {
	r = functions.Result{Failed: o.Failed, Cost: o.Cost, Note: o.Note}
	if r.Values, err = numbersOf("a result", values); err != nil {
		return r, nil, command.Usage{Err: err}
	}
	if r.SE, err = numbersOf("--sd", o.SE); err != nil {
		return r, nil, command.Usage{Err: err}
	}
	if at, err = pairsOf("--at", o.At); err != nil {
		return r, nil, command.Usage{Err: err}
	}
	return r, at, nil
}

// newPoint stands in place of a point's number for one that was not suggested.
const newPoint = "new"

// Tell records a result: the point's number, or new, and name=value words.
func Tell(ctx context.Context, out, errs io.Writer, path string, words []string, o TellOptions) error {
	if o.CSV != "" {
		return tellTable(ctx, out, errs, path, words, o)
	}
	if len(words) == 0 {
		return command.Usagef("which point? as in bandscope tell %s 7 name=value", path)
	}
	name, err := loop.ParseName(words[0])
	if err != nil && words[0] != newPoint {
		return command.Usage{Err: err}
	}
	r, at, err := o.result(words[1:])
	if err != nil {
		return err
	}
	s, err := Write(ctx, path, errs)
	if err != nil {
		return err
	}
	if r.At, err = setting.ReadTexts(s.State().Problem.Domain, at); err != nil {
		return errors.Join(fmt.Errorf("--at: %w", err), s.Close())
	}
	var told loop.Told
	if words[0] == newPoint {
		told, err = loop.Add(s, r, o.Force)
	} else {
		told, err = loop.Tell(s, name, r, o.Force)
	}
	if err == nil {
		return errors.Join(printTold(out, s.State(), told), s.Close())
	}
	return errors.Join(advised(err, path), s.Close())
}

// tellTable records the results of a table.
func tellTable(ctx context.Context, out, errs io.Writer, path string, words []string, o TellOptions) error {
	if len(words) > 0 || len(o.SE) > 0 || len(o.At) > 0 || o.Failed != "" || o.Note != "" || o.Cost != 0 {
		return command.Usagef("--csv goes with --force alone: the rows of the table tell all else")
	}
	f, err := log.OpenRegular(o.CSV, loop.MaxTable)
	if err != nil {
		return err
	}
	defer f.Close()
	s, err := Write(ctx, path, errs)
	if err != nil {
		return err
	}
	progress, done := command.Progress(errs)
	t, err := loop.TellTable(ctx, s, f, o.Force, progress)
	done()
	st := s.State()
	for _, told := range t.Told {
		err = errors.Join(err, printTold(out, st, told))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", o.CSV, advised(err, path)), s.Close())
	}
	_, err = fmt.Fprintf(out, "%d results recorded; %d rows were on record already, %d have no result yet\n", len(t.Told), t.Same, t.None)
	return errors.Join(err, s.Close())
}

// advised says besides what is wrong with a result what there is to do.
func advised(err error, path string) error {
	var known loop.KnownError
	switch {
	case errors.As(err, &known) && known.Step != "":
		return fmt.Errorf("%w; bandscope correct %s 'step %s = VALUE' changes it, of several values with commas", err, path, known.Step)
	case errors.As(err, &known) && known.Rest:
		return fmt.Errorf("%w; it can be corrected when the other points of its batch are told", err)
	case errors.As(err, &known):
		return fmt.Errorf("%w; bandscope correct %s 'point %s = VALUE' changes it, of several values with commas, ? for one that is not known yet", err, path, known.Point)
	case errors.Is(err, loop.ErrDoubtful):
		return fmt.Errorf("%w --force tells it all the same; nothing was recorded", err)
	case errors.Is(err, functions.ErrNotFinite):
		return fmt.Errorf("%w: --failed REASON", err)
	}
	return err
}

// printTold prints what is on record.
func printTold(out io.Writer, st sessions.State, t loop.Told) error {
	text := fmt.Sprintf("point %v:", t.Name)
	if t.Step > 0 {
		text = fmt.Sprintf("point %v is step %d:", t.Name, t.Step)
	}
	for _, o := range st.Problem.Measured() {
		if v, ok := t.Values[o.Name]; ok {
			text += "  " + strings.TrimSpace(o.Name+" = "+digits.Given(float64(v))+" "+o.Unit)
		}
	}
	if t.Failed != "" {
		text += "  failed (" + t.Failed + ")"
	}
	if len(t.Missing) > 0 {
		text += "  waits for " + strings.Join(t.Missing, ", ")
	}
	if t.Breaks != "" {
		text += "  (taken, though it breaks " + t.Breaks + ")"
	}
	_, err := fmt.Fprintln(out, safe.Text(text))
	return err
}

// pairsOf reads name=value words.
func pairsOf(what string, words []string) (map[string]string, error) {
	m := map[string]string{}
	for _, w := range words {
		name, text, ok := strings.Cut(w, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return nil, fmt.Errorf("%s is name=value, got %q", what, w)
		}
		if _, twice := m[name]; twice {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		m[name] = text
	}
	return m, nil
}

// numbersOf reads name=value words whose values are numbers.
func numbersOf(what string, words []string) (map[string]float64, error) {
	texts, err := pairsOf(what, words)
	if err != nil {
		return nil, err
	}
	m := map[string]float64{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if m[name], err = strconv.ParseFloat(strings.TrimSpace(texts[name]), 64); err != nil {
			return nil, fmt.Errorf("%s is %q, which is no number%s", name, texts[name], digits.CommaHint(texts[name]))
		}
	}
	return m, nil
}

// Standing prints how a session stands. Its file is left alone.
func Standing(ctx context.Context, out, errs io.Writer, path string, asJSON bool) error {
	s, err := command.Read(ctx, path, errs)
	if errors.Is(err, sessions.ErrLab) {
		return labs.Standing(ctx, out, errs, path, asJSON)
	}
	if err != nil {
		return err
	}
	bar := command.NewBar(errs)
	status, err := loop.StatusOf(ctx, s, func(what string, done, total int) { bar.Show(0, 1, command.Detail(what, done, total)) })
	bar.Clear()
	if err != nil {
		return err
	}
	if asJSON {
		return safe.JSON(out, status)
	}
	st := s.State()
	for _, l := range standingLines(st, status, path) {
		if _, err := fmt.Fprintln(out, safe.Text(l)); err != nil {
			return err
		}
	}
	return printPoints(out, st, status.Out, false, shownInput)
}

// standingLines are the lines that status prints of a session in a file, except its pending points.
func standingLines(st sessions.State, status loop.Status, path string) []string {
	lines := []string{st.Title(), fmt.Sprintf("%d of %d steps", status.Steps, status.Budget)}
	if status.Cost != nil {
		lines[1] += " · cost " + digits.Of(float64(*status.Cost))
	}
	if status.Best != nil {
		lines = append(lines, bestLine(st, "best observed", *status.Best, 0))
	}
	if status.BestMean != nil {
		lines = append(lines, bestLine(st, "best by the model", *status.BestMean, 0))
	}
	for _, c := range status.Clipped {
		lines = append(lines, fmt.Sprintf("%v; if the evaluation failed: bandscope correct %s '%s'", c, path, c.Remedy))
	}
	if status.NoModel != "" {
		lines = append(lines, "nothing is said by the model: "+status.NoModel)
	}
	if status.Stopping != "" {
		lines = append(lines, status.Stopping)
	}
	for _, r := range status.Strangers {
		lines = append(lines, fmt.Sprintf("not what the other results would say: point %s (%s, by %s standard deviations)", r.Point, r.Objective, digits.Of(math.Abs(float64(r.Z)))))
	}
	few, similar := loop.Similar(st, status.Front)
	for i, b := range few {
		lines = append(lines, bestLine(st, "on the front", b, similar[i]))
	}
	if len(few) < len(status.Front) {
		lines = append(lines, fmt.Sprintf("%d results are on the front: --json has them all", len(status.Front)))
	}
	lines = append(lines, frontByTheModel(st, status)...)
	if lines = append(lines, fmt.Sprintf("%d out", len(status.Out))); len(status.Out) == 0 {
		lines[len(lines)-1] = "nothing is out"
	}
	return lines
}

// bestLine is the line of a result, or of what the model expects, with how many similar results it stands for.
func bestLine(st sessions.State, what string, b loop.Best, similar int) string {
	for _, o := range st.Problem.Measured() {
		if _, ok := b.Value[o.Name]; !ok {
			continue
		}
		what += " " + o.Name + " = " + strings.TrimSpace(digits.Of(float64(b.Value[o.Name]))+" "+o.Unit)
	}
	if sd := cmp.Or(b.SD, b.Log10); sd != nil {
		o := st.Problem.Objectives[0]
		what += o.Gauge().Spread(float64(b.Value[o.Name]), float64(*sd), digits.Of)
	}
	what += " at " + shownInput(st, b.Input())
	switch {
	case similar > 0:
		return what + fmt.Sprintf("  (step %d, and %d similar)", b.Step, similar)
	case b.Step > 0:
		return what + fmt.Sprintf("  (step %d)", b.Step)
	}
	return what
}

// mostOfAFront is how many points of a front are told in words.
const mostOfAFront = 8

// frontByTheModel tells the front that the model expects, or why it is not to be believed.
func frontByTheModel(st sessions.State, status loop.Status) (lines []string) {
	switch {
	case len(status.Expected) == 0:
		return nil
	case status.Doubt != "":
		return []string{"the front by the model is not to be believed (--json has it): " + status.Doubt}
	}
	few := loop.Spread(status.Expected, mostOfAFront)
	for _, e := range few {
		line := "on the front by the model"
		for _, o := range st.Problem.Objectives {
			v, sd := float64(e.Value[o.Name]), float64(e.SD[o.Name]+e.Log10[o.Name])
			line += fmt.Sprintf(" %s = %s%s", o.Name, strings.TrimSpace(digits.Of(v)+" "+o.Unit), o.Gauge().Spread(v, sd, digits.Of))
		}
		lines = append(lines, line+" at "+shownInput(st, e.Input()))
	}
	if more := len(status.Expected) - len(few); more > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more: --json has them all", more))
	}
	return lines
}

// Pipe answers requests about a session, a JSON object a line, and keeps its file meanwhile.
func Pipe(ctx context.Context, in io.Reader, out, errs io.Writer, path string) error {
	s, err := Write(ctx, path, errs)
	if err != nil {
		return err
	}
	return errors.Join(loop.Serve(ctx, s, in, command.Heeding(ctx, out)), s.Close())
}
