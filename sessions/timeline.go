package sessions

import (
	"slices"
	"strings"
)

// Stop is one of the places on a branch between which Back and Forward move.
type Stop struct {
	Step int    // the iterations done there
	Note string // the first line of what is written there
	Mark bool   // it is marked
	Ask  bool   // the reader is asked before the next place is shown
	Fork bool   // another branch leaves there
}

// Timeline is the current branch from its beginning to its end.
type Timeline struct {
	Stops []Stop
	At    int // where the session stands, or the last stop before that
}

// timeline tells the stops of the current branch. The caller holds the lock.
func (s *Session) timeline() Timeline {
	stops := s.stops()
	t := Timeline{Stops: make([]Stop, 0, len(stops))}
	forks := s.forks()
	p := Stop{}
	for _, e := range s.tip.Way() {
		d := s.noteOn(e)
		p.Mark, p.Ask = p.Mark || d.Mark, p.Ask || d.Asks()
		if p.Note == "" {
			p.Note = FirstLine(d.Text)
		}
		if i := len(t.Stops); i < len(stops) && stops[i] == e {
			p.Step = s.folds.iterations(e)
			p.Fork = slices.Contains(forks, p.Step)
			if e.Depth <= s.at.Depth {
				t.At = i
			}
			t.Stops = append(t.Stops, p)
			p = Stop{}
		}
	}
	return t
}

// forks are the steps of the current branch at which others leave it. The caller holds the lock.
func (s *Session) forks() []int {
	var steps []int
	for _, b := range s.tree.Branches()[1:] {
		if b.End.Branch() != s.tip.Branch() && b.Of == s.tip.Branch() {
			steps = append(steps, s.folds.iterations(b.From))
		}
	}
	return steps
}

// FirstLine is the first line of a text that says something, without Markdown's marks of a heading.
func FirstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(strings.TrimLeft(line, "# ")); line != "" {
			return line
		}
	}
	return ""
}
