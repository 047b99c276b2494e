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

// ID identifies the entry among all: its kind and its name.
func (e Entry) ID() string { return strings.TrimSpace(e.Kind.String() + " " + e.Name) }

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
var fillers = []string{"a", "an", "the", "to", "of", "my", "this", "at", "with", "in", "on", "for", "me", "please", "what", "is", "are"}

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

// words are the words of a text in lower case and in the singular, with Greek letters as their names.
func words(text string) []string {
	list := strings.FieldsFunc(strings.ToLower(glossary.Plain(text)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	for i, w := range list {
		switch stem := strings.TrimSuffix(w, "s"); {
		case len(w) > 4 && strings.HasSuffix(w, "ies"):
			list[i] = strings.TrimSuffix(w, "ies") + "y"
		case len(w) > 4 && stem != w && !strings.HasSuffix(stem, "s"):
			list[i] = stem
		}
	}
	return list
}

// The costs of the ways in which a word of a search matches an entry; the lower, the better. A word of the name is
// better than the beginning of one, and both are better than a word of the description. A match behind the first word
// of the name costs one more.
const (
	costWhole     = 0  // a word of the name
	costPrefix    = 2  // the beginning of a word of the name
	costAlso      = 4  // a further word, or its beginning
	costAbout     = 5  // a word of the description
	costInside    = 6  // within a word of the name
	costAboutFrom = 7  // the beginning of a word of the description
	costFuzzy     = 12 // the letters of the name, in their order
	costNone      = 30

	costSynonym   = 2 // more than that of the synonym
	costText      = 2 // of several words, for an entry that is opened or read
	costElsewhere = 3 // for a command of another screen
	costDisabled  = 5 // for an entry that can do nothing now
)

// cost is how badly a word of a search, or the best of its synonyms, matches the entry; costNone if it does not.
func (s *searchable) cost(word string) int {
	cost := s.costOf(word)
	for _, other := range others(word) {
		cost = min(cost, s.costOf(other)+costSynonym)
	}
	return cost
}

// costOf is how badly a word itself matches the entry.
func (s *searchable) costOf(word string) int {
	begins := func(w string) bool { return strings.HasPrefix(w, word) }
	behind := func(i int) int { return min(i, 1) }
	if i := slices.Index(s.name, word); i >= 0 {
		return costWhole + behind(i)
	}
	if i := slices.IndexFunc(s.name, begins); i >= 0 {
		return costPrefix + behind(i)
	}
	switch {
	case slices.Contains(s.also, word), len(word) > 1 && slices.ContainsFunc(s.also, begins):
		return costAlso
	case slices.Contains(s.about, word):
		return costAbout
	case len(word) > 2 && strings.Contains(s.whole, word):
		return costInside
	case len(word) > 2 && slices.ContainsFunc(s.about, begins):
		return costAboutFrom
	case len(word) > 2 && len(fuzzy.Find(word, []string{s.whole})) > 0:
		return costFuzzy
	}
	return costNone
}

// costOfPlace is what an entry costs whatever is typed: a command of another screen, or one that can do nothing now.
func (e Entry) costOfPlace() int {
	cost := 0
	if e.Kind == Elsewhere {
		cost += costElsewhere
	}
	if e.Disabled != "" {
		cost += costDisabled
	}
	return cost
}

// search is the entries that match a typed text, the best first; recent are the IDs of those that were used last,
// which come first among equal ones. At least half of the words must match. Without a text it is the commands, the used
// ones first. A question that begins with "what" prefers terms of the glossary.
func search(all []searchable, typed string, recent []string) []Entry {
	asked := words(typed)
	asksMeaning := len(asked) > 1 && asked[0] == "what"
	if keywords := slices.DeleteFunc(slices.Clone(asked), func(w string) bool {
		return slices.Contains(fillers, w)
	}); len(keywords) > 0 {
		asked = keywords
	}
	type ranked struct {
		*searchable
		cost, used int
	}
	var found []ranked
	for i := range all {
		s := &all[i]
		r := ranked{searchable: s, used: len(recent)}
		if j := slices.Index(recent, s.ID()); j >= 0 {
			r.used = j
		}
		unmatched := 0
		for _, w := range asked {
			c := s.cost(w)
			r.cost += c
			if c == costNone {
				unmatched++
			}
		}
		switch {
		case unmatched > len(asked)/2:
		case len(asked) > 0 || s.Kind <= Place || r.used < len(recent):
			switch {
			case asksMeaning && s.Kind == Term:
				r.cost -= costNone
			case s.Kind > Function && len(asked) > 1:
				r.cost += costText
			}
			if len(asked) > 0 {
				r.cost += s.costOfPlace()
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
		case len(asked) > 0 && a.Kind != b.Kind:
			return int(a.Kind - b.Kind)
		case len(asked) > 0:
			return len(a.whole) - len(b.whole)
		}
		return 0
	})
	entries := make([]Entry, len(found))
	for i, r := range found {
		entries[i] = r.Entry
	}
	return entries
}
