package studypage

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/sessions/study/published"
	"bandscope/tui/export"
	"bandscope/tui/extension"
	"bandscope/tui/palette"
	"bandscope/tui/rights"
	"bandscope/tui/studyreport"
	"bandscope/tui/widget"
)

// Extension adds studies to the window. A study stays open while its cells are shown in the explorer, and its workers
// keep running, until another study is opened or the program ends.
var Extension = extension.Extension{
	Groups: Groups,
	Saved: func(ctx context.Context, r rights.Rights) (list []extension.Entry) {
		studies, _ := published.List(ctx, r.Studies) // the list of studies shows the error
		for _, e := range studies {
			about := "your own study"
			if e.BuiltIn != nil {
				about = e.BuiltIn.Title
			}
			list = append(list, extension.Entry{Action: widget.Study{Name: e.Name}, Entry: palette.Entry{
				Kind: palette.Study, Name: sanitize.Text(e.Name), Also: "study", About: sanitize.Text(about)}})
		}
		return list
	},
	Open: func(want widget.Action, r rights.Rights) (string, func(context.Context) (io.Closer, error)) {
		s, ok := want.(widget.Study)
		if !ok {
			return "", nil
		}
		return "opening the study " + sanitize.Text(s.Name), func(ctx context.Context) (io.Closer, error) {
			return Find(ctx, r.Studies, s.Name)
		}
	},
	Page: func(opened io.Closer, r rights.Rights) widget.Page {
		if o, ok := opened.(*Opening); ok {
			return New(o, r)
		}
		return nil
	},
}

// formats are the formats of a study's file, by the extension.
var formats = map[string]func(context.Context, io.Writer, *study.Table) error{
	".html": studyreport.HTML,
	".csv":  func(_ context.Context, w io.Writer, t *study.Table) error { return published.CSV(w, t) },
	".json": func(_ context.Context, w io.Writer, t *study.Table) error { return published.JSON(w, t) },
}

// ExportTo writes the study as it is known here off the update loop, in the format of the file's extension.
func (m *Model) ExportTo(path string) tea.Cmd {
	if m.board == nil {
		return nil
	}
	table := m.board.table()
	return m.work.doing.Start("exporting to "+sanitize.Text(path),
		func(ctx context.Context, _ func(string, int, int)) tea.Msg {
			write, ok := formats[filepath.Ext(path)]
			if !ok {
				endings := strings.Join(slices.Sorted(maps.Keys(formats)), ", ")
				return saidMsg{err: fmt.Errorf("the extension must be one of %s, got %s", endings, path)}
			}
			if err := export.New(path, func(w io.Writer) error { return write(ctx, w, table) }); err != nil {
				return saidMsg{err: err}
			}
			return saidMsg{text: "exported to " + path}
		})
}

// Parting is the message while workers save their progress after the window closed; empty if none are running.
func (m *Model) Parting() string {
	if !m.Working() {
		return ""
	}
	return fmt.Sprintf("the workers of the study %s are saving their progress; run the same command to resume",
		sanitize.Text(m.Name()))
}
