package palette

import (
	"slices"
	"strings"
)

// synonyms are groups of words, in the form of words, that people use for the same thing: an entry is also found by the
// other words of the group.
var synonyms = []string{
	"undo back rewind previous",
	"delete remove drop discard correct withdraw wrong",
	"save export download",
	"picture image screenshot svg png",
	"again start beginning reset",
	"gp gaussian",
	"network ntk net neural",
	"versus vs against beside compare comparison",
	"hide show toggle",
	"quit exit close leave",
	"open load resume continue",
	"color colour theme",
	"objective goal target",
	"setting parameter option configure",
}

// others is the other words of the groups of a word.
func others(word string) []string {
	var list []string
	for _, line := range synonyms {
		group := strings.Fields(line)
		if slices.Contains(group, word) {
			list = append(list, group...)
		}
	}
	return slices.DeleteFunc(list, func(w string) bool { return w == word })
}
