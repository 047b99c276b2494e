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

// Narrow changes the bounds of variables, given as text, in one event: dose=15,18 sets bounds, dose=16 or solvent=water
// pins a variable, dose=free restores its whole domain.
func Narrow(ctx context.Context, s *sessions.Session, words []string, reason string) (string, error) {
	var list []sessions.Bounds
	var said []string
	for _, w := range words {
		name, text, ok := strings.Cut(w, "=")
		if !ok {
			return "", fmt.Errorf("bounds are name=low,high, or name=value to pin, or name=free to restore the "+
				"domain; "+
				"got %q", w)
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

// boundsFor parses the bounds of a variable, or the one value to which it is pinned.
func boundsFor(v functions.Variable, texts []string) (sessions.Bounds, error) {
	b := sessions.Bounds{Variable: v.Name}
	if len(texts) > 2 {
		return b, fmt.Errorf("%s needs two bounds, or one value to pin it; got %d values", v.Name, len(texts))
	}
	var err error
	if b.Low, err = v.Parse(texts[0]); err != nil {
		return b, err
	}
	b.High, err = v.Parse(texts[len(texts)-1])
	return b, err
}

// describeBound describes new bounds of a variable.
func describeBound(v functions.Variable, b sessions.Bounds) string {
	v.Low, v.High = b.Low, b.High
	if b.Low == b.High {
		return fmt.Sprintf("%s is pinned %s from now on", v.Name, encoding.FormatBounds(v))
	}
	return fmt.Sprintf("%s stays %s from now on", v.Name, encoding.FormatBounds(v))
}
