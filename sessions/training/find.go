// Package training records trainings of small models, update by update. A training has parameters, some of which may
// change midway, and columns of numbers that are measured after every update. Decisions of a person (more updates,
// another parameter, a second run to compare with) are events of a log in the same format as that of an optimization;
// the state is the fold of the events. Models are not stored: they are trained again from the nearest checkpoint.
package training

// Find returns a lab by its name.
func Find(name string) (*Spec, error) { return find(name) }

// find finds labs; tests replace it.
var find = FindBuiltin
