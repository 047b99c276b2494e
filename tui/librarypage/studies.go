package librarypage

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/sessions/study/published"
	"bandscope/sessions/study/store"
	"bandscope/tui/widget"
)

// studyItems are the studies: the started ones, the last changed first, and then the built-in ones.
func studyItems(entries []published.Entry) []item {
	items := make([]item, len(entries))
	for i, e := range entries {
		items[i] = item{value: e.Name, about: "your own study", path: e.Path}
		if e.BuiltIn != nil {
			items[i].about = strings.TrimSuffix(sanitize.Text(cmp.Or(e.BuiltIn.Title, e.BuiltIn.Source)), ".")
			if e.Path != "" {
				items[i].about = "started: " + items[i].about
			}
		}
		items[i].more = []string{sanitize.Text(e.Name), ""}
	}
	return items
}

// previewStudy reads a study: its declaration and its progress.
func previewStudy(ctx context.Context, name, path string) sessionPreview {
	p := sessionPreview{path: studyPath(name)}
	fail := func(err error) sessionPreview {
		p.lines = []string{"cannot be read: " + sanitize.Text(err.Error())}
		return p
	}
	d, built := published.Find(name)
	var progress []string
	if path != "" {
		st, err := store.OpenExisting(ctx, path)
		if err != nil {
			return fail(err)
		}
		defer st.Close() // nothing was written
		d, err = st.Declaration(ctx, name)
		if err != nil {
			return fail(err)
		}
		all, err := st.Studies(ctx)
		if err != nil {
			return fail(err)
		}
		for _, s := range all {
			if s.Name == name && s.Damaged != nil {
				return fail(s.Damaged)
			}
			if s.Name == name {
				progress = append(progress, "started "+s.Created.UTC().Format("2006-01-02 15:04 MST")+" by bandscope "+
					sanitize.Text(s.Program), progressText(s))
			}
		}
	} else if built {
		progress = append(progress, "not started here: press enter to open it, then r to run it")
		if published.HasResults(name) {
			progress[0] = "published results come with the program: press enter to view them, then r to run the study"
		}
	}
	if d == nil {
		return fail(fmt.Errorf("there is no study %s", name))
	}
	p.lines = append([]string{sanitize.Text(cmp.Or(d.Title, name)), ""}, progress...)
	p.lines = append(p.lines, fmt.Sprintf("%s × %s × %s", widget.Count(len(d.Problems), "problem"),
		widget.Count(len(d.Methods), "method"), widget.Count(d.Seeds, "seed")))
	if d.Source != "" {
		p.lines = append(p.lines, "", "source: "+sanitize.Text(d.Source))
	}
	if d.Note != "" {
		p.lines = append(p.lines, "", sanitize.Text(d.Note))
	}
	// they may be many
	p.lines = append(p.lines, "", "methods: "+sanitize.Text(strings.Join(d.Methods, ", ")),
		"problems: "+sanitize.Text(strings.Join(d.Problems, ", ")))
	return p
}

// studyPath is the key of a study's preview, which no session's path equals.
func studyPath(name string) string { return "study " + name }

// progressText describes the progress of a study.
func progressText(s store.Summary) string {
	text := fmt.Sprintf("%d of %s done", s.Cells[study.Done], widget.Count(s.Total(), "cell"))
	if n := s.Cells[study.Failed]; n > 0 {
		text += fmt.Sprintf(", %d failed", n)
	}
	return text
}
