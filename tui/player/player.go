// Package player is the common part of the screens of an optimization and of a training: they move over a record, play
// it, read and write notes on it, mark it, start branches, save and export, turn the pages of lessons, and give the
// keys to modes. A screen embeds a Player, which does not know the screen: its methods return the next things to do,
// a Next, and Do does it on the screen. The record, the computation of a step and the drawing are those of the screen.
package player

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
	"bandscope/sessions/recorder"
	"bandscope/sessions/sanitize"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/note"
	"bandscope/tui/lessonpage"
	"bandscope/tui/widget"
)

// Record is a session, as far as the player moves over it and writes on it.
type Record interface {
	Back() bool
	Forward() bool
	Last()
	GoTo(stop int)
	Mark() error
	SaveAs(path string) error
	Protected() bool
	Continue() error
	Lesson() *sessions.Lesson
	Notices() []string
	Path() string
	Await(ctx context.Context) error
	Arrivals() []sessions.Arrival
}

// Act is an operation on a session, off the update loop.
type Act struct {
	Doing   string // for the status line
	Records bool   // it may change the record, which must then be on disk
	Typed   bool   // it was typed into the prompt: if it fails, the text stays to be corrected
	Do      func(ctx context.Context, progress sessions.Progress) (text string, err error)

	confirmed bool // the user has chosen to change a protected session
}

// Words are the texts of a screen.
type Words struct {
	Title      string // of the screen, as in "… does nothing in the explorer"
	Unit       string // of the record: step, update
	OpenAnswer string // how a question without answers to choose from is answered
	ExportHint string
	Example    string // a file to export to
	Endings    string // the extensions of such files, with spaces between
}

// Player is the part of a screen that moves over a record.
type Player struct {
	widget.Base
	widget.Pace
	Words
	Jobs            widget.Jobs
	Acting          bool         // the job changes the session, rather than looks at it
	Speed           widget.Speed // of a run
	Places          int          // on record that a step makes; 0 is 1
	Line            recorder.Timeline
	Replays         bool // running ends where the record ends
	Modes           mode.Host
	NotesPanel      note.Panel                 // the notes that are read beside the picture
	Reader          lessonpage.Reader          // of a lesson: what they were asked, and said
	ReadingPosition lessonpage.ReadingPosition // how far it is read
	Dir             string                     // where sessions are kept
	Last            *library.Entry             // the session that can be resumed, nil if none

	follow       following
	record       Record
	page         lessonpage.Page
	saved        bool   // every event is in its file
	passNotes    bool   // a run does not pause at notes
	retryPrompt  bool   // the running act came from the prompt, which opens again if it fails
	saveError    string // why the session is not on disk, as it was shown last
	shownNotices int    // notices of the session that were shown
	leaving      bool   // an action that leaves the screen was requested, and Leaving was not called since
}

// New makes the player of a session that is kept in dir. The session is the screen's from now on.
func New(r Record, dir string, speed widget.Speed, words Words) Player {
	return Player{Base: widget.NewBase(), Speed: speed, Words: words, Dir: dir, record: r,
		Reader: lessonpage.Reader{OpenAnswer: words.OpenAnswer}}
}

// Open begins at the place where a session was saved, and shows the notices of its file.
func (p *Player) Open(path string, readOnly bool) {
	p.ReadingPosition = lessonpage.NewReadingPosition(p.record.Lesson(), path, p.Line)
	if news := p.news(); readOnly && news != "" {
		p.Say(news+"; press ctrl+s to save the readable part to another file", true)
	} else if news != "" {
		p.Notify(news)
	}
}

// SetPage takes the current place of the session.
func (p *Player) SetPage(page lessonpage.Page, saved bool) {
	p.page = page
	p.Line = page.Line
	p.saved = saved
	p.ReadingPosition.MoveTo(p.Line)
}

// Page is the current page of a lesson.
func (p *Player) Page() lessonpage.Page { return p.page }

// news is the notices of the session's file that were not shown yet.
func (p *Player) news() string {
	notices := p.record.Notices()
	text := strings.Join(notices[p.shownNotices:], "; ")
	p.shownNotices = len(notices)
	return text
}

// Offer offers a saved session to be resumed; nil offers none.
func (p *Player) Offer(last *library.Entry) { p.Last = last }

// LastSessionLabel describes the session that R resumes.
func (p *Player) LastSessionLabel() string {
	unit := map[bool]string{true: "update", false: "step"}[p.Last.Training != ""]
	s := fmt.Sprintf("%s at %s %d", p.Last.Subject(), unit, p.Last.Steps)
	switch n := p.Last.Asked - p.Last.Steps; {
	case n > 0:
		s += ", " + widget.Count(n, "pending point")
	}
	return sanitize.Text(s)
}

// SavedClause says whether the session is saved, in a clause.
func (p *Player) SavedClause() string {
	if p.saved {
		return "which is saved"
	}
	return "which is not saved"
}

// Leaving reports whether Leave was called since the last call of Leaving.
func (p *Player) Leaving() bool {
	leaving := p.leaving
	p.leaving = false
	return leaving
}

// Begin starts an act: its prompt opens again if it fails.
func (p *Player) Begin(a Act) { p.Acting, p.retryPrompt = true, a.Typed }

// ActDone shows the result of an act, and why the session is not on disk, and passes it to the mode that has the keys.
// A cancelled act needs no message.
func ActDone(m Screen, text string, wrong, unkept error) tea.Cmd {
	p := m.player()
	reopen := p.retryPrompt && p.Modes.Active == nil && !p.Status.Open()
	p.Acting, p.retryPrompt = false, false
	var cmd tea.Cmd
	var changed mode.Changed
	if text == "" {
		changed.Err = wrong
	}
	if wrong != nil {
		p.Halt()
	}
	switch failed := wrong != nil && !errors.Is(wrong, context.Canceled); {
	case failed && reopen && text == "":
		cmd = p.Status.Again(wrong.Error())
	default:
		cmd = Send(m, changed)
		if text != "" {
			p.Notify(text)
		}
		if failed {
			p.Status.Fail(wrong)
		}
	}
	p.reportSaveError(unkept)
	if news := p.news(); news != "" {
		p.Halt()
		p.Say(news, true)
	}
	return cmd
}

// reportSaveError shows, once, why the session is not on disk.
func (p *Player) reportSaveError(err error) {
	if err == nil {
		p.saveError = ""
		return
	}
	if p.saveError != err.Error() {
		p.saveError = err.Error()
		p.Halt()
		p.Status.Fail(err)
	}
}

// Abandon ends a job that failed, and the steps that waited for it.
func (p *Player) Abandon(err error) {
	p.Jobs.Finish()
	p.Halt()
	if !errors.Is(err, context.Canceled) {
		p.Status.Fail(err)
	}
}

// Panicked ends a job that panicked.
func (p *Player) Panicked(msg widget.PanicMsg) {
	p.Acting = false
	p.Abandon(msg)
}

// Reading is the name of the open lesson, empty if there is none, and the reader's progress.
func (p *Player) Reading() (name string, r lesson.LessonProgress) {
	return p.ReadingPosition.Name, p.ReadingPosition.Read(p.Line, p.Reader.Answers())
}

// OfferPage offers to continue the open lesson at the page, from 1, where the reader was last.
func (p *Player) OfferPage(page int) { p.ReadingPosition.Offer(page) }
