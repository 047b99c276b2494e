package player

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/note"
	"bandscope/tui/lessonpage"
	"bandscope/tui/widget"
)

// panel is whether a mode has the panel in which notes are read.
func (p *Player) panel() bool {
	_, lower := p.Modes.Active.(mode.LowerPanel)
	return lower || p.Panel() != nil
}

// Panel is the mode that has a panel at the side, nil if none has one.
func (p *Player) Panel() mode.SidePanel {
	panel, _ := p.Modes.Active.(mode.SidePanel)
	return panel
}

// NotesShown reports whether notes are shown beside the picture.
func (p *Player) NotesShown() bool { return p.NotesWanted() && !p.panel() }

// NotesWanted reports whether there are notes that the person has not hidden; a mode may need their place.
func (p *Player) NotesWanted() bool { return !p.NotesPanel.Hidden && p.noNotes() == "" }

func (p *Player) noNotes() string {
	if len(p.screen.Notes().Passages) == 0 {
		return "there are no notes here; press n to write one"
	}
	return ""
}

// NotesScroll is how many lines the notes can be scrolled by, 0 if all of them are shown.
func (p *Player) NotesScroll() int {
	w, h := p.screen.NotesSize()
	return p.NotesPanel.MaxScroll(p.Style, p.screen.Notes(), w, h)
}

func (p *Player) noScroll() string {
	switch {
	case !p.NotesShown():
		return "there is no note to scroll"
	case p.NotesScroll() == 0:
		return "the whole note is shown"
	}
	return ""
}

func (p *Player) scroll(delta int) tea.Cmd {
	if text := p.NotesPanel.Scroll(delta, p.NotesScroll()); text != "" {
		p.Notify(text)
	}
	return nil
}

// writeNote opens the editor of a note, and stops a run, so that the note belongs to the current place.
func (p *Player) writeNote() tea.Cmd {
	p.screen.Stop()
	return tea.Batch(p.screen.UpdatePicture(), p.Start(note.New))
}

func (p *Player) mark() tea.Cmd {
	do := func(context.Context, sessions.Progress) (string, error) { return ActReply("marked", p.record.Mark()) }
	return p.screen.Apply(Act{Doing: "marking", Records: true, Do: do})
}

// ActReply is the message of an act; empty if it failed.
func ActReply(text string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return text, nil
}

// AskVerify recomputes the record, and reports whether it is the same.
func (p *Player) AskVerify() tea.Cmd {
	p.screen.Stop()
	return p.screen.Apply(Act{Doing: "verifying", Do: p.screen.Verify})
}

// Ask asks for a line of text for an act.
func (p *Player) Ask(label, text, hint string, act func(text string) Act) tea.Cmd {
	cmd := p.Status.Ask(label, text, func(text string) tea.Cmd {
		a := act(text)
		a.Typed = true
		return p.screen.Apply(a)
	})
	p.Status.Hint(hint)
	return cmd
}

func (p *Player) askStep() tea.Cmd {
	p.screen.Stop()
	return p.Status.Ask("go to "+p.Unit, "", func(text string) tea.Cmd {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 0 {
			return p.Status.Again(fmt.Sprintf("the %s must be a whole number of at least 0, got %q", p.Unit, text))
		}
		return p.GoToStep(n)
	})
}

// AskFork asks for the name of a branch that begins at the current place.
func (p *Player) AskFork() tea.Cmd {
	p.screen.Stop()
	return p.Ask("fork here as", "", p.screen.ForkHint(), func(text string) Act {
		return Act{Doing: "forking", Records: true, Do: func(context.Context, sessions.Progress) (string, error) {
			return p.screen.Fork(text)
		}}
	})
}

// askPath asks for the file to save the session to; if the suggested file exists, it takes the next free name.
func (p *Player) askPath() tea.Cmd {
	offered := p.screen.FileName()
	return p.Status.Ask("save as", offered, func(text string) tea.Cmd {
		path, err := p.Rights.Path(text, "run.jsonl")
		if err != nil {
			return p.Status.Again(err.Error())
		}
		if !strings.HasSuffix(path, ".jsonl") {
			path += ".jsonl"
		}
		if path == offered {
			path = library.FreePath(path)
		}
		do := func(context.Context, sessions.Progress) (string, error) {
			return ActReply("saved as "+path, p.record.SaveAs(path))
		}
		return p.screen.Apply(Act{Doing: "saving", Typed: true, Do: do})
	})
}

// AskExport asks for the file to export to.
func (p *Player) AskExport() tea.Cmd {
	cmd := p.Status.Ask("export to", "", func(text string) tea.Cmd {
		path, err := p.Rights.Path(text, p.Example)
		if err != nil {
			return p.Status.Again(err.Error())
		}
		if !slices.Contains(strings.Fields(p.Endings), filepath.Ext(path)) {
			return p.Status.Again("the extension must be one of " + p.Endings)
		}
		return widget.Request(widget.Export{Path: path})
	})
	p.Status.Hint(p.ExportHint)
	return cmd
}

// Export writes a file off the update loop.
func (p *Player) Export(path string, write func(ctx context.Context, progress sessions.Progress) error) tea.Cmd {
	p.screen.Stop()
	do := func(ctx context.Context, progress sessions.Progress) (string, error) {
		return ActReply("exported to "+path, write(ctx, progress))
	}
	return p.screen.Apply(Act{Doing: "exporting", Typed: true, Do: do})
}

// noResume is why R does nothing.
func (p *Player) noResume() string {
	if p.Last == nil && p.ReadingPosition.OfferedPage() == 0 {
		return "there is no earlier session to resume"
	}
	return ""
}

// resume goes to the reader's last page of a lesson; otherwise it leaves this session for the last one, and asks first
// if this one has changed.
func (p *Player) resume(msg tea.KeyPressMsg) tea.Cmd {
	if page := p.ReadingPosition.OfferedPage(); page > 0 {
		return p.GoTo(page - 1)
	}
	if warning := p.screen.LeaveWarning(); warning != "" && !p.Status.Confirmed(msg) {
		p.Notify(fmt.Sprintf("press ctrl+l again to leave %s, %s, for %s; any other key stays", warning, p.SavedClause(),
			p.LastSessionLabel()))
		return nil
	}
	return p.Leave(widget.Resume{Path: p.Last.Path})
}

// NoQuestion is why there is no question to answer.
func (p *Player) NoQuestion() string {
	if p.record.Lesson() == nil || !p.Reader.Choosing(p.page) {
		return "there is no question here"
	}
	return ""
}

// Asks reports whether a lesson waits for an answer.
func (p *Player) Asks() bool { return p.record.Lesson() != nil && p.Reader.Asks(p.page) }

// Answer takes the reader's answer, and goes to the next page, unless it first explains a wrong answer.
func (p *Player) Answer(msg tea.KeyPressMsg) tea.Cmd {
	if text := p.Reader.Choose(p.page, int(msg.String()[0]-'0')); text != "" {
		p.Notify(text)
		return nil
	}
	if p.Reader.Explains(p.page) {
		return p.screen.UpdatePicture()
	}
	return p.Turn()
}

// NextLesson leaves a lesson, or its exercise, for the next one of the course.
func (p *Player) NextLesson(name string) tea.Cmd {
	next, _ := lessonpage.Next(name)
	return p.Leave(widget.Lesson{Name: next})
}
