package lesson

import (
	"context"
	"fmt"
	"strings"

	"bandscope/sessions"
	"bandscope/sessions/training"
)

// trainingActs are the actions of lessons on trainings.
var trainingActs = []act[*training.Session]{
	{"page", "page", 0, withoutContext(func(*training.Session, []string) error { return nil })},
	{"step", "step N", 1, func(ctx context.Context, s *training.Session, words []string,
		progress sessions.Progress) error {
		n, err := parseCount(words[0])
		if err == nil {
			_, err = s.Step(ctx, n, progress)
		}
		return err
	}},
	{"edit", "edit [second] KEY=VALUE …", 1, withoutContext(func(s *training.Session, words []string) error {
		run := 0
		if words[0] == "second" {
			run, words = 1, words[1:]
		}
		set, err := values(s.State().Spec, words)
		if err == nil {
			_, err = s.Edit(run, set)
		}
		return err
	})},
	{"add", "add KEY=VALUE … (or contrast)", 1,
		func(ctx context.Context, s *training.Session, words []string, progress sessions.Progress) error {
			set, err := values(s.State().Spec, words)
			if err == nil {
				_, err = s.AddRun(ctx, set, progress)
			}
			return err
		}},
	{"remove", "remove", 0, withoutContext(func(s *training.Session, _ []string) error { return s.RemoveRun() })},
	{"fork", "fork NAME", 1, withoutContext(func(s *training.Session, words []string) error { return s.Fork(strings.Join(words, " ")) })},
}

// values reads parameters of a training as KEY=VALUE, or "contrast" for those that its second run differs in.
func values(l *training.Spec, words []string) (map[string]any, error) {
	if len(words) == 1 && words[0] == "contrast" {
		return l.SecondRun, nil
	}
	set := map[string]any{}
	for _, w := range words {
		key, text, ok := strings.Cut(w, "=")
		if !ok {
			return nil, fmt.Errorf("write a parameter as KEY=VALUE, got %q", w)
		}
		d, err := l.Defaults().Decl(key)
		if err != nil {
			return nil, err
		}
		set[key], err = d.Parse(text)
		if err != nil {
			return nil, err
		}
	}
	return set, nil
}

// checkAct returns an error if an action has an unknown name or too few words.
func (s *Script) checkAct(words []string) (err error) {
	if s.IsTraining() {
		_, err = findAct(words, trainingActs)
	} else {
		_, err = findAct(words, actions)
	}
	return err
}
