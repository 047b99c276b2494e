package external

import (
	"errors"
	"os/exec"
	"testing"
)

// After Forbid no program starts.
func TestForbid(t *testing.T) {
	Forbid()
	defer forbidden.Store(false)
	if _, err := startProcess(exec.Command("true"), false, func(string) {}); !errors.Is(err, ErrForbidden) {
		t.Errorf("a program starts: %v", err)
	}
}
