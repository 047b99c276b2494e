package librarypage

import (
	"bandscope/optimizers/registry"
)

// methodFilter limits the list of methods to those that support the function: its number of objectives, and its limits.
type methodFilter struct {
	objectives int                    // that the list is for; 0 before there is one
	limited    bool                   // the function has limits
	used       []string               // methods, the last used first
	chosen     map[problemKind]string // the method that was selected
}

// problemKind is the kind of a function, on which the list of methods depends.
type problemKind struct{ several, limited bool }

func (f *methodFilter) kind() problemKind { return problemKind{f.objectives > 1, f.limited} }

// fit updates the list of methods for the selected function; each kind of function keeps its chosen method.
func (m *form) fit() {
	f, next := &m.fitting, m.asked()
	if next.kind() == f.kind() && f.objectives > 0 {
		return
	}
	if f.chosen == nil {
		f.chosen = map[problemKind]string{}
	}
	if it, ok := m.on(fieldOptimizer); ok {
		f.chosen[f.kind()] = it.value
	}
	f.objectives, f.limited = next.objectives, next.limited
	m.inputs[fieldOptimizer].SetValue("")
	m.lists[fieldOptimizer], m.selected[fieldOptimizer] = byUse(optimizerItems(f.objectives, f.limited), f.used), 0
	name, ok := f.chosen[f.kind()]
	if !ok {
		name = registry.Default(f.objectives)
	}
	m.selectValue(fieldOptimizer, name)
}

// asked is the filter of the selected function; one objective if none is selected.
func (m *form) asked() methodFilter {
	if it, ok := m.on(fieldFunction); ok {
		return methodFilter{objectives: it.objectives, limited: it.limited}
	}
	return methodFilter{objectives: 1}
}
