package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions/numfmt"
	"bandscope/functions/timefmt"
	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
)

// maxAgendaName bounds the name of a session, in columns, so that the table has at most 80.
const maxAgendaName = 19

// printAgenda lists the sessions of a folder, those that need attention first. It does not write to their files.
func printAgenda(ctx context.Context, out, errs io.Writer, dir string, reader sessions.Author, asJSON bool) error {
	bar := newBar(errs)
	now := time.Now()
	list, err := library.Agenda(ctx, dir, reader, now, func(subject string, done, total int) {
		bar.Show(done, max(total, 1), progressText(subject, done, total))
	})
	bar.Clear()
	if err != nil {
		return err
	}
	if asJSON {
		return sanitize.JSON(out, list)
	}
	return writeAgenda(out, list, now)
}

// writeAgenda prints an agenda as a table of at most 80 columns, with times in the zone of now. Sessions that evaluate
// their points themselves are counted if none is pending.
func writeAgenda(out io.Writer, list []library.AgendaItem, now time.Time) error {
	shown := slices.DeleteFunc(slices.Clone(list), func(a library.AgendaItem) bool {
		return !a.Manual && a.Pending == 0 && a.State != library.AgendaUnreadable
	})
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 4, 2, ' ', 0)
	if len(shown) > 0 {
		fmt.Fprintln(w, "session\tstate\tsteps\tpending since\tdue")
	}
	for _, a := range shown {
		since, due := "", ""
		if a.Since != nil {
			since = timefmt.Clock(*a.Since, now)
		}
		if a.Due != nil {
			due = timefmt.Clock(*a.Due, now)
		}
		steps := fmt.Sprintf("%d/%d", a.Steps, a.Budget)
		if a.State == library.AgendaUnreadable {
			steps = ""
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", agendaName(a), a.Summary(),
			steps, since, due)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	var lines []string
	for line := range strings.Lines(table.String()) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	return printLines(out, append(lines, agendaNotes(list, len(list)-len(shown))...)...)
}

// agendaName is the name of a session, cut to the width of its column.
func agendaName(a library.AgendaItem) string {
	return ansi.Truncate(sanitize.Text(a.Name), maxAgendaName, "…")
}

// maxAgendaNotes bounds how many sessions have a line below the table.
const maxAgendaNotes = 20

// agendaNotes are the lines below the table: what others recorded, why files cannot be read, and how many sessions are
// not listed.
func agendaNotes(list []library.AgendaItem, hidden int) (lines []string) {
	for _, a := range list {
		switch {
		case a.News != "":
			lines = append(lines, agendaName(a)+": "+a.News)
		case a.State == library.AgendaUnreadable:
			lines = append(lines, "cannot read "+a.Reason)
		}
	}
	if extra := len(lines) - maxAgendaNotes; extra > 0 {
		lines = append(lines[:maxAgendaNotes], fmt.Sprintf("… and %d more; --json prints all", extra))
	}
	switch {
	case len(list) == 0:
		lines = append(lines, "there are no sessions in this folder")
	case hidden > 0:
		lines = append(lines, "not listed: "+numfmt.Count(hidden, "session")+" with automatic evaluation (--json lists all)")
	}
	return lines
}
