package functions

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions/naming"
)

// Family is a test function that exists in one or more dimensions.
type Family struct {
	Name    string // what is typed before the colon
	Title   string
	About   string // one sentence: what is hard about it
	Source  string
	MinDim  int
	MaxDim  int   // equal to MinDim where there is only one
	Default int   // the dimension of the bare name
	Dims    []int // the dimensions, where they are not all from MinDim to MaxDim

	// New makes the problem in d dimensions. The seed matters only where Seeded is true. Name, Title, About, Source and
	// Seeded are filled in by Find.
	New    func(d int, seed uint64) Problem
	Seeded bool
}

// Families lists every family, in the order in which they are shown.
func Families() []Family { return families }

// FamilyNames lists the names of all families.
func FamilyNames() []string {
	names := make([]string, len(families))
	for i, f := range families {
		names[i] = f.Name
	}
	return names
}

// Find makes the problem with the given name, "forrester" or "ackley:20". The seed chooses the function where the
// family is seeded. The error of an unknown name lists the nearest names; that of a wrong dimension states the range.
func Find(name string, seed uint64) (*Problem, error) {
	base, dims, hasDim := strings.Cut(name, ":")
	for _, f := range families {
		if f.Name != base {
			continue
		}
		d := f.Default
		if hasDim {
			var err error
			if d, err = strconv.Atoi(dims); err != nil || !f.hasDim(d) {
				return nil, fmt.Errorf("the dimension of %s must be %s, got %q", f.Name, f.dimRange(), dims)
			}
		}
		p := f.New(d, seed)
		p.Name, p.Title, p.About, p.Source, p.Seeded = f.Name, f.Title, f.About, f.Source, f.Seeded
		if f.MinDim != f.MaxDim {
			p.Name = fmt.Sprintf("%s:%d", f.Name, d)
		}
		return &p, nil
	}
	return nil, naming.Unknown("function", base, FamilyNames())
}

func (f Family) hasDim(d int) bool {
	return d >= f.MinDim && d <= f.MaxDim && (f.Dims == nil || slices.Contains(f.Dims, d))
}

func (f Family) dimRange() string {
	if f.Dims != nil {
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(f.Dims), " ", " or "), "[]")
	}
	if f.MinDim == f.MaxDim {
		return strconv.Itoa(f.MinDim)
	}
	return fmt.Sprintf("in [%d, %d]", f.MinDim, f.MaxDim)
}
