package parameters

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/sessions/glossary"
	"bandscope/tui/belief/told"
	"bandscope/tui/explain"
	"bandscope/tui/explore/mode"
	"bandscope/tui/screen"
)

// Elements tells what is seen of the panel while nothing is edited: the parameters, and the facts under them.
func Elements(s mode.Scene, facts []optimizers.Fact, p explain.Part) []explain.Element {
	decls := s.Params.Decls()
	a := arranged(len(decls), len(facts), p.H-2)
	changed := 0
	for _, d := range decls {
		if s.Params.Value(d.Key) != d.Default {
			changed++
		}
	}
	says := fmt.Sprintf("The parameters of %s, and what its fit found: all %d are at their defaults. e edits them, and the belief follows at once.", s.Params.Title, len(decls))
	if changed > 0 {
		says = fmt.Sprintf("The parameters of %s, and what its fit found: %d of %d are changed from their defaults, and bright. e edits them, and the belief follows at once.", s.Params.Title, changed, len(decls))
	}
	if len(decls) == 0 {
		says = s.Params.Title + " has no parameters."
	}
	list := []explain.Element{p.Panel("surrogate", says)}
	for i, d := range decls[:a.params] {
		e := p.Prose(strings.Join(strings.Fields(d.Label), " "), term(d), Says(d, s.Params.Value(d.Key)), i, i+1)
		e.Kind = explain.Number
		list = append(list, e)
	}
	if a.more > 0 {
		list = append(list, p.Prose("more parameters", "", fmt.Sprintf("%s for which there is no room here: e shows all %d, each with its meaning, its range and its source.", screen.Counted(a.more, "more parameter"), len(decls)), a.params, a.params+1))
	}
	for i, f := range facts[:a.facts] {
		says, term := told.Fact(f, s.State)
		if says == "" {
			continue
		}
		e := p.Prose(f.Name, term, says, a.from+i, a.from+i+1)
		e.Kind = explain.Number
		list = append(list, e)
	}
	return list
}

// mostHelp is how many words of what a parameter is are told.
const mostHelp = 38

// Says tells a parameter with its value.
func Says(d param.Decl, value any) string {
	label := strings.Join(strings.Fields(d.Label), " ")
	now := fmt.Sprintf("is %s rather than %s, the default", d.Format(value), d.Format(d.Default))
	if value == d.Default {
		now = fmt.Sprintf("is %s, the default", d.Format(value))
	}
	return fmt.Sprintf("The parameter %s %s. %s.", label, now, explain.Brief(d.Help, mostHelp))
}

// term is the word of the glossary that a label has, beside its symbol.
func term(d param.Decl) string {
	var words []string
	for _, w := range strings.Fields(d.Label) {
		if utf8.RuneCountInString(w) > 2 && !strings.Contains(w, "_") {
			words = append(words, w)
		}
	}
	if t, ok := glossary.Named(strings.Join(words, " ")); ok {
		return t.Name
	}
	return ""
}
