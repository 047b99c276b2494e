package tui

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
	"bandscope/tui/studypage"
	"bandscope/tui/studyreport"
	"bandscope/tui/widget"
)

// A study stays open while its cells are shown in the explorer, and its workers keep running, until another study is
// opened or the program ends.

// showStudy shows the open study if it has the name, or if the name is empty; else it opens the study of that name.
func (a *app) showStudy(name string) tea.Cmd {
	if a.study != nil && (name == "" || name == a.study.Name()) {
		return a.show(a.study)
	}
	if name == "" {
		a.current.Say("no study is open; press o to choose one", false)
		return nil
	}
	folder := a.options.Rights.Studies
	return a.open("opening the study "+sanitize.Text(name), func(ctx context.Context) (io.Closer, error) {
		return studypage.Find(ctx, folder, name)
	})
}

// studyCloser is a study as an io.Closer.
type studyCloser struct{ study *studypage.Model }

// Close stops the workers of the study, and closes its source.
func (e studyCloser) Close() error { return e.study.End() }

// takeStudy shows a study that was opened, and ends the previous one.
func (a *app) takeStudy(o *studypage.Opening) tea.Cmd {
	ended := a.dropStudy()
	a.study = studypage.New(o, a.options.Rights)
	return tea.Batch(ended, a.show(a.study))
}

// dropStudy ends the open study, if there is one.
func (a *app) dropStudy() tea.Cmd {
	if a.study == nil {
		return nil
	}
	before := studyCloser{a.study}
	a.study.Stop()
	a.study = nil
	return a.drop(before)
}

// made makes a session off the update loop, which esc stops, and shows it; until then, the current page stays.
func (a *app) made(want widget.MakeSession) tea.Cmd {
	ofStudy := a.study != nil && a.current == display(a.study)
	return a.opening(want.What, true, func(ctx context.Context, progress func(string, int, int)) (io.Closer, error) {
		s, err := want.Make(ctx, progress)
		if err != nil || !ofStudy {
			return s, err
		}
		return cell{s}, nil
	})
}

// cell is a session of a cell of the open study.
type cell struct{ io.Closer }

// studyFormats are the formats of a study's file, by the extension.
var studyFormats = map[string]func(context.Context, io.Writer, *study.Table) error{
	".html": studyreport.HTML,
	".csv":  func(_ context.Context, w io.Writer, t *study.Table) error { return published.CSV(w, t) },
	".json": func(_ context.Context, w io.Writer, t *study.Table) error { return published.JSON(w, t) },
}

// exportStudy writes a study to a new file, in the format of its extension.
func exportStudy(ctx context.Context, path string, t *study.Table) error {
	write, ok := studyFormats[filepath.Ext(path)]
	if !ok {
		endings := strings.Join(slices.Sorted(maps.Keys(studyFormats)), ", ")
		return fmt.Errorf("the extension must be one of %s, got %s", endings, path)
	}
	return export.New(path, func(w io.Writer) error { return write(ctx, w, t) })
}

// partingText is the message while workers save their progress after the window closed; empty if none are running.
func (a *app) partingText() string {
	if a.study == nil || !a.study.Working() {
		return ""
	}
	return fmt.Sprintf("the workers of the study %s are saving their progress; run the same command to resume",
		sanitize.Text(a.study.Name()))
}
