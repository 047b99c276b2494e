package study

import (
	"slices"
	"strings"

	"bandscope/optimizers"
	"bandscope/optimizers/registry"
)

// Labels are short names of the methods of a study. They leave out every setting that all methods with its parameter
// share, if there are at least two of them.
func Labels(methods []string) []string {
	labels := make([]string, len(methods))
	for i, m := range methods {
		words := strings.Fields(m)
		labels[i] = strings.Join(slices.DeleteFunc(words, func(word string) bool { return sharedSetting(methods, word) }), " ")
	}
	return labels
}

// sharedSetting reports whether a word is a setting that all methods with its parameter have, at least two.
func sharedSetting(methods []string, word string) bool {
	key, _, ok := strings.Cut(word, "=")
	if !ok {
		return false
	}
	count := 0
	for _, m := range methods {
		name, settings, _ := strings.Cut(m, " ")
		if slices.Contains(strings.Fields(settings), word) {
			count++
		} else if spec, err := registry.Find(name); err != nil || declares(spec, key) {
			return false
		}
	}
	return count > 1
}

// declares reports whether a method has a parameter.
func declares(spec *optimizers.Spec, key string) bool {
	for _, d := range append(spec.ParamsFor(1), spec.ParamsFor(2)...) {
		if d.Key == key {
			return true
		}
	}
	return false
}
