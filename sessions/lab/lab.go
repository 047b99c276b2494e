// Package lab is the engine of the labs: trainings of small models that are watched from inside, update by update. What is decided goes in (so many updates,
// another parameter, a second run that is laid over the first), and it is kept as a session is: a log of events in a file of the same format, whose fold is the
// state, with a place to stand in it, branches, notes and lessons. Every number that is shown of a training is on record; the models themselves are trained
// again from the nearest snapshot when somebody looks inside. Which labs there are is said in the room kinds, and how they look is the screen's.
package lab

import "bandscope/sessions/lab/kinds"

// What a lab is, and the trainings that it watches.
type (
	Lab    = kinds.Lab
	Model  = kinds.Model
	Column = kinds.Column
)

// Labs lists the labs in the order in which they are shown.
func Labs() []*Lab { return kinds.Labs() }

// Find returns a lab by its name.
func Find(name string) (*Lab, error) { return find(name) }

// find finds labs, and those of tests.
var find = kinds.Find
