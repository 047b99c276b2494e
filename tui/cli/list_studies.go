package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"bandscope/functions/didyoumean"
	"bandscope/functions/numfmt"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/sessions/study/published"
	"bandscope/sessions/study/store"
)

// listedStudy is a study for other programs.
type listedStudy struct {
	Name  string               `json:"name"`
	Cells map[study.Status]int `json:"cells,omitempty"` // the number of each status, if the study was started
	File  string               `json:"file,omitempty"`  // its database in the data folder; empty for none
	Study *study.Declaration   `json:"study,omitempty"` // as it was started, or else as it is built in

	unread error // why its database could not be read
}

func listStudies(ctx context.Context, out io.Writer, name string, asJSON bool) error {
	entries, err := published.List(ctx, library.DefaultStudiesDir())
	if err != nil && len(entries) == 0 {
		return err
	}
	if name != "" {
		e, err := published.FindOpen(ctx, library.DefaultStudiesDir(), name)
		if errors.Is(err, didyoumean.ErrUnknown) {
			return asUsage(err)
		}
		if err != nil {
			return err
		}
		entries = []published.Entry{e}
	}
	list := make([]listedStudy, len(entries))
	for i, e := range entries {
		list[i] = listedStudy{Name: e.Name, File: e.Path, Study: e.BuiltIn}
		if e.Path != "" {
			list[i].unread = list[i].read(ctx)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	switch {
	case asJSON:
		return sanitize.JSON(out, list)
	case name != "":
		return describeStudy(out, list[0])
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, s := range list {
		title := ""
		if s.Study != nil {
			title = s.Study.Title
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", sanitize.Text(s.Name), s.statusText(), sanitize.Text(title))
	}
	return w.Flush()
}

// read reads the cells and the declaration of the study from its database.
func (s *listedStudy) read(ctx context.Context) error {
	st, err := store.OpenExisting(ctx, s.File)
	if err != nil {
		return err
	}
	defer st.Close()
	list, err := st.Studies(ctx)
	for _, single := range list {
		if single.Name == s.Name && single.Damaged != nil {
			return single.Damaged
		}
		if single.Name == s.Name {
			s.Cells = single.Cells
			s.Study, err = st.Declaration(ctx, s.Name)
		}
	}
	return err
}

// statusText says how many cells of the study are done.
func (s *listedStudy) statusText() string {
	switch {
	case s.unread != nil:
		return sanitize.Text(s.unread.Error())
	case s.Cells == nil && s.Study != nil:
		return numfmt.Count(len(s.Study.Problems)*len(s.Study.Methods)*s.Study.Seeds, "cell")
	}
	total := 0
	for _, n := range s.Cells {
		total += n
	}
	text := fmt.Sprintf("%d of %d cells done", s.Cells[study.Done], total)
	if n := s.Cells[study.Failed]; n > 0 {
		text += fmt.Sprintf(", %d failed", n)
	}
	return text
}

func describeStudy(out io.Writer, s listedStudy) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintf(w, "%s\t%s\n", sanitize.Text(s.Name), s.statusText())
	d := s.Study
	if d == nil {
		return w.Flush()
	}
	budget := d.Budget
	if budget == "" {
		budget = "as in the papers, by the number of variables"
	}
	for _, line := range [][2]string{
		{"title", d.Title}, {"source", d.Source}, {"note", d.Note},
		{"seeds", fmt.Sprintf("%d, from %d on", d.Seeds, d.FirstSeed())}, {"budget", budget},
		{"measure", string(d.Measure)},
		{"keeps", string(d.KeepOrDefault())}, {"file", s.File}} {
		if line[1] != "" {
			fmt.Fprintf(w, "%s\t%s\n", line[0], sanitize.Text(line[1]))
		}
	}
	for _, p := range d.Problems {
		fmt.Fprintf(w, "problem\t%s\n", sanitize.Text(p))
	}
	for _, m := range d.Methods {
		fmt.Fprintf(w, "method\t%s\n", sanitize.Text(m))
	}
	return w.Flush()
}
