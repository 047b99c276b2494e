// Package player is what the screens of an optimization and of a training have in common: they move over a record, play
// it, read and write notes on it, mark it, begin branches, save and export, turn the pages of lessons, and give the
// keys to modes. What is recorded, how a step is computed and what is drawn of it are the screen's own.
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
	lessonpage "bandscope/tui/lesson"
	"bandscope/tui/widget"
)

// Record is a session, as far as the player moves over it and writes on it.
type Record interface {
	Back() bool
	Forward() bool
	First()
	Last()
	GoTo(stop int)
	Timeline() recorder.Timeline
	Lesson() *sessions.Lesson
	Mark() error
	SaveAs(path string) error
	Notices() []string
}

// Act is something that is done to a session, off the update loop.
type Act struct {
	Doing   string // as the status line says it
	Records bool   // it may put something on record, which is to be on disk
	Typed   bool   // it was typed into the prompt: if it fails, the text stays to be mended
	Do      func(ctx context.Context, progress sessions.Progress) (said string, err error)
}

// Screen is the screen that embeds a player: what it does in its own way.
type Screen interface {
	Keys() []widget.Key                        // as they stand while no mode has them
	Refresh()                                  // takes where the session stands
	UpdatePicture() tea.Cmd                    // does that, and computes the picture of it
	UpToDate() bool                            // the picture is of where the session stands
	Apply(Act) tea.Cmd                         // does an act, and computes the picture of what came of it
	Advance() tea.Cmd                          // takes a step
	NoRun() string                             // why it does not step by itself; empty where it can
	Stop()                                     // ends what is computed, a run, and the steps that wait
	Fork(text string) (said string, err error) // begins a branch where the session stands
	ForkHint() string                          // what may be typed for that
	Verify(context.Context, sessions.Progress) (said string, err error)
	Scene() mode.Scene             // what a mode sees
	Request(widget.Action) tea.Cmd // does what a mode wants
	Notes() note.Page              // what is written where the session stands
	NotesSize() (w, h int)         // of their panel, in cells
	FileName() string              // to save to
	LeaveWarning() string          // what R would leave, in words; empty if nothing was done here
}

// Words are what a screen says in its own words.
type Words struct {
	Title      string // of the screen, as in "… does nothing in the explorer"
	Unit       string // that the record counts: step, update
	OpenAnswer string // how a question without answers to choose from is answered
	ExportHint string
	Example    string // a file to export to
	Endings    string // of such files, as they are told; any other is refused
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

	screen       Screen
	record       Record
	page         lessonpage.Page
	saved        bool   // every event is in its file
	passNotes    bool   // a run does not pause where something is written
	retryPrompt  bool   // what was typed into the prompt is being done; if it fails, it is asked for again
	saveError    string // why the session is not on disk, as it was said last
	shownNotices int    // notices of the session that were shown
	leaving      bool   // what shows something else was asked for, and nobody looked at that yet
}

// New makes the player of a screen over a session that is kept in dir. The session is the screen's from now on.
func New(s Screen, r Record, dir string, speed widget.Speed, words Words) Player {
	return Player{Base: widget.NewBase(), Speed: speed, Words: words, Dir: dir, screen: s, record: r,
		Reader: lessonpage.Reader{OpenAnswer: words.OpenAnswer}}
}

// Open begins where a session stands in a file, with what is to be known of that file.
func (p *Player) Open(path string, readOnly bool) {
	p.ReadingPosition = lessonpage.NewReadingPosition(p.record.Lesson(), path, p.Line)
	if news := p.news(); readOnly && news != "" {
		p.Say(news+"; w saves what can be read elsewhere", true)
	} else if news != "" {
		p.Notify(news)
	}
}

// SetPage takes where the session stands.
func (p *Player) SetPage(page lessonpage.Page, saved bool) {
	p.page, p.Line, p.saved = page, page.Line, saved
	p.ReadingPosition.MoveTo(p.Line)
}

// Page is where the reader of a lesson stands.
func (p *Player) Page() lessonpage.Page { return p.page }

// news is what is to be known of the session's file and was not shown yet.
func (p *Player) news() string {
	notices := p.record.Notices()
	text := strings.Join(notices[p.shownNotices:], "; ")
	p.shownNotices = len(notices)
	return text
}

// Init starts the first picture.
func (p *Player) Init() tea.Cmd { return p.screen.UpdatePicture() }

// Offer offers a saved session to be resumed; nil offers none.
func (p *Player) Offer(last *library.Entry) { p.Last = last }

// LastSessionLabel tells which session R resumes.
func (p *Player) LastSessionLabel() string {
	unit := map[bool]string{true: "update", false: "step"}[p.Last.Training != ""]
	s := fmt.Sprintf("%s at %s %d", p.Last.Subject(), unit, p.Last.Steps)
	switch n := p.Last.Asked - p.Last.Steps; {
	case n == 1:
		s += ", 1 point is out"
	case n > 1:
		s += fmt.Sprintf(", %d points are out", n)
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

// Leave stops what is computed, and asks for what shows something else.
func (p *Player) Leave(want widget.Action) tea.Cmd {
	p.screen.Stop()
	p.leaving = true
	return widget.Request(want)
}

// Leaving reports, once, whether a key has asked for what shows something else since it was asked before.
func (p *Player) Leaving() bool {
	leaving := p.leaving
	p.leaving = false
	return leaving
}

// Begin starts an act: what was typed for it is asked for again if it fails.
func (p *Player) Begin(a Act) { p.Acting, p.retryPrompt = true, a.Typed }

// ActDone says what came of an act, and why the session is not on disk, and tells the mode that has the keys. What was
// cancelled is not done, which needs no words.
func (p *Player) ActDone(said string, wrong, unkept error) tea.Cmd {
	mend := p.retryPrompt && p.Modes.Active == nil && !p.Status.Open()
	p.Acting, p.retryPrompt = false, false
	var cmd tea.Cmd
	var changed mode.Changed
	if said == "" {
		changed.Err = wrong
	}
	if wrong != nil {
		p.Halt()
	}
	switch failed := wrong != nil && !errors.Is(wrong, context.Canceled); {
	case failed && mend && said == "":
		cmd = p.Status.Again(wrong.Error())
	default:
		cmd = p.SendToMode(changed)
		if said != "" {
			p.Notify(said)
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

// reportSaveError says, once, why the session is not on disk.
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

// Abandon ends a job that failed, and what waited for it.
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
	p.Abandon(errors.New("internal error: " + msg.Reason + "; the session is safe"))
}

// Reading is what is read of the lesson that is open, by the name under which that is kept; empty where it is none.
func (p *Player) Reading() (name string, r lesson.LessonProgress) {
	return p.ReadingPosition.Name, p.ReadingPosition.Read(p.Line, p.Reader.Answers())
}

// OfferPage offers to go on in the lesson that is open at the page, from 1, where the reader was last.
func (p *Player) OfferPage(page int) { p.ReadingPosition.Offer(page) }
