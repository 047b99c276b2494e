package sessions

import (
	"fmt"
	"strings"
	"time"

	"bandscope/functions/numfmt"
	"bandscope/functions/timefmt"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// News is what others recorded, on all branches, since a person last recorded something or closed the session.
type News struct {
	Since time.Time
	By    []AuthorNews // in the order of their first act
}

// LastEvent is the time of the last event on record.
func (s *Session) LastEvent() time.Time {
	s.rec.Lock()
	defer s.rec.Unlock()
	events := s.rec.Tree.Events()
	return s.rec.Started.Add(events[len(events)-1].Elapsed)
}

// AuthorNews is how much an author recorded.
type AuthorNews struct {
	Author      Author // zero if unknown
	Suggestions int
	Results     int // complete ones
	Partial     int // parts of results
	Corrections int // also withdrawn results
	Notes       int
	Others      int // other changes
}

// NewsFor is what others recorded since an author was last there; false if there is nothing new, or if the author was
// never there.
func (s *Session) NewsFor(author Author) (News, bool) {
	s.rec.Lock()
	defer s.rec.Unlock()
	events, last := s.rec.Tree.Events(), -1
	for i, e := range events {
		if author.Known() && e.By.SamePerson(author) {
			last = i
		}
	}
	if last < 0 {
		return News{}, false
	}
	n, index := News{Since: s.rec.Started.Add(events[last].Elapsed)}, map[Author]int{}
	for _, e := range events[last+1:] {
		if e.Kind == kindRanged || e.Kind == eventlog.KindVisited || e.Kind == eventlog.KindResumed {
			continue // it follows from others, or is about the file
		}
		i, known := index[e.By]
		if !known {
			i, n.By = len(n.By), append(n.By, AuthorNews{Author: e.By})
			index[e.By] = i
		}
		n.By[i].count(e.Kind)
	}
	return n, len(n.By) > 0
}

// count counts an event of a kind.
func (a *AuthorNews) count(kind string) {
	switch kind {
	case kindSuggested:
		a.Suggestions++
	case kindObserved:
		a.Results++
	case kindMeasured:
		a.Partial++
	case kindCorrected:
		a.Corrections++
	case recorder.KindNoted, eventlog.KindAnnotated:
		a.Notes++
	default:
		a.Others++
	}
}

// String counts what the author did: "3 results, 1 correction by ann".
func (a AuthorNews) String() string {
	var parts []string
	for _, c := range []struct {
		n   int
		one string
	}{{a.Suggestions, "suggestion"}, {a.Results, "result"}, {a.Partial, "partial result"},
		{a.Corrections, "correction"}, {a.Notes, "note"}, {a.Others, "other change"}} {
		if c.n > 0 {
			parts = append(parts, numfmt.Count(c.n, c.one))
		}
	}
	text := strings.Join(parts, ", ")
	switch {
	case a.Author.Kind == AuthorPerson && a.Author.Name != "":
		text += " by " + a.Author.Name
	case a.Author.Known():
		text += " by " + a.Author.String()
	}
	return text
}

// maxNewsAuthors bounds how many authors are named in a sentence.
const maxNewsAuthors = 3

// Sentence describes the news, in the time zone of now: "since yesterday 17:40: 3 results by ann; 1 note by ben".
func (n News) Sentence(now time.Time) string {
	var parts []string
	for _, a := range n.By[:min(len(n.By), maxNewsAuthors)] {
		parts = append(parts, a.String())
	}
	if rest := len(n.By) - maxNewsAuthors; rest > 0 {
		parts = append(parts, "changes by "+numfmt.Count(rest, "other author"))
	}
	return fmt.Sprintf("since %s: %s", timefmt.Clock(n.Since, now), strings.Join(parts, "; "))
}
