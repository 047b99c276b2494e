package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"bandscope/functions/digits"
	"bandscope/optimizers/param"
	"bandscope/sessions/lab"
	"bandscope/sessions/safe"
	"bandscope/sessions/shelf"
)

// peek opens the session of a lab, by its path or the name under which it is kept, to tell of it.
func readLab(ctx context.Context, path string, errs io.Writer) (*lab.Session, error) {
	s, err := lab.Peek(ctx, sessionFile(path, shelf.DefaultDir()))
	if err != nil {
		return nil, err
	}
	printLabNotices(s, errs)
	return s, nil
}

// Replay prints the trace of a session as it is on record, or verifies it.
func replayLab(ctx context.Context, out, errs io.Writer, path string, verify bool) error {
	s, err := readLab(ctx, path, errs)
	if err != nil {
		return err
	}
	s.Last()
	if verify {
		bar := newBar(errs)
		v, err := s.Verify(ctx, func(what string, done, total int) { bar.Show(done, total, what) })
		bar.Clear()
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("interrupted after %d updates, which repeat themselves", v.Updates)
		case err != nil:
			return err
		case v.Diverged != nil:
			return errors.New(v.String())
		}
		_, err = fmt.Fprintln(out, v)
		return err
	}
	st := s.State()
	t := newLabTable(out, st.Lab, false)
	if err := errors.Join(t.begin(st), t.rows(st, lab.State{}, true)); err != nil {
		return err
	}
	for _, n := range st.Notes {
		if n.Text == "" {
			continue
		}
		if _, err := fmt.Fprintf(out, "note at update %d: %s\n", n.Step, safe.Text(n.Text)); err != nil {
			return err
		}
	}
	return nil
}

// Standing prints how far a session is.
func printLabStatus(ctx context.Context, out, errs io.Writer, path string, asJSON bool) error {
	s, err := readLab(ctx, path, errs)
	if err != nil {
		return err
	}
	st := s.State()
	if asJSON {
		return safe.JSON(out, lab.NewRecord(st, false))
	}
	lines := append([]string{safe.Text(st.Title())}, labStatusLines(st)...)
	if st.Ahead > 0 {
		lines = append(lines, digits.Count(st.Ahead, "place")+" on record after this one")
	}
	_, err = fmt.Fprintln(out, strings.Join(lines, "\n"))
	return err
}

// List lists the labs; a name lists one of them whole.
func listLabs(out io.Writer, name string, asJSON bool) error {
	all := lab.Labs()
	if name != "" {
		l, err := lab.Find(name)
		if err != nil {
			return asUsage(err)
		}
		all = []*lab.Lab{l}
	}
	if asJSON {
		return safe.JSON(out, all)
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, l := range all {
		fmt.Fprintf(w, "%s\t%s\n", l.Name, l.About)
	}
	if name != "" {
		describeLab(w, all[0])
	}
	return w.Flush()
}

// describe tells what a person may want to know before a lab is begun.
func describeLab(w io.Writer, l *lab.Lab) {
	fmt.Fprintf(w, "source: %s\nthese act from where they are edited: %s; an edit of any other begins the training anew\na second run is offered with: %s\n\n", l.Source, strings.Join(l.Live, ", "), contrastText(l))
	fmt.Fprintf(w, "parameter\tdefault\tvalues\tsource\n")
	for _, d := range l.Decls {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", d.Key, d.Format(d.Default), d.Range(), d.Source)
	}
	fmt.Fprintln(w)
	for _, d := range l.Decls {
		fmt.Fprintf(w, "%s\t%s\n", d.Key, d.Help)
	}
	fmt.Fprintf(w, "\ncolumn\twhat is measured\n")
	for _, c := range l.Columns {
		when := "at every update"
		if c.Judged {
			when = fmt.Sprintf("at every %dth update", labEvery)
		}
		fmt.Fprintf(w, "%s\t%s, %s\n", c.Key, c.Help, when)
	}
}

func contrastText(l *lab.Lab) string {
	p, err := l.Defaults().WithAll(l.Contrast)
	if err != nil {
		return err.Error()
	}
	return lab.Changes(l.Defaults(), p)
}

// Names are the labs, each with what it is.
func labTitles() (list [][2]string) {
	for _, l := range lab.Labs() {
		list = append(list, [2]string{l.Name, l.Title})
	}
	return list
}

// Parameters are those of a lab; none of a name that is none.
func labParams(name string) []param.Decl {
	if l, err := lab.Find(name); err == nil {
		return l.Decls
	}
	return nil
}
