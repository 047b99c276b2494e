package change

import (
	"fmt"
	"slices"
	"strings"

	"bandscope/functions/digits"
	"bandscope/sessions"
)

// Narrow narrows variables as a person writes it, an act for all words: dose=15,18 keeps dose within these, dose=16 pins it, dose=free gives it its whole
// domain again.
func Narrow(s *sessions.Session, words []string, reason string) (string, error) {
	var list []sessions.Bounds
	var said []string
	for _, w := range words {
		name, text, ok := strings.Cut(w, "=")
		if !ok {
			return "", fmt.Errorf("a variable is narrowed by name=low,high, pinned by name=value and freed by name=free; got %q", w)
		}
		b := sessions.Bounds{Variable: strings.TrimSpace(name)}
		if text == "free" {
			v, err := s.State().Variable(b.Variable)
			if err != nil {
				return "", err
			}
			b.Low, b.High = v.Low, v.High
			said = append(said, b.Variable+" has its whole domain again")
		} else {
			ends, err := numbers(strings.Split(text, ","), "")
			if err != nil {
				return "", fmt.Errorf("%s: %w", b.Variable, err)
			}
			if len(ends) > 2 {
				return "", fmt.Errorf("%s is narrowed to two numbers, or pinned at one; got %d", b.Variable, len(ends))
			}
			b.Low, b.High = ends[0], ends[len(ends)-1]
			said = append(said, keptText(b))
		}
		if slices.ContainsFunc(list, func(o sessions.Bounds) bool { return o.Variable == b.Variable }) {
			return "", fmt.Errorf("%s is given twice", b.Variable)
		}
		list = append(list, b)
	}
	return strings.Join(said, "; "), s.Narrow(reason, list...)
}

// keptText tells within which bounds a variable stays.
func keptText(b sessions.Bounds) string {
	if b.Low == b.High {
		return fmt.Sprintf("%s is pinned at %s from here on", b.Variable, digits.Given(b.Low))
	}
	return fmt.Sprintf("%s stays within [%s, %s] from here on", b.Variable, digits.Given(b.Low), digits.Given(b.High))
}
