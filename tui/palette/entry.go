package palette

import (
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"bandscope/sessions/lesson/glossary"
)

// Entry is one thing that the palette or a menu offers.
type Entry struct {
	Name     string // as it is shown and searched
	Also     string // further words by which it is found, such as a name in ASCII
	About    string // what it does, in one sentence
	Key      string // the key that does it too; empty for none
	Kind     Kind
	Disabled string // why it can do nothing now; empty if it can
	Do       func() tea.Cmd
	Sub      func() []Entry // of a menu: the entries that it leads to; nil for none
}

// Kind is what an entry is.
type Kind int

// The kinds of entries. Of two entries that match equally well, the one of the earlier kind comes first.
const (
	Command   Kind = iota // of the current screen
	Parameter             // of the current screen
	Place                 // a part of the program
	Elsewhere             // a command of another screen
	Method
	Function
	Lesson
	Session
	Comparison
	Training
	Study
	Guide
	Term
)

// kindNames are the words for the kinds; a command needs none.
var kindNames = [...]string{Parameter: "parameter", Place: "open", Method: "method", Function: "function",
	Lesson: "lesson", Session: "session", Comparison: "comparison", Training: "training", Study: "study",
	Guide: "guide", Term: "glossary", Elsewhere: ""}

// String names the kind; empty for commands.
func (k Kind) String() string { return kindNames[k] }

// fillers are words of a search that do not narrow it.
var fillers = []string{"a", "an", "the", "to", "of", "my", "this", "at", "with", "in", "on", "for", "me", "please"}

// searchable is an entry with its words as they are searched.
type searchable struct {
	Entry
	name, also, about []string
	whole             string // the name, in lower case
}

func index(entries []Entry) []searchable {
	list := make([]searchable, len(entries))
	for i, e := range entries {
		list[i] = searchable{Entry: e, name: words(e.Name), also: words(e.Also), about: words(e.About),
			whole: strings.ToLower(e.Name)}
	}
	return list
}

// words are the words of a text in lower case, with Greek letters as their names.
func words(text string) []string {
	text = strings.ToLower(glossary.Plain(text))
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// The costs of the ways in which a word of a search matches an entry; the lower, the better. A word of the name is
// better than the beginning of one, and both are better than a word of the description.
const (
	costWhole     = 0 // a word of the name
	costPrefix    = 1 // the beginning of a word of the name
	costAlso      = 2 // a further word, or its beginning
	costInside    = 3 // within a word of the name
	costAbout     = 4 // a word of the description
	costAboutFrom = 5 // the beginning of one
	costFuzzy     = 8 // the letters of the name, in their order
	costNone      = 1 << 10
)

// cost is how badly a word of a search matches the entry; costNone if it does not.
func (s *searchable) cost(word string) int {
	begins := func(w string) bool { return strings.HasPrefix(w, word) }
	switch {
	case slices.Contains(s.name, word):
		return costWhole
	case slices.ContainsFunc(s.name, begins):
		return costPrefix
	case slices.Contains(s.also, word), len(word) > 1 && slices.ContainsFunc(s.also, begins):
		return costAlso
	case len(word) > 2 && strings.Contains(s.whole, word):
		return costInside
	case slices.Contains(s.about, word):
		return costAbout
	case len(word) > 2 && slices.ContainsFunc(s.about, begins):
		return costAboutFrom
	case len(word) > 2 && len(fuzzy.Find(word, []string{s.whole})) > 0:
		return costFuzzy
	}
	return costNone
}

// able orders entries that can do something now before others.
func able(e Entry) int {
	if e.Disabled != "" {
		return 1
	}
	return 0
}

// search is the entries that match a typed text, the best first; recent are the names of those that were used last,
// which come first among equal ones. Of several words, all must match. Without a text it is the commands, the used ones
// first.
func search(all []searchable, typed string, recent []string) []Entry {
	asked := words(typed)
	if kept := slices.DeleteFunc(slices.Clone(asked), func(w string) bool {
		return slices.Contains(fillers, w)
	}); len(kept) > 0 {
		asked = kept
	}
	type ranked struct {
		*searchable
		cost, used int
	}
	var found []ranked
	for i := range all {
		s := &all[i]
		r := ranked{searchable: s, used: len(recent)}
		if j := slices.Index(recent, s.Name); j >= 0 {
			r.used = j
		}
		for _, w := range asked {
			if r.cost += s.cost(w); r.cost >= costNone {
				break
			}
		}
		switch {
		case r.cost >= costNone:
		case len(asked) > 0 || s.Kind <= Place || r.used < len(recent):
			if len(asked) > 0 && s.whole == strings.ToLower(strings.TrimSpace(typed)) {
				r.cost -= len(asked)
			}
			found = append(found, r)
		}
	}
	slices.SortStableFunc(found, func(a, b ranked) int {
		switch {
		case a.cost != b.cost:
			return a.cost - b.cost
		case a.used != b.used:
			return a.used - b.used
		case len(asked) == 0:
			return able(a.Entry) - able(b.Entry)
		case a.Kind != b.Kind:
			return int(a.Kind - b.Kind)
		}
		return 0
	})
	entries := make([]Entry, len(found))
	for i, r := range found {
		entries[i] = r.Entry
	}
	return entries
}
