package asktell

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
)

// VariableBounds are new bounds of a variable as text: two ends, one value to pin it, or none to restore its domain.
type VariableBounds struct {
	Name string
	Ends []string
	Step string // the distance between suggested values; empty: as before, 0 for none
}

// ParseBounds reads bounds as a person writes them: dose=15,18 sets bounds, dose=15,18,0.5 with a step, dose=16 or
// solvent=water pins a variable, dose=free restores its whole domain.
func ParseBounds(word string) (VariableBounds, error) {
	name, text, ok := strings.Cut(word, "=")
	if !ok {
		return VariableBounds{}, fmt.Errorf("bounds are name=low,high, or name=low,high,step, or name=value to pin, or name=free to restore the domain; got %q", word)
	}
	b := VariableBounds{Name: strings.TrimSpace(name)}
	if text != "free" {
		b.Ends = functions.SplitList(text, ',')
		if len(b.Ends) == 3 {
			b.Ends, b.Step = b.Ends[:2], b.Ends[2]
		}
	}
	return b, nil
}

// Narrow is NarrowVariables with bounds as ParseBounds reads them.
func Narrow(ctx context.Context, s *sessions.Session, words []string, reason string) (string, error) {
	all := make([]VariableBounds, len(words))
	for i, w := range words {
		var err error
		all[i], err = ParseBounds(w)
		if err != nil {
			return "", err
		}
	}
	return NarrowVariables(ctx, s, reason, all...)
}

// NarrowVariables changes the bounds of variables in one act, and returns a sentence about the change.
func NarrowVariables(ctx context.Context, s *sessions.Session, reason string, all ...VariableBounds) (string, error) {
	var list []sessions.Bounds
	var texts []string
	for _, w := range all {
		v, err := s.State().Variable(w.Name)
		if err != nil {
			return "", err
		}
		b := sessions.Bounds{Variable: v.Name, Low: v.Low, High: v.High}
		if w.Ends == nil {
			texts = append(texts, b.Variable+" has its whole domain again")
		} else {
			b, err = boundsFor(v, w)
			if err != nil {
				return "", err
			}
			texts = append(texts, describeBound(v, b))
		}
		if slices.ContainsFunc(list, func(o sessions.Bounds) bool { return o.Variable == b.Variable }) {
			return "", fmt.Errorf("%s is given twice", b.Variable)
		}
		list = append(list, b)
	}
	return strings.Join(texts, "; "), s.Narrow(ctx, reason, list...)
}

// boundsFor parses the bounds of a variable with its step, or the one value to which it is pinned.
func boundsFor(v functions.Variable, w VariableBounds) (sessions.Bounds, error) {
	b, ends := sessions.Bounds{Variable: v.Name}, w.Ends
	whole := strings.TrimSuffix(strings.Join(append(slices.Clone(ends), w.Step), ","), ",")
	if slices.Contains(v.Choices, whole) { // a name with commas
		ends, w.Step = []string{whole}, ""
	}
	if len(ends) > 2 {
		return b, fmt.Errorf("%s needs two bounds, or one value to pin it; got %d values", v.Name, len(ends))
	}
	var err error
	b.Low, err = v.Parse(ends[0])
	if err != nil {
		return b, err
	}
	b.High, err = v.Parse(ends[len(ends)-1])
	if err != nil || w.Step == "" {
		return b, err
	}
	step, err := functions.Variable{Name: "the step of " + v.Name}.Parse(w.Step)
	b.Step = &step
	return b, err
}

// describeBound describes new bounds of a variable.
func describeBound(v functions.Variable, b sessions.Bounds) string {
	v.Low, v.High = b.Low, b.High
	if b.Low == b.High {
		return fmt.Sprintf("%s is pinned %s from now on", v.Name, encoding.FormatBounds(v))
	}
	steps := ""
	if b.Step != nil {
		steps = " without steps"
		if *b.Step > 0 {
			steps = " in steps of " + numfmt.Exact(*b.Step)
		}
	}
	return fmt.Sprintf("%s stays %s%s from now on", v.Name, encoding.FormatBounds(v), steps)
}
