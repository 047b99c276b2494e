// Package trainer has what the trainings of small models share that are problems and labs of this program: the stream
// of random numbers that fixes their data and weights on every platform, the interface of a training, and the error of
// one that diverged. The same seed always gives the same numbers. The models are in the packages below this folder,
// which this package does not import.
package trainer

import "fmt"

// Training is one training of a small model, update by update. It is a pure function of its setting and the number of
// updates, bit by bit. It is used from one goroutine at a time.
type Training interface {
	// Step does one update. After an error, such as a DivergenceError, it must not be called again.
	Step() error
	At() int           // updates done
	TotalUpdates() int // updates of the whole training
}

// DivergenceError is the error of a training whose numbers are no longer finite.
type DivergenceError struct {
	Step int    // the failed update, from 1
	What string // the quantity that is not finite: the loss, a gradient
}

// Error names the quantity and the update.
func (d *DivergenceError) Error() string {
	return fmt.Sprintf("the training diverged: %s was not finite at update %d", d.What, d.Step)
}
