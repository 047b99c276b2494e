package player

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/tui/explore/mode"
	"bandscope/tui/lessonpage"
	"bandscope/tui/widget"
)

// Panel is the mode that has a panel at the side, nil if none has one.
func (p *Player) Panel() mode.SidePanel {
	panel, _ := p.Modes.Active.(mode.SidePanel)
	return panel
}

// NotesShown reports whether notes are shown beside the picture, rather than the panel of a mode.
func NotesShown(m Screen) bool {
	p := m.player()
	_, lower := p.Modes.Active.(mode.LowerPanel)
	return NotesWanted(m) && !lower && p.Panel() == nil
}

// NotesWanted reports whether there are notes that the person has not hidden; a mode may need their place.
func NotesWanted(m Screen) bool { return !m.player().NotesPanel.Hidden && noNotes(m) == "" }

func noNotes(m Screen) string {
	return widget.Why(len(m.Notes().Passages) == 0, "there are no notes here; press n to write one")
}

// NotesScroll is how many lines the notes can be scrolled by, 0 if all of them are shown.
func NotesScroll(m Screen) int {
	w, h := m.NotesSize()
	p := m.player()
	return p.NotesPanel.MaxScroll(p.Style, m.Notes(), w, h)
}

func noScroll(m Screen) string {
	switch {
	case !NotesShown(m):
		return "there is no note to scroll"
	case NotesScroll(m) == 0:
		return "the whole note is shown"
	}
	return ""
}

func scroll(m Screen, delta int) tea.Cmd {
	if text := m.player().NotesPanel.Scroll(delta, NotesScroll(m)); text != "" {
		m.player().Notify(text)
	}
	return nil
}

// togglePauses makes runs pause at notes, or not.
func (p *Player) togglePauses() Next {
	p.passNotes = !p.passNotes
	p.Notify(map[bool]string{false: "runs pause at notes", true: "runs do not pause at notes"}[p.passNotes])
	return Next{}
}

func (p *Player) mark() Next {
	do := func(context.Context, sessions.Progress) (string, error) { return ActReply("marked", p.record.Mark()) }
	return Next{Act: &Act{Doing: "marking", Records: true, Do: do}}
}

// errDeclined is the error of an act that the user declined.
var errDeclined = errors.New("nothing was recorded")

// Guard asks where to record, if an act would change the file of a protected session: there or in a copy. The screen
// then applies the act again.
func Guard(m Screen, a Act) (cmd tea.Cmd, asks bool) {
	p := m.player()
	if !a.Records || a.confirmed || !p.record.Protected() {
		return nil, false
	}
	running := p.Running
	p.Halt()
	p.Status.AskToContinue(p.record, library.FreePath(p.record.Path()), func(decide func() error) tea.Cmd {
		p.Running = running
		confirmed := a
		confirmed.confirmed = true
		confirmed.Do = func(ctx context.Context, progress sessions.Progress) (string, error) {
			if err := decide(); err != nil {
				return "", err
			}
			return a.Do(ctx, progress)
		}
		return m.Apply(confirmed)
	}, func() tea.Cmd { return tea.Batch(Send(m, mode.Changed{Err: errDeclined}), m.UpdatePicture()) })
	return nil, true
}

// ActReply is the message of an act; empty if it failed.
func ActReply(text string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return text, nil
}

// AskFor asks for a line of text for an act.
func AskFor(label, text, hint string, act func(text string) Act) Next {
	return Next{Ask: &Prompt{Label: label, Text: text, Hint: hint, Then: func(text string) Next {
		a := act(text)
		a.Typed = true
		return Next{Act: &a}
	}}}
}

// again opens the prompt again with its text, and the reason why that is not valid.
func (p *Player) again(why string) Next { return Next{Cmd: p.Status.Again(why)} }

// askStep asks for a step, or for a page in a lesson.
func (p *Player) askStep() Next {
	unit, least, goTo := p.Unit, 0, p.goToStep
	if p.record.Lesson() != nil {
		unit, least = "page", 1
		goTo = func(n int) Next { return p.goTo(n - 1) }
	}
	return Next{Stop: true, Ask: &Prompt{Label: "go to " + unit, Then: func(text string) Next {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < least {
			return p.again(fmt.Sprintf("the %s must be a whole number of at least %d, got %q", unit, least, text))
		}
		return goTo(n)
	}}}
}

// AskFork asks for the name of a branch that begins at the current place.
func AskFork(hint string, fork func(name string) (message string, err error)) Next {
	next := AskFor("fork here as", "", hint, func(text string) Act {
		do := func(context.Context, sessions.Progress) (string, error) { return fork(text) }
		return Act{Doing: "forking", Records: true, Do: do}
	})
	next.Stop = true
	return next
}

// askPath asks for the file to save the session to; if the offered file exists, it takes the next free name.
func (p *Player) askPath(offered string) Next {
	return Next{Ask: &Prompt{Label: "save as", Text: offered, Then: func(text string) Next {
		path, err := p.Rights.Path(text, "run.jsonl")
		if err != nil {
			return p.again(err.Error())
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
		return Next{Act: &Act{Doing: "saving", Typed: true, Do: do}}
	}}}
}

// AskExport asks for the file to export to.
func (p *Player) AskExport() Next {
	return Next{Ask: &Prompt{Label: "export to", Hint: p.ExportHint, Then: func(text string) Next {
		path, err := p.Rights.Path(text, p.Example)
		if err != nil {
			return p.again(err.Error())
		}
		if !slices.Contains(strings.Fields(p.Endings), filepath.Ext(path)) {
			return p.again("the extension must be one of " + p.Endings)
		}
		return Next{Cmd: widget.Request(widget.Export{Path: path})}
	}}}
}

// Export writes a file off the update loop.
func Export(m Screen, path string, write func(ctx context.Context, progress sessions.Progress) error) tea.Cmd {
	do := func(ctx context.Context, progress sessions.Progress) (string, error) {
		return ActReply("exported to "+path, write(ctx, progress))
	}
	return Do(m, Next{Stop: true, Act: &Act{Doing: "exporting", Typed: true, Do: do}})
}

// noResume is why there is nothing to resume.
func (p *Player) noResume() string {
	return widget.Why(p.Last == nil && p.ReadingPosition.OfferedPage() == 0, "there is no earlier session to resume")
}

// resume goes to the reader's last page of a lesson; otherwise it leaves this session for the last one, and asks first
// if this one has changed.
func resume(m Screen, msg tea.KeyPressMsg, unsaved string) tea.Cmd {
	p := m.player()
	if page := p.ReadingPosition.OfferedPage(); page > 0 {
		return Do(m, p.goTo(page-1))
	}
	if unsaved != "" && !p.Status.Confirmed(msg) {
		p.Notify(fmt.Sprintf("press ctrl+l again to leave %s, %s, for %s; any other key stays", unsaved, p.SavedClause(),
			p.LastSessionLabel()))
		return nil
	}
	return Leave(m, widget.Resume{Path: p.Last.Path, Continue: true})
}

// NoQuestion is why there is no question to answer.
func (p *Player) NoQuestion() string {
	return widget.Why(p.record.Lesson() == nil || !p.Reader.Choosing(p.page), "there is no question here")
}

// Asks reports whether a lesson waits for an answer.
func (p *Player) Asks() bool { return p.record.Lesson() != nil && p.Reader.Asks(p.page) }

// Answers is the command that takes the reader's answer. The page then marks the right choice.
func Answers[M Screen]() widget.Command[M] {
	return widget.Command[M]{Binding: AnswerKey, DisabledReason: func(m M) string { return m.player().NoQuestion() },
		Do: func(m M, msg tea.KeyPressMsg) tea.Cmd { return Do(m, m.player().answer(int(msg.String()[0]-'0'))) }}
}

func (p *Player) answer(number int) Next {
	if text := p.Reader.Choose(p.page, number); text != "" {
		p.Notify(text)
		return Next{}
	}
	return Next{Picture: true}
}

// NextLesson leaves a lesson, or its exercise, for the next one of the course.
func NextLesson(m Screen, name string) tea.Cmd {
	next, _ := lessonpage.Next(name)
	return Leave(m, widget.Lesson{Name: next})
}
