package study

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mattn/go-shellwords"
)

// entry is an item of a list of problems or methods: a name, and values by their keys.
type entry struct {
	name   string
	values map[string]string
}

// maxEntry bounds the text of an entry in bytes.
const maxEntry = 4096

// readEntry splits a text into words as a shell does. The first is the name, the others are key=value.
func readEntry(text string) (entry, error) {
	if len(text) > maxEntry {
		return entry{}, fmt.Errorf("an entry must have at most %d bytes, this one has %d", maxEntry, len(text))
	}
	parser := shellwords.NewParser()
	words, err := parser.Parse(text)
	switch {
	case err != nil:
		return entry{}, fmt.Errorf("%q cannot be split into words: a quote is not closed, or a parenthesis is outside of quotes; write cost=\"1 + exp(x1)\"", text)
	case parser.Position >= 0:
		return entry{}, fmt.Errorf("%q has %q outside of quotes; put the value in quotes", text,
			[]rune(text)[parser.Position])
	case len(words) == 0 || words[0] == "":
		return entry{}, errors.New("an entry is empty; it must begin with a name")
	case strings.Contains(words[0], "="):
		return entry{}, fmt.Errorf("%q begins with a value; the name must come first, then key=value", text)
	}
	e := entry{words[0], map[string]string{}}
	for _, word := range words[1:] {
		key, value, ok := strings.Cut(word, "=")
		switch {
		case !ok:
			return entry{}, fmt.Errorf("%q: after the name, key=value is expected, got %q", text, word)
		case strings.TrimSpace(value) == "":
			return entry{}, fmt.Errorf("%q: %s has no value", text, key)
		}
		if _, twice := e.values[key]; twice {
			return entry{}, fmt.Errorf("%q: %s occurs twice", text, key)
		}
		e.values[key] = strings.TrimSpace(value)
	}
	return e, nil
}

// Entry is the text of an entry of a study's lists: a name and key=value pairs, with quotes around values that need
// them.
func Entry(name string, pairs ...string) string {
	e := entry{name, map[string]string{}}
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, "=")
		e.values[strings.TrimSpace(key)] = value
	}
	return e.String()
}

// String is the entry in one form: keys sorted, values in quotes where a shell needs them.
func (e entry) String() string {
	var b strings.Builder
	b.WriteString(quote(e.name))
	for _, key := range slices.Sorted(maps.Keys(e.values)) {
		b.WriteString(" " + quote(key) + "=" + quote(e.values[key]))
	}
	return b.String()
}

// plain are the characters, except letters and digits, that need no quotes.
const plain = "._:,+-/^*%@="

// quote is a text as readEntry reads it back.
func quote(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(plain, r))
	}) {
		return text
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(text) + `"`
}
