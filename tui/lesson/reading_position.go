package lesson

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
	"bandscope/sessions/recorder"
	"bandscope/tui/explore/note"
	"bandscope/tui/widget"
)

// ReadingPosition is how far a lesson is read since it was opened.
type ReadingPosition struct {
	Name     string // under which it is kept what was read; empty where nothing is
	pages    int    // when it was opened
	openedAt int    // the place where it was opened
	moved    bool   // from there
	offered  int    // the page to go on at, from 1; 0 for none
}

// NewReadingPosition is where a lesson was opened: by its name, or its file.
func NewReadingPosition(l *sessions.Lesson, path string, line recorder.Timeline) ReadingPosition {
	if l == nil {
		return ReadingPosition{}
	}
	if abs, err := filepath.Abs(path); err == nil && path != "" {
		path = abs
	}
	return ReadingPosition{Name: cmp.Or(l.Name, path), pages: len(line.Stops), openedAt: line.At}
}

// Offer offers the page where the reader was last, from 1, where that is not where the lesson stands.
func (p *ReadingPosition) Offer(page int) {
	if page > 1 && page <= p.pages && page-1 != p.openedAt {
		p.offered = page
	}
}

// OfferedPage is the page that is offered to go on at, from 1, until the reader has come to it; 0 for none.
func (p *ReadingPosition) OfferedPage() int { return p.offered }

// Advice tells of the page that is offered, until another page is turned.
func (p *ReadingPosition) Advice() string {
	if p.offered == 0 || p.moved {
		return ""
	}
	return fmt.Sprintf("R goes to page %d, where you were; space turns the page", p.offered)
}

// End reports whether a lesson stands on its last page, or behind it.
func (p *ReadingPosition) End(line recorder.Timeline) bool { return line.At >= p.pages-1 }

// NextKey opens the next lesson of the course.
var NextKey = widget.Bind("ctrl+n", "next lesson", "ctrl+n")

// NextPassages returns a passage that names the lesson after another in the course, and its key; none after the last.
func NextPassages(name string) []note.Passage {
	next, _ := Next(name)
	if next == "" {
		return nil
	}
	return []note.Passage{{Text: "Next lesson: **" + next + "** (`" + NextKey.Help().Key + "`)", Name: "next lesson",
		Description: "The next lesson of the course, " + next + ": ctrl+n opens it."}}
}

// PageWithNext returns the page of a lesson, on the last page with the name of the next lesson below.
func (p *ReadingPosition) PageWithNext(page note.Page, line recorder.Timeline) note.Page {
	if p.NoNext(line) == "" {
		page.Passages = slices.Concat(page.Passages, NextPassages(p.Name))
	}
	return page
}

// NextAbout is what NextKey does, for the guide.
const NextAbout = "go to the next lesson, from the last page or from the exercise"

// Next is the lesson that follows one in the course; where none does, why says so.
func Next(name string) (next, why string) {
	next, ok := library.LessonAfter(name)
	switch {
	case ok:
		return next, ""
	case name == "":
		return "", "this is not a lesson: o opens one"
	}
	return "", "this is the last lesson of the course: o opens another"
}

// NoNext is why there is no way from where a lesson stands to the next one.
func (p *ReadingPosition) NoNext(line recorder.Timeline) string {
	_, why := Next(p.Name)
	if why == "" && !p.End(line) {
		return "finish this lesson first: G goes to the last page"
	}
	return why
}

// LastPage tells on the last page of a lesson which keys lead on; exercise is whether it ends in one.
func (p *ReadingPosition) LastPage(exercise bool) string {
	said := "this is the last page: "
	if exercise {
		said += "enter goes to the exercise, "
	}
	if _, why := Next(p.Name); why == "" {
		return said + "ctrl+n to the next lesson"
	}
	return said + "o opens another lesson"
}

// MoveTo takes note of where the lesson stands.
func (p *ReadingPosition) MoveTo(line recorder.Timeline) {
	p.moved = p.moved || line.At != p.openedAt
	if p.moved && line.At+1 >= p.offered {
		p.offered = 0
	}
}

// Read is how far the lesson is read. The place where it was opened is none where the reader was.
func (p *ReadingPosition) Read(line recorder.Timeline, answers map[int]bool) lesson.LessonProgress {
	page := min(line.At+1, p.pages)
	r := lesson.LessonProgress{FarthestPage: page, Answers: answers}
	if p.moved {
		r.CurrentPage = page
	}
	return r
}
