package guide

import (
	"testing"

	"bandscope/optimizers/registry"
)

// Something is said of every way that a method declares.
func TestEveryWayIsToldOf(t *testing.T) {
	program, err := registry.Find("exec:true")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range append(registry.All(), *program) {
		if Pending[s.Pending] == "" || Errors[s.Errors] == "" || Levels[s.Levels] == "" ||
			Constraints[s.Constraints] == "" || Limits[s.Limits] == "" {
			t.Errorf("of %s not every way is told of", s.Name)
		}
	}
}
