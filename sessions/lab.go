package sessions

import (
	"errors"
	"fmt"
)

// ErrLab is wrapped by the error of a file that holds the session of a lab, which is read by the package lab.
var ErrLab = errors.New("a training is watched in it, and nothing is optimized")

// lab is what the header of a lab's session says in place of a configuration.
type lab struct {
	Name string `json:"name"`
}

// refused says what can be done with a lab's session.
func (l *lab) refused() error {
	return fmt.Errorf("this is a session of the lab %s: %w. bandscope FILE opens it, bandscope lab --resume FILE "+
		"trains on, and replay, status and export tell of it", l.Name, ErrLab)
}
