package library

import (
	"bandscope/optimizers/registry"
)

// methodFilter keeps the list of methods to those that fit the function: a function of several objectives has others
// than one of one, and some keep to no limits.
type methodFilter struct {
	objectives int                    // that the list is for; 0 before there is one
	limited    bool                   // the function has limits
	used       []string               // methods, the last used first
	chosen     map[problemKind]string // the method that stood selected
}

// problemKind is what tells functions apart that methods fit.
type problemKind struct{ several, limited bool }

func (f *methodFilter) kind() problemKind { return problemKind{f.objectives > 1, f.limited} }

// fit makes the list of methods that of the function on which the form stands; each kind of function keeps the method
// that was chosen for it.
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

// asked is what the function asks for on which the form stands; one objective where it stands on none.
func (m *form) asked() methodFilter {
	if it, ok := m.on(fieldFunction); ok {
		return methodFilter{objectives: it.objectives, limited: it.limited}
	}
	return methodFilter{objectives: 1}
}
