package sessions

import (
	"errors"
	"fmt"
)

// ErrTraining is wrapped by the error of a file that holds the session of a lab, which is read by the package lab.
var ErrTraining = errors.New("a training session does not optimize")

// trainingHeader is what the header of a lab's session says in place of a configuration.
type trainingHeader struct {
	Name string `json:"name"`
}

// unsupported says what can be done with a lab's session.
func (l *trainingHeader) unsupported() error {
	return fmt.Errorf("this is a session of the lab %s: %w; open it with bandscope FILE, or continue it with bandscope lab --resume FILE (replay, status and export work too)", l.Name, ErrTraining)
}
