package experiment

import (
	"strings"

	"bandscope/functions/didyoumean"
	"bandscope/functions/tomlfile"
)

// Place is a key of a draft or of a file: of which kind of table, in which of them, from 0. An index of -1 is the kind as
// a whole, an empty key the table as a whole.
type Place = tomlfile.Place

// Fault is one thing that is wrong with a declaration.
type Fault = tomlfile.Fault

// The tables of a file: the experiment itself, its variables, objectives, limits and mixtures, and its table of candidates.
const (
	Root       = ""
	Variables  = "variable"
	Objectives = "objective"
	Limits     = "limit"
	Mixtures   = "mixture"
	tableTable = "table" // there is one at most
)

// suggestValues returns what to write instead of an unknown value: the nearest known value, or all of them.
func suggestValues(word string, known []string) string {
	return suggest(word, known, "use "+joinWords(known, "or"))
}

// suggest returns a question for the nearest known word, or all where none is near.
func suggest(word string, known []string, all string) string {
	if near := didyoumean.Nearest(word, known); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	return all
}

func joinWords(words []string, conjunction string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " " + conjunction + " " + words[n-1]
	}
	return strings.Join(words, "")
}
