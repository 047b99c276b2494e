// Package didyoumean finds the known names that are closest to an unknown one. It has no list of names: callers pass
// theirs with the typed name and get an error that names the nearest. All errors about an unknown function, method,
// parameter or session are made here, so that they have the same form.
package didyoumean

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns up to three of the known names that are closest to name in edit distance, the closest first. A name
// that contains the asked one, or is contained in it, counts as close.
func Nearest(name string, known []string) []string {
	type scored struct {
		name string
		dist int
	}
	low := strings.ToLower(name)
	var near []scored
	for _, k := range known {
		kl := strings.ToLower(k)
		d := levenshtein.ComputeDistance(low, kl)
		if low != "" && (strings.Contains(kl, low) || strings.Contains(low, kl)) {
			d = min(d, 2)
		}
		if d <= max(2, len(name)/2) {
			near = append(near, scored{k, d})
		}
	}
	slices.SortStableFunc(near, func(a, b scored) int { return cmp.Compare(a.dist, b.dist) })
	names := make([]string, 0, 3)
	for _, s := range near[:min(3, len(near))] {
		names = append(names, s.name)
	}
	return names
}

// ErrUnknown is what every error about a name that is not known wraps.
var ErrUnknown = errors.New("unknown name")

// unknown is the error about a name, in words.
type unknown string

// Error returns the text, Unwrap ErrUnknown.
func (u unknown) Error() string { return string(u) }
func (u unknown) Unwrap() error { return ErrUnknown }

// NewUnknownError is the error for a name that is not among the known ones: it names the nearest, or all of them if
// none is near. It wraps ErrUnknown.
func NewUnknownError(subject, name string, known []string) error {
	if near := Nearest(name, known); len(near) > 0 {
		return unknown(fmt.Sprintf("no %s %q; did you mean %s?", subject, name, strings.Join(near, ", ")))
	}
	if len(known) == 0 {
		return unknown(fmt.Sprintf("no %s %q: there are none here", subject, name))
	}
	return unknown(fmt.Sprintf("no %s %q; there are %s", subject, name, strings.Join(known, ", ")))
}
