package tomlfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Fault is one thing that is wrong with a file, or with a value that a file can declare.
type Fault struct {
	Place
	Line, Column int // in the file, from 1; 0 if they are unknown
	Text         string
}

// maxFaults bounds the number of reported faults.
const maxFaults = 50

// Faults are all that is wrong with a file.
type Faults struct {
	File string // its name; empty if there is none
	List []Fault
}

// Add adds the fault of a place, with its line.
func (f *Faults) Add(positions Positions, place Place, text string) {
	fault := Fault{Place: place, Text: text}
	if positions != nil {
		fault.Line = positions.Line(place)
	}
	f.List = append(f.List, fault)
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
		switch {
		case fault.Column > 0:
			parts = append(parts, fmt.Sprintf("line %d, column %d", fault.Line, fault.Column))
		case fault.Line > 0:
			parts = append(parts, fmt.Sprintf("line %d", fault.Line))
		}
		lines = append(lines, strings.Join(append(parts, fault.Text), ": "))
	}
	return strings.Join(lines, "\n")
}

// ErrorOrNil is the faults as an error in the order of their lines; nil if there are none.
func (f *Faults) ErrorOrNil() error {
	if len(f.List) == 0 {
		return nil
	}
	slices.SortStableFunc(f.List, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	return f
}
