package tui

import (
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"

	"bandscope/sessions/glossary"
	"bandscope/tui/screen"
)

// The keys that terms of the glossary are seen with stand in the help, under the headings that are named.
func TestKeysOfTheGlossaryAreThere(t *testing.T) {
	all := groups()
	there := func(where, pressed string) bool {
		return slices.ContainsFunc(all, func(g screen.Group) bool {
			return g.Title == where && slices.ContainsFunc(g.Bindings, func(b key.Binding) bool {
				shown := b.Help().Key
				return shown == pressed || slices.Contains(strings.FieldsFunc(shown, func(r rune) bool { return r == ' ' || r == ',' }), pressed)
			})
		})
	}
	for _, term := range glossary.All() {
		for _, s := range term.See {
			if s.Key != "" && !there(s.Where, s.Key) {
				t.Errorf("%s: there is no key %s under %s", term.Name, s.Key, s.Where)
			}
		}
	}
	if there("Look", "U") || there("Act", "i") {
		t.Error("keys are found where they are not")
	}
}
