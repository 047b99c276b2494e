package asktell

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/sessions"
)

// Narrow narrows variables as a person writes it, an act for all words: dose=15,18 keeps dose within these, dose=16
// pins it, as solvent=water does a choice, dose=free gives it its whole domain again.
func Narrow(ctx context.Context, s *sessions.Session, words []string, reason string) (string, error) {
	var list []sessions.Bounds
	var said []string
	for _, w := range words {
		name, text, ok := strings.Cut(w, "=")
		if !ok {
			return "", fmt.Errorf("a variable is narrowed by name=low,high, pinned by name=value and freed by "+
				"name=free; got %q", w)
		}
		v, err := s.State().Variable(strings.TrimSpace(name))
		if err != nil {
			return "", err
		}
		b := sessions.Bounds{Variable: v.Name, Low: v.Low, High: v.High}
		if text == "free" {
			said = append(said, b.Variable+" has its whole domain again")
		} else {
			if b, err = boundsFor(v, strings.Split(text, ",")); err != nil {
				return "", err
			}
			said = append(said, describeBound(v, b))
		}
		if slices.ContainsFunc(list, func(o sessions.Bounds) bool { return o.Variable == b.Variable }) {
			return "", fmt.Errorf("%s is given twice", b.Variable)
		}
		list = append(list, b)
	}
	return strings.Join(said, "; "), s.Narrow(ctx, reason, list...)
}

// boundsFor reads the bounds of a variable as they are typed, or the one value that it is pinned at.
func boundsFor(v functions.Variable, texts []string) (sessions.Bounds, error) {
	b := sessions.Bounds{Variable: v.Name}
	if len(texts) > 2 {
		return b, fmt.Errorf("%s is narrowed to two values, or pinned at one; got %d", v.Name, len(texts))
	}
	var err error
	if b.Low, err = v.Parse(texts[0]); err != nil {
		return b, err
	}
	b.High, err = v.Parse(texts[len(texts)-1])
	return b, err
}

// describeBound tells to what a variable is kept.
func describeBound(v functions.Variable, b sessions.Bounds) string {
	v.Low, v.High = b.Low, b.High
	if b.Low == b.High {
		return fmt.Sprintf("%s is pinned %s from here on", v.Name, encoding.FormatBounds(v))
	}
	return fmt.Sprintf("%s stays %s from here on", v.Name, encoding.FormatBounds(v))
}
