// Package training is what the trainings of small models share that are problems and labs of this program: the stream
// of random numbers that fixes their data and weights on every platform, what a training is to whoever steps it, and
// the error of one that diverged. A seed goes in, and the same numbers come out whatever ran before; the models
// themselves live in the packages beside it, and nothing here knows one.
package training

import "fmt"

// Training is one training of a small model, update by update. It is a pure function of its setting and of how many
// updates were done, bit by bit. It is used from one goroutine at a time.
type Training interface {
	// Step does one update. After an error, such as a Diverged, it is not to be stepped again.
	Step() error
	At() int           // updates that were done
	TotalUpdates() int // updates of the whole training
}

// DivergenceError is the error of a training whose numbers are not finite any more.
type DivergenceError struct {
	Step int    // of the update that failed, from 1
	What string // that is not finite: the loss, a gradient
}

// Error says where and why.
func (d *DivergenceError) Error() string {
	return fmt.Sprintf("the training diverged: %s was not finite at update %d", d.What, d.Step)
}
