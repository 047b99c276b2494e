package palette

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
)

// Finder is a screen with more to find than its commands: its parameters, its methods.
type Finder interface{ Entries() []Entry }

// Parameters are parameters as entries; edit edits one.
func Parameters(params param.Set, edit func(d param.Decl) tea.Cmd) []Entry {
	var list []Entry
	for _, d := range params.Decls() {
		list = append(list, Entry{Name: d.Label, Also: d.Key + " edit set change parameter", Kind: Parameter,
			About: "edit the parameter, which is " + d.Format(params.Value(d.Key)) + ": " + d.Help,
			Do:    func() tea.Cmd { return edit(d) }})
	}
	return list
}

// Methods are all methods as entries; use switches to one that supports the problem, does says what that is, and the
// current one can do nothing.
func Methods(p *functions.Problem, current, does string, use func(optimizers.Spec) tea.Cmd) []Entry {
	fit := registry.SupportingNames(len(p.Objectives), p.LimitedOutputs() != nil)
	var list []Entry
	for _, s := range registry.All() {
		e := Entry{Name: s.Name, Also: s.Title + " method optimizer switch", Kind: Method,
			About: does + " " + s.Title + ": " + s.Summary, Do: func() tea.Cmd { return use(s) }}
		switch {
		case s.Name == current:
			e.Disabled = "this is the current method"
		case !slices.Contains(fit, s.Name):
			e.Disabled = s.Title + " does not support " + numfmt.Count(len(p.Objectives), "objective")
			if p.LimitedOutputs() != nil {
				e.Disabled += " with limits"
			}
		}
		list = append(list, e)
	}
	return list
}
