package acts

import (
	"time"

	"bandscope/sessions"
)

// News is what others recorded since a person last recorded something or closed the session.
type News struct {
	Since time.Time    `json:"since"`
	By    []AuthorNews `json:"by"`

	news sessions.News
}

// AuthorNews is how much an author recorded.
type AuthorNews struct {
	*sessions.Author     // nil if unknown
	Suggestions      int `json:"suggestions,omitempty"`
	Results          int `json:"results,omitempty"`
	Partial          int `json:"partial_results,omitempty"`
	Corrections      int `json:"corrections,omitempty"`
	Notes            int `json:"notes,omitempty"`
	Others           int `json:"other_changes,omitempty"`
}

// Sentence describes the news, in the time zone of now.
func (n News) Sentence(now time.Time) string { return n.news.Sentence(now) }

// newsFor is the news for the session's author; nil for none.
func newsFor(s *sessions.Session) *News {
	n, ok := s.NewsFor(s.Author())
	if !ok {
		return nil
	}
	news := &News{Since: n.Since.UTC(), news: n}
	for _, a := range n.By {
		change := AuthorNews{nil, a.Suggestions, a.Results, a.Partial, a.Corrections, a.Notes, a.Others}
		if a.Author.Known() {
			change.Author = &a.Author
		}
		news.By = append(news.By, change)
	}
	return news
}

// Contribution is how much an author recorded.
type Contribution struct {
	sessions.Author
	Suggestions int       `json:"suggestions"`
	Results     int       `json:"results"`
	Others      int       `json:"other_changes"` // partial results, notes and changes
	Last        time.Time `json:"last"`
}
