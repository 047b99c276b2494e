package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/library"
)

// views are what bandscope show shows of a session; the first one if no word names one.
var views = []*acts.Act{acts.Status.Act, acts.Best.Act, acts.Front.Act, acts.Results.Act, acts.History.Act,
	acts.Watch.Act}

func showCommand() *cobra.Command {
	var isAll bool
	c := &cobra.Command{Use: "show FILE [status|best|front|results|history|watch] | show --all [FOLDER]",
		Short: "Show the state of a session, its best points or its history",
		Long: "Show the state of a session: the best result so far, pending points, and what others recorded since you were last there. Or show one of:\n\n" + actList(views[1:]...) +
			"\nWith --all, list the sessions of a folder, those that need attention first: results that are due, pending points, stopped sessions, complete ones. No view writes to a file.",
		Example: "  bandscope show espresso.jsonl\n  bandscope show s.jsonl best --by data --json\n  bandscope show s.jsonl history --from 10\n" +
			"  bandscope show s.jsonl watch\n  bandscope show --all .",
		Args: args(cobra.MaximumNArgs(2)), ValidArgsFunction: completeArgs(savedSessionWords, actWords(views...))}
	d := newDoor(c, views...)
	c.Flags().BoolVar(&isAll, "all", false, "list the sessions of a folder; the default is the folder of saved sessions")
	c.RunE = func(c *cobra.Command, a []string) error {
		switch {
		case isAll && len(a) > 1:
			return usagef("--all lists the sessions of a folder: leave out the view")
		case isAll:
			dir := cmp.Or(append(a, library.DefaultDir())...)
			return printAgenda(c.Context(), os.Stdout, os.Stderr, dir, authorFrom(c.Context()), d.json)
		case len(a) == 0:
			return usagef("which session? Name its file, or give --all for all sessions of a folder")
		}
		view := views[0]
		if len(a) == 2 {
			var err error
			view, err = findAct(views, a[1])
			if err != nil {
				return err
			}
		}
		return d.show(c.Context(), os.Stdout, os.Stderr, view, a[0])
	}
	return recordsAs(c, sessions.AuthorPerson, sessions.ViaCommand)
}

// show shows one view of a session, or the state of a lab.
func (d *door) show(ctx context.Context, out, errs io.Writer, view *acts.Act, path string) error {
	err := d.run(ctx, out, errs, view, path, nil)
	if errors.Is(err, sessions.ErrTraining) && view == acts.Status.Act {
		return printTrainingStatus(ctx, out, errs, path, d.json)
	}
	if view.Waits && errors.Is(err, context.Canceled) {
		return context.Cause(ctx)
	}
	return err
}
