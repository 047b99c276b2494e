package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/asktell"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
)

// showOptions are the flags of bandscope show.
type showOptions struct {
	All, Watch, JSON bool
	Name             string // of the reader
	By               string
	From, To         int
}

// The views of a session, each with the flags that only some views have.
var showViews = map[string][]string{
	"state":   {"as"},
	"best":    {"by", "optimizer", "suggest-timeout"},
	"front":   {"by", "optimizer", "suggest-timeout"},
	"history": {"from", "to"},
	"--watch": {"from"},
	"--all":   {"as"},
}

func showCommand() *cobra.Command {
	var o showOptions
	c := &cobra.Command{Use: "show FILE [best|front|history] | show --all [FOLDER]",
		Short: "Show the state of a session, its best points or its history",
		Long: "Show the state of a session: the best result so far, pending points, and what others recorded since you were last there. Or show one of:\n\n" +
			"  best     the best result, and the point with the best prediction\n" +
			"  front    the Pareto front of the results, and the one that the model expects\n" +
			"  history  the events of all branches, with times and authors\n\n" +
			"With --watch, follow a session that others write to: print a line for every event from now on, until ctrl+c. With --all, list the sessions of a folder, those that need attention first: results that are due, pending points, stopped sessions, complete ones. No view writes to a file.",
		Example: "  bandscope show espresso.jsonl\n  bandscope show s.jsonl best --by data --json\n  bandscope show s.jsonl history --from 10\n" +
			"  bandscope show s.jsonl --watch\n  bandscope show --all .",
		Args: args(cobra.MaximumNArgs(2)), ValidArgsFunction: completeArgs(savedSessionWords, choices("best", "front", "history")),
		RunE: func(c *cobra.Command, a []string) error {
			view, err := o.view(c, a)
			if err != nil {
				return err
			}
			return o.show(c.Context(), os.Stdout, os.Stderr, view, a)
		}}
	(&programFlag{}).Flags(c)
	f := c.Flags()
	f.BoolVar(&o.All, "all", false, "list the sessions of a folder; the default is the folder of saved sessions")
	f.BoolVar(&o.Watch, "watch", false, "print a line for every event from now on")
	f.StringVar(&o.Name, "as", "", "your name on record: what others recorded since you were last there is listed; the default is the name of the system's user")
	f.StringVar(&o.By, "by", "both", "best and front by the results (data), by the model, or both")
	f.IntVar(&o.From, "from", 0, "number of the first event; 0 is the first one on record, with --watch the next one")
	f.IntVar(&o.To, "to", 0, "number of the last event; 0 is the last one on record")
	f.BoolVar(&o.JSON, "json", false, "print JSON, with --watch one object per event")
	completeFlag(c, "by", choices("data", "model", "both"))
	return c
}

// view is the view that a command line asks for; another one's flags are an error.
func (o showOptions) view(c *cobra.Command, words []string) (string, error) {
	view := "state"
	switch {
	case o.All && (o.Watch || len(words) > 1):
		return "", usagef("--all lists the sessions of a folder: leave out --watch and the view")
	case o.All:
		view = "--all"
	case len(words) == 0:
		return "", usagef("which session? Name its file, or give --all for all sessions of a folder")
	case o.Watch && len(words) == 2:
		return "", usagef("--watch follows the events: leave out %s", words[1])
	case o.Watch:
		view = "--watch"
	case len(words) == 2:
		view = words[1]
	}
	flags, ok := showViews[view]
	if !ok || view == "state" && len(words) == 2 {
		return "", usagef("bandscope show has the views best, front and history, got %q", view)
	}
	for _, owned := range showViews {
		for _, name := range owned {
			if c.Flags().Changed(name) && !slices.Contains(flags, name) {
				return "", usagef("--%s does not belong to this view; see bandscope show --help", name)
			}
		}
	}
	return view, nil
}

// show prints one view.
func (o showOptions) show(ctx context.Context, out, errs io.Writer, view string, words []string) error {
	reader := sessions.NewPerson(o.Name, sessions.ViaCommand)
	run := actRun{json: o.JSON}
	if len(words) > 0 {
		run.path = words[0]
	}
	switch view {
	case "--all":
		return printAgenda(ctx, out, errs, cmp.Or(append(words, library.DefaultDir())...), reader, o.JSON)
	case "--watch":
		return watch(ctx, out, errs, run.path, acts.WatchArgs{From: o.From}, o.JSON)
	case "history":
		run.act = acts.History
		run.args = acts.HistoryArgs{From: max(o.From, 1), To: o.To}
		run.text = historyLines
		return run.run(ctx, out, errs)
	case "best":
		run.act = acts.Best
	case "front":
		run.act = acts.Front
		run.text = frontLines
	default:
		return printStatus(ctx, out, errs, run.path, reader, o.JSON)
	}
	run.args = acts.BestArgs{By: o.By}
	if o.By == "data" { // needs no model
		return run.run(ctx, out, errs)
	}
	return read(ctx, out, errs, -1, func(sessions.State) (any, error) { return run.args, nil }, run)
}

// frontLines are a Pareto front as text.
func frontLines(st sessions.State, a acts.Answer) []string {
	f := a.(acts.FrontAnswer)
	lines := []string{f.Sentence()}
	for _, c := range f.Clusters {
		owner := f.Observed[c.Index]
		lines = append(lines, candidateLine(st, owner)+fmt.Sprintf("  (step %d%s)", owner.Step, similar(c, "result")))
	}
	if f.Caveat != "" || len(f.Model) == 0 {
		return lines
	}
	for _, c := range f.ModelClusters {
		lines = append(lines, "model: "+candidateLine(st, f.Model[c.Index])+similar(c, "point"))
	}
	if len(f.ModelClusters) < len(f.Model) {
		lines = append(lines, fmt.Sprintf("the model's front has %d points; --json prints all", len(f.Model)))
	}
	return lines
}

// similar says how many other points a representative of a front has; empty for none.
func similar(c asktell.Cluster, subject string) string {
	if c.Count < 2 {
		return ""
	}
	return ", and " + numfmt.Count(c.Count-1, "similar "+subject)
}

// candidateLine is a point of a front as text.
func candidateLine(st sessions.State, c acts.Candidate) string {
	var parts []string
	for _, o := range st.Problem.Outputs() {
		if v, ok := c.Value[o.Name]; ok {
			part := o.Name + " = " + numfmt.Format(float64(v))
			if low, ok := c.Low[o.Name]; ok {
				part += fmt.Sprintf(" (%s to %s)", numfmt.Format(float64(low)), numfmt.Format(float64(c.High[o.Name])))
			}
			parts = append(parts, strings.TrimSpace(part+" "+o.Unit))
		}
	}
	var position []string
	for _, v := range st.Problem.Domain {
		value := c.X[v.Name].String()
		if x, err := v.Parse(value); err == nil {
			value = v.Text(x)
		}
		position = append(position, strings.TrimSpace(v.Name+" = "+value+" "+v.Unit))
	}
	return strings.Join(parts, "  ") + " at " + strings.Join(position, "  ")
}

// historyLines are events as text.
func historyLines(_ sessions.State, answer acts.Answer) (lines []string) {
	for _, e := range answer.(acts.HistoryAnswer).Events {
		lines = append(lines, eventLine(e))
	}
	return lines
}

// eventLine is an event as text.
func eventLine(e acts.Event) string {
	text := e.Text
	if text == "" {
		text = e.Kind
	}
	line := fmt.Sprintf("%-4d %s  %s", e.Number, e.At.Local().Format("2006-01-02 15:04:05"), text)
	if e.By != nil {
		line += "  (" + e.By.String() + ")"
	}
	return line
}

// watch prints the events of a session's file as they are written.
func watch(ctx context.Context, out, errs io.Writer, path string, o acts.WatchArgs, asJSON bool) error {
	s, err := sessions.OpenToFollow(ctx, sessionFile(path, library.DefaultDir()))
	s, err = notify(s, err, errs)
	if err != nil {
		return err
	}
	defer s.Close()
	_, err = acts.FollowEvents(ctx, acts.Turn{Session: s, Emit: func(v any) error {
		e := v.(acts.Event)
		if asJSON {
			return sanitize.JSON(contextWriter{ctx, out}, e)
		}
		return printLines(contextWriter{ctx, out}, eventLine(e))
	}}, o)
	if errors.Is(err, context.Canceled) {
		return context.Cause(ctx)
	}
	return err
}
