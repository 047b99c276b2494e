package lesson

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/sessions"
)

// configure changes the beliefs of a playground: the second one follows the word over.
func configure(_ context.Context, s *sessions.Session, words []string, _ sessions.Progress) error {
	first, over := words, []string(nil)
	if i := slices.Index(words, "over"); i >= 0 {
		first, over = words[:i], words[i+1:]
		if len(first) == 0 || len(over) == 0 {
			return fmt.Errorf("name an optimizer before and after over")
		}
	}
	belief, err := parseBelief(s.State(), first)
	if err != nil {
		return err
	}
	if over == nil {
		return s.SetBeliefs(belief, nil)
	}
	second, err := parseBelief(s.State(), over)
	if err != nil {
		return err
	}
	return s.SetBeliefs(belief, &second)
}

// parseBelief reads an optimizer with its parameters, KEY=VALUE.
func parseBelief(st sessions.State, words []string) (sessions.BeliefConfig, error) {
	var settings []optimizers.Setting
	for _, w := range words[1:] {
		key, value, ok := strings.Cut(w, "=")
		if !ok {
			return sessions.BeliefConfig{}, fmt.Errorf("write a parameter as KEY=VALUE, got %q", w)
		}
		settings = append(settings, optimizers.Setting{Key: key, Text: value})
	}
	return st.Adjust(sessions.BeliefConfig{Optimizer: words[0]}, func(param.Set) []optimizers.Setting { return settings })
}
