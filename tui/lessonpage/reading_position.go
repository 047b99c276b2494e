package lessonpage

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

// ReadingPosition is how far a lesson was read since it was opened.
type ReadingPosition struct {
	Name     string // of the lesson in the progress; empty if none is kept
	pages    int    // when it was opened
	openedAt int    // the position where it was opened
	moved    bool   // the reader turned a page
	offered  int    // the offered page, from 1; 0 for none
}

// NewReadingPosition begins at the current page of a lesson, by its name or its file.
func NewReadingPosition(l *sessions.Lesson, path string, line recorder.Timeline) ReadingPosition {
	if l == nil {
		return ReadingPosition{}
	}
	if abs, err := filepath.Abs(path); err == nil && path != "" {
		path = abs
	}
	return ReadingPosition{Name: cmp.Or(l.Name, path), pages: len(line.Stops), openedAt: line.At}
}

// Offer offers to continue at a page, from 1, unless it is the current one.
func (p *ReadingPosition) Offer(page int) {
	if page > 1 && page <= p.pages && page-1 != p.openedAt {
		p.offered = page
	}
}

// OfferedPage returns the page that is offered, from 1, until the reader reaches it; 0 for none.
func (p *ReadingPosition) OfferedPage() int { return p.offered }

// Advice names the offered page, until the reader turns a page.
func (p *ReadingPosition) Advice() string {
	if p.offered == 0 || p.moved {
		return ""
	}
	return fmt.Sprintf("ctrl+l goes to page %d, where you were; space turns the page", p.offered)
}

// End reports whether the current page is the last page, or later.
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

// NextAbout describes NextKey in the guide.
const NextAbout = "go to the next lesson, from the last page or from the exercise"

// Next returns the next lesson of the course, or why there is none.
func Next(name string) (next, why string) {
	next, ok := library.LessonAfter(name)
	switch {
	case ok:
		return next, ""
	case name == "":
		return "", "this is not a lesson: o opens one"
	}
	return "", "no lesson follows this one: o opens another"
}

// NoNext says why NextKey cannot open the next lesson from here; empty if it can.
func (p *ReadingPosition) NoNext(line recorder.Timeline) string {
	_, why := Next(p.Name)
	if why == "" && !p.End(line) {
		return "finish this lesson first: G goes to the last page"
	}
	return why
}

// LastPage names the keys that continue from the last page; exercise is whether the lesson has one.
func (p *ReadingPosition) LastPage(exercise bool) string {
	text := "this is the last page: "
	if exercise {
		text += "enter goes to the exercise, "
	}
	if _, why := Next(p.Name); why == "" {
		return text + "ctrl+n to the next lesson"
	}
	return text + "o opens another lesson"
}

// MoveTo records the current page.
func (p *ReadingPosition) MoveTo(line recorder.Timeline) {
	p.moved = p.moved || line.At != p.openedAt
	if p.moved && line.At+1 >= p.offered {
		p.offered = 0
	}
}

// Read returns the progress. The page where the lesson was opened counts as current only if the reader turned a page.
func (p *ReadingPosition) Read(line recorder.Timeline, answers map[int]bool) lesson.LessonProgress {
	page := min(line.At+1, p.pages)
	r := lesson.LessonProgress{FarthestPage: page, Answers: answers}
	if p.moved {
		r.CurrentPage = page
	}
	return r
}
