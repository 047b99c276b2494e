// Package glossary defines the terms that the program, its lessons and the papers use: a few sentences each, the
// formula, the source, related terms, and commands or keys that show an example. The definitions are text files, which
// are read once. A term is found by its name or a synonym, or by words in it. Tests elsewhere check that the commands
// and keys exist.
package glossary

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"

	"bandscope/functions/didyoumean"
)

// Term is a term of the field with its definition. It does not change.
type Term struct {
	Name       string   `json:"name"`
	Synonyms   []string `json:"synonyms,omitempty"` // other names
	Definition string   `json:"definition"`         // one to three sentences
	Formula    string   `json:"formula,omitempty"`
	Source     string   `json:"source"`          // the paper, with section, equation or algorithm
	Links      []Link   `json:"links,omitempty"` // of the publications in Source whose address is known
	Related    []string `json:"related,omitempty"`
	See        []See    `json:"examples"` // examples
}

// Link is a publication, as Source names it, and its address.
type Link struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

// See is an example of a term: a command line, or a key on a screen.
type See struct {
	Command string `json:"command,omitempty"`
	Key     string `json:"key,omitempty"`
	Where   string `json:"heading,omitempty"` // the heading under which the help has the key
	Shows   string `json:"shows"`
}

// First returns the first sentence of the definition.
func (t Term) First() string {
	first, _, found := strings.Cut(t.Definition, ". ")
	if found {
		return first + "."
	}
	return t.Definition
}

//go:embed terms/*.txt
var texts embed.FS

// addresses are the addresses of publications, a line each: their DOI, arXiv number or the publisher's page.
//
//go:embed publications.txt
var addresses string

// publications are the publications with an address.
var publications = sync.OnceValue(func() (list []Link) {
	for line := range strings.Lines(addresses) {
		text, url, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			panic(fmt.Sprintf("publications.txt: %q has no address", line)) // they are part of the program
		}
		list = append(list, Link{text, url})
	}
	return list
})

var all = sync.OnceValue(func() []Term {
	entries, err := texts.ReadDir("terms")
	if err != nil {
		panic(err) // they are part of the program
	}
	var terms []Term
	for _, e := range entries {
		text, err := texts.ReadFile(path.Join("terms", e.Name()))
		if err != nil {
			panic(err)
		}
		for block := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
			t, err := parse(block)
			if err != nil {
				panic(fmt.Sprintf("%s: %v", e.Name(), err))
			}
			terms = append(terms, t)
		}
	}
	slices.SortFunc(terms, func(a, b Term) int { return strings.Compare(normalize(a.Name), normalize(b.Name)) })
	return terms
})

// parse reads a term: a line with its name, then "key: value" lines, and a line without a key, the definition.
func parse(block string) (t Term, err error) {
	name, rest, _ := strings.Cut(block, "\n")
	t.Name = name
	for line := range strings.SplitSeq(rest, "\n") {
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		case "also":
			t.Synonyms = strings.Split(value, ", ")
		case "formula":
			t.Formula = value
		case "source":
			t.Source = value
			for _, l := range publications() {
				if strings.Contains(value, l.Text) {
					t.Links = append(t.Links, l)
				}
			}
		case "related":
			t.Related = strings.Split(value, ", ")
		case "see":
			place, shows, ok := strings.Cut(value, " — ")
			s := See{Shows: shows}
			if key, isKey := strings.CutPrefix(place, "key "); isKey {
				s.Key, s.Where, ok = strings.Cut(key, " in ")
			} else {
				s.Command = place
			}
			if !ok || shows == "" {
				return t, fmt.Errorf("%s: %q must be a place, a dash and what it shows", name, line)
			}
			t.See = append(t.See, s)
		default:
			if t.Definition != "" {
				return t, fmt.Errorf("%s: %q is a second definition", name, line)
			}
			t.Definition = line
		}
	}
	return t, nil
}

// byName maps the normalized names and synonyms to terms.
var byName = sync.OnceValue(func() map[string]Term {
	named := map[string]Term{}
	for _, t := range all() {
		for _, n := range append([]string{t.Name}, t.Synonyms...) {
			named[normalize(n)] = t
		}
	}
	return named
})

// Lookup finds a term like Find; ok is false if there is none.
func Lookup(name string) (Term, bool) {
	t, ok := byName()[normalize(name)]
	return t, ok
}

// All returns all terms, sorted by name.
func All() []Term { return slices.Clone(all()) }

// Find finds a term by its name or a synonym. Case, hyphens and accents do not matter, and Greek letters may be written
// out. The error suggests similar names.
func Find(name string) (Term, error) {
	list := all()
	if i := slices.IndexFunc(list, func(t Term) bool { return t.Name == name }); i >= 0 { // the exact name
		return list[i], nil
	}
	if t, ok := Lookup(name); ok {
		return t, nil
	}
	var names []string
	for _, t := range list {
		names = append(append(names, t.Name), t.Synonyms...)
	}
	if len(didyoumean.Nearest(name, names)) == 0 {
		return Term{}, fmt.Errorf("no term %q, and none with a similar name", name)
	}
	return Term{}, didyoumean.NewUnknownError("term", name, names)
}

// Search returns the terms that contain all words, first those with one of the words in a name.
func Search(words string) []Term {
	wanted := strings.Fields(Plain(strings.ToLower(words)))
	if len(wanted) == 0 {
		return nil
	}
	holds := func(texts ...string) func(string) bool {
		text := Plain(strings.ToLower(strings.Join(texts, "\n")))
		return func(word string) bool { return strings.Contains(text, word) }
	}
	var named, others []Term
	for _, t := range all() {
		name := append([]string{t.Name}, t.Synonyms...)
		texts := append([]string{t.Definition, t.Formula, t.Source}, append(name, t.Related...)...)
		for _, s := range t.See {
			texts = append(texts, s.Command, s.Key, s.Where, s.Shows)
		}
		switch has := holds(texts...); {
		case slices.ContainsFunc(wanted, func(w string) bool { return !has(w) }):
		case slices.ContainsFunc(wanted, holds(name...)):
			named = append(named, t)
		default:
			others = append(others, t)
		}
	}
	return append(named, others...)
}

// normalize removes what people write in different ways: case, blanks, hyphens and accents.
func normalize(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -_.'^", r) {
			return -1
		}
		return r
	}, strings.ToLower(Plain(name)))
}

// ordinary are names of terms that texts use in an ordinary sense too, between blanks.
const ordinary = " width box question block limit study seed recall "

// In returns the terms that a text uses, by their names or synonyms, in the order of their first use.
func In(text string) (terms []Term) {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '\''
	})
	const longest = 5 // words of a name
	for i := 0; i < len(words); {
		used := 1
		for n := min(longest, len(words)-i); n > 0; n-- {
			t, ok := Lookup(strings.Join(words[i:i+n], " "))
			if !ok {
				t, ok = Lookup(strings.TrimSuffix(strings.Join(words[i:i+n], " "), "s"))
			}
			if ok && !strings.Contains(ordinary, " "+t.Name+" ") {
				if !slices.ContainsFunc(terms, func(have Term) bool { return have.Name == t.Name }) {
					terms = append(terms, t)
				}
				used = n
				break
			}
		}
		i += used
	}
	return terms
}
