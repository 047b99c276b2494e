package sessions

import (
	"cmp"
	"os/user"
	"slices"
	"strings"
	"time"

	"bandscope/sessions/eventlog"
)

// Author is who recorded an event, and by which way; see (*Session).SetAuthor.
type Author = eventlog.Author

// The kinds of author, and the ways by which they record.
const (
	AuthorPerson  = eventlog.AuthorPerson
	AuthorProgram = eventlog.AuthorProgram
	AuthorAgent   = eventlog.AuthorAgent
	AuthorClass   = eventlog.AuthorClass

	ViaExplorer = eventlog.ViaExplorer
	ViaCommand  = eventlog.ViaCommand
	ViaPipe     = eventlog.ViaPipe
	ViaPython   = eventlog.ViaPython
	ViaMCP      = eventlog.ViaMCP
	ViaSSH      = eventlog.ViaSSH
	ViaWeb      = eventlog.ViaWeb
)

// UserName is the name of the system's user, without that of a domain or machine; empty if it is unknown.
func UserName() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	name := u.Username[strings.LastIndexAny(u.Username, `\`)+1:]
	name, _, _ = strings.Cut(name, "@")
	return name
}

// NewPerson is the author for a person who records by a way: with a name, or else that of the system's user.
func NewPerson(name, via string) Author {
	return Author{Kind: AuthorPerson, Name: cmp.Or(strings.TrimSpace(name), UserName()), Via: via}.Clean()
}

// Contribution is how much an author recorded.
type Contribution struct {
	Author
	Suggestions int       // that the author asked for or chose
	Results     int       // complete ones
	Others      int       // other acts, such as partial results, notes and changes
	Last        time.Time // of the last act

	at int // the number of that in the record
}

// Contributions lists the known authors of the current branch, those who recorded last first.
func (s *Session) Contributions() []Contribution {
	s.rec.Lock()
	defer s.rec.Unlock()
	var list []Contribution
	path, index := s.rec.PathToTip(), map[Author]int{}
	i := 0 // of the author
	for number, e := range s.rec.Tree.Events() {
		if !e.By.Known() || !e.IsMark() && (e.Depth >= len(path) || path[e.Depth] != e) {
			continue
		}
		if len(list) == 0 || list[i].Author != e.By {
			var ok bool
			i, ok = index[e.By]
			if !ok {
				i, list = len(list), append(list, Contribution{Author: e.By})
				index[e.By] = i
			}
		}
		switch c := &list[i]; e.Kind {
		case kindSuggested:
			c.Suggestions++
		case kindObserved:
			c.Results++
		case kindRanged, eventlog.KindVisited, eventlog.KindResumed: // follows from others, or is about the file
			continue
		default:
			c.Others++
		}
		list[i].Last, list[i].at = s.rec.Started.Add(e.Elapsed), number
	}
	slices.SortStableFunc(list, func(a, b Contribution) int { return cmp.Compare(b.at, a.at) })
	return list
}
