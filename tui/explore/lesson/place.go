package lesson

import (
	"cmp"
	"fmt"
	"path/filepath"

	"bandscope/sessions"
	"bandscope/sessions/course"
)

// Place is how far a lesson is read since it was opened.
type Place struct {
	Name  string // under which it is kept what was read; empty where nothing is
	pages int    // when it was opened
	begun int    // the place where it was opened
	moved bool   // from there
	left  int    // the page to go on at, from 1; 0 for none
}

// Opened is where a lesson was opened: by its name, or its file.
func Opened(l *sessions.Lesson, path string, line sessions.Timeline) Place {
	if l == nil {
		return Place{}
	}
	if abs, err := filepath.Abs(path); err == nil && path != "" {
		path = abs
	}
	return Place{Name: cmp.Or(l.Name, path), pages: len(line.Stops), begun: line.At}
}

// Offer offers the page where the reader was last, from 1, where that is not where the lesson stands.
func (p *Place) Offer(page int) {
	if page > 1 && page <= p.pages && page-1 != p.begun {
		p.left = page
	}
}

// Left is the page that is offered to go on at, from 1, until the reader has come to it; 0 for none.
func (p *Place) Left() int { return p.left }

// Advice tells of the page that is offered, until another page is turned.
func (p *Place) Advice() string {
	if p.left == 0 || p.moved {
		return ""
	}
	return fmt.Sprintf("R goes on at page %d, where you were; space turns the page", p.left)
}

// End reports whether a lesson stands on its last page, or behind it.
func (p *Place) End(line sessions.Timeline) bool { return line.At >= p.pages-1 }

// Stand takes note of where the lesson stands.
func (p *Place) Stand(line sessions.Timeline) {
	p.moved = p.moved || line.At != p.begun
	if p.moved && line.At+1 >= p.left {
		p.left = 0
	}
}

// Read is how far the lesson is read. The place where it was opened is none where the reader was.
func (p *Place) Read(line sessions.Timeline, answers map[int]bool) course.Reading {
	page := min(line.At+1, p.pages)
	r := course.Reading{Page: page, Answers: answers}
	if p.moved {
		r.At = page
	}
	return r
}
