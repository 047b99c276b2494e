package functions

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions/didyoumean"
)

// Family is a test function that exists in one or more dimensions.
type Family struct {
	Name       string // the name before the colon
	Title      string
	About      string // one sentence: the difficulty of the function
	Source     string
	MinDim     int
	MaxDim     int   // equal to MinDim where there is only one
	DefaultDim int   // the dimension of the bare name
	Dims       []int // the dimensions, where they are not all from MinDim to MaxDim

	// New makes the problem in d dimensions. The seed matters only where Seeded is true; where there are Instances it
	// is the instance, 0 the first. Name, Title, About, Source and Seeded are filled in by Find.
	New    func(d int, seed uint64) Problem
	Seeded bool
	// the number of instances, which have numbers from 1: "bbob-f8:5:i3"; 0 if there is only one
	Instances int
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

// Find makes the problem with the given name: "forrester", "ackley:20" or, of those with instances, "bbob-f8:5:i3". The
// seed chooses the function where the family is seeded. The error of an unknown name lists the nearest names; that of a
// wrong dimension or instance states the range.
func Find(name string, seed uint64) (*Problem, error) {
	base, rest, hasDim := strings.Cut(name, ":")
	index := slices.IndexFunc(families, func(f Family) bool { return f.Name == base })
	if index < 0 {
		return nil, didyoumean.NewUnknownError("function", base, FamilyNames())
	}
	f := families[index]
	d, title := f.DefaultDim, f.Title
	dims, which, hasInstance := strings.Cut(rest, ":")
	if f.Instances == 0 && hasInstance {
		return nil, fmt.Errorf("%s has no instances; write %s or %s:d, got %q", f.Name, f.Name, f.Name, name)
	}
	if hasDim {
		var err error
		d, err = strconv.Atoi(dims)
		if err != nil || !f.hasDim(d) {
			return nil, fmt.Errorf("the dimension of %s must be %s, got %q", f.Name, f.dimRange(), dims)
		}
	}
	full := f.Name
	if f.MinDim != f.MaxDim {
		full = fmt.Sprintf("%s:%d", f.Name, d)
	}
	if hasInstance {
		number, marked := strings.CutPrefix(which, "i")
		i, err := strconv.Atoi(number)
		if err != nil || !marked || i < 1 || i > f.Instances {
			return nil, fmt.Errorf("the instance of %s must be in [i1, i%d], as in %s:%d:i2, got %q", f.Name,
				f.Instances, f.Name, d, which)
		}
		seed = uint64(i)
		if i > 1 {
			full, title = fmt.Sprintf("%s:i%d", full, i), fmt.Sprintf("%s, instance %d", title, i)
		}
	} else if f.Instances > 0 {
		seed = 1
	}
	p := f.New(d, seed)
	p.Name = full
	p.Title = title
	p.About = f.About
	p.Source = f.Source
	p.Seeded = f.Seeded
	return &p, nil
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
