package numfmt

import (
	"fmt"
	"strings"
)

// Count is a number of things, given the English name of one: "1 step", "2 branches", "3 studies", "2 earlier results".
func Count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, Plural(one))
}

// Plural is the plural of the regular name of a thing.
func Plural(one string) string {
	stem, isY := strings.CutSuffix(one, "y")
	switch {
	case isY && stem != "" && !strings.ContainsAny(stem[len(stem)-1:], "aeiou"):
		return stem + "ies"
	case strings.HasSuffix(one, "ch"), strings.HasSuffix(one, "sh"), strings.HasSuffix(one, "s"),
		strings.HasSuffix(one, "x"):
		return one + "es"
	}
	return one + "s"
}
