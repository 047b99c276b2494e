package study

import (
	"slices"
	"strings"

	"bandscope/optimizers/param"
	"bandscope/optimizers/program"
	"bandscope/optimizers/registry"
)

// Labels are short names of the methods of a study. They leave out every setting that all methods with its parameter
// share, if there are at least two of them.
func Labels(methods []string) []string {
	labels := make([]string, len(methods))
	for i, m := range methods {
		name, settings := splitEntry(m)
		labels[i] = strings.Join(append([]string{name}, slices.DeleteFunc(strings.Fields(settings), func(word string) bool {
			return sharedSetting(methods, word)
		})...), " ")
	}
	return labels
}

// splitEntry splits an entry into its name and its settings as they are written.
func splitEntry(m string) (name, settings string) {
	name = MethodName(m)
	return name, strings.TrimSpace(strings.TrimPrefix(m, quote(name)))
}

// sharedSetting reports whether a word is a setting that all methods with its parameter have, at least two.
func sharedSetting(methods []string, word string) bool {
	key, _, ok := strings.Cut(word, "=")
	if !ok {
		return false
	}
	count := 0
	for _, m := range methods {
		name, settings := splitEntry(m)
		if slices.Contains(strings.Fields(settings), word) {
			count++
		} else if program.IsName(name) { // it may have any parameter
			return false
		} else if spec, err := registry.Find(name); err != nil || param.Defaults(spec.ParamsFor(2)).Has(key) {
			return false
		}
	}
	return count > 1
}
