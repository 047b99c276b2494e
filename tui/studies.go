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
	declared "bandscope/sessions/study"
	"bandscope/sessions/study/published"
	"bandscope/tui/export"
	"bandscope/tui/study"
	"bandscope/tui/study/report"
	"bandscope/tui/widget"
)

// A study stays open while its cells are looked at in the explorer, and so do workers inside of the program, until
// another study is opened or the program ends.

// showStudy shows the study that is open if it is the one that is wanted, else opens that; empty is the one that is
// open.
func (a *app) showStudy(name string) tea.Cmd {
	if a.study != nil && (name == "" || name == a.study.Name()) {
		return a.show(a.study)
	}
	if name == "" {
		a.current.Say("no study is open: o has a list of them", false)
		return nil
	}
	return a.open("opening the study "+sanitize.Text(name), func(ctx context.Context) (io.Closer, error) {
		return study.Find(ctx, name)
	})
}

// studyCloser is a study that is left, as something to be closed.
type studyCloser struct{ study *study.Model }

// Close stops the workers of the study, and closes what it is read from.
func (e studyCloser) Close() error { return e.study.End() }

// takeStudy shows a study that was opened; the one before is ended.
func (a *app) takeStudy(o *study.Opening) tea.Cmd {
	ended := a.dropStudy()
	a.study = study.New(o)
	return tea.Batch(ended, a.show(a.study))
}

// dropStudy ends the study that is open, if one is.
func (a *app) dropStudy() tea.Cmd {
	if a.study == nil {
		return nil
	}
	before := studyCloser{a.study}
	a.study.Stop()
	a.study = nil
	return a.drop(before)
}

// made explores a session that is made off the update loop, which esc stops; the page that wanted it stays until it is
// there.
func (a *app) made(want widget.MakeSession) tea.Cmd {
	return a.opening(want.What, true, func(ctx context.Context, progress func(string, int, int)) (io.Closer, error) {
		s, err := want.Make(ctx, progress)
		return cell{s}, err
	})
}

// cell is a session that was made of a cell of the study that is open.
type cell struct{ io.Closer }

// studyFormats are the formats of a study's file, by the ending of its name.
var studyFormats = map[string]func(context.Context, io.Writer, *declared.Table) error{
	".html": report.HTML,
	".csv":  func(_ context.Context, w io.Writer, t *declared.Table) error { return published.CSV(w, t) },
	".json": func(_ context.Context, w io.Writer, t *declared.Table) error { return published.JSON(w, t) },
}

// exportStudy writes a study to a new file, in the format of its ending.
func exportStudy(ctx context.Context, path string, t *declared.Table) error {
	write, ok := studyFormats[filepath.Ext(path)]
	if !ok {
		endings := strings.Join(slices.Sorted(maps.Keys(studyFormats)), ", ")
		return fmt.Errorf("the ending of %s says no format: it must be %s", path, endings)
	}
	return export.New(path, func(w io.Writer) error { return write(ctx, w, t) })
}

// partingText is what is to be said while workers hand over what they have in hand, when the window is gone; empty
// where none are at work.
func (a *app) partingText() string {
	if a.study == nil || !a.study.Working() {
		return ""
	}
	return fmt.Sprintf("the workers of the study %s hand over what they have in hand; the same command goes on",
		sanitize.Text(a.study.Name()))
}
