package sessions

import (
	"errors"
	"fmt"
)

// ErrLab is wrapped by the error of a file that holds the session of a lab, which is read by the package lab.
var ErrLab = errors.New("this is the session of a lab, in which a training is watched and nothing is optimized")

// lab is what the header of a lab's session says in place of a configuration.
type lab struct {
	Name string `json:"name"`
}

// refused says what can be done with a lab's session.
func (l *lab) refused() error {
	return fmt.Errorf("%w (%s): bandscope FILE opens it, replay, status and export tell of it, and bandscope lab begins another", ErrLab, l.Name)
}
