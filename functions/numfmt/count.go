package numfmt

import (
	"fmt"
	"strings"
)

// Count is a number of things, given the English name of one: "1 step", "2 branches", "3 studies", "2 earlier results".
func Count(n int, singular string) string {
	if n == 1 {
		return "1 " + singular
	}
	return fmt.Sprintf("%d %s", n, Plural(singular))
}

// Plural is the plural of the regular name of a thing.
func Plural(singular string) string {
	stem, isY := strings.CutSuffix(singular, "y")
	switch {
	case isY && stem != "" && !strings.ContainsAny(stem[len(stem)-1:], "aeiou"):
		return stem + "ies"
	case strings.HasSuffix(singular, "ch"), strings.HasSuffix(singular, "sh"), strings.HasSuffix(singular, "s"),
		strings.HasSuffix(singular, "x"):
		return singular + "es"
	}
	return singular + "s"
}
