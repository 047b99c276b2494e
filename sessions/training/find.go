// Package training records trainings of small models that are watched from inside, update by update. A training has
// parameters, some of which may change midway, and columns of numbers that are measured after every update. What a
// person decides (more updates, another parameter, a second run to compare with) is an event of a log in the same
// format as that of an optimization; the state is the fold of the events. Models are not stored: they are trained again
// from the nearest snapshot when somebody looks inside.
package training

// Find returns a lab by its name.
func Find(name string) (*Spec, error) { return find(name) }

// find finds labs, and those of tests.
var find = FindBuiltin
