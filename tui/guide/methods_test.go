package guide

import (
	"testing"

	"bandscope/optimizers/registry"
)

// Something is said of every way that a method declares.
func TestEveryWayIsToldOf(t *testing.T) {
	for _, s := range registry.All() {
		if Pending[s.Pending] == "" || Errors[s.Errors] == "" || Levels[s.Levels] == "" ||
			Constraints[s.Constraints] == "" || Limits[s.Limits] == "" {
			t.Errorf("of %s not every way is told of", s.Name)
		}
	}
}
