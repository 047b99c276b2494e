package open

import (
	"bandscope/optimizers/methods"
)

// fitting keeps the list of methods to those that fit the function: a function of several objectives has others than one of one.
type fitting struct {
	objectives int             // that the list is for; 0 before there is one
	used       []string        // methods, the last used first
	chosen     map[bool]string // the method that stood selected, for one objective (false) and for several (true)
}

// fit makes the list of methods that of the function on which the form stands; each kind of function keeps the method that was chosen for it.
func (m *form) fit() {
	f, n := &m.fitting, m.objectives()
	if (n > 1) == (f.objectives > 1) && f.objectives > 0 {
		return
	}
	if f.chosen == nil {
		f.chosen = map[bool]string{}
	}
	if it, ok := m.on(fieldOptimizer); ok {
		f.chosen[f.objectives > 1] = it.value
	}
	f.objectives = n
	m.inputs[fieldOptimizer].SetValue("")
	m.lists[fieldOptimizer], m.selected[fieldOptimizer] = byUse(optimizerItems(n), f.used), 0
	name, ok := f.chosen[n > 1]
	if !ok {
		name = methods.Default(n)
	}
	m.selectValue(fieldOptimizer, name)
}

// objectives is how many the function has on which the form stands; 1 where it stands on none.
func (m *form) objectives() int {
	if it, ok := m.on(fieldFunction); ok {
		return it.objectives
	}
	return 1
}
