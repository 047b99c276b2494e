package acts

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// describeMap is "a = 1, b = 2" in the order of the names.
func describeMap[V any](m map[string]V, text func(V) string) string {
	parts := make([]string, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, name+" = "+text(m[name]))
	}
	return strings.Join(parts, ", ")
}

// capitalized is a text with a capital letter first.
func capitalized(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}

// Said is an answer that is one sentence.
type Said struct {
	Text string `json:"text" jsonschema:"what changed"`
}

// Sentence is the sentence.
func (s Said) Sentence() string { return capitalized(s.Text) + "." }
