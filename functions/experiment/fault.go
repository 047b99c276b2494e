package experiment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bandscope/functions/didyoumean"
)

// Fault is one thing that is wrong with a declaration.
type Fault struct {
	Line int // in the file, from 1; 0 of a declaration that is in none
	Text string

	at *place // nil where only the line is known
}

// At is the key that it is about, in which table of its kind, from 0, or behind all of them where it is missing, at -1;
// false where only the line is known.
func (f Fault) At() (table string, index int, key string, known bool) {
	if f.at == nil {
		return "", 0, "", false
	}
	return f.at.table, f.at.index, f.at.key, true
}

// maxFaults bounds the number of reported faults.
const maxFaults = 50

// Faults are all that is wrong with a declaration, in the order of the lines.
type Faults struct {
	File string // as it was named; empty where it is in none
	List []Fault
}

// Error lists every fault on its own line.
func (f *Faults) Error() string {
	lines := make([]string, 0, len(f.List))
	for i, fault := range f.List {
		if i == maxFaults {
			lines = append(lines, fmt.Sprintf("and %d more", len(f.List)-i))
			break
		}
		var parts []string
		if f.File != "" {
			parts = append(parts, f.File)
		}
		if fault.Line > 0 {
			parts = append(parts, fmt.Sprintf("line %d", fault.Line))
		}
		lines = append(lines, strings.Join(append(parts, fault.Text), ": "))
	}
	return strings.Join(lines, "\n")
}

// errorOrNil is the faults as an error, which is nil if there are none.
func (f *Faults) errorOrNil() error {
	if len(f.List) == 0 {
		return nil
	}
	slices.SortStableFunc(f.List, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	return f
}

// place is a place in a declaration: a key of the experiment itself, or of one of its variables, objectives, limits or mixtures;
// an empty key is the whole table.
type place struct {
	table string
	index int
	key   string
}

// The tables of a file.
const (
	rootTable      = ""
	variableTable  = "variable"
	objectiveTable = "objective"
	limitTable     = "limit"
	mixtureTable   = "mixture"
	tableTable     = "table" // of candidates; there is one at most
)

// suggestValues returns what to write instead of an unknown value: the nearest known value, or all of them.
func suggestValues(word string, known []string) string {
	return suggest(word, known, "use "+joinWords(known, "or"))
}

// suggestKeys returns what to write instead of an unknown key: the nearest known key, or all of them behind a text.
func suggestKeys(word string, known []string, all string) string {
	return suggest(word, known, all+" "+joinWords(known, "and"))
}

// suggest returns a question for the nearest known word, or all where none is near.
func suggest(word string, known []string, all string) string {
	plain := make([]string, len(known))
	for i, k := range known {
		plain[i] = strings.Trim(k, "[]")
	}
	if near := didyoumean.Nearest(word, plain); len(near) > 0 {
		return "did you mean " + known[slices.Index(plain, near[0])] + "?"
	}
	return all
}

func joinWords(words []string, conjunction string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " " + conjunction + " " + words[n-1]
	}
	return strings.Join(words, "")
}
